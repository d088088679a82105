import TakeReports

@testable import HyperDeck
@testable import RecorderControl

extension RecorderStatus {
  /// An HD recorder at 25 fps.
  static func example(
    _ state: StateName, frames: Int64 = 0, timecode: String? = nil, secondsLeft: Double? = 5400,
    rate: String = "25", hasSignal: Bool = true, codec: String = "hq", movie: String = "A-001.mov"
  ) -> RecorderStatus {
    var progress = RecordingProgress()
    progress.frames = frames
    progress.timecode = timecode
    progress.worstCaseSecondsLeft = secondsLeft
    let isRecording = state == .recording
    return RecorderStatus(
      state: state, take: isRecording ? Take(number: 1, path: "/media/card/\(movie)") : nil,
      isStandingBy: false, isPaused: false, takesFinishing: 0, takesFinished: 0,
      source: Source(
        deviceID: "a", deviceName: "Card", format: "1920x1080", width: 1920, height: 1080,
        isInterlaced: false, frameRate: rate, preset: "p", codec: codec, hasSignal: hasSignal),
      progress: progress, processID: 1)
  }
}

extension RecorderUpdate {
  /// A take that has ended, ten seconds long unless frames or slots are given.
  static func finished(
    _ name: String, frames: Int64 = 250, slots: Int64? = nil, size: Int64? = nil
  ) -> RecorderUpdate {
    var event = RecorderEvent(.takeFinished)
    event.finished = RecorderEvent.FinishedTake(
      number: 1, path: "/media/card/\(name)", outcome: .complete, movies: ["/media/card/\(name)"],
      frameCount: frames, dropped: 0, repeated: 0, damaged: 0, duration: Double(frames) / 25,
      startTimecode: "10:00:00:00")
    event.finished?.movieSlots = slots.map { [$0] }
    event.finished?.fileSize = size
    return .event(event)
  }
}

extension DeckState {
  /// A deck that has received these updates.
  static func example(_ updates: RecorderUpdate..., identity: DeckIdentity = .init()) -> DeckState {
    var deck = DeckState(identity)
    for update in updates { deck.adopt(update) }
    return deck
  }
}

/// A session and what it has sent.
struct Conversation {
  var session: HyperDeckSession
  private(set) var sent: [String] = []
  private(set) var orders: [DeckOrder] = []
  private(set) var closed: HyperDeckSession.CloseReason?
  /// In seconds.
  var now = 0.0

  init(_ deck: DeckState, _ identity: DeckIdentity = .init()) {
    session = HyperDeckSession(identity, deck: deck, at: 0)
    note(session.open())
    sent = []
  }

  private var instant: Int64 { Int64(now * 1e9) }

  private mutating func note(_ effects: [HyperDeckSession.Effect]) {
    for effect in effects {
      switch effect {
      case .send(let bytes): sent.append(String(decoding: bytes, as: UTF8.self))
      case .perform(let order): orders.append(order)
      case .close(let reason): closed = reason
      }
    }
  }

  /// Sends text and returns the replies, block by block.
  @discardableResult
  mutating func say(_ text: String) -> [String] {
    sent = []
    note(session.receive(Array(text.utf8), at: instant))
    return sent
  }

  /// Sends a line and returns the reply.
  mutating func ask(_ line: String) -> String { say(line + "\r\n").joined() }

  mutating func complete(_ outcome: DeckOutcome = .done) -> [String] {
    sent = []
    note(session.complete(outcome, at: instant))
    return sent
  }

  mutating func update(_ deck: DeckState) -> [String] {
    sent = []
    note(session.update(deck))
    return sent
  }

  mutating func tick() { note(session.tick(at: instant)) }

  mutating func proceed() -> [String] {
    sent = []
    note(session.proceed(at: instant))
    return sent
  }
}
