import MediaCore
import Synchronization

/// A picture as its codec has it, among what a sample's copies share.
struct CompressedPicture: Sendable {
  /// The codec, the size, and what a decoder is told before.
  var format: VideoFormatDescription
  /// The bytes.
  var block: CMBlockBuffer
  /// When it is decoded; invalid for when it is shown.
  var decodeTime: CMTime
  /// True if it is decoded without others.
  var isSync: Bool
}

extension SampleBuffer {
  /// A sample of a compressed picture; nil without memory.
  init?(_ picture: CompressedPicture, presentationTimeStamp: CMTime, duration: CMTime) {
    self.init(
      .compressed(picture), presentationTimeStamp: presentationTimeStamp, duration: duration)
    let isSync = picture.isSync
    notes?.contents.withLock {
      $0.ofSample = [kCMSampleAttachmentKey_DependsOnOthers: !isSync]
      if !isSync { $0.ofSample?[kCMSampleAttachmentKey_NotSync] = true }
    }
  }

  /// The compressed picture; nil for all other samples.
  var compressedPicture: CompressedPicture? {
    if case .compressed(let picture)? = dataSample { picture } else { nil }
  }
}
