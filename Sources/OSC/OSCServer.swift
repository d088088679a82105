public import MediaCore
import NIOCore
import NIOPosix
public import RecorderControl
import RecorderServer

/// A server of Open Sound Control over UDP in front of a recorder. ``OSCSession`` describes its messages.
///
/// ```swift
/// let server = OSCServer(recorder: link, configuration: .init(port: 8000))
/// try await server.run()
/// ```
public final class OSCServer: Sendable {
  /// A server's settings.
  public struct Configuration: Sendable, Hashable {
    /// The address to listen on, numeric or a name.
    public var host = "127.0.0.1"
    /// The port; 0 for any unused one.
    public var port = 8000
    /// The addresses that are served; datagrams from others get no answer.
    public var allowed = NetworkRange.loopback
    /// The beginning of all addresses.
    public var prefix = "/recorder"
    /// Peers that receive every change without subscribing.
    public var receivers: [OSCPeer] = []

    /// A server for programs on the same machine.
    public init(
      host: String = "127.0.0.1", port: Int = 8000,
      allowed: [NetworkRange] = NetworkRange.loopback, prefix: String = "/recorder",
      receivers: [OSCPeer] = []
    ) {
      self.host = host
      self.port = port
      self.allowed = allowed
      self.prefix = prefix
      self.receivers = receivers
    }
  }

  /// What a server reports to the program that runs it.
  public enum Notice: Sendable, Hashable {
    case listening(host: String, port: Int)
    /// Datagrams of a peer were refused, and why. Reported at most once a minute for each peer.
    case unserved(host: String, reason: String)
    /// A peer has given a command. `refusal` is the recorder's reason if it refused.
    case ordered(peer: OSCPeer, command: RecorderCommand, refusal: ErrorSummary?)
  }

  private let recorder: any RemoteRecorder
  private let configuration: Configuration
  private let report: @Sendable (Notice) -> Void

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

  /// Serves until the task is cancelled.
  ///
  /// - Throws: ``OSCError/Code/cannotListen``.
  public func run() async throws(OSCError) {
    try await ServerThread.run { thread throws(OSCError) in try await serve(on: thread) }
  }

  private func serve(on thread: ServerThread) async throws(OSCError) {
    let (configuration, recorder, report, loop) = (configuration, recorder, report, thread.loop)
    let channel: any Channel
    let handler: NIOLoopBound<DatagramHandler>
    do {
      handler = try await loop.submit {
        NIOLoopBound(
          DatagramHandler(configuration, recorder: recorder, report: report), eventLoop: loop)
      }.get()
      channel = try await DatagramBootstrap(group: loop)
        // The rest of a datagram larger than the buffer would be lost silently.
        .channelOption(
          .recvAllocator, value: FixedSizeRecvByteBufferAllocator(capacity: OSCPacket.sizeLimit)
        )
        .channelInitializer { channel in
          channel.eventLoop.makeCompletedFuture {
            try channel.pipeline.syncOperations.addHandler(handler.value)
          }
        }
        .bind(host: configuration.host, port: configuration.port).get()
    } catch {
      throw OSCError(
        .cannotListen,
        ServerThread.listeningFailure(host: configuration.host, port: configuration.port, error))
    }
    report(
      .listening(
        host: channel.localAddress?.ipAddress ?? configuration.host,
        port: channel.localAddress?.port ?? configuration.port))
    await thread.follow(recorder, every: .seconds(1)) {
      handler.value.tick()
    } adopt: {
      handler.value.adopt($0)
    }
    try? await channel.close()
  }
}
