import MediaCore
public import RecorderControl
import Synchronization

/// A channel: one recorder as clients on the network see it, wherever it runs.
///
/// All protocols of the gateway use this type. It holds a connection to the recorder's socket, starts the
/// recorder if the configuration says so, and reconnects when it was away. Neither the end of the channel nor that
/// of a client affects a take.
///
/// ```swift
/// let reply = try await channel.start(TakeSlate(scene: "12"))
/// for await update in channel.updates { show(update) }
/// ```
public final class RecorderChannel: Sendable {
  struct State: Sendable {
    var status: ChannelStatus
    var client: ControlClient?
    /// Of what the client has told.
    var order = StatusOrder()
    var process: RecorderProcess?
    /// False once the recorder was told to end: it is not started again.
    var mayLaunch = true
    /// True from when the recorder that is there is told to end between its takes, unless it refuses.
    var isRetiring = false
    var origin: Origin
    /// Seconds until the recorder is looked for again.
    var pause = RecorderChannel.shortestPause
    var notes = Notes()
    /// The recorder's last known status, if it had a take whose end is unknown.
    var openTake: RecorderStatus?
    var lostTakes = 0
    /// The command line of the recorder that is there; nil where none is, or where that cannot be read.
    var presentWords: [String]?
    /// True once a recorder has told where it stands.
    var wasReached = false
    /// The preset that was told last, and the recorder's session.
    var preset: (session: String, name: String)?
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
  let state: Mutex<State>
  private let listeners = Broadcast<ChannelUpdate>(depth: 256)
  /// Pictures and levels for those who watch.
  package let pictures = PictureHub()
  /// The takes that are complete.
  let shelf: TakeShelf
  /// Told of takes as they are completed and saved, and of those that are remembered no more.
  private let completed: @Sendable (RecorderChannel, TakeRecord, [TakeRecord]) -> Void
  /// Told of takes whose recorder has ended in them.
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
  ///   - completed: Told of a take that is complete, or whose movies have gone into a library, and of those
  ///     that are remembered no more for it.
  ///   - lost: Told of a take whose recorder has ended in it.
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

  /// Where the channel stands.
  public var status: ChannelStatus { state.withLock { $0.status } }

  /// The takes that the recorder has completed while a gateway was connected, the oldest first; the
  /// last 200.
  public var takes: [RecorderEvent.FinishedTake] { shelf.all.map(\.take) }

  /// The status, and what becomes known from now on. Who reads slowly misses the oldest updates; a
  /// status that follows is whole again.
  public var updates: AsyncStream<ChannelUpdate> {
    state.withLock { state in listeners.listen { [.status(state.status)] } }
  }

  // MARK: What it is

  /// The recorder is started by another command line the next time.
  func replace(words: [String]) {
    state.withLock { state in
      guard case .started(_, let logPath) = state.origin else { return }
      state.origin = .started(words: words, logPath: logPath)
    }
    annotate { $0.difference = nil }
  }

  /// The command line by which the recorder is started; nil where it is not the gateway's to start.
  var words: [String]? {
    guard case .started(let words, _) = state.withLock({ $0.origin }) else { return nil }
    return words
  }

  func rename(_ title: String) { adopt { $0.title = title } }

  /// Has a line of a change that waits among the status's notes; nil for none.
  func note(_ text: String?) { annotate { $0.change = text } }

  func annotate(_ change: (inout Notes) -> Void) {
    update { state in
      change(&state.notes)
      state.status.notes = state.notes.lines
    }
  }

  /// True where the recorder is the gateway's to start, be it that an earlier gateway has done so.
  package var isOwn: Bool { words != nil }

  /// Tells those who listen something of the gateway's own.
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
        await serve(try await connect())
        leave(await reasonOfEnd())
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

  /// Why the connection has ended: what the recorder said of its end, else the last line of its log.
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
      return "the recorder has ended; the last that it said: \(line.prefix(400))"
    }
    return "the recorder has ended, or closed its socket; it is looked for again"
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

  /// Reaches the recorder, and starts it where none runs.
  private func connect() async throws(ServiceError) -> ControlClient {
    do throws(ControlError) { return try ControlClient(path: socketPath, within: 0) } catch {
      guard isOwn, error.code == .socketFailed else {
        throw ServiceError(.notConnected, from: error)
      }
      return try await launch()
    }
  }

  private func launch() async throws(ServiceError) -> ControlClient {
    // In the lock: whoever forbids it knows of every process that was started.
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
    // Opening a device may take its time; the process tells where it fails.
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
      .launchFailed, "the recorder was started, and does not listen on \(socketPath) yet")
  }

  private func serve(_ client: ControlClient) async {
    // From the first command on: a recorder that hangs does not hold up who ends the gateway.
    await withTaskCancellationHandler {
      await follow(client)
    } onCancel: {
      client.close()
    }
  }

  private func follow(_ client: ControlClient) async {
    guard (try? await client.send(.events(true)))?.isDone == true else { return client.close() }
    state.withLock { ($0.client, $0.order, $0.isRetiring) = (client, StatusOrder(), false) }
    adopt { ($0.connection, $0.message) = (.connected, nil) }
    await pictures.connect(client, failed: { [weak self] in self?.tell(notice: $0) }) {
      [weak self] in self?.adopt { $0.alarms = [] }
    }
    await withTaskGroup(of: Void.self) { group in
      group.addTask { [pictures] in
        for await picture in client.pictures { await pictures.take(picture, from: client) }
      }
      group.addTask { [self] in await watch(client) }
      for await event in client.events { await take(event, from: client) }
      group.cancelAll()
    }
    await pictures.disconnect()
  }

  /// Asks for the figures of a take four times a second, and once a second in between.
  private func watch(_ client: ControlClient) async {
    while !Task.isCancelled {
      // A recorder that does not answer is connected anew, for figures that stand still look like good ones.
      guard let reply = try? await client.send(.status), let recorder = reply.status else {
        return client.close()
      }
      adopt(recorder, from: client)
      forgetFlaws(before: recorder)
      let isBusy = recorder.state == .recording || recorder.state == .finishing
      try? await Task.sleep(for: .milliseconds(isBusy ? 250 : 1000))
    }
  }

  /// What is known of the takes of an earlier gateway counts until a take begins, and one may have begun since.
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
    case .levels: return await pictures.tell(levels: event.levels ?? [], loudness: event.loudness)
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

  /// Takes over what the recorder says of itself, unless it has said something later, or another connection is
  /// there. Nothing counts behind its end.
  func adopt(_ told: RecorderStatus, from client: ControlClient) {
    tellOfLostTake(besides: told, from: client)
    update { state in
      guard state.client === client, let recorder = state.order.take(told) else { return }
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

  /// Changes the status, and tells of it where it is another one then.
  private func adopt(_ change: (inout ChannelStatus) -> Void) { update { change(&$0.status) } }

  /// Changes what is known, and tells of the status where it is another one then.
  func update(_ change: (inout State) -> Void) {
    state.withLock { state in
      let before = state.status
      change(&state)
      // In the lock: what is told last is what counts.
      if state.status != before { listeners.send(.status(state.status)) }
    }
  }
}
