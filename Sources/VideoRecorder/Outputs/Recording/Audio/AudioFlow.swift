import AssetWriter
import MediaCore

/// The audio of one source as it flows onto the timeline within a run.
///
/// Audio is contiguous as long as its timestamps agree with its sample count. If they drift apart by more than a
/// millisecond, the audio and video clocks differ, and from then on audio is resampled to stay in sync. Samples
/// are never cut or doubled for that.
struct AudioFlow {
  /// Audio and its place.
  struct Placed {
    var position: Int64
    var buffer: AudioBuffer
    /// Samples at its beginning that stand for lost ones.
    var silence = 0
  }

  /// The average displacement, in seconds, above which audio is stretched.
  static let tolerance = 0.001
  /// Seconds by which a single timestamp may disagree before the audio is placed again.
  static let jump = 0.1

  private let format: AudioFormat
  private var rate: Double { Double(format.sampleRate) }
  /// The end of the audio; nil at the start of a run.
  private(set) var position: Int64?
  private var drift: DriftCompensation
  /// Samples that are missing between two others.
  private(set) var missing: Int64 = 0

  init(format: AudioFormat) {
    self.format = format
    drift = DriftCompensation(format: format, tolerance: Self.tolerance)
  }

  /// Seconds by which timestamps are ahead of the samples, averaged.
  var deviation: Double { drift.deviation }
  /// By how much the audio clock is fast against the video clock, in millionths; nil
  /// while that makes no difference.
  var clockError: Double? { drift.clockError }

  /// The next audio is placed by its timestamp, as at the start. The measured clock difference is kept.
  mutating func restart() {
    position = nil
    drift.restart()
  }

  /// Where audio begins by its timestamp: right after the audio before, if that is near.
  func start(ofStamped stamped: Double) -> Int64 {
    guard let position, isNear(stamped - Double(position) - drift.delay) else {
      return Int64(saturating: stamped)
    }
    return position
  }

  private func isNear(_ error: Double) -> Bool { error.magnitude <= Self.jump * rate }

  /// Places audio.
  ///
  /// - Parameters:
  ///   - stamped: Where its timestamp puts it, in samples.
  ///   - precedingLoss: Samples that the device lost before it.
  mutating func place(_ buffer: AudioBuffer, stamped: Double, precedingLoss: Int = 0) -> [Placed] {
    guard let position else { return begin(buffer, at: stamped) }
    var placed: [Placed] = []
    var error = stamped - Double(position) - drift.delay
    let loss = Double(precedingLoss)
    if precedingLoss > 0, (error - loss).magnitude < error.magnitude,
      loss < Self.jump * rate
    {
      placed = skip(precedingLoss)
      error -= loss
    }
    guard isNear(error) else {
      missing = missing.addingSaturating(max(0, Int64(saturating: error)))
      restart()
      return placed + begin(buffer, at: stamped)
    }
    return placed + flow(buffer, error: error / rate)
  }

  private mutating func begin(_ buffer: AudioBuffer, at stamped: Double) -> [Placed] {
    let start = Int64(saturating: stamped.rounded())
    position = start
    return flow(buffer, error: 0)
  }

  private mutating func flow(_ buffer: AudioBuffer, error: Double) -> [Placed] {
    guard let position else { return [] }
    guard let heard = drift.follow(buffer, error: error) else { return [] }
    self.position = position + Int64(heard.frameCount)
    return [Placed(position: position, buffer: heard)]
  }

  /// Leaves room for lost samples, exactly as many.
  private mutating func skip(_ count: Int) -> [Placed] {
    guard let position else { return [] }
    missing = missing.addingSaturating(Int64(count))
    let bridge = drift.bridge(count)
    guard drift.isStretching else {
      self.position = position + Int64(count)
      return []
    }
    guard let heard = bridge else { return [] }
    self.position = position + Int64(heard.frameCount)
    return [Placed(position: position, buffer: heard, silence: min(count, heard.frameCount))]
  }
}
