import Dispatch
public import Logging
import MediaCore
import RecorderControl
import Synchronization
import Takes

/// A gateway, through which the network sees and controls recorders.
///
/// ```swift
/// let gateway = try Gateway(configuration, folder: RuntimeFolder(), logger: logger) { channel, socket in
///   ["/usr/bin/recorder", socket]
/// }
/// try await gateway.run { port in print(gateway.link(for: .operate, port: port)) }
/// ```
public final class Gateway: Sendable {
  /// The words of the command line that starts a channel's recorder on a socket.
  public typealias Launch =
    @Sendable (_ channel: ServiceConfiguration.Channel, _ socketPath: String) -> [String]

  /// Programs of this machine that a gateway runs besides recorders. What needs a missing one is unavailable.
  public struct Programs: Sendable, Hashable {
    /// The words of the command that verifies a movie, to which the movie's path is appended; empty for none.
    public var verifier: [String] = []
    /// The path of `ffmpeg`, which makes proxies for browsers; nil for none.
    public var ffmpeg: String?
    /// The path of `openssl`, which makes certificates; nil for none.
    public var openssl: String?

    /// Programs by their words and paths; by default there are none.
    public init(verifier: [String] = [], ffmpeg: String? = nil, openssl: String? = nil) {
      (self.verifier, self.ffmpeg, self.openssl) = (verifier, ffmpeg, openssl)
    }
  }

  /// The state that a reload changes.
  struct State: Sendable {
    var configuration: ServiceConfiguration
    var policy: AccessPolicy
    var presets: [PresetListing]
    var channels: [ServedChannel] = []
    /// While it listens.
    var server: HTTPServer?
    /// Of a certificate that the gateway made.
    var fingerprint: String?
    /// The channels that take over the takes of renamed ones, by the former names.
    var heirs: [String: String] = [:]
  }

  /// Changes of the list of channels.
  enum ChannelChange: Sendable {
    case added(RecorderChannel)
    case removed(RecorderChannel)
  }

  let state: Mutex<State>
  let logger: Logger
  let takeImages = TakeImages()
  let runningTakes: RunningTakes
  let proxies: ProxyFolder
  let jobs: TakeJobs
  let streams = StreamRegistry()
  let folder: RuntimeFolder
  let launch: Launch
  private let openssl: String?
  /// The environment with the user's defaults; nil for the process's own.
  private let environment: [String: String]?
  private let announcements: AnnouncementFolder
  private let changes = Broadcast<ChannelChange>(depth: 256)

  /// The channels, in the configuration's order.
  public var channels: [RecorderChannel] { state.withLock { $0.channels.map(\.channel) } }
  /// The configuration that counts.
  public var configuration: ServiceConfiguration { state.withLock { $0.configuration } }
  var policy: AccessPolicy { state.withLock { $0.policy } }
  var presets: [PresetListing] { state.withLock { $0.presets } }

  /// Creates a gateway that is not serving yet.
  ///
  /// - Parameters:
  ///   - configuration: Channels, clients and the address to listen on.
  ///   - folder: The folder for sockets, and for tokens if none are configured.
  ///   - logger: Gets an entry for each command, with its client.
  ///   - programs: The programs that it runs besides recorders.
  ///   - launch: Returns the command line that starts a recorder.
  /// - Throws: ``ServiceError/Code/runtimeFolderFailed``.
  public convenience init(
    _ configuration: ServiceConfiguration, folder: RuntimeFolder, logger: Logger,
    programs: Programs = Programs(), launch: @escaping Launch
  ) throws(ServiceError) {
    try self.init(
      configuration, folder: folder, logger: logger, programs: programs, environment: nil,
      launch: launch)
  }

  /// As ``init(_:folder:logger:programs:launch:)``, with the environment that the user's defaults are read from.
  init(
    _ configuration: ServiceConfiguration, folder: RuntimeFolder, logger: Logger,
    programs: Programs = Programs(), environment: [String: String]?, launch: @escaping Launch
  ) throws(ServiceError) {
    var configuration = configuration
    if configuration.tokens.isEmpty { configuration.tokens = try folder.tokens() }
    (self.logger, self.folder, self.launch) = (logger, folder, launch)
    openssl = programs.openssl
    self.environment = environment
    state = Mutex(
      State(
        configuration: configuration,
        policy: AccessPolicy(
          tokens: configuration.tokens, hostNames: configuration.hostNames + Machine.names),
        presets: Self.listPresets()))
    announcements = AnnouncementFolder(logger: logger)
    runningTakes = RunningTakes(images: takeImages)
    proxies = ProxyFolder(path: configuration.proxies.folder)
    jobs = TakeJobs(
      folder: folder, proxies: proxies, programs: programs, logger: logger)
    for channel in configuration.channels { add(channel) }
    inheritFromRenamed()
  }

  static func listPresets() -> [PresetListing] { PresetLibrary().listings }

  // MARK: Channels

  /// Adds a channel. If the gateway is serving, the channel is served immediately.
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

  /// Removes a channel, and passes its takes on to its heir.
  func drop(_ one: ServedChannel) async {
    state.withLock { $0.channels.removeAll { $0 === one } }
    streams.close(channel: one.channel.name)
    await one.channel.waitUntilGone()
    await one.stop()
    let name = one.channel.name
    if let heir = state.withLock({ $0.heirs[name] }) { bequeath(one.channel.shelf, to: heir) }
    // Last, because any later status would make pages show the channel again.
    changes.send(.removed(one.channel))
  }

  /// Sorts the channels; those that are no longer configured come last.
  func order(by names: [String]) {
    state.withLock { state in
      let known = state.channels
      state.channels =
        names.flatMap { name in known.filter { $0.channel.name == name } }
        + known.filter { !names.contains($0.channel.name) }
    }
  }

  /// The present channels, and all changes from now on.
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

  func tellFailure(ofShelfOf channel: RecorderChannel) {
    guard let failure = channel.shelf.takeFailure() else { return }
    logger.warning("channel \(channel.name): \(failure)")
    channel.tell(notice: failure)
  }

  /// Makes proxies that were never asked for, or that an earlier gateway did not get to.
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

  /// Serves until the task is cancelled. Recorders keep running.
  ///
  /// - Parameter listening: Called with the port once clients are accepted.
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
    // On another thread, because the disk of the proxies may hang.
    DispatchQueue.global(qos: .utility).async { [proxies] in
      proxies.removeOld(except: known, before: Machine.startTime)
    }
    await jobs.run { [self] in channels.contains { $0.status.mayRecord } }
    let served = state.withLock { state in
      state.server = nil
      return state.channels
    }
    announcements.withdraw()
    for one in served { await one.stop() }
    await server.close()
  }

  /// Announces the configured services to the network, if the gateway is serving.
  func announce() {
    let (configuration, server) = state.withLock { ($0.configuration, $0.server) }
    guard let server else { return }
    let offered =
      configuration.announcing.isOn ? Announcement.all(of: configuration, port: server.port) : []
    announcements.announce(
      offered, in: configuration.announcing.folder ?? AnnouncementFolder.standardPath)
  }

  // MARK: The certificate

  /// SHA-256 of the certificate if the gateway has made it; nil for another one, or none.
  public var fingerprint: String? { state.withLock { $0.fingerprint } }

  /// Makes the gateway's own certificate if one is configured and missing.
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

  /// Replaces the gateway's own certificate before it expires, and reads any other one again, twice a day.
  private func renewInTime() async {
    while (try? await Task.sleep(for: .seconds(12 * 3600))) != nil { await checkCertificate() }
  }

  func checkCertificate() async {
    let present = configuration
    guard let files = present.certificate else { return }
    do throws(ServiceError) {
      try await prepareCertificate(present)
      guard try renew(files) else { return }
      logger.warning("a new certificate is in use, \(files.chainPath)\(fingerprintText)")
    } catch { logger.error("\(error.message)") }
  }

  /// The fingerprint of the gateway's own certificate, after a comma; empty for another one.
  var fingerprintText: String { fingerprint.map { ", fingerprint (SHA-256) \($0)" } ?? "" }

  /// Reads the certificate again from its files, for new connections.
  ///
  /// - Returns: True if it has changed.
  func renew(_ certificate: ServiceConfiguration.Certificate) throws(ServiceError) -> Bool {
    try state.withLock { $0.server }?.renew(certificate, logger: logger) ?? false
  }

  /// Ends the gateway's own recorders that have no take.
  ///
  /// - Returns: The channels whose recorders keep running, and why, in words: a take is being recorded or
  ///   completed, a start is scheduled, or the recorder does not answer.
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

  /// The address of the page, with a token in the fragment, which does not reach servers or logs.
  ///
  /// - Parameters:
  ///   - role: The role whose token to add; nil for none.
  ///   - host: The machine's name or address; nil for the address that it listens on.
  ///   - port: The port that ``run(listening:)`` reported.
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
