public import MediaCore
public import RecorderControl
import Takes

/// Open Sound Control in front of a recorder, as a value: datagrams come in, datagrams and commands go
/// out. It does no input or output and reads no clock.
///
/// Below the prefix, by default `/recorder`, it understands:
///
/// | address | argument | what it does |
/// |---|---|---|
/// | `/start` | a name, or none | begins a take |
/// | `/stop` | | ends it |
/// | `/record` | 1 or 0 | begins or ends one |
/// | `/split` | | continues in a new movie |
/// | `/mark` | a note, or none | marks the last frame |
/// | `/status` | | sends the whole state once |
/// | `/subscribe` | a port, or none for the sender's | sends the whole state, then changes, for a minute |
/// | `/unsubscribe` | | sends nothing more |
///
/// `/subscription` gives a subscriber the duration of its subscription in seconds: 60 at the beginning, 0 at the end.
///
/// A 0 or false as the argument of any other address means a released button, and does nothing. Messages to
/// the addresses of answers and of the recorder's state are ignored.
public struct OSCSession: Sendable {
  /// What is to be done.
  public enum Effect: Sendable, Hashable {
    case send([UInt8], to: OSCPeer)
    /// Send this to the recorder, and call ``OSCSession/complete(_:for:_:)``.
    case perform(RecorderCommand, for: OSCPeer)
  }

  private struct Subscriber: Sendable {
    /// True for a receiver of the configuration, which need not renew its subscription.
    var isLasting = false
    /// When it ends, in nanoseconds; for a lasting one, when the whole state is sent again. Nil before the first tick.
    var end: Int64?
    var reported: OSCFeedback?
  }

  /// The maximum number of subscribers at the same time, not counting those of the configuration.
  public static let subscriberLimit = 32
  /// Nanoseconds after which a subscription ends unless renewed, because UDP has no disconnection.
  public static let subscriptionTime: Int64 = 60_000_000_000
  /// The addresses of answers, without the prefix.
  private static let answers: Set = ["/done", "/error", "/subscription"]
  /// The maximum number of commands in progress.
  static let commandLimit = 16

  private let prefix: String
  private var feedback = OSCFeedback(away: "no recorder has been asked yet")
  private var subscribers: [OSCPeer: Subscriber] = [:]
  private var underWay = 0

  /// A session.
  ///
  /// - Parameters:
  ///   - prefix: The beginning of all addresses, with a leading slash and no trailing one.
  ///   - receivers: Peers that receive every change without subscribing.
  public init(prefix: String = "/recorder", receivers: [OSCPeer] = []) {
    self.prefix = prefix
    for peer in receivers { subscribers[peer] = Subscriber(isLasting: true) }
  }

  /// The peers that receive changes.
  public var peers: Set<OSCPeer> { Set(subscribers.keys) }

  /// Processes a datagram. An unreadable one gets no answer.
  public mutating func receive(
    _ bytes: some Collection<UInt8>, from peer: OSCPeer, at now: Int64
  ) -> [Effect] {
    guard let packet = try? OSCPacket(bytes) else { return [] }
    return packet.messages.flatMap { take($0, from: peer, at: now) }
  }

  /// Processes the recorder's reply to a command.
  public mutating func complete(
    _ error: ErrorSummary?, for peer: OSCPeer, _ command: RecorderCommand
  ) -> [Effect] {
    underWay = max(underWay - 1, 0)
    guard let error = error?.withoutFolders else {
      return [answer("/done", [.string(command.name)], peer)]
    }
    return [
      answer(
        "/error", [.string(command.name), .string(error.code), .string(error.message)], peer)
    ]
  }

  /// Adopts an update of the recorder's state.
  public mutating func update(_ update: RecorderUpdate) -> [Effect] {
    switch update {
    case .status(let status): feedback = OSCFeedback(status, after: feedback)
    case .away(let message): feedback = OSCFeedback(away: message)
    case .event: return []
    }
    return subscribers.keys.flatMap { tell($0) }
  }

  /// Ends expired subscriptions. Receivers of the configuration get the whole state again, because earlier
  /// datagrams may have been lost.
  public mutating func tick(at now: Int64) -> [Effect] {
    var effects: [Effect] = []
    for (peer, subscriber) in subscribers {
      if let end = subscriber.end, end > now { continue }
      guard subscriber.isLasting else {
        effects.append(remove(peer))
        continue
      }
      subscribers[peer]?.end = now + Self.subscriptionTime
      guard subscriber.end != nil else { continue }
      subscribers[peer]?.reported = nil
      effects += tell(peer)
    }
    return effects
  }

  private mutating func remove(_ peer: OSCPeer) -> Effect {
    subscribers[peer] = nil
    return answer("/subscription", [.int(0)], peer)
  }

  // MARK: Messages

  private mutating func take(
    _ message: OSCMessage, from peer: OSCPeer, at now: Int64
  ) -> [Effect] {
    guard message.address.hasPrefix(prefix + "/") else { return [] }
    let name = String(message.address.dropFirst(prefix.count))
    // Messages that such a server itself sends. If they were answered with errors, two servers, or one subscribed to
    // itself, would answer each other forever.
    guard !Self.answers.contains(name), !feedback.values.contains(where: { $0.end == name }) else {
      return []
    }
    let first = message.arguments.first
    if name != "/record", name != "/subscribe", Self.isReleased(first) { return [] }
    switch name {
    case "/start": return start(first, peer)
    case "/stop": return perform(.stop, peer)
    case "/record":
      guard let isOn = Self.isOn(first) else {
        return [refusal(name, "needs an argument, 1 or 0", peer)]
      }
      return isOn ? start(nil, peer) : perform(.stop, peer)
    case "/split": return perform(.split, peer)
    case "/mark":
      guard case .string(let note)? = first else { return perform(.mark(""), peer) }
      return perform(.mark(note), peer)
    case "/status": return feedback.changes(since: nil).map { answer($0.end, [$0.argument], peer) }
    case "/subscribe": return subscribe(first, peer, now)
    case "/unsubscribe":
      return subscribers.filter { $0.key.host == peer.host && !$0.value.isLasting }.keys
        .map { remove($0) }
    default:
      return [refusal(name, "is not an address of this recorder; patterns are not supported", peer)]
    }
  }

  private mutating func start(_ argument: OSCMessage.Argument?, _ peer: OSCPeer) -> [Effect] {
    guard case .string(let name)? = argument, !name.isEmpty else {
      return perform(.start(TakeSlate(), nil), peer)
    }
    do {
      // The rules for names are the command line's; paths are refused.
      _ = try MovieName(presetName: name)
    } catch {
      return [refusal("/start", "\(error)", peer)]
    }
    return perform(.start(TakeSlate(name: name), nil), peer)
  }

  private mutating func perform(_ command: RecorderCommand, _ peer: OSCPeer) -> [Effect] {
    guard underWay < Self.commandLimit else {
      return [refusal("/" + command.name, "is refused: too many commands are waiting", peer)]
    }
    underWay += 1
    return [.perform(command, for: peer)]
  }

  private mutating func subscribe(
    _ argument: OSCMessage.Argument?, _ peer: OSCPeer, _ now: Int64
  ) -> [Effect] {
    var receiver = peer
    if case .int(let port)? = argument {
      guard (1...65_535).contains(port) else {
        return [refusal("/subscribe", "invalid port \(port)", peer)]
      }
      receiver.port = Int(port)
    }
    // The whole state is sent again, because earlier datagrams may have been lost.
    subscribers[receiver]?.reported = nil
    if subscribers[receiver]?.isLasting == true { return tell(receiver) }
    let count = subscribers.values.count { !$0.isLasting }
    guard subscribers[receiver] != nil || count < Self.subscriberLimit else {
      return [
        refusal("/subscribe", "\(Self.subscriberLimit) subscribers are already registered", peer)
      ]
    }
    subscribers[receiver] = Subscriber(end: now + Self.subscriptionTime)
    let seconds = Int32(clamping: Self.subscriptionTime / 1_000_000_000)
    return tell(receiver) + [answer("/subscription", [.int(seconds)], receiver)]
  }

  private mutating func tell(_ peer: OSCPeer) -> [Effect] {
    let changes = feedback.changes(since: subscribers[peer]?.reported)
    subscribers[peer]?.reported = feedback
    return changes.map { answer($0.end, [$0.argument], peer) }
  }

  private func answer(
    _ end: String, _ arguments: [OSCMessage.Argument], _ peer: OSCPeer
  ) -> Effect {
    .send(OSCMessage(prefix + end, arguments: arguments).bytes, to: peer)
  }

  private func refusal(_ name: String, _ why: String, _ peer: OSCPeer) -> Effect {
    answer(
      "/error",
      [.string(String(name.dropFirst().prefix(100))), .string("invalidMessage"), .string(why)],
      peer)
  }

  /// The value of a number or a flag as a truth value; nil for anything else.
  private static func isOn(_ argument: OSCMessage.Argument?) -> Bool? {
    switch argument {
    case .int(let number)?: number != 0
    case .long(let number)?: number != 0
    case .float(let number)?: number > 0.5
    case .double(let number)?: number > 0.5
    case .bool(let isOn)?: isOn
    case .impulse?: true
    default: nil
    }
  }

  private static func isReleased(_ argument: OSCMessage.Argument?) -> Bool {
    isOn(argument) == false
  }
}
