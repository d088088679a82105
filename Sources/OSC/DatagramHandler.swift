import MediaCore
import NIOCore
import RecorderControl

/// The server's socket: carries out the session's effects.
final class DatagramHandler: ChannelInboundHandler {
  typealias InboundIn = AddressedEnvelope<ByteBuffer>
  typealias OutboundOut = AddressedEnvelope<ByteBuffer>

  private let configuration: OSCServer.Configuration
  private let recorder: any RemoteRecorder
  private let report: @Sendable (OSCServer.Notice) -> Void
  private var session: OSCSession
  private var unserved = UnservedPeers()
  private var context: ChannelHandlerContext?

  init(
    _ configuration: OSCServer.Configuration, recorder: any RemoteRecorder,
    report: @escaping @Sendable (OSCServer.Notice) -> Void
  ) {
    self.configuration = configuration
    self.recorder = recorder
    self.report = report
    session = OSCSession(prefix: configuration.prefix, receivers: configuration.receivers)
  }

  func channelActive(context: ChannelHandlerContext) { self.context = context }

  func channelInactive(context: ChannelHandlerContext) { self.context = nil }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    let envelope = unwrapInboundIn(data)
    guard let host = envelope.remoteAddress.ipAddress, let port = envelope.remoteAddress.port
    else { return }
    guard configuration.allowed.contains(where: { $0.contains(host) }) else {
      return refuse(host, "its address is not among those allowed")
    }
    let bytes = envelope.data.readableBytesView
    guard (try? OSCPacket(bytes)) != nil else {
      return refuse(host, "a datagram of \(bytes.count) bytes is not OSC")
    }
    carryOut(
      session.receive(bytes, from: OSCPeer(host: host, port: port), at: MonotonicClock.now))
  }

  private func refuse(_ host: String, _ reason: String) {
    guard unserved.isNews(host, at: MonotonicClock.now) else { return }
    report(.unserved(host: host, reason: reason))
  }

  /// A datagram that could not be sent is lost, as any datagram may be.
  func errorCaught(context: ChannelHandlerContext, error: any Error) {}

  func adopt(_ update: RecorderUpdate) { carryOut(session.update(update)) }

  func tick() { carryOut(session.tick(at: MonotonicClock.now)) }

  private func carryOut(_ effects: [OSCSession.Effect]) {
    for effect in effects {
      switch effect {
      case .send(let bytes, let peer): send(bytes, to: peer)
      case .perform(let command, let peer): perform(command, for: peer)
      }
    }
    context?.flush()
  }

  private func send(_ bytes: [UInt8], to peer: OSCPeer) {
    // Datagrams that the system does not take now are dropped instead of queued.
    guard let context, context.channel.isWritable,
      let address = try? SocketAddress(ipAddress: peer.host, port: peer.port)
    else { return }
    let data = context.channel.allocator.buffer(bytes: bytes)
    context.write(
      wrapOutboundOut(AddressedEnvelope(remoteAddress: address, data: data)), promise: nil)
  }

  private func perform(_ command: RecorderCommand, for peer: OSCPeer) {
    guard let loop = context?.eventLoop else { return }
    let handler = NIOLoopBound(self, eventLoop: loop)
    let recorder = recorder
    loop.makeFutureWithTask { await Self.refusal(of: command, by: recorder) }
      .whenSuccess { handler.value.complete(command, $0, for: peer) }
  }

  private static func refusal(
    of command: RecorderCommand, by recorder: any RemoteRecorder
  ) async -> ErrorSummary? {
    do throws(ControlError) { return try await recorder.send(command).error } catch {
      return ErrorSummary(error)
    }
  }

  private func complete(_ command: RecorderCommand, _ refusal: ErrorSummary?, for peer: OSCPeer) {
    report(.ordered(peer: peer, command: command, refusal: refusal))
    carryOut(session.complete(refusal, for: peer, command))
  }
}
