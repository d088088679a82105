import CLinux
import MediaCore
import SystemPackage

#if canImport(Glibc)
import Glibc
#else
import Musl
#endif

/// The calls of Unix sockets.
enum UnixSocket {
  /// The longest path of a socket in bytes.
  static let longestPath = 107
  /// Connections that may wait to be accepted: several times as many as are served, so that clients that
  /// connect at the same time find room while the recorder's thread is kept from running.
  static let backlog: Int32 = 128
  /// How many seconds a connecting client waits for room in that queue.
  static let patience = 1.0

  /// Creates a socket with mode 0600 from the start, and listens on it. A socket on which nobody listens any
  /// more is replaced.
  ///
  /// - Throws: ``ControlError/Code/socketInUse`` if a recorder listens there, ``ControlError/Code/socketFailed``.
  static func listen(_ path: String) throws(ControlError) -> Int32 {
    // No other recorder may create the socket between the check and `bind`. A folder can be locked; on a file system
    // without locks, `bind` still refuses a second socket of the name.
    let lock = open(path.parentPath, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard lock >= 0 else { throw failure("the socket \(path) cannot be created", errno) }
    defer { close(lock) }
    while flock(lock, LOCK_EX) != 0 {
      guard errno == EINTR else { break }
    }
    try removeStale(path)
    let descriptor = try make()
    do throws(ControlError) {
      // On Linux the file gets the mode of the socket.
      guard fchmod(descriptor, 0o600) == 0 else {
        throw failure("the socket \(path) cannot be protected", errno)
      }
      let status = try withAddress(path) { bind(descriptor, $0, $1) }
      guard status == 0 else { throw failure("the socket \(path) cannot be created", errno) }
      guard Glibc.listen(descriptor, backlog) == 0 else {
        throw failure("cannot listen on the socket \(path)", errno)
      }
    } catch {
      close(descriptor)
      throw error
    }
    return descriptor
  }

  /// Connects to a socket. If the queue of new connections is full, it waits for room, but not without limit,
  /// because a recorder that hangs accepts none.
  ///
  /// - Parameter seconds: How long to wait for room; 0 to try once.
  /// - Throws: ``ControlError/Code/socketFailed``, ``ControlError/Code/notPermitted``, or
  ///   ``ControlError/Code/timedOut`` if there was no room in that time.
  static func connect(
    _ path: String, within seconds: Double = patience
  ) throws(ControlError) -> Int32 {
    let descriptor = try make(Int32(SOCK_NONBLOCK.rawValue))
    do throws(ControlError) {
      var number = try connect(descriptor, to: path)
      // Only connecting must not block; reading and sending may.
      guard fcntl(descriptor, F_SETFL, 0) == 0 else {
        throw failure("\(path) cannot be read from", errno)
      }
      if number == EAGAIN { number = try connect(descriptor, to: path, within: seconds) }
      guard number == 0 else { throw refusal(of: path, number) }
    } catch {
      close(descriptor)
      throw error
    }
    return descriptor
  }

  /// - Returns: 0, or the number of the error.
  private static func connect(_ descriptor: Int32, to path: String) throws(ControlError) -> Int32 {
    try withAddress(path) { Glibc.connect(descriptor, $0, $1) == 0 ? 0 : errno }
  }

  /// Waits for room in the queue of new connections: the system wakes the thread once the recorder accepts one.
  ///
  /// - Returns: 0, or the error number.
  private static func connect(
    _ descriptor: Int32, to path: String, within seconds: Double
  ) throws(ControlError) -> Int32 {
    let deadline = MonotonicClock.now.addingSaturating(Int64(saturating: seconds * 1e9))
    var number = EAGAIN
    repeat {
      // Less than a microsecond would be a limit of zero, which means no limit.
      let left = (deadline - MonotonicClock.now) / 1000
      guard left > 0 else { return EAGAIN }
      try limitSending(descriptor, microseconds: left)
      number = try connect(descriptor, to: path)
    } while number == EINTR
    try limitSending(descriptor, microseconds: 0)
    return number
  }

  /// Limits the time for connecting and sending; 0 for no limit.
  private static func limitSending(
    _ descriptor: Int32, microseconds: Int64
  ) throws(ControlError) {
    var limit = timeval()
    limit.tv_sec = .init(microseconds / 1_000_000)
    limit.tv_usec = .init(microseconds % 1_000_000)
    let size = socklen_t(MemoryLayout<timeval>.size)
    guard setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &limit, size) == 0 else {
      throw failure("a socket cannot be given a time limit", errno)
    }
  }

  private static func refusal(of path: String, _ number: Int32) -> ControlError {
    switch number {
    case ENOENT:
      failure("no recorder at \(path); start it, or name its socket", number)
    case ECONNREFUSED: failure("no recorder listens on \(path) anymore", number)
    case EACCES, EPERM:
      ControlError(
        .notPermitted, "\(path) belongs to another user; only that user and root may control it",
        errno: number)
    case EAGAIN:
      ControlError(
        .timedOut, "the recorder at \(path) does not answer; if that persists, end its process",
        errno: number)
    default: failure("\(path) cannot be reached", number)
    }
  }

  /// Doubles the system's usual send buffer. A preview frame has two megabytes, and the sending thread is
  /// woken each time three quarters of the buffer are free: about four times per frame rather than
  /// seven. With a smaller buffer sending costs more time, but works.
  static func widen(_ descriptor: Int32) {
    var room = sendingRoom
    guard sendingRoom(of: descriptor) < 2 * room else { return }
    setsockopt(
      descriptor, SOL_SOCKET, SO_SNDBUF, &room, socklen_t(MemoryLayout<Int32>.size))
  }

  /// The size to ask for in bytes, which every system grants. The system doubles it for its own bookkeeping.
  static let sendingRoom: Int32 = 212_992

  /// The size of a socket's send buffer in bytes; 0 if the system does not report it.
  static func sendingRoom(of descriptor: Int32) -> Int32 {
    var room: Int32 = 0
    var size = socklen_t(MemoryLayout<Int32>.size)
    getsockopt(descriptor, SOL_SOCKET, SO_SNDBUF, &room, &size)
    return room
  }

  /// The user at the other end; nil if the system does not report it.
  static func peerUser(_ descriptor: Int32) -> UInt32? {
    let user = socket_peer_user(descriptor)
    return user < 0 ? nil : UInt32(truncatingIfNeeded: user)
  }

  /// The identity of the file at a path; nil if there is none.
  static func identity(_ path: String) -> FileNumber? {
    var facts = stat()
    return lstat(path, &facts) == 0 ? FileNumber(device: facts.st_dev, node: facts.st_ino) : nil
  }

  /// Identifies a file.
  struct FileNumber: Hashable, Sendable {
    var device: dev_t
    var node: ino_t
  }

  private static func removeStale(_ path: String) throws(ControlError) {
    var facts = stat()
    guard lstat(path, &facts) == 0 else { return }
    guard facts.st_mode & S_IFMT == S_IFSOCK else {
      throw ControlError(
        .socketFailed, "\(path) exists and is not a socket; choose another path")
    }
    let descriptor = try make(Int32(SOCK_NONBLOCK.rawValue))
    defer { close(descriptor) }
    let status = try withAddress(path) { Glibc.connect(descriptor, $0, $1) }
    guard status != 0, errno == ECONNREFUSED else {
      throw ControlError(
        .socketInUse, "a recorder listens on \(path) already; end it, or choose another path")
    }
    guard unlink(path) == 0 else {
      throw failure("the socket \(path) of an earlier recorder cannot be removed", errno)
    }
  }

  private static func make(_ flags: Int32 = 0) throws(ControlError) -> Int32 {
    let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue) | flags
    let descriptor = socket(AF_UNIX, kind, 0)
    guard descriptor >= 0 else { throw failure("no socket can be created", errno) }
    return descriptor
  }

  private static func withAddress<Result>(
    _ path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Result
  ) throws(ControlError) -> Result {
    let bytes = Array(path.utf8)
    guard !bytes.isEmpty, bytes.count <= longestPath, !bytes.contains(0) else {
      throw ControlError(
        .socketFailed,
        "a socket's path of \(bytes.count) bytes; it must have 1 to \(longestPath): \(path)")
    }
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
    return withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
  }

  private static func failure(_ what: String, _ number: Int32) -> ControlError {
    ControlError(.socketFailed, "\(what): \(Errno(rawValue: number))", errno: number)
  }
}
