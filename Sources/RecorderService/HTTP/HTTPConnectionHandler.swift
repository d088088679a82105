import MediaCore
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOWebSocket
import SystemPackage

/// Collects a connection's requests, one after the other, and writes their answers.
final class HTTPConnectionHandler: ChannelInboundHandler, RemovableChannelHandler {
  typealias InboundIn = HTTPServerRequestPart
  typealias OutboundOut = HTTPServerResponsePart

  /// The progress of a request.
  private enum Phase {
    case idle
    case receiving(HTTPRequestHead, HTTPRequest)
    /// The body is longer than allowed.
    case refusing(HTTPRequestHead, HTTPRequest)
    case answering
  }

  static let name = "requests"

  private let isSecure: Bool
  private let connections: OpenConnections
  private let respond: @Sendable (HTTPRequest) async -> HTTPResponse
  private var phase = Phase.idle
  private var deadline: Scheduled<Void>?
  /// True once the connection has lost its place: its next request is refused, and is the last.
  private var isLeaving = false
  private var hasAnswered = false

  /// How long a connection may take for a complete request.
  private static let patience = TimeAmount.seconds(30)
  /// The same for a connection without a place.
  private static let shortPatience = TimeAmount.seconds(2)

  init(
    isSecure: Bool, among connections: OpenConnections,
    respond: @escaping @Sendable (HTTPRequest) async -> HTTPResponse
  ) {
    (self.isSecure, self.connections) = (isSecure, connections)
    self.respond = respond
  }

  func handlerAdded(context: ChannelHandlerContext) { setDeadline(context) }

  func handlerRemoved(context: ChannelHandlerContext) { deadline?.cancel() }

  private func setDeadline(_ context: ChannelHandlerContext) {
    deadline?.cancel()
    let channel = context.channel
    let patience = isLeaving ? Self.shortPatience : Self.patience
    deadline = context.eventLoop.scheduleTask(in: patience) { channel.close(promise: nil) }
  }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    if event is PlaceLost, !isLeaving {
      isLeaving = true
      // A client that had an answer expects that an idle connection may be closed, and tries again on another one.
      if hasAnswered, case .idle = phase {
        context.close(promise: nil)
      } else if deadline != nil {
        setDeadline(context)
      }
    }
    context.fireUserInboundEventTriggered(event)
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    switch (phase, unwrapInboundIn(data)) {
    case (_, .head(let head)):
      phase = .receiving(head, HTTPRequest(head, of: context.channel, isSecure))
    case (.receiving(let head, var request), .body(let bytes)):
      if request.body.count + bytes.readableBytes > HTTPRequest.bodyLimit {
        request.body = []
        phase = .refusing(head, request)
      } else {
        request.body += bytes.readableBytesView
        phase = .receiving(head, request)
      }
    case (.receiving(let head, let request), .end):
      phase = .answering
      deadline?.cancel()
      deadline = nil
      guard !isLeaving else {
        return write(HTTPResponse(connections.refusal), to: request, head, context)
      }
      connections.note(context.channel, isBusy: true)
      answer(request, head, context)
    case (.refusing(let head, let request), .end):
      phase = .answering
      let refusal = HTTPResponse(
        ServiceError(.tooLong, "a body has at most \(HTTPRequest.bodyLimit) bytes"))
      write(refusal, to: request, head, context)
    case (.idle, _), (.refusing, .body), (.answering, _): break
    }
  }

  private func answer(
    _ request: HTTPRequest, _ head: HTTPRequestHead, _ context: ChannelHandlerContext
  ) {
    let promise = context.eventLoop.makePromise(of: HTTPResponse.self)
    promise.completeWithTask { [respond] in await respond(request) }
    promise.futureResult.assumeIsolated().whenSuccess { [self] response in
      write(response, to: request, head, context)
    }
  }

  private func write(
    _ response: HTTPResponse, to request: HTTPRequest, _ head: HTTPRequestHead,
    _ context: ChannelHandlerContext
  ) {
    guard context.channel.isActive else { return }
    // Sending a file may occupy a connection for hours, as a WebSocket does.
    let sends = head.method != .HEAD
    let hasPlace = response.file == nil || !sends || connections.beginStream(context.channel)
    let response = hasPlace ? response : HTTPResponse(connections.refusalOfStream)
    var headers = HTTPHeaders(HTTPResponse.securityHeaders)
    for (name, value) in response.headers { headers.replaceOrAdd(name: name, value: value) }
    if response.status != 204, response.status != 304 {
      let count = response.file.map { $0.bytes.count } ?? response.body.count
      headers.add(name: "Content-Length", value: "\(count)")
    }
    let isLast = !head.isKeepAlive || isLeaving
    if isLast { headers.add(name: "Connection", value: "close") }
    let status = HTTPResponseStatus(statusCode: response.status)
    var part = HTTPServerResponsePart.head(
      HTTPResponseHead(version: head.version, status: status, headers: headers))
    if let file = response.file, sends {
      context.write(wrapOutboundOut(part), promise: nil)
      return send(file.file, file.bytes, isLast: isLast, context)
    }
    if !response.body.isEmpty, sends {
      context.write(wrapOutboundOut(part), promise: nil)
      part = .body(.byteBuffer(context.channel.allocator.buffer(bytes: response.body)))
    }
    // An answer to an unauthorized client, such as the page, gives its place up to others even while it is
    // being sent.
    if !response.isForClient || !connections.beginStream(context.channel) {
      connections.note(context.channel, isBusy: false)
    }
    // The next request is read only after the client has taken this answer, so that at most one answer waits.
    setDeadline(context)
    context.writeAndFlush(wrapOutboundOut(part)).assumeIsolated().whenSuccess { [self] in
      end(isLast: isLast, context)
    }
  }

  private func end(isLast: Bool, _ context: ChannelHandlerContext) {
    connections.note(context.channel, isBusy: false)
    hasAnswered = true
    setDeadline(context)
    guard isLast || isLeaving else {
      // If the next request is already there, it is read during the following call.
      phase = .idle
      return context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
    }
    let channel = context.channel
    context.writeAndFlush(wrapOutboundOut(.end(nil))).whenComplete { _ in
      channel.close(promise: nil)
    }
  }

  // MARK: Files

  /// Bytes of a file that are read in one step: the maximum in memory for a client.
  private static let pieceSize: Int64 = 256 << 10

  /// Sends a range of a file in pieces. Each is read once the client has taken the one before.
  private func send(
    _ file: FileRange.OpenFile, _ bytes: Range<Int64>, isLast: Bool,
    _ context: ChannelHandlerContext
  ) {
    guard !bytes.isEmpty else { return end(isLast: isLast, context) }
    // A client that takes nothing for that long is disconnected.
    setDeadline(context)
    let count = Int(min(Int64(bytes.count), Self.pieceSize))
    let (allocator, start) = (context.channel.allocator, bytes.lowerBound)
    NIOThreadPool.singleton.runIfActive(eventLoop: context.eventLoop) {
      var piece = allocator.buffer(capacity: count)
      _ = try piece.writeWithUnsafeMutableBytes(minimumWritableBytes: count) { memory in
        try file.descriptor.read(
          fromAbsoluteOffset: start, into: UnsafeMutableRawBufferPointer(rebasing: memory[..<count])
        )
      }
      return piece
    }.assumeIsolated().whenComplete { [self] result in
      // The file was truncated, or cannot be read. Closing shows the client that bytes are missing.
      guard case .success(let piece) = result, piece.readableBytes > 0 else {
        return context.close(promise: nil)
      }
      let rest = (start + Int64(piece.readableBytes))..<bytes.upperBound
      context.writeAndFlush(wrapOutboundOut(.body(.byteBuffer(piece)))).assumeIsolated()
        .whenSuccess { [self] in send(file, rest, isLast: isLast, context) }
    }
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    // The request is not upgraded, but arrives here like any other, and its answer gives the reason.
    if error is NIOWebSocketUpgradeError { return }
    context.close(promise: nil)
  }
}
