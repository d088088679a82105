import MediaCore
import Synchronization

/// Media of a sample other than frames in memory and audio. A sample's copies share it. For other modules the
/// sample's content is silence, but they never get such samples.
enum DataSample: Sendable {
  case timecode(TimecodeSample)
  case metadata(MetadataSample)
  case compressed(CompressedFrame)

  /// The bytes, as stored in a file.
  var block: CMBlockBuffer {
    switch self {
    case .timecode(let sample): sample.block
    case .metadata(let sample): sample.block
    case .compressed(let frame): frame.block
    }
  }

  /// The format of the data.
  var format: CMFormatDescription {
    switch self {
    case .timecode(let sample): .timecode(sample.format)
    case .metadata(let sample): .metadata(sample.keys.description)
    case .compressed(let frame): .video(frame.format)
    }
  }
}

/// Metadata items of the same time range, as stored in a file.
struct MetadataSample: Sendable {
  var keys: BoxedMetadataKeys
  var block: CMBlockBuffer
}

extension SampleBuffer {
  /// A sample of data; nil if memory is exhausted.
  init?(_ data: DataSample, presentationTimeStamp: CMTime, duration: CMTime) {
    let silence = AudioFormat(sampleRate: 48_000, channelCount: 1, sampleFormat: .int16)
    guard let carrier = try? MediaCore.AudioBuffer(format: silence, bytes: [0, 0]) else {
      return nil
    }
    self.init(.audio(carrier), presentationTimeStamp: presentationTimeStamp, duration: duration)
    self = withOwnNotes()
    notes?.contents.withLock { $0.lent = data }
  }

  /// The data; nil for frames in memory and audio.
  var dataSample: DataSample? { notes?.contents.withLock { $0.lent as? DataSample } }
}
