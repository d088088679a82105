import AssetReader
import MediaCore

/// The encoded frames of a clip, with their times on the timeline.
///
/// A frame that begins before the clip or ends after it is shown for the part inside.
final class ClipFrames {
  /// A frame and its time range on the timeline.
  struct Frame {
    var packet: CompressedPacket
    var target: MediaTimeRange
  }

  private let clip: MovieTimeline.Clip
  private let reader: AssetReader
  private var following: CompressedPacket?
  private var hasBegun = false

  init(_ clip: MovieTimeline.Clip) throws(AssetReaderError) {
    self.clip = clip
    reader = try AssetReader(clip.location)
    try reader.select([clip.track.id])
    if clip.source.start > .zero { _ = reader.seek(clip.track.id, to: clip.source.start) }
  }

  /// The clip's next frame; nil after its end.
  func next() throws(AssetReaderError) -> Frame? {
    if !hasBegun {
      following = try nextPacket()
      hasBegun = true
    }
    while let packet = following {
      following = try nextPacket()
      let start = packet.presentationTimeStamp
      guard start < clip.source.end else { return nil }
      let end = end(of: packet)
      guard end > clip.source.start else { continue }
      let shown = clip.source.intersection(MediaTimeRange(start: start, end: end))
      return Frame(
        packet: packet,
        target: MediaTimeRange(start: clip.shown(shown.start), end: clip.shown(shown.end)))
    }
    return nil
  }

  /// A frame lasts until the next one, the last one for its duration in the file.
  private func end(of packet: CompressedPacket) -> MediaTime {
    if let following, following.presentationTimeStamp > packet.presentationTimeStamp {
      return following.presentationTimeStamp
    }
    let length =
      packet.duration.isNumeric ? packet.duration : clip.track.frameRate?.frameDuration ?? .zero
    return packet.presentationTimeStamp + length
  }

  private func nextPacket() throws(AssetReaderError) -> CompressedPacket? {
    while let packet = try reader.nextPacket() {
      guard !packet.isDiscarded else { continue }
      guard packet.presentationTimeStamp.isNumeric else {
        throw AssetReaderError(
          .unsupported,
          "\(clip.location.displayName): a frame has no time; encode the clip instead of copying it"
        )
      }
      return packet
    }
    return nil
  }
}
