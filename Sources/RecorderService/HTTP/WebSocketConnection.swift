import MediaCore
import NIOCore
import NIOWebSocket
import Synchronization

/// A WebSocket: messages both ways, bounded both ways.
final class WebSocketConnection: Sendable {
  /// Texts from the client. Where it sends faster than it is read, the oldest are lost.
  let texts: AsyncStream<String>
  private let receive: AsyncStream<String>.Continuation
  private let channel: any Channel
  /// Output that was handed to the channel and is not written yet.
  private struct Pending {
    var bytes = 0
    /// Callers that wait until all output is written.
    var waiting: [CheckedContinuation<Void, Never>] = []
  }
  private let pending = Mutex(Pending())
  /// When something was sent last, by the monotonic clock.
  private let sentAt = Atomic<Int64>(MonotonicClock.now)

  /// Bytes of a client's message at most.
  static let messageLimit = 4096
  /// The most bytes that may wait for a client, which is disconnected beyond that.
  private static let pendingLimit = 4 << 20
  /// Nanoseconds without a message at most.
  private static let silence: Int64 = 5_000_000_000

  init(_ channel: any Channel) {
    self.channel = channel
    (texts, receive) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(64))
  }

  func send(text: some Encodable) { send(.text, JSONText.bytes(text)) }

  func send(line: String) { send(.text, Array(line.utf8)) }

  /// Sends a text that is encoded already.
  func send(utf8 text: [UInt8]) { send(.text, text) }

  func send(bytes: [UInt8]) { send(.binary, bytes) }

  private func send(_ code: WebSocketOpcode, _ bytes: [UInt8]) {
    let waiting = pending.withLock { pending in
      pending.bytes += bytes.count
      return pending.bytes
    }
    guard waiting <= Self.pendingLimit else {
      left(bytes.count)
      return close(.policyViolation)
    }
    sentAt.store(MonotonicClock.now, ordering: .relaxed)
    let frame = WebSocketFrame(
      fin: true, opcode: code, data: channel.allocator.buffer(bytes: bytes))
    channel.writeAndFlush(frame).whenComplete { [self] _ in left(bytes.count) }
  }

  private func left(_ count: Int) {
    let waiting = pending.withLock { pending in
      pending.bytes -= count
      guard pending.bytes == 0 else { return [CheckedContinuation<Void, Never>]() }
      defer { pending.waiting = [] }
      return pending.waiting
    }
    for continuation in waiting { continuation.resume() }
  }

  // MARK: Clients that are slow, or gone

  /// True while output waits. Messages that count for a moment only would arrive late.
  var isBehind: Bool { pending.withLock { $0.bytes > 0 } }

  /// Returns once all that was sent has left, or the connection is closed.
  func drained() async {
    await withCheckedContinuation { continuation in
      let isIdle = pending.withLock { pending in
        if pending.bytes > 0 { pending.waiting.append(continuation) }
        return pending.bytes == 0
      }
      if isIdle { continuation.resume() }
    }
  }

  private struct Beat: Encodable { var event = "alive" }

  /// Sends a message of its own if nothing else was sent for five seconds, until the task is cancelled. A
  /// page does not see pings: without these messages a broken network would look like a recorder without
  /// news.
  func beat() async {
    while !Task.isCancelled {
      let due = sentAt.load(ordering: .relaxed) + Self.silence
      let now = MonotonicClock.now
      if now >= due { send(text: Beat()) }
      try? await Task.sleep(for: .nanoseconds(now >= due ? Self.silence : due - now))
    }
  }

  /// Sends the reason if that is immediately possible, and closes without waiting for a slow client.
  func close(_ code: WebSocketErrorCode = .normalClosure) {
    var reason = channel.allocator.buffer(capacity: 2)
    reason.write(webSocketErrorCode: code)
    channel.writeAndFlush(
      WebSocketFrame(fin: true, opcode: .connectionClose, data: reason), promise: nil)
    channel.close(promise: nil)
  }

  fileprivate func take(_ text: String) { receive.yield(text) }

  fileprivate func finish() { receive.finish() }
}

/// Handles the frames of a WebSocket: answers pings, and closes the connection of a client that answers none.
final class WebSocketHandler: ChannelInboundHandler {
  typealias InboundIn = WebSocketFrame
  typealias OutboundOut = WebSocketFrame

  private let connection: WebSocketConnection
  private var heartbeat: RepeatedTask?
  private var isAlive = true

  private static let interval = TimeAmount.seconds(15)

  init(_ connection: WebSocketConnection) { self.connection = connection }

  func handlerAdded(context: ChannelHandlerContext) {
    let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
    heartbeat = context.eventLoop.scheduleRepeatedTask(
      initialDelay: Self.interval, delay: Self.interval
    ) { _ in
      let (handler, context) = bound.value
      guard handler.isAlive else { return context.close(promise: nil) }
      handler.isAlive = false
      handler.write(.ping, ByteBuffer(), context)
    }
  }

  func channelInactive(context: ChannelHandlerContext) {
    heartbeat?.cancel()
    connection.finish()
    context.fireChannelInactive()
  }

  func handlerRemoved(context: ChannelHandlerContext) {
    heartbeat?.cancel()
    connection.finish()
  }

  private func write(_ code: WebSocketOpcode, _ data: ByteBuffer, _ context: ChannelHandlerContext)
  {
    context.writeAndFlush(
      wrapOutboundOut(WebSocketFrame(fin: true, opcode: code, data: data)), promise: nil)
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    let frame = unwrapInboundIn(data)
    isAlive = true
    var payload = frame.unmaskedData
    switch frame.opcode {
    case .text where frame.fin:
      if let text = payload.readString(length: payload.readableBytes) { connection.take(text) }
    case .ping:
      // A client that sends pings but does not read the answers is disconnected.
      guard context.channel.isWritable else { return context.close(promise: nil) }
      write(.pong, payload, context)
    case .pong: break
    case .connectionClose:
      write(.connectionClose, ByteBuffer(), context)
      context.close(promise: nil)
    // Clients' messages are short texts. Fragments and binary messages are not accepted.
    default: context.close(promise: nil)
    }
  }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    if event is ServerEnd {
      var reason = context.channel.allocator.buffer(capacity: 2)
      reason.write(webSocketErrorCode: .goingAway)
      write(.connectionClose, reason, context)
    }
    context.fireUserInboundEventTriggered(event)
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    context.close(promise: nil)
  }
}
