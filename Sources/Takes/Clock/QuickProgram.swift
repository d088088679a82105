import CLinux
import MediaCore

#if canImport(Glibc)
import Glibc
#else
import Musl
#endif

/// A program that is asked for a line or two, and killed where it takes long.
struct QuickProgram: Sendable {
  let path: String

  /// The most bytes that are read of it.
  private static let byteLimit = 1 << 16

  /// Looks for a program in `PATH`, and where administrators' programs are; nil where it is not there.
  init?(_ name: String) {
    let folders =
      (getenv("PATH").map { String(cString: $0) } ?? "").split(separator: ":").map(String.init)
      + ["/usr/sbin", "/usr/bin", "/usr/local/sbin"]
    let paths = folders.filter { $0.hasPrefix("/") }.map { folder in "\(folder)/\(name)" }
    guard let path = paths.first(where: { access($0, X_OK) == 0 }) else { return nil }
    self.path = path
  }

  /// What it prints; nil where it cannot be started, fails or takes long. Blocks the thread.
  ///
  /// - Parameter patience: Seconds until it is killed.
  func output(of arguments: [String], patience: Double = 2) -> String? {
    var ends: [Int32] = [-1, -1]
    guard pipe_for_self(&ends) == 0 else { return nil }
    defer { close(ends[0]) }
    let launch = ProcessLaunch(path, words: [path] + arguments, output: .descriptor(ends[1]))
    let process = try? launch.start()
    close(ends[1])
    guard let process else { return nil }
    let deadline = MonotonicClock.now + Int64(patience * 1e9)
    let bytes = contents(of: ends[0], until: deadline)
    guard end(process, by: bytes == nil ? .min : deadline) == 0, let bytes else { return nil }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Waits for a process, and kills it where it is there after a deadline; its status.
  private func end(_ process: pid_t, by deadline: Int64) -> Int32 {
    var status: Int32 = 0
    while waitpid(process, &status, WNOHANG) == 0 {
      if MonotonicClock.now >= deadline { kill(process, SIGKILL) }
      MonotonicClock.sleep(until: MonotonicClock.now + 2_000_000)
    }
    return status
  }

  /// All that comes until the other end is closed; nil where that takes too long or is too much.
  private func contents(of descriptor: Int32, until deadline: Int64) -> [UInt8]? {
    var all: [UInt8] = []
    while true {
      let left = (deadline - MonotonicClock.now) / 1_000_000
      guard left > 0, all.count < Self.byteLimit else { return nil }
      var wanted = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      guard poll(&wanted, 1, Int32(clamping: left)) > 0 else { continue }
      var failure: Int32 = 0
      let bytes = [UInt8](unsafeUninitializedCapacity: 4096) { buffer, count in
        let length = read(descriptor, buffer.baseAddress, buffer.count)
        if length < 0 { failure = errno }
        count = max(length, 0)
      }
      if failure == EINTR { continue }
      guard failure == 0 else { return nil }
      guard !bytes.isEmpty else { return all }
      all += bytes
    }
  }
}
