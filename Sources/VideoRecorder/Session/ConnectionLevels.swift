import MediaCore
import Synchronization

/// The levels of a connection's channels, measured from the first time that they are asked for.
final class ConnectionLevels: Sendable {
  private struct State: Sendable {
    var meter = LevelMeter(holdTime: 1.5)
    var levels: [LevelMeter.Level] = []
  }

  private let isAsked = Atomic(false)
  private let state = Mutex(State())

  /// The levels of the last run, one for each channel; empty until audio arrives after the first request.
  var levels: [LevelMeter.Level] {
    isAsked.store(true, ordering: .relaxed)
    return state.withLock { $0.levels }
  }

  /// Measures samples, once levels were asked for.
  func measure(_ sample: SampleBuffer) {
    guard isAsked.load(ordering: .relaxed), let audio = sample.audioBuffer else { return }
    state.withLock { state in
      state.meter.measure(audio, at: (sample.presentationTimeStamp + audio.duration).seconds)
      state.levels = state.meter.read()
    }
  }
}
