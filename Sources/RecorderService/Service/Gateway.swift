import Dispatch
public import Logging
import MediaCore
import RecorderControl
import Synchronization
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

  /// What a reload changes.
  struct State: Sendable {
    var configuration: ServiceConfiguration
    var policy: AccessPolicy
    var presets: [PresetListing]
    var channels: [ServedChannel] = []
    /// While it listens.
    var server: HTTPServer?
    /// Of a certificate that the gateway made.
    var fingerprint: String?
  }

  /// Channels that come and go.
  enum ChannelChange: Sendable {
    case added(RecorderChannel)
    case removed(RecorderChannel)
  }

  let state: Mutex<State>
  let logger: Logger
  let takePictures = TakePictures()
  let runningTakes: RunningTakes
  let proxies: ProxyFolder
  let jobs: TakeJobs
  let streams = StreamRegistry()
  let folder: RuntimeFolder
  let launch: Launch
  private let openssl: String?
  /// What the user's defaults are read from; nil for the process's environment.
  private let environment: [String: String]?
  private let announcements: AnnouncementFolder
  private let changes = Broadcast<ChannelChange>(depth: 256)

  /// The channels, in the configuration's order.
  public var channels: [RecorderChannel] { state.withLock { $0.channels.map(\.channel) } }
  /// The configuration that counts.
  public var configuration: ServiceConfiguration { state.withLock { $0.configuration } }
  var policy: AccessPolicy { state.withLock { $0.policy } }
  var presets: [PresetListing] { state.withLock { $0.presets } }

  /// A gateway that has reached nothing yet.
  ///
  /// - Parameters:
  ///   - configuration: Channels, clients and the address to listen on.
  ///   - folder: For sockets, and tokens where none are configured.
  ///   - logger: Is told who steered what.
  ///   - verifier: The words of a command that verifies the movie whose path is put behind them; empty
  ///     for none.
  ///   - ffmpeg: The program that makes small movies for browsers; nil for none.
  ///   - openssl: The program that makes a certificate; nil for none.
  ///   - launch: How recorders are started.
  /// - Throws: ``ServiceError/Code/runtimeFolderFailed``.
  public convenience init(
    _ configuration: ServiceConfiguration, folder: RuntimeFolder, logger: Logger,
    verifier: [String] = [], ffmpeg: String? = nil, openssl: String? = nil,
    launch: @escaping Launch
  ) throws(ServiceError) {
    try self.init(
      configuration, folder: folder, logger: logger, verifier: verifier, ffmpeg: ffmpeg,
      openssl: openssl, environment: nil, launch: launch)
  }

  /// As ``init(_:folder:logger:verifier:ffmpeg:openssl:launch:)``, with the environment that the user's defaults are read
  /// from.
  init(
    _ configuration: ServiceConfiguration, folder: RuntimeFolder, logger: Logger,
    verifier: [String] = [], ffmpeg: String? = nil, openssl: String? = nil,
    environment: [String: String]?, launch: @escaping Launch
  ) throws(ServiceError) {
    var configuration = configuration
    if configuration.tokens.isEmpty { configuration.tokens = try folder.tokens() }
    (self.logger, self.folder, self.launch, self.openssl) = (logger, folder, launch, openssl)
    self.environment = environment
    state = Mutex(
      State(
        configuration: configuration,
        policy: AccessPolicy(
          tokens: configuration.tokens, hostNames: configuration.hostNames + Machine.names),
        presets: Self.listPresets()))
    announcements = AnnouncementFolder(logger: logger)
    runningTakes = RunningTakes(pictures: takePictures)
    proxies = ProxyFolder(path: configuration.proxies.folder)
    jobs = TakeJobs(
      folder: folder, proxies: proxies, verifier: verifier, ffmpeg: ffmpeg, logger: logger)
    for channel in configuration.channels { add(channel) }
  }

  static func listPresets() -> [PresetListing] { PresetLibrary().listings }

  // MARK: Channels

  /// Adds a channel, and serves it where the gateway serves.
  func add(_ configuration: ServiceConfiguration.Channel) {
    let own = folder.socketPath(ofChannel: configuration.name)
    let origin: RecorderChannel.Origin =
      configuration.socketPath == nil
      ? .started(
        words: launch(configuration, own), logPath: folder.logPath(ofChannel: configuration.name))
      : .attached
    let channel = RecorderChannel(
      name: configuration.name, title: configuration.title,
      socketPath: configuration.socketPath ?? own, origin: origin,
      takesPath: folder.takesPath(ofChannel: configuration.name),
      completed: { [weak self] channel, record, gone in
        self?.complete(record, of: channel, gone)
      },
      lost: { [logger] channel, take in
        logger.error("channel \(channel.name): \(take.text(of: take.path))")
      })
    state.withLock { state in
      let served = ServedChannel(
        channel, configuration, allowed: state.configuration.allowed,
        policy: { [weak self] in self?.policy ?? AccessPolicy(tokens: [], hostNames: []) },
        streams: streams, logger: logger, environment: environment)
      state.channels.append(served)
      if state.server != nil { served.start() }
      changes.send(.added(channel))
    }
    tellFailure(ofShelfOf: channel)
    makeMissingProxies(of: channel)
  }

  /// Serves a channel no more.
  ///
  /// - Parameter heir: The name of the channel that lists its takes from now on; nil for none.
  func drop(_ one: ServedChannel, heir: String? = nil) async {
    state.withLock { $0.channels.removeAll { $0 === one } }
    streams.close(channel: one.channel.name)
    await one.channel.waitUntilGone()
    await one.stop()
    if let heir { bequeath(one.channel, to: heir) }
    // Last, because a later status would bring the channel back on every page.
    changes.send(.removed(one.channel))
  }

  /// Has channels in an order; those that the configuration lacks come last.
  func order(by names: [String]) {
    state.withLock { state in
      let known = state.channels
      state.channels =
        names.flatMap { name in known.filter { $0.channel.name == name } }
        + known.filter { !names.contains($0.channel.name) }
    }
  }

  /// The channels, and those that come and go from now on.
  var channelChanges: AsyncStream<ChannelChange> {
    state.withLock { state in
      changes.listen { state.channels.map { .added($0.channel) } }
    }
  }

  private func complete(_ record: TakeRecord, of channel: RecorderChannel, _ gone: [TakeRecord]) {
    jobs.forget(gone)
    tellFailure(ofShelfOf: channel)
    // A take that was imported into a library may have its proxy already.
    guard configuration.proxies.isAutomatic, record.proxy?.state != .done else { return }
    do throws(ServiceError) { try jobs.submit(.proxy, record.id, of: channel) } catch {
      logger.warning("no proxy of \(record.take.path): \(error.message)")
    }
  }

  private func tellFailure(ofShelfOf channel: RecorderChannel) {
    guard let failure = channel.shelf.takeFailure() else { return }
    logger.warning("channel \(channel.name): \(failure)")
    channel.tell(notice: failure)
  }

  /// Has small movies made that were not asked for yet, or whose turn had not come when an earlier gateway
  /// ended.
  func makeMissingProxies(of channel: RecorderChannel) {
    guard configuration.proxies.isAutomatic else { return }
    do throws(ServiceError) {
      for record in channel.shelf.all where record.proxy == nil {
        try jobs.submit(.proxy, record.id, of: channel)
      }
    } catch { logger.warning("not all proxies of channel \(channel.name): \(error.message)") }
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
    try await prepareCertificate(configuration)
    let server = try await HTTPServer(
      address: configuration.address, certificate: configuration.certificate,
      handler: GatewayHandler(gateway: self), logger: logger)
    state.withLock { state in
      state.server = server
      for one in state.channels { one.start() }
    }
    announce()
    listening(server.port)
    let renewal = Task { await renewInTime() }
    defer { renewal.cancel() }
    let known = Set(channels.flatMap { $0.shelf.all.map(\.id) })
    // On another thread: the proxies' disk may hang.
    DispatchQueue.global(qos: .utility).async { [proxies] in
      proxies.removeOld(besides: known, before: Machine.startTime)
    }
    await jobs.run { channels.contains { $0.status.mayRecord } }
    let served = state.withLock { state in
      state.server = nil
      return state.channels
    }
    announcements.withdraw()
    for one in served { await one.stop() }
    await server.close()
  }

  /// Has others on the network find what the configuration offers them, while it is served.
  func announce() {
    let (configuration, server) = state.withLock { ($0.configuration, $0.server) }
    guard let server else { return }
    let offered =
      configuration.announcing.isOn ? Announcement.all(of: configuration, port: server.port) : []
    announcements.announce(
      offered, in: configuration.announcing.folder ?? AnnouncementFolder.standardPath)
  }

  // MARK: A certificate of its own

  /// SHA-256 of the certificate that the gateway has made; nil for another one, or none.
  public var fingerprint: String? { state.withLock { $0.fingerprint } }

  /// Sees that the gateway's own certificate is there, where one is configured.
  func prepareCertificate(_ wanted: ServiceConfiguration) async throws(ServiceError) {
    guard let files = wanted.certificate, files.isSelfMade, ServerSecurity.isBuilt else {
      return state.withLock { $0.fingerprint = nil }
    }
    let names = Machine.names + wanted.hostNames
    var addresses = Machine.addresses + ["127.0.0.1", "::1"]
    var needed = names
    if ["0.0.0.0", "::"].contains(wanted.address.host) {
      needed += Machine.addresses.prefix(1)
    } else {
      addresses.insert(wanted.address.host, at: 0)
      needed.append(wanted.address.host)
    }
    let present = try await SelfMadeCertificate(files: files, openssl: openssl).provide(
      names: names + ["localhost"] + addresses, needed: needed, logger: logger)
    state.withLock { $0.fingerprint = present.fingerprint }
  }

  /// Twice a day makes the gateway's own certificate again before it ends, and looks whether another one
  /// was renewed, or soon ends.
  private func renewInTime() async {
    while (try? await Task.sleep(for: .seconds(12 * 3600))) != nil { await lookAtCertificate() }
  }

  func lookAtCertificate() async {
    let present = configuration
    guard let files = present.certificate else { return }
    do throws(ServiceError) {
      try await prepareCertificate(present)
      guard try renew(files) else { return }
      logger.warning("another certificate is shown, \(files.chainPath)\(fingerprintText)")
    } catch { logger.error("\(error.message)") }
  }

  /// The fingerprint of the gateway's own certificate, behind a comma; empty for another one.
  var fingerprintText: String { fingerprint.map { ", fingerprint (SHA-256) \($0)" } ?? "" }

  /// Shows those who connect from now on the certificate that its files hold now.
  ///
  /// - Returns: True where it is another one.
  func renew(_ certificate: ServiceConfiguration.Certificate) throws(ServiceError) -> Bool {
    try state.withLock { $0.server }?.renew(certificate, logger: logger) ?? false
  }

  /// Ends recorders that are the gateway's to start, and that record nothing.
  ///
  /// - Returns: The channels whose recorders go on, and why, in words: a take is being recorded or
  ///   completed, a start is set, or the recorder cannot be asked.
  public func endIdleRecorders() async -> [(channel: String, reason: String)] {
    let channels = channels
    let reasons = await withTaskGroup(of: (Int, String?).self) { group in
      for (index, channel) in channels.enumerated() {
        group.addTask { (index, await channel.endIfIdle()) }
      }
      var reasons: [Int: String] = [:]
      for await (index, reason) in group { reasons[index] = reason }
      return reasons
    }
    return channels.enumerated().compactMap { index, channel in
      reasons[index].map { (channel.name, $0) }
    }
  }

  /// The address of the page; with a token in the fragment, which no server and no log sees.
  ///
  /// - Parameters:
  ///   - role: Whose token; nil for none.
  ///   - host: How the machine is called; nil for the address that it listens on.
  ///   - port: The port that ``run(listening:)`` told.
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
