import CaptureDevices
import Logging
import MediaCore
import RecorderControl
import Synchronization
import Takes

/// A channel with its connection to the recorder, and with servers of other protocols.
final class ServedChannel: Sendable {
  private struct State: Sendable {
    var configuration: ServiceConfiguration.Channel
    var allowed: [NetworkRange]
    /// The command line of the running recorder; nil if the gateway does not start it.
    var applied: [String]?
    /// The settings that it was started with besides; nil if they could not be read.
    var unstated: Unstated?
    var connection: Task<Void, Never>?
    var face: Task<Void, Never>?
    /// The change that waits until no take is recorded.
    var change: Task<Void, Never>?
  }

  /// Settings of a recorder that are not on its command line.
  struct Unstated: Sendable, Equatable {
    /// The content of its preset, which is the default one if none is configured; nil for none.
    var preset: Preset?
    /// The default device, if none is configured; nil for none.
    var device: String?
  }

  let channel: RecorderChannel
  /// The environment with the user's defaults; nil for the process's own.
  private let environment: [String: String]?
  private let title: ChannelTitle
  private let logger: Logger
  private let policy: @Sendable () -> AccessPolicy
  private let streams: StreamRegistry
  private let state: Mutex<State>

  /// Seconds between two attempts to end the recorder.
  private static let interval = 0.5

  init(
    _ channel: RecorderChannel, _ configuration: ServiceConfiguration.Channel,
    allowed: [NetworkRange], policy: @escaping @Sendable () -> AccessPolicy,
    streams: StreamRegistry, logger: Logger, environment: [String: String]? = nil
  ) {
    self.channel = channel
    self.environment = environment
    title = ChannelTitle(configuration.title)
    self.policy = policy
    self.streams = streams
    self.logger = logger
    state = Mutex(
      State(
        configuration: configuration, allowed: allowed, applied: channel.words,
        unstated: try? Self.unstated(of: configuration, environment)))
  }

  /// Its latest configuration, of which a change may still be pending.
  var configuration: ServiceConfiguration.Channel { state.withLock { $0.configuration } }

  /// The command line of the running recorder, which may differ from the present one for the channel. It is
  /// read from the process if an earlier gateway has started that.
  var applied: [String]? { channel.presentWords ?? state.withLock { $0.applied } }

  /// Notes that the recorder is started with the latest command line.
  func apply() {
    channel.forgetPresentWords()
    state.withLock { state in
      state.applied = channel.words
      state.unstated = try? Self.unstated(of: state.configuration, environment)
    }
  }

  /// How the settings of a new recorder would differ from those of the running one, though the command line
  /// is the same; nil if they do not.
  ///
  /// - Throws: An error of the preset or the user's defaults, which would keep a recorder from starting.
  func otherThanStarted(
    _ wanted: ServiceConfiguration.Channel
  ) throws(CaptureError) -> String? {
    let now = try Self.unstated(of: wanted, environment)
    let started = state.withLock { $0.unstated }
    if started?.preset != now.preset { return "its preset has changed" }
    return started?.device == now.device ? nil : "the default device has changed"
  }

  static func unstated(
    of channel: ServiceConfiguration.Channel, _ environment: [String: String]?
  ) throws(CaptureError) -> Unstated {
    guard channel.socketPath == nil else { return Unstated() }
    let defaults = try RecorderDefaults(environment: environment)
    let device = channel.device == nil ? defaults[.device] : nil
    if let name = channel.preset {
      return Unstated(preset: try PresetLibrary().preset(named: name), device: device)
    }
    guard let value = defaults.values[.preset] else { return Unstated(device: device) }
    do throws(CaptureError) {
      return Unstated(preset: try PresetLibrary().preset(named: value.text), device: device)
    } catch {
      throw CaptureError(
        error.code, "the default preset, by \(value.origin): \(error.message)", errno: error.errno)
    }
  }

  /// Begins to serve.
  func start() {
    state.withLock { state in
      state.connection = Task { [channel, logger] in
        async let reported: Void = ConnectionLog.keep(of: channel, logger)
        await channel.run()
        await reported
      }
      state.face = face(state)
    }
  }

  /// Ends serving. The recorder keeps running.
  func stop() async {
    let tasks = state.withLock { state in
      defer { (state.connection, state.face, state.change) = (nil, nil, nil) }
      return [state.connection, state.face, state.change].compactMap(\.self)
    }
    for task in tasks { task.cancel() }
    for task in tasks { await task.value }
  }

  private func face(_ state: State) -> Task<Void, Never>? {
    FieldProtocols(
      of: state.configuration, title: title, socketPath: channel.socketPath, allowed: state.allowed,
      policy: policy, streams: streams, logger: logger
    ).map { face in Task { await face.run() } }
  }

  /// Applies a new title, protocol addresses and access list. The recorder and its take are not affected,
  /// nor are connections of the protocols by another title.
  func adopt(_ configuration: ServiceConfiguration.Channel, allowed: [NetworkRange]) async {
    channel.rename(configuration.title)
    title.rename(configuration.title)
    let earlier = state.withLock { state -> Task<Void, Never>? in
      let isSame =
        state.allowed == allowed
        && state.configuration.protocolAddresses == configuration.protocolAddresses
      (state.configuration, state.allowed) = (configuration, allowed)
      guard !isSame, state.connection != nil else { return nil }
      return state.face.take() ?? Task {}
    }
    guard let earlier else { return }
    // Its addresses are free only then.
    earlier.cancel()
    await earlier.value
    state.withLock { $0.face = face($0) }
  }

  /// Ends the recorder as soon as it has no take, and then calls `act`.
  ///
  /// - Returns: Why that has to wait; nil if it is done.
  func retire(
    note: String, then act: @escaping @Sendable () async -> Void
  ) async -> String? {
    cancelChange()
    guard let reason = await channel.retire().refusal else {
      await act()
      return nil
    }
    channel.note(note)
    state.withLock { state in
      state.change = Task { [self] in
        while await channel.retire().refusal != nil {
          do { try await Task.sleep(for: .seconds(Self.interval)) } catch { return }
        }
        guard beginChange() else { return }
        channel.note(nil)
        await act()
      }
    }
    return reason
  }

  /// Takes a change back that waits.
  func cancelChange() {
    state.withLock { $0.change.take()?.cancel() }
    channel.note(nil)
  }

  /// Begins the pending change, which can then no longer be cancelled; false if it was cancelled while the
  /// recorder was asked.
  private func beginChange() -> Bool {
    state.withLock { state in
      if !Task.isCancelled { state.change = nil }
      return !Task.isCancelled
    }
  }
}

extension ServiceConfiguration {
  /// Channels whose recorder could not start with the user's present defaults, a line each.
  public var defaultsWarnings: [String] { defaultsWarnings(environment: nil) }

  func defaultsWarnings(environment: [String: String]?) -> [String] {
    channels.compactMap { channel in
      do throws(CaptureError) {
        _ = try ServedChannel.unstated(of: channel, environment)
        return nil
      } catch {
        return "channel \(channel.name): no recorder can start: \(error.message)"
      }
    }
  }
}
