import Foundation
import Judge
import MediaCore

/// What libavformat finds in a movie, and how much of it equals what was recorded, byte for byte.
struct Remainder {
  /// Frames from the first on that equal the recorded ones. libavcodec has decoded each of those, so it has
  /// decoded this movie.
  private(set) var frames = 0
  /// The same for audio samples.
  private(set) var samples = 0
  /// What is wrong; empty if nothing is.
  private(set) var fault = ""

  private let material: Material
  private let decodes: Bool
  private let bytesPerFrame = Material.audio.bytesPerFrame

  /// Reads a movie.
  ///
  /// - Parameter decodes: True to decode each frame again, as found in the file.
  init(_ path: String, _ material: Material, decodes: Bool = false) {
    self.material = material
    self.decodes = decodes
    let status = withUnsafeMutablePointer(to: &self) { me in
      judge_demux(
        path,
        { context, isAudio, time, _, bytes, count in
          guard let context, let bytes else { return }
          let me = context.assumingMemoryBound(to: Remainder.self)
          me.pointee.take(
            UnsafeRawBufferPointer(start: bytes, count: count), isAudio: isAudio != 0)
        }, me)
    }
    if status != 0 { fault = "libavformat says \(status)" }
  }

  private mutating func take(_ bytes: UnsafeRawBufferPointer, isAudio: Bool) {
    guard fault.isEmpty else { return }
    if isAudio {
      guard holdsAudio(bytes) else {
        fault = "audio \(samples) differs"
        return
      }
      samples += bytes.count / bytesPerFrame
    } else {
      let expected = material.frames[frames % material.frames.count]
      let same = expected.withUnsafeBytes { expected in
        guard let here = expected.baseAddress, let there = bytes.baseAddress else { return false }
        return expected.count == bytes.count && memcmp(here, there, bytes.count) == 0
      }
      guard same else {
        fault = "frame \(frames) differs"
        return
      }
      if decodes, !material.isIntact(bytes) {
        fault = "libavcodec finds fault with frame \(frames)"
        return
      }
      frames += 1
    }
  }

  private func holdsAudio(_ bytes: UnsafeRawBufferPointer) -> Bool {
    Material.second.withUnsafeBytes { second in
      var done = 0
      while done < bytes.count {
        let start = (samples * bytesPerFrame + done) % second.count
        let count = min(bytes.count - done, second.count - start)
        guard let here = second.baseAddress, let there = bytes.baseAddress,
          memcmp(here + start, there + done, count) == 0
        else { return false }
        done += count
      }
      return true
    }
  }
}

/// A line of the table.
struct Tally {
  var trials = 0
  /// Remainders without a whole fragment.
  var empty = 0
  /// Remainders that had already been finished when they were cut off.
  var finished = 0
  /// Seconds of lost video: total and maximum.
  var lost = 0.0
  var worst = 0.0
  /// The greatest distance between the ends of audio and video, in seconds.
  var apart = 0.0
  /// The longest recovery in nanoseconds.
  var slowest: UInt64 = 0
  var faults: [String] = []

  /// One remainder in a hundred is decoded again from the file.
  var isToDecode: Bool { trials % 100 == 0 }

  mutating func add(lost frames: Int) {
    trials += 1
    let seconds = Double(frames) / Material.rate.framesPerSecond
    lost += seconds
    worst = max(worst, seconds)
  }

  mutating func add(_ remainder: Remainder, hasAudio: Bool) {
    guard hasAudio else { return }
    let frames = Double(remainder.frames) / Material.rate.framesPerSecond
    apart = max(apart, abs(frames - Double(remainder.samples) / 48_000))
  }

  func line(_ what: String, _ material: Material) -> String {
    let name = material.name + (material.hasAudio ? ", audio" : "")
    let columns = [
      what.padding(toLength: 22, withPad: " ", startingAt: 0),
      name.padding(toLength: 20, withPad: " ", startingAt: 0),
      String(format: "%6d %6d %9d", trials, empty, finished),
      String(format: "%8.0f ms %6.0f ms", worst * 1000, lost * 1000 / Double(max(trials, 1))),
      String(format: "%6.1f ms %6.1f ms", apart * 1000, Double(slowest) / 1e6),
      String(format: "%6d", faults.count),
    ]
    return columns.joined(separator: " ")
  }

  static let heading = [
    "cut off by".padding(toLength: 22, withPad: " ", startingAt: 0),
    "take".padding(toLength: 20, withPad: " ", startingAt: 0),
    "trials  empty  finished   at most      mean    apart   recover faults",
  ].joined(separator: " ")
}
