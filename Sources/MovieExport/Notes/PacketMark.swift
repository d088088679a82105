package import AssetReader
package import MediaCore

/// What a packet means for damage: it lacks data, or damage before it has no effect after it.
package struct PacketMark {
  package let trackID: AssetTrack.ID
  /// Its presentation time; invalid if the container gives none.
  package let time: MediaTime
  /// True for a frame from which decoding can start.
  package let isSync: Bool
  /// True if the packet is incomplete or comes after a gap.
  let isBroken: Bool

  /// - Returns: Nil for any other packet.
  package init?(_ packet: CompressedPacket, video: AssetTrack.ID) {
    let isSync = packet.isKeyFrame && packet.trackID == video
    let isBroken = packet.isDamaged && !packet.isUnseen
    guard isSync || isBroken else { return nil }
    self.init(
      trackID: packet.trackID, time: packet.presentationTimeStamp, isSync: isSync,
      isBroken: isBroken)
  }

  /// The mark of a rejected frame that is not shown.
  package init(unseen error: AssetReaderError, of video: AssetTrack.ID) {
    self.init(
      trackID: video, time: error.times?.upperBound ?? .invalid, isSync: false, isBroken: true)
  }

  package init(trackID: AssetTrack.ID, time: MediaTime, isSync: Bool, isBroken: Bool) {
    (self.trackID, self.time, self.isSync, self.isBroken) = (trackID, time, isSync, isBroken)
  }
}

/// Collects the marks of packets that a reader has read, until they are taken. Used on the reader's
/// thread.
package final class PacketWatch {
  private var marks: [PacketMark] = []
  private let video: AssetTrack.ID

  /// - Parameter video: The video track.
  package init(video: AssetTrack.ID) { self.video = video }

  /// Records a packet, decoded or not.
  package func note(_ packet: CompressedPacket) {
    if let mark = PacketMark(packet, video: video) { marks.append(mark) }
  }

  /// Removes and returns the marks since the last call.
  func takeMarks() -> [PacketMark] {
    defer { marks.removeAll() }
    return marks
  }
}
