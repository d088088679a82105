import MediaCore

/// How the synthetic sensor is built, how it is held, and which faults it plays.
///
/// In an identifier they follow a question mark: `pattern:raw?shake=3&motion=200`.
package struct SyntheticSensorOptions: Sendable, Hashable {
  /// True for frames in real time; false for frames as fast as they are taken (`pace=none`).
  package var isRealTime = true
  /// The most frames a second that are offered: 30, 10, 5 or 1 (`rate=5`).
  package var highestRate: Int32 = 30
  /// Electrons that a pixel holds (`well=10000`).
  package var fullWell = 10_000.0
  /// Electrons of read noise (`read=2.5`).
  package var readNoise = 2.5
  /// How far the camera moves from frame to frame, in pixels at most each way (`shake=2.5`).
  package var shake = 0.0
  /// How fast the disc before the scene moves, in pixels a second (`motion=100`); 0 leaves it out.
  package var motion = 0.0
  /// The frame that arrives short, flagged as damaged (`short=2`).
  package var damagedFrame: Int?
  /// The frame before which the device changes its format (`format=2`).
  package var formatFrame: Int?
  /// The frame before which the device is gone (`unplug=2`).
  package var unplugFrame: Int?
  /// The seed of chance (`seed=7`).
  package var seed: UInt64 = 1

  /// A still camera before a still scene.
  package init() {}

  /// Reads what follows the question mark of an identifier.
  ///
  /// - Throws: ``CaptureError/Code/invalidArgument``, naming the part that makes no sense.
  init(query: some StringProtocol) throws(CaptureError) {
    for part in query.split(separator: "&") {
      let pair = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let (key, value) = (String(pair[0]), pair.count > 1 ? String(pair[1]) : "")
      guard set(key, value) else {
        throw CaptureError.option(
          part, of: "the synthetic sensor",
          forms: [
            "pace=none", "pace=real", "rate=30|10|5|1", "well=ELECTRONS", "read=ELECTRONS",
            "shake=PIXELS", "motion=PIXELS", "short=FRAME", "format=FRAME", "unplug=FRAME",
            "seed=NUMBER",
          ])
      }
    }
  }

  private mutating func set(_ key: String, _ value: String) -> Bool {
    func number(_ range: ClosedRange<Double>) -> Double? {
      Double(value).flatMap { range.contains($0) ? $0 : nil }
    }
    func assign<Value>(_ path: WritableKeyPath<Self, Value>, _ found: Value?) -> Bool {
      guard let found else { return false }
      self[keyPath: path] = found
      return true
    }
    let frame = Int(value).flatMap { $0 >= 0 ? $0 : nil }
    switch key {
    case "pace": return assign(\.isRealTime, ["none": false, "real": true][value])
    case "rate":
      return assign(\.highestRate, SyntheticSensorDriver.rates.first { "\($0)" == value })
    case "well": return assign(\.fullWell, number(100...1_000_000))
    case "read": return assign(\.readNoise, number(0...1000))
    case "shake": return assign(\.shake, number(0...64))
    case "motion": return assign(\.motion, number(0...100_000))
    case "short": return assign(\.damagedFrame, frame.map(Optional.some))
    case "format": return assign(\.formatFrame, frame.map(Optional.some))
    case "unplug": return assign(\.unplugFrame, frame.map(Optional.some))
    case "seed": return assign(\.seed, UInt64(value))
    default: return false
    }
  }
}
