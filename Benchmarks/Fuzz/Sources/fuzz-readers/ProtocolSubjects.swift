@testable import HyperDeck
@testable import OSC

/// What a client of the HyperDeck protocol may send: meaningful lines and random bytes, to one session after
/// another.
final class HyperDeckSubject: Subject {
  let name = "hyperdeck"
  let share = 0.1
  private var session: HyperDeckSession
  private let deck: DeckState

  private static let words =
    DeckCommand.keys.keys.sorted() + DeckCommand.keys.values.joined().sorted() + [
      ":", ": ", "\r\n", "\n", "\r\n\r\n", " ", "true", "false", "1", "2", "-1", "none",
      "99999999999999999999", "../", "{take}", "é", "\u{0}", "GET / HTTP/1.1",
    ]

  init() {
    var deck = DeckState(DeckIdentity())
    (deck.transport, deck.slotStatus) = (.preview, .mounted)
    deck.clips = (1...20).map {
      DeckClip(
        name: "\($0).mov", start: DeckTimecode.zero, duration: DeckTimecode.zero, frameCount: 1,
        fileFormat: "QuickTimeProRes", videoFormat: "1080p25")
    }
    self.deck = deck
    session = HyperDeckSession(DeckIdentity(), deck: deck, at: 0)
  }

  func input(using random: inout SplitMix64) -> [UInt8] {
    var line: [UInt8] = []
    for _ in 0..<Int.random(in: 1...10, using: &random) {
      if Int.random(in: 0..<9, using: &random) == 0 {
        line.append(.random(in: 0...255, using: &random))
      } else {
        line += Array((Self.words.randomElement(using: &random) ?? "").utf8)
      }
    }
    return line + [0x0A]
  }

  func read(_ input: [UInt8]) -> Bool {
    var effects = session.receive(input, at: 0)
    var isAnswered = false
    while !effects.isEmpty {
      switch effects.removeFirst() {
      case .send(let bytes):
        isAnswered = true
        guard bytes.suffix(2) == [0x0D, 0x0A] else { fatalError("a reply without an end") }
      case .perform: effects += session.complete(.done, at: 0)
      case .close: session = HyperDeckSession(DeckIdentity(), deck: deck, at: 0)
      }
      if effects.isEmpty, session.hasMore { effects += session.proceed(at: 0) }
    }
    if session.parser.count > RequestParser.lineLimit { fatalError("more is held than may be") }
    return isAnswered
  }
}

/// Datagrams of Open Sound Control.
struct OSCSubject: Subject {
  let name = "osc"
  let share = 0.1
  private static let seed = OSCPacket.bundle(
    timeTag: 1,
    [
      .message(OSCMessage("/recorder/start", .string("a"), .float(1), .blob([1, 2, 3]))),
      .bundle(timeTag: 1, [.message(OSCMessage("/recorder/subscribe", .int(9000)))]),
    ]
  ).bytes

  func input(using random: inout SplitMix64) -> [UInt8] {
    Mutation(places: [0..<Self.seed.count], numberSizes: [4]).apply(to: Self.seed, using: &random)
  }

  func read(_ input: [UInt8]) -> Bool {
    var session = OSCSession()
    _ = session.receive(input, from: OSCPeer(host: "10.0.0.7", port: 1), at: 0)
    guard let packet = try? OSCPacket(input) else { return false }
    guard (try? OSCPacket(packet.bytes)) == packet || "\(packet)".contains("nan") else {
      fatalError("a packet that is not read as it was written")
    }
    return true
  }
}
