import MediaCore
import NIOCore
import RecorderControl
import RecorderServer

/// A client's connection: carries out its session's effects.
final class ClientHandler: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer
  typealias OutboundOut = ByteBuffer

  private let hub: DeckHub
  private(set) var peer = "unknown"
  private var session: HyperDeckSession?
  private var context: ChannelHandlerContext?
  /// Why the connection ends, once it does.
  private var ending: String?
  /// Bytes that the system has not taken yet.
  private var waiting = 0
  /// When it last took some.
  private var lastProgress: Int64 = 0
  /// Closes a connection after its last reply if the client does not.
  private var farewell: Scheduled<Void>?

  init(_ hub: DeckHub) { self.hub = hub }

  // MARK: The connection

  func channelActive(context: ChannelHandlerContext) {
    self.context = context
    peer = context.remoteAddress?.ipAddress ?? "unknown"
    guard hub.configuration.allowed.contains(where: { $0.contains(peer) }) else {
      ending = "refused"
      hub.report(.refused(peer: peer, reason: "its address is not among those allowed"))
      return context.close(promise: nil)
    }
    guard !hub.isFull else {
      ending = "refused"
      hub.report(
        .refused(
          peer: peer, reason: "\(hub.configuration.clientLimit) clients are already connected"))
      carryOut([.send(HyperDeckSession.rejection), .close(.rejected)])
      return
    }
    let now = MonotonicClock.now
    var session = HyperDeckSession(
      hub.configuration.identity, deck: hub.deck, since: hub.start, at: now)
    let greeting = session.open()
    self.session = session
    hub.add(self)
    hub.report(.connected(peer: peer))
    carryOut(greeting)
    read()
  }

  func channelInactive(context: ChannelHandlerContext) {
    hub.remove(self)
    farewell?.cancel()
    if session != nil {
      hub.report(.disconnected(peer: peer, reason: ending ?? "the client closed the connection"))
    }
    session = nil
    self.context = nil
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    // Data after the last reply are read and ignored.
    guard ending == nil else { return }
    let buffer = unwrapInboundIn(data)
    guard let effects = session?.receive(buffer.readableBytesView, at: MonotonicClock.now) else {
      return
    }
    carryOut(effects)
  }

  func channelReadComplete(context: ChannelHandlerContext) {
    if ending == nil { read() } else { context.read() }
  }

  func channelWritabilityChanged(context: ChannelHandlerContext) { proceed() }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    close("the connection failed: \(ServerThread.reason(of: error))")
  }

  /// Continues to read, unless earlier input cannot be answered yet.
  private func read() {
    guard let context, ending == nil, context.channel.isWritable, session?.wantsInput == true else {
      return
    }
    context.read()
  }

  private func proceed() {
    guard context?.channel.isWritable == true else { return }
    if session?.hasMore == true, let effects = session?.proceed(at: MonotonicClock.now) {
      carryOut(effects)
    }
    read()
  }

  func close(_ reason: String) {
    ending = ending ?? reason
    context?.close(promise: nil)
  }

  // MARK: The session

  func update(_ deck: DeckState) {
    if let effects = session?.update(deck) { carryOut(effects) }
  }

  func complete(_ outcome: DeckOutcome) {
    guard ending == nil else { return }
    if let effects = session?.complete(outcome, at: MonotonicClock.now) { carryOut(effects) }
    proceed()
  }

  func tick(at now: Int64) {
    if let effects = session?.tick(at: now) { carryOut(effects) }
    let limit = Int64(hub.configuration.writeTimeout / .nanoseconds(1))
    if waiting > 0, now - lastProgress > limit { close("it does not read what it is sent") }
    proceed()
  }

  private func carryOut(_ effects: [HyperDeckSession.Effect]) {
    for effect in effects {
      switch effect {
      case .send(let bytes): send(bytes)
      case .perform(let order): hub.perform(order, for: self)
      case .close(let reason): closeBehindAll(reason)
      }
    }
    context?.flush()
  }

  private func send(_ bytes: [UInt8]) {
    guard let context, context.channel.isActive else { return }
    if waiting == 0 { lastProgress = MonotonicClock.now }
    waiting += bytes.count
    guard waiting <= hub.configuration.waitingLimit else {
      return close("it reads too little of what it is sent")
    }
    let buffer = context.channel.allocator.buffer(bytes: bytes)
    let bound = NIOLoopBound(self, eventLoop: context.eventLoop)
    context.write(wrapOutboundOut(buffer)).whenComplete { _ in
      bound.value.waiting -= bytes.count
      bound.value.lastProgress = MonotonicClock.now
    }
  }

  /// Ends the connection once the client has received the last reply. Closing it with unread input would reset it, and
  /// the client would lose that reply. So this side shuts down its output first, and reads input until the client
  /// closes as well or its time is over.
  private func closeBehindAll(_ reason: HyperDeckSession.CloseReason) {
    guard let context else { return }
    ending = ending ?? reason.rawValue
    let mayLinger = hub.letLinger(self)
    let bound = NIOLoopBound(context, eventLoop: context.eventLoop)
    context.writeAndFlush(wrapOutboundOut(context.channel.allocator.buffer(capacity: 0)))
      .whenComplete { _ in
        let context = bound.value
        guard mayLinger else { return context.close(promise: nil) }
        context.close(mode: .output, promise: nil)
        context.read()
      }
    // Also without lingering: a client may never read its last reply, and the hub no longer watches it.
    let channel = context.channel
    farewell = context.eventLoop.scheduleTask(in: TimeAmount(hub.configuration.writeTimeout)) {
      channel.close(promise: nil)
    }
  }
}
