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

  /// - Parameter frames: The wanted frames, by their indices in the source index.
  init(_ index: SourceIndex, _ frames: ClosedRange<Int>) {
    self.index = index
    self.frames = frames
    missingCount = frames.count
  }

  /// Takes the next packet; true once all wanted frames' packets were taken.
  func take(_ packet: CompressedPacket) -> Bool {
    if !packet.isDiscarded, let place = index.picture(at: packet.presentationTimeStamp),
      frames.contains(place)
    {
      missingCount -= 1
    }
    return missingCount <= 0
  }
}
