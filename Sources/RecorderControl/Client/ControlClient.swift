import MediaCore
import Synchronization

#if canImport(Glibc)
import Glibc
#else
import Musl
#endif

/// A connection to a recorder, for programs that see and steer it.
///
/// ```swift
/// let client = try ControlClient(path: "/run/user/1000/camera-a.socket")
/// let reply = try await client.send(.start(TakeSlate(scene: "12"), nil))
/// ```
public final class ControlClient: Sendable {
  private struct State {
    var nextID = 1
    var waiting: [Int: CheckedContinuation<Result<RecorderReply, ControlError>, Never>] = [:]
    /// Why the connection ended, or will end.
    var end: ControlError?
    /// True once the connection is no longer read.
    var isFinished = false
    /// Events that were dropped because their reader was too slow, and that no notice has mentioned yet.
    var lostEvents = 0
  }

  /// Events from the recorder, starting with its greeting. For a single reader: if it falls behind, only
  /// the newest 1024 events are kept, and a notice reports how many were lost once there is room again.
  public let events: AsyncStream<RecorderEvent>
  /// Frames that ``RecorderCommand/monitor(_:)`` asked for. For a single reader: the next frame is
  /// sent once this one is acknowledged with ``acknowledge(_:)``.
  public let frames: AsyncStream<MonitorFrame>

  private let descriptor: Int32
  private let state = Mutex(State())
  private let sending = Mutex(())
  private let tell: AsyncStream<RecorderEvent>.Continuation
  private let show: AsyncStream<MonitorFrame>.Continuation

  /// Bytes that may follow a line.
  private static let frameLimit = 1 << 26

  /// Connects to a recorder.
  ///
  /// - Parameters:
  ///   - path: The recorder's socket.
  ///   - seconds: How long the thread waits if the recorder's queue of new connections is full. A task, which
  ///     shares its thread with others, passes 0 and tries again later.
  /// - Throws: ``ControlError/Code/socketFailed``, ``ControlError/Code/notPermitted``, or
  ///   ``ControlError/Code/timedOut`` if the recorder accepts no connections.
  public convenience init(path: String, within seconds: Double = 1) throws(ControlError) {
    try self.init(path: path, within: seconds) { body throws(MediaCoreError) in
      _ = try MediaThread(name: "control-client", role: .writing, body)
    }
  }

  /// As ``init(path:within:)``, with the function that starts the reading thread.
  init(
    path: String, within seconds: Double,
    startThread: (@escaping @Sendable () -> Void) throws(MediaCoreError) -> Void
  ) throws(ControlError) {
    descriptor = try UnixSocket.connect(path, within: seconds)
    (events, tell) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1024))
    (frames, show) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    let reader = Reader(descriptor: descriptor)
    do throws(MediaCoreError) {
      try startThread { [weak self] in
        let end = reader.run { self?.take($0) }
        self?.finish(end)
        // Nobody may send to another's descriptor of the same number.
        if let self {
          sending.withLock { _ in _ = Glibc.close(reader.descriptor) }
        } else {
          Glibc.close(reader.descriptor)
        }
      }
    } catch {
      Glibc.close(descriptor)
      // The end of this object is to leave alone who gets the number next.
      state.withLock { $0.isFinished = true }
      throw ControlError(.socketFailed, from: error)
    }
  }

  deinit { close() }

  /// Closes the connection. Calls that still wait for a reply throw
  /// ``ControlError/Code/connectionClosed``.
  public func close() {
    state.withLock { state in
      if !state.isFinished { shutdown(descriptor, Int32(SHUT_RDWR)) }
    }
  }

  /// Sends a command, and waits for its reply. A refusal is a reply, too: see ``RecorderReply/error``.
  ///
  /// - Parameter seconds: How long to wait for the reply. The recorder may still carry out the command after that.
  /// - Throws: ``ControlError/Code/connectionClosed``, ``ControlError/Code/timedOut``,
  ///   ``ControlError/Code/invalidMessage``.
  public func send(
    _ command: RecorderCommand, within seconds: Double = 30
  ) async throws(ControlError) -> RecorderReply {
    let id = state.withLock { state in
      defer { state.nextID += 1 }
      return state.nextID
    }
    let line = try CommandMessage(command, id: id).line()
    guard line.count <= MessageLine.commandLimit else {
      throw ControlError(
        .messageTooLong,
        "a command of \(line.count) bytes; the limit is \(MessageLine.commandLimit)")
    }
    let timer = Task { [weak self] in
      try await Task.sleep(for: .seconds(seconds))
      self?.answer(
        id,
        .failure(
          ControlError(
            .timedOut, "the recorder did not answer in \(Int(saturating: seconds)) s")))
    }
    defer { timer.cancel() }
    return try await withCheckedContinuation { continuation in
      let end = state.withLock { state in
        if state.end == nil { state.waiting[id] = continuation }
        return state.end
      }
      if let end { return continuation.resume(returning: .failure(end)) }
      if let error = write(line) { answer(id, .failure(error)) }
    }.get()
  }

  /// Tells the recorder that a frame was shown, so that it sends the next one.
  public func acknowledge(_ frame: MonitorFrame) {
    guard let line = try? CommandMessage(.acknowledge(frame.header.number)).line() else { return }
    _ = write(line)
  }

  private func write(_ line: [UInt8]) -> ControlError? {
    sending.withLock { _ in
      if let end = state.withLock({ $0.isFinished ? $0.end : nil }) { return end }
      var sent = 0
      while sent < line.count {
        let count = line.withUnsafeBytes {
          Glibc.send(
            descriptor, $0.baseAddress?.advanced(by: sent), line.count - sent,
            Int32(MSG_NOSIGNAL))
        }
        if count > 0 {
          sent += count
        } else if errno != EINTR {
          return ControlError(
            .connectionClosed, "the recorder has closed the connection", errno: errno)
        }
      }
      return nil
    }
  }

  private func answer(_ id: Int, _ result: Result<RecorderReply, ControlError>) {
    state.withLock { $0.waiting.removeValue(forKey: id) }?.resume(returning: result)
  }

  private func take(_ message: Reader.Message) {
    switch message {
    case .reply(let reply):
      if let id = reply.id {
        answer(id, .success(reply))
      } else if let error = reply.error {
        refuse(error)
      }
    case .event(let event): pass(event)
    case .picture(let frame): show.yield(frame)
    }
  }

  private func pass(_ event: RecorderEvent) {
    let lost = state.withLock { state -> Int in
      switch tell.yield(event) {
      case .dropped:
        state.lostEvents += 1
        return 0
      case .enqueued(let room) where room > 0:
        defer { state.lostEvents = 0 }
        return state.lostEvents
      default: return 0
      }
    }
    guard lost > 0 else { return }
    var notice = RecorderEvent(.notice)
    notice.message =
      "events were lost because they were not read in time: \(lost)"
    tell.yield(notice)
  }

  /// A reply to no command says why the connection will end.
  private func refuse(_ error: ErrorSummary) {
    let code: ControlError.Code =
      switch error.code {
      case ControlError.Code.notPermitted.name: .notPermitted
      case ControlError.Code.tooManyClients.name: .tooManyClients
      default: .connectionClosed
      }
    state.withLock { $0.end = $0.end ?? ControlError(code, error.message) }
  }

  private func finish(_ error: ControlError) {
    let (waiting, end) = state.withLock { state in
      let end = state.end ?? error
      state.end = end
      state.isFinished = true
      defer { state.waiting = [:] }
      return (state.waiting, end)
    }
    for continuation in waiting.values { continuation.resume(returning: .failure(end)) }
    tell.finish()
    show.finish()
  }

  /// Splits the received bytes into messages.
  private struct Reader: Sendable {
    enum Message {
      case reply(RecorderReply)
      case event(RecorderEvent)
      case picture(MonitorFrame)
    }

    let descriptor: Int32

    /// Reads until the connection ends, and returns why it did.
    func run(_ take: (Message) -> Void) -> ControlError {
      var lines = LineBuffer(limit: MessageLine.answerLimit)
      var buffer = [UInt8](repeating: 0, count: 1 << 18)
      var pending: (header: MonitorFrameHeader, bytes: [UInt8])?
      while true {
        let count = recv(descriptor, &buffer, buffer.count, 0)
        if count < 0, errno == EINTR { continue }
        guard count > 0 else {
          return ControlError(.connectionClosed, "the recorder has closed the connection")
        }
        lines.append(buffer[..<count])
        do throws(ControlError) {
          while try readNext(&lines, &pending, take) {}
        } catch {
          return error
        }
      }
    }

    /// True if a complete message was read.
    private func readNext(
      _ lines: inout LineBuffer, _ pending: inout (header: MonitorFrameHeader, bytes: [UInt8])?,
      _ take: (Message) -> Void
    ) throws(ControlError) -> Bool {
      if var frame = pending {
        pending = nil
        frame.bytes += lines.take(frame.header.byteCount - frame.bytes.count)
        guard frame.bytes.count == frame.header.byteCount else {
          pending = frame
          return false
        }
        take(.picture(MonitorFrame(header: frame.header, bytes: frame.bytes)))
        return true
      }
      guard let line = try lines.next() else { return false }
      switch try RecorderMessage(line: line) {
      case .reply(let reply): take(.reply(reply))
      case .event(let event):
        guard let header = event.picture else {
          take(.event(event))
          return true
        }
        guard (0...ControlClient.frameLimit).contains(header.byteCount) else {
          throw ControlError(.invalidMessage, "a frame of \(header.byteCount) bytes")
        }
        pending = (header, [])
      case .other:
        throw ControlError(.invalidMessage, "the program that answers is not a recorder")
      }
      return true
    }
  }
}
