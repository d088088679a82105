import MediaCore
import Synchronization

/// A compressed frame. A sample's copies share it.
struct CompressedFrame: Sendable {
  /// Codec, size and decoder configuration.
  var format: VideoFormatDescription
  var block: CMBlockBuffer
  /// The decode time; invalid if it equals the presentation time.
  var decodeTime: CMTime
  /// True if it can be decoded on its own.
  var isSync: Bool
}

extension SampleBuffer {
  /// A sample of a compressed frame; nil if memory is exhausted.
  init?(_ frame: CompressedFrame, presentationTimeStamp: CMTime, duration: CMTime) {
    self.init(
      .compressed(frame), presentationTimeStamp: presentationTimeStamp, duration: duration)
    let isSync = frame.isSync
    notes?.contents.withLock {
      $0.ofSample = [kCMSampleAttachmentKey_DependsOnOthers: !isSync]
      if !isSync { $0.ofSample?[kCMSampleAttachmentKey_NotSync] = true }
    }
  }

  /// The compressed frame; nil for other samples.
  var compressedFrame: CompressedFrame? {
    if case .compressed(let frame)? = dataSample { frame } else { nil }
  }
}
