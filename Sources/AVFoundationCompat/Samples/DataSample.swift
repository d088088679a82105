import MediaCore
import Synchronization

/// What a sample holds that is neither a picture in memory nor audio, among what its copies share. To the modules behind, such a
/// sample is one of silence: none of them is given it.
enum DataSample: Sendable {
  case timecode(TimecodeSample)
  case metadata(MetadataSample)
  case compressed(CompressedPicture)

  /// The bytes, as a file has them.
  var block: CMBlockBuffer {
    switch self {
    case .timecode(let sample): sample.block
    case .metadata(let sample): sample.block
    case .compressed(let picture): picture.block
    }
  }

  /// What they are.
  var format: CMFormatDescription {
    switch self {
    case .timecode(let sample): .timecode(sample.format)
    case .metadata(let sample): .metadata(sample.keys.description)
    case .compressed(let picture): .video(picture.format)
    }
  }
}

/// Facts that hold at once, as a file has them.
struct MetadataSample: Sendable {
  var keys: BoxedMetadataKeys
  var block: CMBlockBuffer
}

extension SampleBuffer {
  /// A sample of data; nil without memory.
  init?(_ data: DataSample, presentationTimeStamp: CMTime, duration: CMTime) {
    let silence = AudioFormat(sampleRate: 48_000, channelCount: 1, sampleFormat: .int16)
    guard let carrier = try? MediaCore.AudioBuffer(format: silence, bytes: [0, 0]) else {
      return nil
    }
    self.init(.audio(carrier), presentationTimeStamp: presentationTimeStamp, duration: duration)
    self = withOwnNotes()
    notes?.contents.withLock { $0.lent = data }
  }

  /// What is neither a picture nor audio; nil for those.
  var dataSample: DataSample? { notes?.contents.withLock { $0.lent as? DataSample } }
}
