import AssetReader

/// Counts the packets of wanted frames as they are decoded, to tell when the decoder has all of
/// them.
///
/// A decoder delays frames, to reorder them and to decode several at the same time. Without this,
/// it would get several packets beyond the last wanted frame's before it outputs that frame.
final class WantedPackets {
  private let index: SourceIndex
  private let frames: ClosedRange<Int>
  private var missingCount: Int
  private let sync: Int?
  /// True once the sync frame's packet was taken.
  private(set) var hasSync: Bool

  /// - Parameters:
  ///   - frames: The wanted frames, by their indices in the source index.
  ///   - sync: The sync frame without which they do not decode exactly; nil for none.
  init(_ index: SourceIndex, _ frames: ClosedRange<Int>, sync: Int? = nil) {
    self.index = index
    self.sync = sync
    hasSync = sync == nil
    self.frames = frames
    missingCount = frames.count
  }

  /// Takes the next packet; true once all wanted frames' packets were taken.
  func take(_ packet: CompressedPacket) -> Bool {
    if !packet.isDiscarded, let place = index.picture(at: packet.presentationTimeStamp) {
      if place == sync { hasSync = true }
      if frames.contains(place) { missingCount -= 1 }
    }
    return missingCount <= 0
  }
}
