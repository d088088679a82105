package import AssetReader
package import MediaCore

/// What a packet says of damage: that it lacks a part, or that what lies before it does no harm behind it.
package struct PacketMark {
  package let trackID: AssetTrack.ID
  /// When it is shown or heard; invalid where the container does not say.
  package let time: MediaTime
  /// True for a picture that decoding may begin with.
  package let isSync: Bool
  /// True where the container lacks a part of it, or it comes behind a gap.
  let isBroken: Bool

  /// - Returns: nil for a packet that says nothing.
  package init?(_ packet: CompressedPacket, pictures: AssetTrack.ID) {
    let isSync = packet.isKeyFrame && packet.trackID == pictures
    let isBroken = packet.isDamaged && !packet.isUnseen
    guard isSync || isBroken else { return nil }
    self.init(
      trackID: packet.trackID, time: packet.presentationTimeStamp, isSync: isSync,
      isBroken: isBroken)
  }

  /// What a picture that the decoder refused says, of which nothing is shown.
  package init(unseen error: AssetReaderError, of pictures: AssetTrack.ID) {
    self.init(
      trackID: pictures, time: error.times?.upperBound ?? .invalid, isSync: false, isBroken: true)
  }

  package init(trackID: AssetTrack.ID, time: MediaTime, isSync: Bool, isBroken: Bool) {
    (self.trackID, self.time, self.isSync, self.isBroken) = (trackID, time, isSync, isBroken)
  }
}

/// Keeps the marks of packets that a reader has read, until they are taken. Used by the reader's thread.
package final class PacketWatch {
  private var marks: [PacketMark] = []
  private let pictures: AssetTrack.ID

  /// - Parameter pictures: The track of the pictures.
  package init(pictures: AssetTrack.ID) { self.pictures = pictures }

  /// Notes a packet, whether it is decoded or not.
  package func note(_ packet: CompressedPacket) {
    if let mark = PacketMark(packet, pictures: pictures) { marks.append(mark) }
  }

  /// What was noted since this was asked last.
  func takeMarks() -> [PacketMark] {
    defer { marks.removeAll() }
    return marks
  }
}
