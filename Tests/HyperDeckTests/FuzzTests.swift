import Foundation
import TestSupport
import Testing

@testable import HyperDeck
@testable import RecorderControl

/// Random lines: replies are always well-formed, and buffers stay within their limits.
struct FuzzTests {
  private static let pieces = [
    "record", "stop", "notify", "transport info", "clips get", "slot info", "remote", "ping",
    ":", ": ", "\n", "\r\n", "\r\n\r\n", " ", "name: ", "slot id: 1", "enable: true", "enable: ",
    "version: 2", "count: 99999999999999999999", "clip id: -1", "watchdog: period: 9", "\u{0}",
    "é", "../", "{take}", "format: prepare: exFAT", "display timecode: true", "override: true",
    "configuration", "uptime", "commands", "disk list", "\t", "timeline position: true",
  ]

  private func input(_ random: inout SeededGenerator) -> [UInt8] {
    (0..<Int.random(in: 1...12, using: &random)).flatMap { _ -> [UInt8] in
      if Int.random(in: 0..<8, using: &random) == 0 {
        return [UInt8.random(in: 0...255, using: &random)]
      }
      return Array((Self.pieces.randomElement(using: &random) ?? "").utf8)
    } + [0x0A]
  }

  /// Blocks end with an empty line; single lines contain no colon.
  private func isWellFormed(_ bytes: [UInt8]) -> Bool {
    guard let text = String(validating: bytes, as: UTF8.self) else { return false }
    let lines = text.components(separatedBy: "\r\n")
    guard lines.last == "", let first = lines.first, first.count > 4,
      first.prefix(3).allSatisfy(\.isNumber)
    else { return false }
    return first.hasSuffix(":")
      ? lines.dropFirst().dropLast(2).allSatisfy { !$0.isEmpty } && lines.count > 2
      : lines.count == 2 && !first.contains(":")
  }

  @Test(.tags(.slow)) func random_lines_get_well_formed_replies() {
    var random = SeededGenerator(seed: 9)
    let deck = DeckState.example(.status(.example(.recording)), .finished("a.mov"))
    var session = HyperDeckSession(DeckIdentity(), deck: deck, at: 0)
    var replies = 0
    let rounds = TestRun.isThorough ? 1_000_000 : 10_000
    for round in 0..<rounds {
      var effects = session.receive(input(&random), at: Int64(round))
      while let effect = effects.first {
        effects.removeFirst()
        switch effect {
        case .send(let bytes):
          replies += 1
          #expect(isWellFormed(bytes), "\(String(decoding: bytes, as: UTF8.self))")
        case .perform: effects += session.complete(.done, at: Int64(round))
        case .close: session = HyperDeckSession(DeckIdentity(), deck: deck, at: 0)
        }
        if effects.isEmpty, session.hasMore { effects += session.proceed(at: Int64(round)) }
      }
      #expect(session.parser.count <= RequestParser.lineLimit)
    }
    #expect(replies > 5000, "too few lines were read")
  }
}
