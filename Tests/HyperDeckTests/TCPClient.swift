import Foundation
import Testing

/// A TCP connection that sends and reads text.
final class TCPClient {
  private let descriptor: Int32
  private var bytes: [UInt8] = []
  /// True once the connection has ended with a reset; on some systems unread data is then lost.
  private(set) var wasReset = false

  init(_ port: Int, address: String = "127.0.0.1") throws {
    descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var place = sockaddr_in()
    place.sin_family = sa_family_t(AF_INET)
    place.sin_port = in_port_t(port).bigEndian
    inet_pton(AF_INET, address, &place.sin_addr)
    let result = withUnsafePointer(to: place) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    try #require(result == 0, "connect to port \(port)")
  }

  deinit { close(descriptor) }

  func send(_ text: String, waits: Bool = true) {
    let bytes = Array(text.utf8)
    _ = Foundation.send(
      descriptor, bytes, bytes.count,
      Int32(MSG_NOSIGNAL) | (waits ? 0 : Int32(MSG_DONTWAIT)))
  }

  /// True while the system accepts data: the other side reads, or has not yet answered with a reset.
  func takesMore() -> Bool {
    Foundation.send(descriptor, [0x0A], 1, Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT)) == 1
  }

  /// The next reply or notification; empty at the end of the connection.
  func block() async -> String {
    while true {
      let text = String(decoding: bytes, as: UTF8.self)
      if let end = text.range(of: "\r\n") {
        let isBlock = text[..<end.lowerBound].hasSuffix(":")
        if !isBlock { return take(text[..<end.upperBound]) }
        if let end = text.range(of: "\r\n\r\n") { return take(text[..<end.upperBound]) }
      }
      guard await more() else { return "" }
    }
  }

  /// True once the server has closed the connection and nothing is left to read.
  func isAtEnd() async -> Bool {
    guard bytes.isEmpty else { return false }
    return await !more()
  }

  private func take(_ text: Substring) -> String {
    bytes.removeFirst(text.utf8.count)
    return String(text)
  }

  /// Reads more without blocking a thread that the server may need.
  private func more() async -> Bool {
    var buffer = [UInt8](repeating: 0, count: 65_536)
    let deadline = ContinuousClock.now + .seconds(60)
    while ContinuousClock.now < deadline {
      let count = recv(descriptor, &buffer, buffer.count, Int32(MSG_DONTWAIT))
      if count > 0 {
        bytes += buffer[..<count]
        return true
      }
      guard count < 0, errno == EAGAIN || errno == EINTR else {
        wasReset = count < 0
        return false
      }
      try? await Task.sleep(for: .milliseconds(2))
    }
    return false
  }
}
