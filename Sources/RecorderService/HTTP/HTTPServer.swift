import Logging
import MediaCore
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOWebSocket
import Synchronization
import SystemPackage

/// Answers requests.
protocol HTTPHandler: Sendable {
  /// The answer to a request.
  func respond(to request: HTTPRequest) async -> HTTPResponse
  /// The function that serves a WebSocket at this address; nil if there is none, or the request is not
  /// allowed to use it. The request is then answered by ``respond(to:)``.
  func stream(for request: HTTPRequest) -> (@Sendable (WebSocketConnection) async -> Void)?
}

/// HTTP/1.1 and WebSockets at one port, with or without TLS.
final class HTTPServer: Sendable {
  /// The port that is listened on.
  let port: Int
  private let channel: any Channel
  private let connections: OpenConnections
  private let security: SecurityInUse

  /// Connections at most: ``OpenConnections``.
  static let connectionLimit = 256

  /// Begins to listen.
  ///
  /// - Parameters:
  ///   - address: The address to listen on.
  ///   - key: The configuration's key of the address, for messages.
  ///   - certificate: The certificate for TLS; nil for plain HTTP.
  ///   - handler: Answers the requests.
  ///   - logger: Gets warnings about certificates that expire soon.
  ///   - connectionLimit: The most connections at a time.
  /// - Throws: ``ServiceError/Code/cannotListen``, ``ServiceError/Code/invalidCertificate``.
  init(
    address: ServiceConfiguration.Address, key: String = "listen",
    certificate: ServiceConfiguration.Certificate?,
    handler: some HTTPHandler, logger: Logger, connectionLimit: Int = connectionLimit
  ) async throws(ServiceError) {
    let security = SecurityInUse(
      try certificate.map { (files) throws(ServiceError) in
        try ServerSecurity(files, logger: logger)
      })
    self.security = security
    let connections = OpenConnections(limit: connectionLimit)
    let bootstrap = ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
      .serverChannelOption(.backlog, value: 64)
      .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
      .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
      .childChannelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          let admission = connections.add(channel)
          guard admission != .closed else { throw ServiceError(.tooMany, "connections") }
          try HTTPPipeline.make(
            on: channel, among: connections, handler: handler, security: security.present)
          if admission == .refused {
            channel.pipeline.syncOperations.fireUserInboundEventTriggered(PlaceLost())
          }
        }
      }
    do {
      channel = try await bootstrap.bind(host: address.host, port: address.port).get()
    } catch {
      let reason = (error as? IOError).map { "\(Errno(rawValue: $0.errnoCode))" } ?? "\(error)"
      throw ServiceError(
        .cannotListen,
        "cannot listen on \(address): \(reason); choose another address with \"\(key)\"")
    }
    port = channel.localAddress?.port ?? address.port
    self.connections = connections
  }

  /// Reads the certificate again from its files, for connections from now on. A server without TLS stays without.
  ///
  /// - Returns: True if the certificate has changed.
  /// - Throws: ``ServiceError/Code/invalidCertificate``; the previous one stays in use.
  func renew(
    _ certificate: ServiceConfiguration.Certificate, logger: Logger
  ) throws(ServiceError) -> Bool {
    security.replace(by: try ServerSecurity(certificate, logger: logger))
  }

  /// Closes the port and all connections.
  func close() async {
    try? await channel.close().get()
    connections.closeAll()
    // By the end of this their farewell messages have been written, and the process may end.
    for loop in MultiThreadedEventLoopGroup.singleton.makeIterator() {
      try? await loop.submit {}.get()
    }
  }
}

/// The certificate for new connections; nil for plain HTTP, which cannot change.
private final class SecurityInUse: Sendable {
  private let security: Mutex<ServerSecurity?>

  init(_ security: ServerSecurity?) { self.security = Mutex(security) }

  var present: ServerSecurity? { security.withLock { $0 } }

  /// - Returns: True if the certificate has changed.
  func replace(by fresh: ServerSecurity) -> Bool {
    security.withLock { security in
      guard let earlier = security else { return false }
      security = fresh
      return !fresh.shows(sameAs: earlier)
    }
  }
}

/// Sets up the handlers of a connection.
private enum HTTPPipeline {
  /// TCP_NOTSENT_LOWAT of Linux. Output that a WebSocket's client does not take yet waits here, where a newer
  /// state can replace it, rather than in the system's buffer, which may hold minutes of output for a slow
  /// network.
  private static let unsentLimit = NIOBSDSocket.Option(rawValue: 25)

  static func make(
    on channel: any Channel, among connections: OpenConnections, handler: some HTTPHandler,
    security: ServerSecurity?
  ) throws {
    let pipeline = channel.pipeline.syncOperations
    if let security { try pipeline.addHandler(security.makeHandler()) }
    let isSecure = security != nil
    let upgrader = NIOWebSocketServerUpgrader(
      maxFrameSize: WebSocketConnection.messageLimit,
      shouldUpgrade: { channel, head in
        let isServed =
          handler.stream(for: HTTPRequest(head, of: channel, isSecure)) != nil
          && connections.beginStream(channel)
        return channel.eventLoop.makeSucceededFuture(isServed ? HTTPHeaders() : nil)
      },
      upgradePipelineHandler: { channel, head in
        channel.eventLoop.makeCompletedFuture {
          // The configuration may have changed since the upgrade was accepted. It is too late for another
          // answer, and nothing else would close the connection.
          guard let serve = handler.stream(for: HTTPRequest(head, of: channel, isSecure)) else {
            return channel.close(promise: nil)
          }
          let connection = WebSocketConnection(channel)
          _ = channel.setOption(.tcpOption(unsentLimit), value: 16_384)
          try channel.pipeline.syncOperations.addHandler(WebSocketHandler(connection))
          Task {
            await serve(connection)
            connection.close()
          }
        }
      })
    try pipeline.configureHTTPServerPipeline(
      withServerUpgrade: (
        upgraders: [upgrader],
        completionHandler: { context in
          context.pipeline.removeHandler(name: HTTPConnectionHandler.name, promise: nil)
        }
      ))
    try pipeline.addHandler(
      HTTPConnectionHandler(isSecure: isSecure, among: connections) { request in
        if connections.isFullOfStreams, handler.stream(for: request) != nil {
          return HTTPResponse(connections.refusalOfStream)
        }
        return await handler.respond(to: request)
      },
      name: HTTPConnectionHandler.name)
  }
}

extension HTTPRequest {
  /// A request without its body.
  init(_ head: HTTPRequestHead, of channel: any Channel, _ isSecure: Bool) {
    self.init(
      method: head.method.rawValue,
      path: String(head.uri.prefix { $0 != "?" && $0 != "#" }),
      remoteAddress: channel.remoteAddress?.ipAddress ?? "", isSecure: isSecure)
    for (name, value) in head.headers { headers.add(name, value) }
  }
}
