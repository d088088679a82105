import Foundation
import Synchronization

/// What systemd is told of this process (sd_notify).
final class ServiceManager: Sendable {
  /// The one that has started this process, if any.
  static let present = ServiceManager(
    path: ProcessInfo.processInfo.environment["NOTIFY_SOCKET"])

  private let path: String?
  private let isStopping = Mutex(false)

  /// - Parameter path: Its socket; nil where nobody listens.
  init(path: String?) { self.path = path }

  /// Tells it that this process is ready.
  func notifyReady() { tell("READY=1") }

  /// Tells it that this process ends. Nothing else is told behind that: what is still under way, such as a reload,
  /// would call a process ready that goes.
  func notifyStopping() {
    isStopping.withLock { isStopping in
      isStopping = true
      send("STOPPING=1")
    }
  }

  private func tell(_ text: String) {
    isStopping.withLock { if !$0 { send(text) } }
  }

  private func send(_ text: String) {
    guard let path, let first = path.utf8.first, path.utf8.count <= 107 else { return }
    let descriptor = socket(
      AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    guard descriptor >= 0 else { return }
    defer { close(descriptor) }
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { bytes in
      bytes.copyBytes(from: path.utf8)
      // A name that begins with @ is one of no file.
      if first == UInt8(ascii: "@") { bytes[0] = 0 }
    }
    let length = socklen_t(MemoryLayout<sa_family_t>.size + path.utf8.count)
    let bytes = Array(text.utf8)
    withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        _ = sendto(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL), $0, length)
      }
    }
  }

  /// Tells it that the configuration is being read again; `READY=1` is to follow.
  func notifyReload() {
    var now = timespec()
    clock_gettime(CLOCK_MONOTONIC, &now)
    tell("RELOADING=1\nMONOTONIC_USEC=\(now.tv_sec * 1_000_000 + now.tv_nsec / 1000)")
  }

  /// Tells it that this process lives, twice as often as it wants to know; nil where it does not.
  func startHeartbeat() -> Task<Void, Never>? {
    guard let text = ProcessInfo.processInfo.environment["WATCHDOG_USEC"], let limit = Int(text),
      limit > 0
    else { return nil }
    return Task {
      while !Task.isCancelled {
        send("WATCHDOG=1")
        try? await Task.sleep(for: .microseconds(limit / 2))
      }
    }
  }
}
