import MediaCore
public import RecorderControl
import Synchronization

/// A channel of the gateway: one recorder, as the network sees and controls it.
///
/// All servers of the gateway use this type. It keeps a connection to the recorder's socket, starts the
/// recorder if it is the gateway's own, and reconnects when it is away. Failures of the channel or its
/// clients do not affect a take.
///
/// ```swift
/// let reply = try await channel.start(TakeSlate(scene: "12"))
/// for await update in channel.updates { show(update) }
/// ```
public final class RecorderChannel: Sendable {
  struct State: Sendable {
    var status: ChannelStatus
    var client: ControlClient?
    /// The order of the statuses that the client has received.
    var order = StatusOrder()
    var process: RecorderProcess?
    /// False once the recorder was ended for good.
    var mayLaunch = true
    /// True while the recorder is being ended between its takes, unless it refused.
    var isRetiring = false
    var origin: Origin
    /// Seconds until the recorder is looked for again.
    var pause = RecorderChannel.shortestPause
    var notes = Notes()
    /// The last status of a recorder that had a take, if the end of that take is unknown.
    var openTake: RecorderStatus?
    var lostTakes = 0
    /// The command line of the running recorder; nil if none is running, or it cannot be read.
    var presentWords: [String]?
    /// True once a recorder has reported its status.
    var wasReached = false
    /// The last known preset, and the recorder's session.
    var preset: (session: String, name: String)?
  }

  /// How the recorder is started.
  package enum Origin: Sendable {
    /// It runs without the gateway's doing.
    case attached
    /// The gateway starts it, with the words of its command line and the file for its output.
    case started(words: [String], logPath: String)
  }

  public let name: String
  /// The path of the recorder's socket.
  package let socketPath: String
  let state: Mutex<State>
  private let listeners = Broadcast<ChannelUpdate>(depth: 256)
  /// Frames and levels for viewers.
  package let frames = FrameHub()
  /// The takes that are complete.
  let shelf: TakeShelf
  /// Called with takes that are complete or saved, and those that are dropped from the list for them.
  private let completed: @Sendable (RecorderChannel, TakeRecord, [TakeRecord]) -> Void
  /// Called with takes whose recorder died during them.
  let lost: @Sendable (RecorderChannel, LostTake) -> Void

  private static let shortestPause = 0.2
  private static let longestPause = 5.0

  /// - Parameter takesPath: The file for the takes; nil to remember them for as long as the channel lasts.
  package convenience init(
    name: String, title: String, socketPath: String, origin: Origin, takesPath: String? = nil
  ) {
    self.init(
      name: name, title: title, socketPath: socketPath, origin: origin, takesPath: takesPath,
      completed: { _, _, _ in }, lost: { _, _ in })
  }

  /// - Parameters:
  ///   - completed: Called with a take that is complete, or whose movies were moved into a library, and with
  ///     the takes that are dropped from the list for it.
  ///   - lost: Called with a take whose recorder died during it.
  init(
    name: String, title: String, socketPath: String, origin: Origin, takesPath: String?,
    completed: @escaping @Sendable (RecorderChannel, TakeRecord, [TakeRecord]) -> Void,
    lost: @escaping @Sendable (RecorderChannel, LostTake) -> Void
  ) {
    self.name = name
    (self.completed, self.lost) = (completed, lost)
    shelf = TakeShelf(path: takesPath)
    self.socketPath = socketPath
    var status = ChannelStatus(
      name: name, title: title, connection: .connecting, alarms: [], notes: [])
    status.flawedTake = shelf.all.last.flatMap { FlawedTake($0.take) }
    state = Mutex(State(status: status, origin: origin))
  }

  // MARK: Asking

  /// The present state.
  public var status: ChannelStatus { state.withLock { $0.status } }

  /// The takes that the recorder completed while a gateway was connected, the oldest first; at most 200.
  public var takes: [RecorderEvent.FinishedTake] { shelf.all.map(\.take) }

  /// The status, and all news from now on. A slow reader loses the oldest updates, but each status is complete.
  public var updates: AsyncStream<ChannelUpdate> {
    state.withLock { state in listeners.listen { [.status(state.status)] } }
  }

  // MARK: Properties

  /// The recorder is started by another command line the next time.
  func replace(words: [String]) {
    state.withLock { state in
      guard case .started(_, let logPath) = state.origin else { return }
      state.origin = .started(words: words, logPath: logPath)
    }
    annotate { $0.difference = nil }
  }

  /// The recorder's command line; nil if the gateway does not start it.
  var words: [String]? {
    guard case .started(let words, _) = state.withLock({ $0.origin }) else { return nil }
    return words
  }

  func rename(_ title: String) { adopt { $0.title = title } }

  /// Sets the note about a pending change of the configuration; nil for none.
  func note(_ text: String?) { annotate { $0.change = text } }

  func annotate(_ change: (inout Notes) -> Void) {
    update { state in
      change(&state.notes)
      state.status.notes = state.notes.lines
    }
  }

  /// True if the gateway starts the recorder, even if the running one was started by an earlier gateway.
  package var isOwn: Bool { words != nil }

  /// Sends a notice of the gateway's own to the listeners.
  func tell(notice text: String) {
    var event = RecorderEvent(.notice)
    event.message = text
    listeners.send(.event(event))
  }

  // MARK: The connection

  /// Connects, and stays connected until the task is cancelled.
  package func run() async {
    while !Task.isCancelled {
      do throws(ServiceError) {
        if let refusal = await serve(try await connect()) {
          leave(refusal)
        } else {
          leave(await reasonOfEnd())
        }
      } catch {
        leave(error.message)
      }
      let pause = state.withLock { state in
        defer { state.pause = min(state.pause * 2, Self.longestPause) }
        return state.pause
      }
      try? await Task.sleep(for: .seconds(pause))
    }
    state.withLock { $0.client }?.close()
  }

  /// Why the connection has ended: the recorder's own reason, else the last line of its log.
  private func reasonOfEnd() async -> String {
    let (recorder, process) = state.withLock { ($0.status.recorder, $0.process) }
    // It leaves its socket a moment before it has ended.
    for _ in 0..<20 where process?.isRunning() ?? false {
      try? await Task.sleep(for: .milliseconds(50))
    }
    let isGone = !(process?.isRunning() ?? true)
    if isGone { state.withLock { $0.process = nil } }
    if recorder?.state == .ended, let message = recorder?.message { return message }
    // It would have refused during a take.
    if state.withLock({ $0.isRetiring }), recorder?.state != .recording { return Self.endedHere }
    if isGone, recorder?.state != .ended, var line = process?.lastLine {
      if let path = recorder?.take?.path { line = line.replacing(path, with: path.lastPathPart) }
      return "the recorder has ended; its last message: \(line.prefix(400))"
    }
    return "the recorder has ended or closed its socket; looking for it again"
  }

  private func leave(_ message: String) {
    let earlier = state.withLock { state in
      defer { state.client = nil }
      return state.client
    }
    earlier?.close()
    rememberOpenTake()
    forgetPresentWords()
    adopt {
      ($0.connection, $0.message, $0.recorder, $0.alarms) = (.away, message, nil, [])
    }
    tellOfLostTake()
  }

  /// Connects to the recorder, and starts it if none is running.
  private func connect() async throws(ServiceError) -> ControlClient {
    do throws(ControlError) { return try ControlClient(path: socketPath, within: 0) } catch {
      guard isOwn, error.code == .socketFailed else {
        throw ServiceError(.notConnected, from: error)
      }
      return try await launch()
    }
  }

  private func launch() async throws(ServiceError) -> ControlClient {
    // In the lock, so that whoever forbids launching knows of every process that was started.
    let process = try state.withLock { state throws(ServiceError) in
      guard state.mayLaunch, case .started(let words, let logPath) = state.origin else {
        throw ServiceError(.launchFailed, Self.endedHere)
      }
      if let running = state.process, running.isRunning() { return running }
      let process = try RecorderProcess(words, logPath: logPath)
      state.process = process
      return process
    }
    adopt { $0.connection = .connecting }
    // Opening a device may take a while. If it fails, the process says why.
    for _ in 0..<150 where !Task.isCancelled {
      if let client = try? ControlClient(path: socketPath, within: 0) { return client }
      guard process.isRunning() else {
        state.withLock { $0.process = nil }
        throw ServiceError(
          .launchFailed, process.lastLine ?? "the recorder exited without a message")
      }
      try? await Task.sleep(for: .milliseconds(100))
    }
    throw ServiceError(
      .launchFailed, "the recorder was started but does not listen on \(socketPath) yet")
  }

  /// - Returns: Why the recorder admitted no client; nil if it did, or is gone.
  private func serve(_ client: ControlClient) async -> String? {
    // Covers the first command, too, so that a recorder that hangs does not delay the gateway's end.
    await withTaskCancellationHandler {
      await follow(client)
    } onCancel: {
      client.close()
    }
  }

  private func follow(_ client: ControlClient) async -> String? {
    do throws(ControlError) {
      if let refusal = try await client.send(.events(true)).error {
        client.close()
        return refusal.message
      }
    } catch {
      client.close()
      return error.code == .connectionClosed ? nil : error.message
    }
    state.withLock { ($0.client, $0.order, $0.isRetiring) = (client, StatusOrder(), false) }
    adopt { ($0.connection, $0.message) = (.connected, nil) }
    await frames.connect(client, failed: { [weak self] in self?.tell(notice: $0) }) {
      [weak self] in self?.adopt { $0.alarms = [] }
    }
    await withTaskGroup(of: Void.self) { group in
      group.addTask { [frames] in
        for await frame in client.frames { await frames.take(frame, from: client) }
      }
      group.addTask { [self] in await watch(client) }
      for await event in client.events { await take(event, from: client) }
      group.cancelAll()
    }
    await frames.disconnect()
    return nil
  }

  /// Asks for the figures of a take four times a second, and once a second in between.
  private func watch(_ client: ControlClient) async {
    while !Task.isCancelled {
      // A recorder that does not answer is disconnected, since figures that no longer change look like good ones.
      guard let reply = try? await client.send(.status), let recorder = reply.status else {
        return client.close()
      }
      adopt(recorder, from: client)
      forgetFlaws(before: recorder)
      let isBusy = recorder.state == .recording || recorder.state == .finishing
      try? await Task.sleep(for: .milliseconds(isBusy ? 250 : 1000))
    }
  }

  /// The flaws of a take that an earlier gateway saw count until the next take begins, which may have happened since.
  private func forgetFlaws(before recorder: RecorderStatus) {
    update { state in
      guard !state.wasReached else { return }
      state.wasReached = true
      if recorder.state == .recording, state.notes.loss == nil { state.status.flawedTake = nil }
    }
  }

  private func take(_ event: RecorderEvent, from client: ControlClient) async {
    if let recorder = event.status { adopt(recorder, from: client) }
    switch event.event {
    case .levels: return await frames.tell(levels: event.levels ?? [], loudness: event.loudness)
    case .greeting, .picture: return
    case .alarm:
      guard let alarm = event.alarm else { break }
      adopt { status in
        status.alarms.removeAll { $0 == alarm.name }
        if alarm.isPresent { status.alarms.append(alarm.name) }
      }
    case .takeFinished:
      guard let finished = event.finished else { break }
      let record = TakeRecord(finished, of: status.recorder)
      adopt { $0.flawedTake = FlawedTake(finished) }
      completed(self, record, shelf.add(record))
    case .notice:
      guard let saved = event.saved else { break }
      let id = TakeRecord.id(ofTake: saved.number, of: status.recorder)
      let record = shelf.change(id) { $0.move(to: saved.movies) }
      if let record { completed(self, record, []) }
    case .takeStarted:
      adopt { $0.flawedTake = nil }
      annotate { ($0.loss, $0.preset) = (nil, nil) }
    case .state, .marker, .split: break
    }
    listeners.send(.event(event))
  }

  /// Adopts a status of the recorder, unless it is outdated, or from an earlier connection. After the
  /// recorder's last status nothing is adopted.
  func adopt(_ reported: RecorderStatus, from client: ControlClient) {
    tellOfLostTake(except: reported, from: client)
    update { state in
      guard state.client === client, let recorder = state.order.take(reported) else { return }
      // One that ends before it was ready would be started again and again without a pause.
      if recorder.state != .starting, recorder.state != .ended {
        state.pause = Self.shortestPause
      }
      let known = state.status.recorder
      guard known?.state != .ended || known?.processID != recorder.processID else { return }
      state.status.recorder = recorder
      if known?.processID != recorder.processID { state.compareWords(with: recorder) }
      if let change = state.followPreset(of: recorder) { tell(notice: change) }
    }
  }

  /// Changes the status, and sends it to the listeners if it is different.
  private func adopt(_ change: (inout ChannelStatus) -> Void) { update { change(&$0.status) } }

  /// Changes the state, and sends the status to the listeners if it is different.
  func update(_ change: (inout State) -> Void) {
    state.withLock { state in
      let before = state.status
      change(&state)
      // In the lock, so that the last status that listeners get is the present one.
      if state.status != before { listeners.send(.status(state.status)) }
    }
  }
}
