import Dispatch
import MediaCore
import Synchronization
import SystemPackage

#if canImport(Glibc)
import Glibc
#else
import Musl
#endif

/// Lets other processes watch and control a recorder over a Unix socket.
///
/// Commands, replies and events are lines of JSON; `docs/remote.md` describes the protocol. Only the recorder's
/// own user and root may connect. Recording never waits for a client: each has its own bounded queue, one that does
/// not read is disconnected, and all are served by one thread of ordinary
/// priority.
public final class ControlServer: Sendable {
  /// What clients may take.
  public struct Limits: Sendable, Hashable {
    /// Clients at a time.
    public var clients = 32
    /// Bytes of messages that may wait for a client, its picture apart.
    public var queuedBytes = 1 << 20
    /// The seconds after which a client is disconnected that does not read what waits for it.
    public var patience = 10.0
    /// Commands of a client that may be under way; further ones are read later.
    public var commandsUnderWay = 16

    /// The usual limits.
    public init() {}
  }

  /// What reaches the thread from elsewhere.
  enum Input: Sendable {
    case reply(client: Int, RecorderReply)
    case event(RecorderEvent)
    case picture(PictureParcel)
    case stop
  }

  /// The socket.
  public let path: String
  private let thread: MediaThread
  private let inbox: Inbox

  /// Listens from now on.
  ///
  /// - Parameters:
  ///   - path: The socket's path, at most 107 bytes.
  ///   - recorder: What is steered. The server becomes its observer.
  ///   - feed: Where pictures and levels come from; nil for none.
  ///   - limits: How much clients may ask for.
  /// - Throws: ``ControlError/Code/socketInUse`` where a recorder listens there,
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

  /// Sends what waits, as far as clients take it at once, and closes the socket. Returns when that is
  /// done.
  public func stop() {
    inbox.put(.stop)
    thread.join()
  }

  deinit { inbox.put(.stop) }

  /// What waits for the thread; a byte in a pipe wakes it.
  final class Inbox: Sendable {
    private let inputs = Mutex<[Input]>([])
    private let reader: Int32
    private let writer: Int32

    init() throws(ControlError) {
      var ends: [Int32] = [-1, -1]
      guard pipe(&ends) == 0 else {
        throw ControlError(
          .socketFailed, "no pipe can be made: \(Errno(rawValue: errno))", errno: errno)
      }
      (reader, writer) = (ends[0], ends[1])
      for end in ends {
        _ = fcntl(end, F_SETFD, FD_CLOEXEC)
        _ = fcntl(end, F_SETFL, O_NONBLOCK)
      }
    }

    deinit {
      close(reader)
      close(writer)
    }

    var descriptor: Int32 { reader }

    /// Never waits. Of the pictures of a region and of levels only the newest is kept.
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
      // A pipe that is full has woken the thread already.
      _ = write(writer, &byte, 1)
    }

    /// All that has come.
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
