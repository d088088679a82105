import MediaCore
import Synchronization

/// Converts a device's frames to the pixel format that the consumer asked for.
final class FrameDelivery: SampleDelivery {
  private let present = Mutex<FrameConversion?>(nil)
  private let pacing = Mutex(FramePacing())
  private let converter = FrameConverter()

  /// The layout; nil, as at first, for the device's own.
  var wanted: FrameConversion? {
    get { present.withLock { $0 } }
    set { present.withLock { $0 = newValue } }
  }

  /// The least time from one frame to the next; invalid, as at first, for no limit.
  var minimumInterval: MediaTime {
    get { pacing.withLock { $0.wanted } }
    set { pacing.withLock { $0 = FramePacing(newValue) } }
  }

  func isDue(_ sample: SampleBuffer) -> Bool {
    pacing.withLock { $0.isDue(sample.presentationTimeStamp) }
  }

  func willGive(_ sample: SampleBuffer) {
    pacing.withLock { $0.give(sample.presentationTimeStamp) }
  }

  func outcome(of sample: SampleBuffer) -> DeliveryOutcome {
    guard let wanted, let frame = sample.imageBuffer, !wanted.isMet(by: frame) else {
      return .given(sample)
    }
    return converter.convert(frame, to: wanted).map { .given(sample.with($0)) } ?? .impossible
  }
}

extension SampleBuffer {
  /// The same sample with another frame.
  fileprivate func with(_ frame: PixelBuffer) -> SampleBuffer {
    var sample = SampleBuffer(
      .video(frame), presentationTimeStamp: presentationTimeStamp, duration: duration,
      attachments: attachments)
    sample.notes = notes
    return sample
  }
}
