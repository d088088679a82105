import MediaCore
import NIOCore
import RecorderControl

/// The state that all clients of a server share. Used on the server's only thread.
final class DeckHub {
  /// An order that the recorder has carried out but its status does not show yet.
  private struct Pending {
    let client: ClientHandler
    let order: DeckOrder
    let deadline: Int64
  }

  let configuration: HyperDeckServer.Configuration
  let report: @Sendable (HyperDeckServer.Notice) -> Void
  let start = MonotonicClock.now
  private let recorder: any RemoteRecorder
  private let loop: any EventLoop
  private(set) var deck: DeckState
  private var clients: [ObjectIdentifier: ClientHandler] = [:]
  private var pending: [Pending] = []
  /// Clients that were sent their last reply and have not closed yet.
  private var lingering: [ObjectIdentifier: ClientHandler] = [:]

  /// Nanoseconds that a status may take to show that an order was carried out.
  private static let showing: Int64 = 1_000_000_000

  init(
    _ configuration: HyperDeckServer.Configuration, recorder: any RemoteRecorder,
    loop: any EventLoop, report: @escaping @Sendable (HyperDeckServer.Notice) -> Void
  ) {
    self.configuration = configuration
    self.recorder = recorder
    self.loop = loop
    self.report = report
    deck = DeckState(configuration.identity)
  }

  // MARK: Clients

  var isFull: Bool { clients.count >= configuration.clientLimit }

  func add(_ client: ClientHandler) { clients[ObjectIdentifier(client)] = client }

  func remove(_ client: ClientHandler) {
    clients[ObjectIdentifier(client)] = nil
    pending.removeAll { $0.client === client }
    lingering[ObjectIdentifier(client)] = nil
  }

  /// Frees the place of a client that was sent its last reply. False if too many such clients are still connected.
  func letLinger(_ client: ClientHandler) -> Bool {
    remove(client)
    guard lingering.count < configuration.lingeringLimit else { return false }
    lingering[ObjectIdentifier(client)] = client
    return true
  }

  /// Closes all connections, including those that were sent their last reply.
  func closeAll() {
    for client in Array(clients.values) + lingering.values { client.close("the server ends") }
  }

  /// To be called several times a second.
  func tick() {
    let now = MonotonicClock.now
    for client in clients.values { client.tick(at: now) }
    settle(now)
  }

  // MARK: The deck

  func adopt(_ update: RecorderUpdate) {
    let before = deck
    deck.adopt(update)
    settle(MonotonicClock.now)
    if deck != before { tellAll() }
  }

  func rename(_ name: String) {
    deck.rename(name)
    tellAll()
  }

  private func tellAll() { for client in clients.values { client.update(deck) } }

  /// Answers clients whose order the deck's state shows by now, or should show.
  private func settle(_ now: Int64) {
    let settled = pending.filter { $0.order.isShown(by: deck) || $0.deadline < now }
    guard !settled.isEmpty else { return }
    pending.removeAll { $0.order.isShown(by: deck) || $0.deadline < now }
    for order in settled {
      order.client.update(deck)
      order.client.complete(.done)
    }
  }

  // MARK: Orders

  func perform(_ order: DeckOrder, for client: ClientHandler) {
    if case .enableRemote(let isOn) = order {
      deck.isRemoteEnabled = isOn
      return finish(order, .done, for: client)
    }
    let hub = NIOLoopBound(self, eventLoop: loop)
    let client = NIOLoopBound(client, eventLoop: loop)
    let recorder = recorder
    loop.makeFutureWithTask { await order.outcome(from: recorder) }
      .whenSuccess { hub.value.finish(order, $0, for: client.value) }
  }

  private func finish(_ order: DeckOrder, _ outcome: DeckOutcome, for client: ClientHandler) {
    report(.ordered(peer: client.peer, order: order, outcome: outcome))
    guard clients[ObjectIdentifier(client)] != nil else { return }
    if outcome == .done, !order.isShown(by: deck) {
      // A client that asks for the state right after the reply must see the change.
      let deadline = MonotonicClock.now + Self.showing
      pending.append(Pending(client: client, order: order, deadline: deadline))
      return
    }
    client.complete(outcome)
    if case .enableRemote = order { tellAll() }
  }
}
