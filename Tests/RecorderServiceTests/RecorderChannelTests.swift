import Dispatch
import Foundation
import Logging
import Synchronization
import TestSupport
import Testing

@testable import RecorderControl
@testable import RecorderService

/// A channel and its recorder, which is a process that the channel starts and a socket that the test serves.
@Suite(.timeLimit(.minutes(5))) struct RecorderChannelTests {
  private let folder: TemporaryFolder
  private var path: String { folder.path("a.socket") }

  init() throws { folder = try TemporaryFolder() }

  private func channel(_ script: String) -> RecorderChannel {
    RecorderChannel(
      name: "a", title: "A", socketPath: path,
      origin: .started(
        words: ["/bin/sh", "-c", "cd '\(folder.path)'; \(script)"], logPath: folder.path("log")))
  }

  @Test func a_hanging_recorder_is_reported_and_not_restarted() async throws {
    let listener = try UnixSocket.listen(path)
    var pending: [Int32] = []
    defer { for descriptor in pending + [listener] { close(descriptor) } }
    while pending.count < 300, let next = try? UnixSocket.connect(path, within: 0) {
      pending.append(next)
    }
    let channel = channel("touch started")
    let running = Task { await channel.run() }
    try await eventually("it is reported") {
      channel.status.message?.contains("does not answer") == true
    }
    let reason = await channel.endIfIdle()
    #expect(reason?.contains("does not answer") == true)
    running.cancel()
    await running.value
    #expect(!folder.contents.contains("started"))
  }

  @Test func a_recorder_with_too_many_clients_is_reported() async throws {
    var limits = ControlServer.Limits()
    limits.clients = 1
    let server = try ControlServer(path: path, recorder: StubRecorder(), limits: limits)
    let other = try ControlClient(path: path)
    let channel = RecorderChannel(name: "a", title: "A", socketPath: path, origin: .attached)
    let running = Task { await channel.run() }
    try await eventually("it is reported") {
      channel.status.message == "1 clients are connected, which is the limit"
    }
    running.cancel()
    await running.value
    other.close()
    server.stop()
  }

  @Test func a_recorder_hanging_from_the_start_does_not_delay_the_gateway() async throws {
    let listener = try UnixSocket.listen(path)
    defer { close(listener) }
    _ = fcntl(listener, F_SETFL, O_NONBLOCK)
    let channel = RecorderChannel(name: "a", title: "A", socketPath: path, origin: .attached)
    let region = RegionStream(socketPath: path, wish: .init(pictureRate: 1)) { _ in }
    let running = [Task { await channel.run() }, Task { await region.run() }]
    var connections: [Int32] = []
    defer { for connection in connections { close(connection) } }
    var byte: UInt8 = 0
    try await eventually("both are connected") {
      let next = accept(listener, nil, nil)
      if next >= 0 { connections.append(next) }
      return connections.count == 2
    }
    for connection in connections {
      try await eventually("it is asked and does not answer") {
        recv(connection, &byte, 1, Int32(MSG_DONTWAIT)) == 1
      }
    }
    let begin = ContinuousClock.now
    for task in running { task.cancel() }
    for task in running { await task.value }
    #expect(ContinuousClock.now - begin < .seconds(25), "it waits 30 s for an answer")
  }

  @Test func a_recorder_failing_to_start_is_restarted_at_growing_intervals()
    async throws
  {
    // Each process ends when the test says so, or when the test is over.
    let channel = channel(
      """
      echo >>starts; n=$(wc -l <starts); echo bye $n
      while [ ! -e end$n ] && [ -e '\(folder.path)/starts' ]; do sleep 0.05; done
      """)
    let running = Task { await channel.run() }
    func serve(_ round: Int, _ work: (StubRecorder) async throws -> Void) async throws {
      try await eventually("process \(round)") {
        (try? folder.bytes("starts"))?.count == round
      }
      let recorder = StubRecorder(.starting)
      let server = try ControlServer(path: path, recorder: recorder)
      defer { server.stop() }
      try await eventually("it is reached") { channel.status.recorder?.state == .starting }
      try await work(recorder)
      try folder.write("", "end\(round)")
    }
    for (round, pause) in zip(1..., [0.4, 0.8, 1.6]) {
      try await serve(round) { recorder in
        recorder.change {
          ($0.state, $0.message) = (.ended, "the device cannot be opened")
        }
      }
      try await eventually("the channel looks later") {
        channel.state.withLock { $0.pause } == pause
      }
      #expect(channel.status.connection != .connected)
      #expect(channel.status.message == "the device cannot be opened")
    }
    try await serve(4) { recorder in
      recorder.change { $0.state = .idle }
      try await eventually("it is ready") { channel.state.withLock { $0.pause } == 0.2 }
    }
    // The process gave no reason for its end.
    try await eventually("its last line is reported") {
      channel.status.message?.contains("bye 4") == true
    }
    running.cancel()
    await running.value
  }

  @Test func the_last_status_sent_is_the_current_one() async throws {
    let channel = RecorderChannel(name: "a", title: "A", socketPath: path, origin: .attached)
    for round in 0..<500 {
      let updates = channel.updates
      DispatchQueue.concurrentPerform(iterations: 8) { channel.rename("\(round) \($0)") }
      channel.tell(notice: "over")
      var last = ""
      for await update in updates {
        if case .status(let status) = update { last = status.title }
        if case .event = update { break }
      }
      try #require(last == channel.status.title)
    }
  }

  /// A channel that has started its process, with its task and the process.
  private func startedChannel() async throws -> (RecorderChannel, Task<Void, Never>, pid_t) {
    // It sleeps for longer than parallel tests may hold the threads.
    let channel = channel("echo $$ >process; exec sleep 1000")
    let running = Task { await channel.run() }
    var process: pid_t?
    try await eventually("the process is there") {
      process = (try? String(contentsOf: folder.url("process"), encoding: .utf8))
        .flatMap { Int32($0.trimmingCharacters(in: .whitespacesAndNewlines)) }
      return process != nil
    }
    return (channel, running, try #require(process))
  }

  @Test func a_starting_recorder_is_reported_when_the_gateway_ends() async throws {
    let (channel, running, process) = try await startedChannel()
    defer { kill(process, SIGKILL) }
    let reason = await channel.endIfIdle()
    #expect(reason == "the recorder is starting")
    running.cancel()
    await running.value
  }

  @Test func a_recorder_that_soon_listens_is_ended_with_the_gateway() async throws {
    let (channel, running, process) = try await startedChannel()
    defer { kill(process, SIGKILL) }
    async let reason = channel.endIfIdle()
    try await Task.sleep(for: .milliseconds(300))
    let recorder = StubRecorder()
    let server = try ControlServer(path: path, recorder: recorder)
    #expect(await reason == nil)
    #expect(recorder.commands.contains(.retire))
    server.stop()
    running.cancel()
    await running.value
  }

  @Test func the_log_of_the_previous_recorder_is_kept() async throws {
    let log = folder.path("log")
    for words in ["one", "two", "three"] {
      let process = try RecorderProcess(["/bin/sh", "-c", "echo \(words)"], logPath: log)
      try await eventually("it has ended") { !process.isRunning() }
    }
    #expect(try folder.bytes("log") == [UInt8]("three\n".utf8))
    #expect(try folder.bytes("log.old") == [UInt8]("two\n".utf8))
  }

  // MARK: Log

  @Test func control_characters_cannot_break_out_of_a_log_line() {
    let record = LogRecord()
    let logger = Logger(label: "test") { _ in OneLineLog(record.handler) }
    logger.warning("unknown preset 'a\nb\u{1B}[2J\u{202E}c'")
    logger.warning("Türé")
    logger.info("too little to be kept")
    #expect(record.lines == ["unknown preset 'a?b?[2J?c'", "Türé"])
  }

  @Test func each_reason_for_a_missing_recorder_is_logged_once() {
    var log = ConnectionLog()
    var status = ChannelStatus(
      name: "a", title: "A", connection: .connecting, alarms: [], notes: [])
    #expect(log.line(of: status) == nil)
    func away(_ message: String) -> String? {
      (status.connection, status.message, status.recorder) = (.away, message, nil)
      return log.line(of: status)?.text
    }
    func there(_ name: RecorderStatus.StateName) -> String? {
      let recorder = StubRecorder(name).status
      (status.connection, status.message, status.recorder) = (.connected, nil, recorder)
      return log.line(of: status)?.text
    }
    #expect(away("no device") == "channel a: no recorder: no device")
    // It is restarted again and again, and each time reached for a moment.
    #expect(there(.starting) == nil && there(.ended) == nil && away("no device") == nil)
    #expect(away("no disk") == "channel a: no recorder: no disk")
    #expect(there(.idle) == "channel a: its recorder is process 1")
    #expect(there(.recording) == nil)
    #expect(away("no disk") == "channel a: no recorder: no disk")
  }

  /// Its connection may end before its answer is processed.
  private final class EndingRecorder: SteeredRecorder {
    private let server = Mutex<ControlServer?>(nil)
    let status = StubRecorder().status

    func ends(_ server: ControlServer) { self.server.withLock { $0 = server } }

    func perform(_ command: RecorderCommand, reply: @escaping @Sendable (RecorderReply) -> Void) {
      reply(RecorderReply(status: status))
      guard command == .retire || command == .quit else { return }
      let server = server.withLock { $0.take() }
      DispatchQueue.global().async { server?.stop() }
    }

    func observe(_ observer: (@Sendable (RecorderEvent) -> Void)?) {}
  }

  @Test(arguments: [true, false])
  func only_an_unrequested_end_of_a_recorder_is_a_warning(isAskedFor: Bool)
    async throws
  {
    let recorder = EndingRecorder()
    recorder.ends(try ControlServer(path: path, recorder: recorder))
    let channel = channel("exit 1")
    let running = Task { await channel.run() }
    try await eventually("it is reached") { channel.status.recorder != nil }
    var updates = channel.updates.makeAsyncIterator()
    if isAskedFor {
      #expect(await channel.endIfIdle() == nil)
    } else {
      // Like another client of its socket.
      _ = try await ControlClient(path: path).send(.quit)
    }
    var away: ChannelStatus?
    while away == nil, let update = await updates.next() {
      if case .status(let status) = update, status.connection == .away { away = status }
    }
    running.cancel()
    await running.value
    var log = ConnectionLog()
    let status = try #require(away)
    #expect((status.message == RecorderChannel.endedHere) == isAskedFor, "\(status)")
    #expect(log.line(of: status)?.isFault == !isAskedFor)
  }

  @Test func losing_the_chosen_preset_with_its_recorder_is_noted() throws {
    var state = RecorderChannel.State(
      status: ChannelStatus(name: "a", title: "A", connection: .connected, alarms: [], notes: []),
      origin: .attached)
    func follow(_ preset: String, _ session: String) -> String? {
      var recorder = StubRecorder().status
      recorder.sessionID = session
      recorder.source = .init(
        deviceID: "pattern", deviceName: "Pattern", format: "v210", preset: preset, codec: "hq",
        hasSignal: true)
      return state.followPreset(of: recorder)
    }
    #expect(follow("small", "1") == nil && follow("large", "1") == nil)
    let change = try #require(follow("small", "2"))
    #expect(change.hasSuffix("its preset is now small, no longer large"))
    #expect(follow("small", "2") == nil && state.status.notes == [change])
    #expect(follow("large", "2") == nil && state.status.notes == [], "the preset was chosen again")
  }

  @Test func a_recorders_fault_and_its_end_are_logged_once() {
    var log = ConnectionLog()
    var status = ChannelStatus(
      name: "a", title: "A", connection: .connected, alarms: [], notes: [])
    func line(_ message: String?) -> ConnectionLog.Line? {
      var recorder = StubRecorder(.recording).status
      recorder.message = message
      status.recorder = recorder
      return log.line(of: status)
    }
    let (text, fault) = ("channel a: its recorder is process 1", "the source is away")
    #expect(line(nil) == .init(isFault: false, text: text))
    #expect(line(fault) == .init(isFault: true, text: text + "; " + fault))
    #expect(line(fault) == nil)
    #expect(line(nil) == .init(isFault: false, text: text))
  }

  @Test(arguments: [true, false])
  func a_recorder_started_with_another_command_line_is_noted(isSame: Bool) async throws {
    let recorder = StubRecorder()
    recorder.change { $0.processID = getpid() }
    let server = try ControlServer(path: path, recorder: recorder)
    defer { server.stop() }
    let own = try #require(CommandLineOfProcess.words(getpid()))
    let channel = RecorderChannel(
      name: "a", title: "A", socketPath: path,
      origin: .started(words: isSame ? own : own + ["--more"], logPath: folder.path("log")))
    let running = Task { await channel.run() }
    try await eventually("it is reached") { channel.status.recorder != nil }
    #expect(channel.status.notes == (isSame ? [] : [RecorderChannel.difference]))
    #expect(channel.presentWords == own)
    running.cancel()
    await running.value
  }

  // MARK: Takes

  private func take(_ number: Int) throws -> RecorderEvent.FinishedTake {
    try .example(
      number, movies: ["/m/a-001.mov", "/m/a-002.mov"], message: "/m/a-001.mov: no space is left")
  }

  @Test func a_take_keeps_its_id_when_it_ends_and_enters_the_library() async throws {
    let recorder = StubRecorder()
    let server = try ControlServer(path: path, recorder: recorder)
    defer { server.stop() }
    let channel = RecorderChannel(name: "a", title: "A", socketPath: path, origin: .attached)
    let running = Task { await channel.run() }
    recorder.change { status in
      (status.state, status.sessionID) = (.recording, "session")
      // A segmented take begins under the requested name.
      status.take = .init(number: 1, path: "/m/a.mov")
    }
    try await eventually("the take is there") { channel.status.recorder?.state == .recording }
    let id = TakeRecord.id(ofTake: 1, of: channel.status.recorder)
    let (first, second) = (try take(1), try take(2))
    recorder.tell(.takeFinished) { $0.finished = first }
    try await eventually("it is complete") { channel.shelf[id] != nil }

    let places = ["/library/2026/11/a-001.mov", "/library/2026/11/a-002.mov"]
    recorder.tell(.notice) { $0.saved = .init(number: 1, movies: places) }
    try await eventually("it is in the library") { channel.shelf[id]?.take.movies == places }
    let record = try #require(channel.shelf[id])
    #expect(record.take.path == places[0] && record.movie(ofFrame: 0)?.path == places[0])
    let text = String(decoding: JSONText.bytes(TakeRecord.Document(record: record)), as: UTF8.self)
    #expect(!text.contains("/m/") && !text.contains("/library"), "\(text)")
    // The file name is used again by the next take.
    recorder.tell(.takeFinished) { $0.finished = second }
    try await eventually("both are listed") { channel.shelf.all.map(\.take.number) == [1, 2] }
    #expect(channel.shelf[id]?.take.movies == places)
    running.cancel()
    await running.value
  }

  @Test func takes_of_different_sessions_have_different_ids() {
    func id(_ number: Int, _ process: Int32, _ session: String?) -> String {
      let recorder = StubRecorder()
      recorder.change { ($0.processID, $0.sessionID) = (process, session) }
      return TakeRecord.id(ofTake: number, of: recorder.status)
    }
    #expect(id(1, 7, "a") == id(1, 8, "a"))
    // The last two are from recorders of an earlier version.
    let ids = [id(1, 7, "a"), id(2, 7, "a"), id(1, 7, "b"), id(1, 7, nil), id(1, 8, nil)]
    #expect(Set(ids).count == 5)
  }

  @Test func library_folders_are_hidden_from_the_network() {
    var event = RecorderEvent(.notice)
    event.saved = .init(number: 1, movies: ["/library/a.mov"])
    #expect(event.withoutFolders.saved?.movies == ["a.mov"])
  }
}
