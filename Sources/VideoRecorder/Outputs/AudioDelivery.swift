import AssetWriter
import MediaCore
import Synchronization

/// Converts a device's audio to the requested format, run by run.
final class AudioDelivery: SampleDelivery {
  private struct State {
    var wanted: AudioConversion?
    var converter: AudioConverter?
  }

  private let state = Mutex(State())

  /// The form; nil, as at first, for the device's own.
  var wanted: AudioConversion? {
    get { state.withLock { $0.wanted } }
    set { state.withLock { $0.wanted = newValue } }
  }

  func outcome(of sample: SampleBuffer) -> DeliveryOutcome {
    guard let audio = sample.audioBuffer else { return .given(sample) }
    return state.withLock { state in
      guard let form = state.wanted?.format(of: audio.format), form != audio.format else {
        return .given(sample)
      }
      if state.converter?.source != audio.format || state.converter?.target != form {
        state.converter = AudioConverter(from: audio.format, to: form)
      }
      guard let converter = state.converter else { return .impossible }
      return converter.convert(sample).map { .given($0) } ?? .kept
    }
  }
}
