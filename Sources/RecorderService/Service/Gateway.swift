public import Logging
import MediaCore
import Takes

/// Recorders, as the network sees and steers them.
///
/// ```swift
/// let gateway = try Gateway(configuration, folder: RuntimeFolder(), logger: logger) { channel, socket in
///   ["/usr/bin/recorder", socket]
/// }
/// try await gateway.run { address in print(address.link) }
/// ```
public final class Gateway: Sendable {
  /// The words of the command line that starts a channel's recorder on a socket.
  public typealias Launch =
    @Sendable (_ channel: ServiceConfiguration.Channel, _ socketPath: String) -> [String]

  /// The channels, in the configuration's order.
  public let channels: [RecorderChannel]
  public let configuration: ServiceConfiguration
  let policy: AccessPolicy
  let logger: Logger
  let presets: [PresetListing]
  private let protocols: [FieldProtocols]

  /// A gateway that has reached nothing yet.
  ///
  /// - Parameters:
  ///   - folder: For sockets, and tokens where none are configured.
  ///   - logger: Is told who steered what.
  ///   - launch: How recorders are started.
  /// - Throws: ``ServiceError/Code/runtimeFolderFailed``.
  public init(
    _ configuration: ServiceConfiguration, folder: RuntimeFolder, logger: Logger, launch: Launch
  ) throws(ServiceError) {
    var configuration = configuration
    if configuration.tokens.isEmpty { configuration.tokens = try folder.tokens() }
    self.configuration = configuration
    self.logger = logger
    policy = AccessPolicy(
      tokens: configuration.tokens, hostNames: configuration.hostNames + Machine.names)
    presets = PresetLibrary().listings
    protocols = configuration.channels.compactMap { channel in
      FieldProtocols(
        of: channel, socketPath: channel.socketPath ?? folder.socketPath(ofChannel: channel.name),
        allowed: configuration.allowed, logger: logger)
    }
    channels = configuration.channels.map { channel in
      let own = folder.socketPath(ofChannel: channel.name)
      let origin: RecorderChannel.Origin =
        channel.socketPath == nil
        ? .started(
          words: launch(channel, own), logPath: folder.logPath(ofChannel: channel.name))
        : .attached
      return RecorderChannel(
        name: channel.name, title: channel.title, socketPath: channel.socketPath ?? own,
        origin: origin)
    }
  }

  /// The channel of a name; nil for none.
  public func channel(named name: String) -> RecorderChannel? {
    channels.first { $0.name == name }
  }

  /// Serves until the task is cancelled. Recorders go on.
  ///
  /// - Parameter listening: Is told the port, as soon as clients are let in.
  /// - Throws: ``ServiceError/Code/cannotListen``, ``ServiceError/Code/invalidCertificate``.
  public func run(listening: @escaping @Sendable (Int) -> Void) async throws(ServiceError) {
    let server = try await HTTPServer(
      address: configuration.address, certificate: configuration.certificate,
      handler: GatewayHandler(gateway: self), logger: logger)
    listening(server.port)
    await withTaskGroup(of: Void.self) { group in
      for channel in channels { group.addTask { await channel.run() } }
      for face in protocols { group.addTask { await face.run() } }
      await group.waitForAll()
    }
    await server.close()
  }

  /// Ends recorders that are the gateway's to start, and that record nothing.
  ///
  /// - Returns: The names of those that go on: a take is being recorded, or completed.
  public func endIdleRecorders() async -> [String] {
    var left: [String] = []
    for channel in channels where channel.isOwn {
      if !(await channel.endIfIdle()) { left.append(channel.name) }
    }
    return left
  }

  /// The address of the page; with a token in the fragment, which no server and no log sees.
  ///
  /// - Parameters:
  ///   - role: Whose token; nil for none.
  ///   - host: How the machine is called; nil for the address that it listens on.
  public func link(
    for role: ServiceConfiguration.Role?, host: String? = nil, port: Int
  ) -> String {
    let scheme = configuration.certificate == nil ? "http" : "https"
    var name = host ?? configuration.address.host
    if name.contains(":") { name = "[\(name)]" }
    let token = configuration.tokens.first { $0.role == role }
    return "\(scheme)://\(name):\(port)/\(token.map { "#token=" + $0.secret } ?? "")"
  }
}
