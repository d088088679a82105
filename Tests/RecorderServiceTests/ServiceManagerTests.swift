import Foundation
import TestSupport
import Testing

@testable import recordctl_serve

/// Notifications to systemd.
struct ServiceManagerTests {
  /// Receives datagrams, as systemd does.
  private final class Listener {
    private let descriptor: Int32

    init(path: String) throws {
      descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
      var address = sockaddr_un()
      address.sun_family = sa_family_t(AF_UNIX)
      try #require(path.utf8.count <= 107)
      withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
      let status = withUnsafePointer(to: &address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
        }
      }
      try #require(status == 0)
    }

    deinit { close(descriptor) }

    /// The first line of every datagram received so far.
    func taken() -> [String] {
      var texts: [String] = []
      var bytes = [UInt8](repeating: 0, count: 256)
      while case let count = recv(descriptor, &bytes, bytes.count, Int32(MSG_DONTWAIT)),
        count > 0
      {
        texts.append(String(decoding: bytes[..<count].prefix { $0 != 0x0A }, as: UTF8.self))
      }
      return texts
    }
  }

  @Test func a_reload_finished_after_stopping_does_not_report_ready() throws {
    let folder = try TemporaryFolder()
    let listener = try Listener(path: folder.path("n"))
    let manager = ServiceManager(path: folder.path("n"))
    manager.notifyReady()
    manager.notifyReload()
    manager.notifyStopping()
    manager.notifyReady()
    #expect(listener.taken() == ["READY=1", "RELOADING=1", "STOPPING=1"])
  }
}
