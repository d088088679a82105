import MediaCore
import NIOCore
import NIOPosix
public import RecorderControl
import RecorderServer
import Synchronization

#if canImport(Glibc)
import Glibc
#else
import Musl
#endif

/// A server of the HyperDeck Ethernet Protocol in front of a recorder.
///
/// It has one thread of ordinary priority, and shares only a socket with the recorder: it may end,
/// hang or be killed during a take.
///
/// ```swift
/// let link = RecorderLink(path: "/run/user/1000/camera-a.socket")
/// let server = HyperDeckServer(recorder: link, configuration: .init(identity: identity))
/// async let running: Void = link.run()
/// try await server.run()
/// ```
public final class HyperDeckServer: Sendable {
  /// A server's settings.
  public struct Configuration: Sendable, Hashable {
    /// The address to listen on, numeric or a name.
    public var host = "127.0.0.1"
    /// The port; 0 for any unused one.
    public var port = 9993
    /// The addresses that are served.
    public var allowed = NetworkRange.loopback
    /// The identity that the deck reports.
    public var identity = DeckIdentity()
    /// The maximum number of clients at the same time; a further one gets an error and is disconnected.
    public var clientLimit = 16
    /// How long a client may leave sent data unread.
    public var writeTimeout: Duration = .seconds(10)
    /// The maximum number of bytes that wait for a client.
    public var waitingLimit = 1 << 20
    /// The maximum number of connections that were sent a last reply and are not closed yet. They do not count as
    /// clients, because a client that was turned away never was one.
    var lingeringLimit = 32

    /// A server for programs on the same machine.
    public init(
      host: String = "127.0.0.1", port: Int = 9993,
      allowed: [NetworkRange] = NetworkRange.loopback, identity: DeckIdentity = .init()
    ) {
      self.host = host
      self.port = port
      self.allowed = allowed
      self.identity = identity
    }
  }

  /// What a server reports to the program that runs it.
  public enum Notice: Sendable, Hashable {
    case listening(host: String, port: Int)
    case connected(peer: String)
    /// A client was not served, and why.
    case refused(peer: String, reason: String)
    case disconnected(peer: String, reason: String)
    /// A client has given an order.
    case ordered(peer: String, order: DeckOrder, outcome: DeckOutcome)
  }

  private let recorder: any RemoteRecorder
  private let configuration: Configuration
  private let report: @Sendable (Notice) -> Void
  private let naming = Mutex(Naming())

  private struct Naming {
    /// A name given later; nil for the configuration's.
    var name: String?
    /// Sends it to the clients; nil while the server does not run.
    var tell: (@Sendable (String) async -> Void)?
  }

  /// A server, which starts to listen in ``run()``.
  ///
  /// - Parameters:
  ///   - recorder: The recorder to control.
  ///   - configuration: Where it listens, and whom it serves.
  ///   - report: Called on the server's thread with each notice; must not block.
  public init(
    recorder: any RemoteRecorder, configuration: Configuration = .init(),
    report: @escaping @Sendable (Notice) -> Void = { _ in }
  ) {
    self.recorder = recorder
    self.configuration = configuration
    self.report = report
  }

  /// Renames the deck; clients see the new name once this returns. Connections and clips stay.
  public func rename(_ name: String) async {
    let tell = naming.withLock { naming in
      naming.name = name
      return naming.tell
    }
    await tell?(name)
  }

  /// Serves until the task is cancelled.
  ///
  /// - Throws: ``HyperDeckError/Code/cannotListen``.
  public func run() async throws(HyperDeckError) {
    try await ServerThread.run { thread throws(HyperDeckError) in try await serve(on: thread) }
  }

  private func serve(on thread: ServerThread) async throws(HyperDeckError) {
    let (configuration, recorder, report, loop) = (configuration, recorder, report, thread.loop)
    let listener: any Channel
    let hub: NIOLoopBound<DeckHub>
    do {
      hub = try await loop.submit {
        let hub = DeckHub(configuration, recorder: recorder, loop: loop, report: report)
        return NIOLoopBound(hub, eventLoop: loop)
      }.get()
      listener = try await Self.listen(configuration, on: loop, hub)
    } catch {
      throw HyperDeckError(
        .cannotListen,
        ServerThread.listeningFailure(host: configuration.host, port: configuration.port, error))
    }
    let name = naming.withLock { naming in
      // A server that has ended has no clients.
      naming.tell = { name in try? await loop.submit { hub.value.rename(name) }.get() }
      return naming.name
    }
    if let name { loop.execute { hub.value.rename(name) } }
    defer { naming.withLock { $0.tell = nil } }
    report(
      .listening(
        host: listener.localAddress?.ipAddress ?? configuration.host,
        port: listener.localAddress?.port ?? configuration.port))
    await thread.follow(recorder, every: .milliseconds(100)) {
      hub.value.tick()
    } adopt: {
      hub.value.adopt($0)
    }
    try? await listener.close()
    try? await loop.submit { hub.value.closeAll() }.get()
  }

  private static func listen(
    _ configuration: Configuration, on loop: any EventLoop, _ hub: NIOLoopBound<DeckHub>
  ) async throws -> any Channel {
    try await ServerBootstrap(group: loop)
      .serverChannelOption(.backlog, value: 64)
      .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
      .childChannelOption(.socketOption(.tcp_nodelay), value: 1)
      // Frees the places of panels that lost their network: after 20 s of silence five probes, 4 s apart.
      .childChannelOption(.socketOption(.so_keepalive), value: 1)
      .childChannelOption(.tcpOption(.init(rawValue: TCP_KEEPIDLE)), value: 20)
      .childChannelOption(.tcpOption(.init(rawValue: TCP_KEEPINTVL)), value: 4)
      .childChannelOption(.tcpOption(.init(rawValue: TCP_KEEPCNT)), value: 5)
      .childChannelOption(.autoRead, value: false)
      .childChannelOption(.maxMessagesPerRead, value: 1)
      // Many commands that arrive together are answered a few at a time.
      .childChannelOption(
        .recvAllocator, value: FixedSizeRecvByteBufferAllocator(capacity: 2048)
      )
      .childChannelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          try channel.pipeline.syncOperations.addHandler(ClientHandler(hub.value))
        }
      }
      .bind(host: configuration.host, port: configuration.port).get()
  }
}
