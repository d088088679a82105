import Foundation

/// What systemd is told of this process (sd_notify).
enum ServiceManager {
  /// Tells it, where it listens.
  static func notify(_ text: String) {
    guard let path = ProcessInfo.processInfo.environment["NOTIFY_SOCKET"],
      let first = path.utf8.first, path.utf8.count <= 107
    else { return }
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
  static func notifyReload() {
    var now = timespec()
    clock_gettime(CLOCK_MONOTONIC, &now)
    notify("RELOADING=1\nMONOTONIC_USEC=\(now.tv_sec * 1_000_000 + now.tv_nsec / 1000)")
  }

  /// Tells it that this process lives, twice as often as it wants to know; nil where it does not.
  static func startHeartbeat() -> Task<Void, Never>? {
    guard let text = ProcessInfo.processInfo.environment["WATCHDOG_USEC"], let limit = Int(text),
      limit > 0
    else { return nil }
    return Task {
      while !Task.isCancelled {
        notify("WATCHDOG=1")
        try? await Task.sleep(for: .microseconds(limit / 2))
      }
    }
  }
}
