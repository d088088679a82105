import MediaCore
public import RecorderControl
import Synchronization
public import Takes

/// A channel: one recorder, wherever it runs, as whoever sees or steers it from the network finds it.
///
/// Every face of the gateway asks this type. It holds a connection to the recorder's socket, starts the
/// recorder where that is the gateway's to do, and looks for it again when it is away. What becomes of
/// the channel, or of who asks, is no event for a take.
///
/// ```swift
/// let reply = try await channel.start(TakeSlate(scene: "12"))
/// for await update in channel.updates { show(update) }
/// ```
public final class RecorderChannel: Sendable {
  private struct State: Sendable {
    var status: ChannelStatus
    var client: ControlClient?
    var process: RecorderProcess?
    var takes: [RecorderEvent.FinishedTake] = []
    /// False once the recorder was told to end: it is not started again.
    var mayLaunch = true
  }

  /// How the recorder comes about.
  package enum Origin: Sendable {
    /// It runs without the gateway's doing.
    case attached
    /// The gateway starts it: the words of its command line, and the file for what it says.
    case started(words: [String], logPath: String)
  }

  public let name: String
  /// The path of the recorder's socket.
  package let socketPath: String
  private let origin: Origin
  private let state: Mutex<State>
  private let listeners = Broadcast<ChannelUpdate>(depth: 256)
  /// Pictures and levels for those who watch.
  package let pictures = PictureHub()

  /// Takes that are remembered.
  private static let takeLimit = 200

  package init(name: String, title: String, socketPath: String, origin: Origin) {
    self.name = name
    self.socketPath = socketPath
    self.origin = origin
    state = Mutex(
      State(
        status: ChannelStatus(
          name: name, title: title, connection: .connecting, alarms: [], notes: [])))
  }

  // MARK: Asking

  /// Where the channel stands.
  public var status: ChannelStatus { state.withLock { $0.status } }

  /// The takes that the recorder has completed while this gateway was connected, the oldest first; the
  /// last 200.
  public var takes: [RecorderEvent.FinishedTake] { state.withLock { $0.takes } }

  /// The status, and what becomes known from now on. Who reads slowly misses the oldest updates; a
  /// status that follows is whole again.
  public var updates: AsyncStream<ChannelUpdate> { listeners.listen(first: [.status(status)]) }

  // MARK: Steering

  /// Begins a take, at once or at a moment.
  ///
  /// - Returns: The recorder's reply. A refusal is a reply, too: see `RecorderReply.error`.
  /// - Throws: ``ServiceError/Code/notConnected``.
  public func start(
    _ slate: TakeSlate = TakeSlate(), at moment: ArmedStart? = nil
  ) async throws(ServiceError) -> RecorderReply {
    try await send(.start(slate, moment))
  }

  /// Ends the take, or takes a start back that is set.
  ///
  /// - Returns: As ``start(_:at:)``.
  /// - Throws: As ``start(_:at:)``.
  public func stop() async throws(ServiceError) -> RecorderReply { try await send(.stop) }

  /// Goes on in a new movie.
  ///
  /// - Returns: As ``start(_:at:)``.
  /// - Throws: As ``start(_:at:)``.
  public func split() async throws(ServiceError) -> RecorderReply { try await send(.split) }

  /// Marks the frame that was recorded last.
  ///
  /// - Returns: As ``start(_:at:)``.
  /// - Throws: As ``start(_:at:)``.
  public func mark(_ note: String) async throws(ServiceError) -> RecorderReply {
    try await send(.mark(note))
  }

  /// Stands by between takes, or idles.
  ///
  /// - Returns: As ``start(_:at:)``.
  /// - Throws: As ``start(_:at:)``.
  public func standBy(_ isOn: Bool) async throws(ServiceError) -> RecorderReply {
    try await send(.standBy(isOn))
  }

  /// Records the next takes by a preset of the recorder's library.
  ///
  /// - Returns: As ``start(_:at:)``.
  /// - Throws: As ``start(_:at:)``.
  public func choosePreset(_ name: String) async throws(ServiceError) -> RecorderReply {
    try await send(.preset(name))
  }

  /// Ends a recorder that is the gateway's to start, and that records nothing.
  ///
  /// - Returns: False where it goes on: it records, or a movie is being completed.
  package func endIfIdle() async -> Bool {
    guard isOwn, let status = status.recorder else { return true }
    guard [.idle, .standingBy, .awaitingSource, .ended].contains(status.state),
      status.takesFinishing == 0
    else { return false }
    state.withLock { $0.mayLaunch = false }
    return (try? await send(.quit))?.isDone ?? false
  }

  /// True where the recorder is the gateway's to start, be it that an earlier gateway has done so.
  package var isOwn: Bool { if case .started = origin { true } else { false } }

  private func send(_ command: RecorderCommand) async throws(ServiceError) -> RecorderReply {
    let (client, status) = state.withLock { ($0.client, $0.status) }
    guard let client else {
      throw ServiceError(
        .notConnected,
        "the recorder of channel \(name) is away\(status.message.map { ": \($0)" } ?? "")")
    }
    do throws(ControlError) {
      let reply = try await client.send(command)
      if let recorder = reply.status { adopt { $0.recorder = recorder } }
      return reply
    } catch {
      throw ServiceError(.notConnected, from: error)
    }
  }

  // MARK: The connection

  /// Connects, and stays connected until the task is cancelled.
  package func run() async {
    var pause = 0.2
    while !Task.isCancelled {
      do throws(ServiceError) {
        let client = try await connect()
        pause = 0.2
        await serve(client)
        leave("the recorder has ended, or closed its socket; it is looked for again")
      } catch {
        leave(error.message)
      }
      try? await Task.sleep(for: .seconds(pause))
      pause = min(pause * 2, 5)
    }
    state.withLock { $0.client }?.close()
  }

  private func leave(_ message: String) {
    let earlier = state.withLock { state in
      defer { state.client = nil }
      return state.client
    }
    earlier?.close()
    adopt {
      ($0.connection, $0.message, $0.recorder, $0.alarms) = (.away, message, nil, [])
    }
  }

  /// Reaches the recorder, and starts it where none runs.
  private func connect() async throws(ServiceError) -> ControlClient {
    do throws(ControlError) { return try ControlClient(path: socketPath) } catch {
      guard case .started(let words, let logPath) = origin, error.code == .socketFailed else {
        throw ServiceError(.notConnected, from: error)
      }
      return try await launch(words, logPath)
    }
  }

  private func launch(
    _ words: [String], _ logPath: String
  ) async throws(ServiceError) -> ControlClient {
    let process: RecorderProcess
    guard state.withLock({ $0.mayLaunch }) else {
      throw ServiceError(.launchFailed, "the recorder was told to end")
    }
    if let running = state.withLock({ $0.process }), running.isRunning() {
      process = running
    } else {
      adopt { $0.connection = .connecting }
      process = try RecorderProcess(words, logPath: logPath)
      state.withLock { $0.process = process }
    }
    // Opening a device may take its time; the process tells where it fails.
    for _ in 0..<150 where !Task.isCancelled {
      if let client = try? ControlClient(path: socketPath) { return client }
      guard process.isRunning() else {
        state.withLock { $0.process = nil }
        throw ServiceError(
          .launchFailed, process.lastLine ?? "the recorder exited without a message")
      }
      try? await Task.sleep(for: .milliseconds(100))
    }
    throw ServiceError(
      .launchFailed, "the recorder was started, and does not listen on \(socketPath) yet")
  }

  private func serve(_ client: ControlClient) async {
    guard (try? await client.send(.events(true)))?.isDone == true else { return client.close() }
    state.withLock { $0.client = client }
    adopt { ($0.connection, $0.message) = (.connected, nil) }
    await pictures.connect(client)
    await withTaskCancellationHandler {
      await withTaskGroup(of: Void.self) { group in
        group.addTask { [pictures] in
          for await picture in client.pictures { await pictures.take(picture, from: client) }
        }
        group.addTask { [self] in await watch(client) }
        for await event in client.events { await take(event) }
        group.cancelAll()
      }
    } onCancel: {
      client.close()
    }
    await pictures.disconnect()
    // Whoever is gone is reaped.
    state.withLock { state in
      if let process = state.process, !process.isRunning() { state.process = nil }
    }
  }

  /// Asks for the figures of a take four times a second, and once a second in between.
  private func watch(_ client: ControlClient) async {
    while !Task.isCancelled {
      guard let reply = try? await client.send(.status), let recorder = reply.status else { return }
      adopt { $0.recorder = recorder }
      let isBusy = recorder.state == .recording || recorder.state == .finishing
      try? await Task.sleep(for: .milliseconds(isBusy ? 250 : 1000))
    }
  }

  private func take(_ event: RecorderEvent) async {
    if let recorder = event.status { adopt { $0.recorder = recorder } }
    switch event.event {
    case .levels: return await pictures.tell(levels: event.levels ?? [])
    case .greeting, .picture: return
    case .alarm:
      guard let alarm = event.alarm else { break }
      adopt { status in
        status.alarms.removeAll { $0 == alarm.name }
        if alarm.isPresent { status.alarms.append(alarm.name) }
      }
    case .takeFinished:
      guard let finished = event.finished else { break }
      state.withLock { state in
        state.takes.append(finished)
        state.takes.removeFirst(max(0, state.takes.count - Self.takeLimit))
      }
    case .state, .takeStarted, .marker, .split, .notice: break
    }
    listeners.send(.event(event))
  }

  /// Changes the status, and tells of it where it is another one then.
  private func adopt(_ change: (inout ChannelStatus) -> Void) {
    let changed = state.withLock { state -> ChannelStatus? in
      let before = state.status
      change(&state.status)
      return state.status == before ? nil : state.status
    }
    if let changed { listeners.send(.status(changed)) }
  }
}
