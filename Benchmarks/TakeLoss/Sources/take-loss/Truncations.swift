import Foundation
import MediaCore
import QuickTime

/// Cuts a take at random bytes, from its end to its beginning, so that one file serves for all cuts: recovery
/// appends, and changes the 16 bytes that are restored here.
struct Truncations {
  let material: Material
  let folder: String
  static let frameCount = 75

  func run(_ random: inout SplitMix64, _ trials: Int, ofFinished isFinished: Bool) throws -> Tally {
    let path = "\(folder)/cut.mov"
    try record(path, finish: isFinished)
    let whole = try MovieIndex(path: path)
    let ends = whole.videoTrack?.samples.map { $0.offset + UInt64($0.size) } ?? []
    let beginning = try head(path)
    let size = try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int ?? 0
    var tally = Tally()
    let cuts = (0..<trials).map { _ in Int.random(in: 0...size, using: &random) }
      .sorted(by: >)
    for cut in cuts {
      try restore(path, cut, beginning)
      try judge(path, cut, stored: ends.filter { $0 <= cut }.count, &tally)
    }
    return tally
  }

  /// A take; an unfinished one is left as a killed recorder leaves it.
  private func record(_ path: String, finish: Bool) throws {
    let (writer, tracks) = try material.begin(path)
    let memory = material.alignedFrames()
    defer { for buffer in memory { buffer.deallocate() } }
    for frame in 0..<Self.frameCount { try material.append(frame, memory, to: writer, tracks) }
    if finish { _ = try writer.finish() }
  }

  private func judge(_ path: String, _ cut: Int, stored: Int, _ tally: inout Tally) throws {
    let asItIs = Remainder(path, material)
    let began = DispatchTime.now().uptimeNanoseconds
    do throws(QuickTimeError) {
      let outcome = try MovieRecovery.recover(path: path)
      tally.slowest = max(tally.slowest, DispatchTime.now().uptimeNanoseconds - began)
      if !outcome.wasRecovered { tally.finished += 1 }
    } catch {
      guard error.code == .nothingRecorded || error.code == .notAMovie else {
        tally.faults.append("cut at \(cut): \(error)")
        return
      }
      tally.empty += 1
      tally.add(lost: stored)
      return
    }
    let recovered = Remainder(path, material, decodes: tally.isToDecode)
    tally.add(lost: max(stored - recovered.frames, 0))
    tally.add(recovered, hasAudio: material.hasAudio)
    if !recovered.fault.isEmpty { tally.faults.append("cut at \(cut): \(recovered.fault)") }
    if asItIs.frames < recovered.frames, asItIs.frames > 0 || !asItIs.fault.contains("libav") {
      tally.faults.append(
        "cut at \(cut): \(asItIs.frames) frames before, \(recovered.frames) after")
    }
  }

  private func head(_ path: String) throws -> Data {
    let handle = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
    defer { try? handle.close() }
    return try handle.read(upToCount: 36) ?? Data()
  }

  private func restore(_ path: String, _ size: Int, _ beginning: Data) throws {
    let handle = try FileHandle(forUpdating: URL(fileURLWithPath: path))
    defer { try? handle.close() }
    try handle.write(contentsOf: beginning.prefix(size))
    try handle.truncate(atOffset: UInt64(size))
  }
}
