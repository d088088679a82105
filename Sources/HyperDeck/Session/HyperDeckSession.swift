/// A client's connection as a value: bytes come in, bytes and orders go out. It does no input or output
/// and reads no clock.
///
/// Replies keep the order of commands: while an order is carried out, further commands wait, and a
/// notification follows the reply to the command that caused it.
///
/// ```swift
/// var session = HyperDeckSession(identity, deck: deck, at: now)
/// for effect in session.open() + session.receive(bytes, at: now) { carryOut(effect) }
/// ```
public struct HyperDeckSession: Sendable {
  /// An action for the client.
  public enum Effect: Sendable, Hashable {
    /// Send a whole block in one write.
    case send([UInt8])
    /// Carry this out and call ``HyperDeckSession/complete(_:at:)``.
    case perform(DeckOrder)
    /// Close the connection once everything is sent.
    case close(CloseReason)
  }

  /// Why a connection ends.
  public enum CloseReason: String, Sendable, Hashable {
    /// The client asked for it.
    case quit
    /// The client was silent for longer than it had announced.
    case watchdog
    /// The input is of another protocol.
    case stranger
    /// A line is too long.
    case tooLong
    /// The maximum number of clients is connected.
    case rejected
  }

  private enum Phase: Sendable {
    case ready
    case performing(DeckOrder)
    case closed
  }

  /// The approximate maximum number of bytes that one call makes before ``proceed(at:)``: one reply may exceed it.
  static let outputLimit = 65_536

  let identity: DeckIdentity
  var deck: DeckState
  /// When the deck began to serve, in nanoseconds of a monotonic clock.
  let start: Int64
  var parser = RequestParser()
  var isOverridden = false
  /// The topics that the client subscribed to, with the fields last sent.
  var reported: [DeckState.Topic: DeckFields] = [:]
  /// Subscribed notifications that never come, because their values never change here.
  var silentTopics: Set<String> = []
  /// Nanoseconds of silence after which the connection ends; nil for no limit.
  var watchdog: Int64?
  private var lastCommand: Int64
  private var phase = Phase.ready
  private var effects: [Effect] = []
  private var produced = 0

  /// An accepted connection.
  ///
  /// - Parameters:
  ///   - identity: The deck's names.
  ///   - deck: The deck's present state.
  ///   - start: When the deck began to serve, in nanoseconds of a monotonic clock.
  ///   - now: The present instant of that clock.
  public init(
    _ identity: DeckIdentity, deck: DeckState, since start: Int64 = 0, at now: Int64
  ) {
    self.identity = identity
    self.deck = deck
    self.start = start
    lastCommand = now
  }

  /// The answer to a client beyond the maximum number.
  public static let rejection = DeckReply(.connectionRejected).bytes

  /// True if further bytes can be received. While it is false, leave them in the socket.
  public var wantsInput: Bool {
    if case .ready = phase { return !hasMore }
    return false
  }

  /// True if commands wait for ``proceed(at:)``, because enough replies are waiting.
  public private(set) var hasMore = false

  /// Greets the client.
  public mutating func open() -> [Effect] {
    send(
      DeckReply(
        .connectionInfo,
        fields: ["protocol version": identity.protocolVersion, "model": identity.model]))
    return taken()
  }

  /// Processes bytes from the client.
  public mutating func receive(_ bytes: some Collection<UInt8>, at now: Int64) -> [Effect] {
    if case .closed = phase { return [] }
    parser.append(bytes)
    return proceed(at: now)
  }

  /// Continues with received commands once the replies so far are sent.
  public mutating func proceed(at now: Int64) -> [Effect] {
    produced = 0
    hasMore = false
    while case .ready = phase {
      guard produced < Self.outputLimit else {
        hasMore = true
        break
      }
      guard let item = parser.next() else { break }
      lastCommand = now
      take(item, at: now)
    }
    return taken()
  }

  /// Processes the outcome of the last order.
  public mutating func complete(_ outcome: DeckOutcome, at now: Int64) -> [Effect] {
    guard case .performing(let order) = phase else { return [] }
    phase = .ready
    if case (.done, .enableRemote(let isOn)) = (outcome, order) { deck.isRemoteEnabled = isOn }
    send(DeckReply(outcome.code(of: order)))
    notify()
    // The time that the recorder took is not the client's silence.
    lastCommand = now
    return taken() + proceed(at: now)
  }

  /// Adopts the deck's new state, and notifies the client of changes that it subscribed to.
  public mutating func update(_ deck: DeckState) -> [Effect] {
    self.deck = deck
    if case .ready = phase { notify() }
    return taken()
  }

  /// Ends the connection of a client that was silent for too long.
  public mutating func tick(at now: Int64) -> [Effect] {
    guard let watchdog, now - lastCommand > watchdog, case .ready = phase, !hasMore else {
      return []
    }
    close(.watchdog)
    return taken()
  }

  // MARK: Effects

  mutating func send(_ reply: DeckReply) {
    if case .closed = phase { return }
    let bytes = reply.bytes
    produced += bytes.count
    effects.append(.send(bytes))
  }

  mutating func perform(_ order: DeckOrder) {
    phase = .performing(order)
    effects.append(.perform(order))
  }

  mutating func close(_ reason: CloseReason) {
    if case .closed = phase { return }
    phase = .closed
    effects.append(.close(reason))
  }

  private mutating func taken() -> [Effect] {
    defer { effects = [] }
    return effects
  }

  private mutating func take(_ item: RequestParser.Item, at now: Int64) {
    switch item {
    case .command(let command): answer(command, at: now)
    case .fault(let fault):
      send(DeckReply(fault.code))
      if fault == .tooLong { close(.tooLong) }
    case .stranger: close(.stranger)
    }
  }

  // MARK: Notifications

  /// Sends the changed fields of the topics that the client subscribed to, and nothing else.
  mutating func notify() {
    for topic in DeckState.Topic.allCases {
      guard let before = reported[topic] else { continue }
      let fields = deck.fields(of: topic, identity, isOverridden: isOverridden)
      var changes = fields.changes(since: before)
      if topic == .transport {
        // Timecodes always advance, so they are sent only along with other changes.
        let timecodes: Set = ["display timecode", "timecode"]
        guard changes.pairs.contains(where: { !timecodes.contains($0.key) }) else { continue }
      }
      guard !changes.pairs.isEmpty else { continue }
      reported[topic] = fields
      if topic == .slot {
        if changes["recording time"] != nil {
          changes["recording time"] = deck.recordingTime.map { "\($0)" }
        }
        changes = changes.led(by: "slot id", "1")
      }
      if topic == .timelinePosition { changes = fields }
      send(DeckReply(topic.code, fields: changes))
    }
  }
}
