import AssetWriter
import MediaCore
import Synchronization

/// Brings a device's sound to the form that is wanted, run after run.
final class SoundDelivery: SampleDelivery {
  private struct State {
    var wanted: SoundConversion?
    var converter: SoundConverter?
  }

  private let state = Mutex(State())

  /// The form; nil, as at first, for the device's own.
  var wanted: SoundConversion? {
    get { state.withLock { $0.wanted } }
    set { state.withLock { $0.wanted = newValue } }
  }

  func outcome(of sample: SampleBuffer) -> DeliveryOutcome {
    guard let sound = sample.audioBuffer else { return .given(sample) }
    return state.withLock { state in
      guard let form = state.wanted?.format(of: sound.format), form != sound.format else {
        return .given(sample)
      }
      if state.converter?.source != sound.format || state.converter?.target != form {
        state.converter = SoundConverter(from: sound.format, to: form)
      }
      guard let converter = state.converter else { return .impossible }
      return converter.convert(sample).map { .given($0) } ?? .kept
    }
  }
}
