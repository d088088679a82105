import MediaCore

/// How the pattern device paces itself, and which faults it plays.
///
/// In an identifier they follow a question mark: `pattern:bars?pace=none&drop=0.001`. The faults
/// look to a session as those of hardware do.
package struct PatternOptions: Sendable, Hashable {
  /// True for frames in real time; false for frames as fast as the consumers give buffers back
  /// (`pace=none`), with the time stamps that real time would have.
  package var isRealTime = true
  /// How much faster than CLOCK_MONOTONIC the frames come, in millionths (`ppm=100`), -10000 to
  /// 10000.
  package var clockError = 0.0
  /// The chance of a frame to be lost in the device: a gap in the sequence (`drop=0.001`).
  package var dropProbability = 0.0
  /// The chance of a frame to be flagged as damaged (`damage=0.001`).
  package var damageProbability = 0.0
  /// A pause: from the frame with this number on, frames are lost for this many seconds
  /// (`stall=100,2.5`).
  package var stall: (frame: Int, seconds: Double)? {
    get { stallFrame.map { ($0, stallSeconds) } }
    set {
      stallFrame = newValue?.frame
      stallSeconds = newValue?.seconds ?? 0
    }
  }
  /// The frame before which the signal goes, for so many seconds (`signal=100,2`).
  package var signalLoss: (frame: Int, seconds: Double)? {
    get { signalFrame.map { ($0, signalSeconds) } }
    set {
      signalFrame = newValue?.frame
      signalSeconds = newValue?.seconds ?? 0
    }
  }
  /// The number of frames after which a lost signal is lost again (`signal=100,2,500`), at least 1;
  /// nil for never.
  package var signalLossPeriod: Int?
  /// The frame before which the device is gone (`unplug=100`).
  package var unplugFrame: Int?
  /// The seed of chance, so that a run can be repeated (`seed=7`).
  package var seed: UInt64 = 1

  private var stallFrame: Int?
  private var stallSeconds = 0.0
  private var signalFrame: Int?
  private var signalSeconds = 0.0

  /// Real time without faults.
  package init() {}

  /// Reads what follows the question mark of an identifier.
  ///
  /// - Throws: ``CaptureError/Code/invalidArgument``, naming the part that makes no sense.
  init(query: some StringProtocol) throws(CaptureError) {
    for part in query.split(separator: "&") {
      let pair = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let (key, value) = (String(pair[0]), pair.count > 1 ? String(pair[1]) : "")
      guard try set(key, value) else {
        throw CaptureError.option(
          part, of: "the pattern device",
          forms: [
            "pace=none", "pace=real", "drop=CHANCE", "damage=CHANCE", "stall=FRAME,SECONDS",
            "signal=FRAME,SECONDS[,PERIOD]", "unplug=FRAME", "ppm=MILLIONTHS", "seed=NUMBER",
          ])
      }
    }
  }

  private mutating func set(_ key: String, _ value: String) throws(CaptureError) -> Bool {
    switch key {
    case "pace":
      guard value == "none" || value == "real" else { return false }
      isRealTime = value == "real"
    case "ppm":
      guard let number = Double(value), number.magnitude <= 10_000 else { return false }
      clockError = number
    case "drop":
      guard let chance = Self.chance(value) else { return false }
      dropProbability = chance
    case "damage":
      guard let chance = Self.chance(value) else { return false }
      damageProbability = chance
    case "stall":
      guard let pause = Self.pause(value) else { return false }
      stall = pause
    case "signal":
      let parts = value.split(separator: ",", maxSplits: 2)
      guard let pause = Self.pause(parts.prefix(2).joined(separator: ",")) else { return false }
      signalLoss = pause
      guard parts.count > 2 else { break }
      guard let period = Int(parts[2]), period > 0 else { return false }
      signalLossPeriod = period
    case "unplug":
      guard let frame = Int(value), frame >= 0 else { return false }
      unplugFrame = frame
    case "seed":
      guard let number = UInt64(value) else { return false }
      seed = number
    default: return false
    }
    return true
  }

  private static func chance(_ text: String) -> Double? {
    Double(text).flatMap { (0...1).contains($0) ? $0 : nil }
  }

  private static func pause(_ text: String) -> (frame: Int, seconds: Double)? {
    let parts = text.split(separator: ",")
    guard parts.count == 2, let frame = Int(parts[0]), frame >= 0, let seconds = Double(parts[1]),
      (0...3600).contains(seconds)
    else { return nil }
    return (frame, seconds)
  }
}
