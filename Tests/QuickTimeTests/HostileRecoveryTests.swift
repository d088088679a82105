import Foundation
import Testing

@testable import QuickTime

/// Recovery of files that somebody or something has spoiled.
@Suite struct HostileRecoveryTests {
  /// A take as a kill leaves it, one that was finished, and one that lost its end.
  private static func seeds() throws -> [[UInt8]] {
    let take = Take(frameCount: 20)
    let file = TraceFile()
    file.keepsCalls = false
    let (writer, ids) = try take.begin(file)
    try take.append(to: writer, ids)
    let killed = file.content
    _ = try writer.finish()
    return [killed, file.content, Array(file.content.dropLast(1000))]
  }

  /// Spoils a few bytes, mostly of the tables; or cuts, doubles, or replaces a part.
  private static func spoil(_ seed: [UInt8], _ random: inout SplitMix64) -> [UInt8] {
    var bytes = seed
    for _ in 0..<Int.random(in: 1...3, using: &random) {
      guard bytes.count > 64 else { break }
      let isHead = Int.random(in: 0..<4, using: &random) > 0
      let place = Int.random(
        in: 0..<(isHead ? min(2000, bytes.count) : bytes.count), using: &random)
      let count = min(Int.random(in: 1...32, using: &random), bytes.count - place)
      switch Int.random(in: 0..<8, using: &random) {
      case 0: bytes.removeLast(bytes.count - place)
      case 1: bytes.removeSubrange(place..<place + count)
      case 2: bytes.insert(contentsOf: bytes[place..<place + count], at: place)
      case 3: for index in place..<place + count { bytes[index] = 0 }
      case 4: for index in place..<min(place + 4, bytes.count) { bytes[index] = 0xFF }
      default: bytes[place] = UInt8.random(in: 0...255, using: &random)
      }
    }
    return bytes
  }

  @Test func a_recovery_that_cannot_help_leaves_every_byte() throws {
    var random = SplitMix64(seed: 4)
    let seeds = try Self.seeds()
    var outcomes = (refused: 0, nothingToDo: 0, recovered: 0)
    for number in 0..<1500 {
      let bytes = Self.spoil(seeds[number % seeds.count], &random)
      let file = TraceFile(bytes)
      guard let outcome = try? MovieRecovery.recover(file) else {
        outcomes.refused += 1
        #expect(file.content.isSame(as: bytes), "input \(number)")
        continue
      }
      guard outcome.wasRecovered else {
        outcomes.nothingToDo += 1
        #expect(file.content.isSame(as: bytes) && file.calls.isEmpty, "input \(number)")
        continue
      }
      outcomes.recovered += 1
      let index = try MovieIndex(file)
      #expect(index.completion == .finished && !index.isTruncated, "input \(number)")
      // What was there is there still, but for the switch in the head.
      #expect(file.content.isSame(as: bytes, in: 36..<bytes.count), "input \(number)")
    }
    #expect(min(outcomes.refused, outcomes.nothingToDo, outcomes.recovered) > 100, "\(outcomes)")
  }

  @Test func a_file_that_cannot_be_recovered_keeps_its_bytes_and_its_date() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("take.mov")
    var random = SplitMix64(seed: 5)
    let killed = try Self.seeds()[0]
    let hopeless: [[UInt8]] = [
      [], Array(killed.prefix(30)), Array(killed.prefix(300)),
      (0..<5000).map { _ in UInt8.random(in: 0...255, using: &random) },
      [UInt8](repeating: 0, count: 100_000), Array("ftyp".utf8) + killed,
    ]
    let past = Date(timeIntervalSince1970: 1_700_000_000)
    for (number, bytes) in hopeless.enumerated() {
      try Data(bytes).write(to: URL(fileURLWithPath: path))
      try FileManager.default.setAttributes([.modificationDate: past], ofItemAtPath: path)
      let error = #expect(throws: QuickTimeError.self) { try MovieRecovery.recover(path: path) }
      #expect(error?.message.contains(path) == true, "input \(number)")
      #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == Data(bytes), "input \(number)")
      let date = try FileManager.default.attributesOfItem(atPath: path)[.modificationDate] as? Date
      #expect(date == past, "input \(number)")
    }
  }
}
