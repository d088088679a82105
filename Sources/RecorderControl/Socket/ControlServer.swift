import CLinux
import Dispatch
import MediaCore
import Synchronization
import SystemPackage

#if canImport(Glibc)
import Glibc
#else
import Musl
#endif

/// Lets clients see and control a recorder over a Unix socket.
///
/// Commands, replies and events are lines of JSON; `docs/remote.md` describes the protocol. Only the
/// recorder's own user and root are admitted. Recording never waits for a client: each client has a bounded
/// queue, a client that does not read is disconnected, and a single thread of ordinary priority serves all of
/// them.
public final class ControlServer: Sendable {
  /// Limits on the resources that clients use.
  public struct Limits: Sendable, Hashable {
    /// Clients at a time.
    public var clients = 32
    /// The maximum number of bytes of messages that wait for a client, not counting its frame.
    public var queuedBytes = 1 << 20
    /// Seconds after which a client is disconnected if it reads nothing of what waits for it.
    public var patience = 10.0
    /// Commands of a client that may be without a reply; it is not read from while it has that many.
    public var commandsUnderWay = 16

    /// The usual limits.
    public init() {}
  }

  /// Input of the server's thread from other threads.
  enum Input: Sendable {
    case reply(client: Int, RecorderReply)
    case event(RecorderEvent)
    case picture(FrameParcel)
    case stop
  }

  /// The socket.
  public let path: String
  private let thread: MediaThread
  private let inbox: Inbox

  /// Creates the socket, and begins to serve clients.
  ///
  /// - Parameters:
  ///   - path: The socket's path, at most 107 bytes.
  ///   - recorder: The recorder to control. The server becomes its observer.
  ///   - feed: The source of frames and levels; nil for none.
  ///   - limits: Limits on the resources that clients use.
  /// - Throws: ``ControlError/Code/socketInUse`` if a recorder already listens there,
  ///   ``ControlError/Code/socketFailed``.
  public init(
    path: String, recorder: any SteeredRecorder, feed: MonitorFeed? = nil,
    limits: Limits = Limits()
  ) throws(ControlError) {
    self.path = path
    let inbox = try Inbox()
    let listener = try UnixSocket.listen(path)
    self.inbox = inbox
    do throws(MediaCoreError) {
      thread = try MediaThread(name: "control", role: .writing) {
        var loop = ServerLoop(
          listener: listener, path: path, recorder: recorder, feed: feed, limits: limits,
          inbox: inbox)
        loop.run()
      }
    } catch {
      close(listener)
      unlink(path)
      throw ControlError(.socketFailed, from: error)
    }
    feed?.deliver(to: { [weak inbox] in inbox?.put($0) })
    recorder.observe { [weak inbox] in inbox?.put(.event($0)) }
  }

  /// Sends as much of the waiting output as clients take immediately, closes the socket, and then returns.
  public func stop() {
    inbox.put(.stop)
    thread.join()
  }

  deinit { inbox.put(.stop) }

  /// The queue of the server's thread; a byte in a pipe wakes the thread.
  final class Inbox: Sendable {
    private let inputs = Mutex<[Input]>([])
    private let reader: Int32
    private let writer: Int32

    init() throws(ControlError) {
      var ends: [Int32] = [-1, -1]
      guard pipe_for_self_nonblocking(&ends) == 0 else {
        throw ControlError(
          .socketFailed, "no pipe can be created: \(Errno(rawValue: errno))", errno: errno)
      }
      (reader, writer) = (ends[0], ends[1])
    }

    deinit {
      close(reader)
      close(writer)
    }

    var descriptor: Int32 { reader }

    /// Adds input without waiting. Of the frames of a region, and of levels, only the newest is kept.
    func put(_ input: Input) {
      inputs.withLock { inputs in
        switch input {
        case .picture(let parcel):
          inputs.removeAll {
            if case .picture(let other) = $0 { other.region == parcel.region } else { false }
          }
        case .event(let event) where event.event == .levels:
          inputs.removeAll {
            if case .event(let other) = $0 { other.event == .levels } else { false }
          }
        default: break
        }
        inputs.append(input)
      }
      var byte: UInt8 = 1
      // If the pipe is full, the thread has been woken already.
      _ = write(writer, &byte, 1)
    }

    /// Removes and returns all input.
    func take() -> [Input] {
      var bytes = [UInt8](repeating: 0, count: 256)
      while read(reader, &bytes, bytes.count) > 0 {}
      return inputs.withLock { inputs in
        defer { inputs = [] }
        return inputs
      }
    }
  }
}
