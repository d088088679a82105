import CaptureDevices
import Logging
import MediaCore
import RecorderControl
import Synchronization
import Takes

/// A channel with what serves it: the connection to its recorder, and the protocols in front of it.
final class ServedChannel: Sendable {
  private struct State: Sendable {
    var configuration: ServiceConfiguration.Channel
    var allowed: [NetworkRange]
    /// The command line of the recorder that is there; nil where it is not the gateway's to start.
    var applied: [String]?
    /// What it was started by besides; nil where that could not be read.
    var unsaid: Unsaid?
    var connection: Task<Void, Never>?
    var face: Task<Void, Never>?
    /// What waits until no take is recorded.
    var change: Task<Void, Never>?
  }

  /// What a recorder is started by that its command line does not have.
  struct Unsaid: Sendable, Equatable {
    /// What its preset says, the default one's where none is configured; nil for none.
    var preset: Preset?
    /// The default device where none is configured; nil for none.
    var device: String?
  }

  let channel: RecorderChannel
  /// What the user's defaults are read from; nil for the process's environment.
  private let environment: [String: String]?
  private let title: ChannelTitle
  private let logger: Logger
  private let policy: @Sendable () -> AccessPolicy
  private let streams: StreamRegistry
  private let state: Mutex<State>

  /// Seconds between two looks whether the recorder may be ended.
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
        unsaid: try? Self.unsaid(of: configuration, environment)))
  }

  /// What it was set up by last, be it that a change of it still waits.
  var configuration: ServiceConfiguration.Channel { state.withLock { $0.configuration } }

  /// The command line of the recorder that is there, which may be told to start anew by another one. One that
  /// an earlier gateway has started has its own.
  var applied: [String]? { channel.presentWords ?? state.withLock { $0.applied } }

  /// The recorder is started by the command line that it was told last.
  func apply() {
    channel.forgetPresentWords()
    state.withLock { state in
      state.applied = channel.words
      state.unsaid = try? Self.unsaid(of: state.configuration, environment)
    }
  }

  /// What a channel's recorder would be started by now and was not, though its command line is the same; nil for
  /// nothing.
  ///
  /// - Throws: What is wrong with the preset or the user's defaults, by which no recorder would start.
  func otherThanStarted(
    _ wanted: ServiceConfiguration.Channel
  ) throws(CaptureError) -> String? {
    let now = try Self.unsaid(of: wanted, environment)
    let started = state.withLock { $0.unsaid }
    if started?.preset != now.preset { return "its preset has changed" }
    return started?.device == now.device ? nil : "the default device is another one"
  }

  static func unsaid(
    of channel: ServiceConfiguration.Channel, _ environment: [String: String]?
  ) throws(CaptureError) -> Unsaid {
    guard channel.socketPath == nil else { return Unsaid() }
    let defaults = try RecorderDefaults(environment: environment)
    let device = channel.device == nil ? defaults[.device] : nil
    if let name = channel.preset {
      return Unsaid(preset: try PresetLibrary().preset(named: name), device: device)
    }
    guard let value = defaults.values[.preset] else { return Unsaid(device: device) }
    do throws(CaptureError) {
      return Unsaid(preset: try PresetLibrary().preset(named: value.text), device: device)
    } catch {
      throw CaptureError(
        error.code, "the default preset, by \(value.origin): \(error.message)", errno: error.errno)
    }
  }

  /// Begins to serve.
  func start() {
    state.withLock { state in
      state.connection = Task { [channel, logger] in
        async let told: Void = ConnectionLog.keep(of: channel, logger)
        await channel.run()
        await told
      }
      state.face = face(state)
    }
  }

  /// Serves no more. The recorder goes on.
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

  /// Ends the recorder as soon as it has no take, and then does something.
  ///
  /// - Returns: Why that has to wait; nil where it is done.
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

  /// From now on the change that waited is made, and can be taken back no more; false where it was, while
  /// the recorder was asked.
  private func beginChange() -> Bool {
    state.withLock { state in
      if !Task.isCancelled { state.change = nil }
      return !Task.isCancelled
    }
  }
}

extension ServiceConfiguration {
  /// Channels whose recorder could not start by the user's defaults as they are now, a line each.
  public var defaultsWarnings: [String] { defaultsWarnings(environment: nil) }

  func defaultsWarnings(environment: [String: String]?) -> [String] {
    channels.compactMap { channel in
      do throws(CaptureError) {
        _ = try ServedChannel.unsaid(of: channel, environment)
        return nil
      } catch {
        return "channel \(channel.name): no recorder can start: \(error.message)"
      }
    }
  }
}
