import Foundation
import Synchronization
import TestSupport

/// HTTP and WebSockets as raw bytes, so that a test can send what no library would.
struct NetworkClient {
  struct Answer {
    var status: Int
    var headers: [String: String]
    var body: Data

    var json: [String: Any] {
      (try? JSONSerialization.jsonObject(with: body)) as? [String: Any] ?? [:]
    }

    /// The error code in the JSON body.
    var errorCode: String? { (json["error"] as? [String: Any])?["code"] as? String }
  }

  struct Failure: Error {
    var what: String
  }

  var port: Int
  /// A token for the `Authorization` header.
  var token: String?

  /// Sends a request and waits for the answer. Blocks.
  func ask(
    _ method: String, _ path: String, _ body: String? = nil, headers: [String: String] = [:]
  ) throws -> Answer {
    var all = ["Host": "127.0.0.1:\(port)", "Connection": "close"]
    if let token { all["Authorization"] = "Bearer \(token)" }
    if let body {
      all["Content-Type"] = "application/json"
      all["Content-Length"] = "\(body.utf8.count)"
    }
    all.merge(headers) { $1 }
    let head = all.filter { !$0.value.isEmpty }.map { "\($0): \($1)\r\n" }.joined()
    let connection = try Connection(port: port)
    try connection.send(Data("\(method) \(path) HTTP/1.1\r\n\(head)\r\n\(body ?? "")".utf8))
    return try Self.answer(connection.readToEnd())
  }

  private static func answer(_ data: Data) throws -> Answer {
    guard let end = data.firstRange(of: Data("\r\n\r\n".utf8)) else {
      throw Failure(what: "no answer: \(String(decoding: data, as: UTF8.self))")
    }
    var lines = String(decoding: data[..<end.lowerBound], as: UTF8.self)
      .components(separatedBy: "\r\n")
    let first = lines.removeFirst().split(separator: " ")
    let headers = lines.compactMap { line -> (String, String)? in
      guard let colon = line.firstIndex(of: ":") else { return nil }
      return (
        line[..<colon].lowercased(),
        line[line.index(after: colon)...].trimmingCharacters(in: .whitespaces)
      )
    }
    return Answer(
      status: first.count > 1 ? Int(first[1]) ?? 0 : 0,
      headers: Dictionary(headers) { $0 + ", " + $1 }, body: Data(data[end.upperBound...]))
  }

  /// Opens a WebSocket; if refused, throws the first line of the answer.
  func webSocket(_ path: String, headers: [String: String] = [:]) throws -> WebSocketClient {
    let connection = try Connection(port: port)
    var all = [
      "Host": "127.0.0.1:\(port)", "Upgrade": "websocket", "Connection": "Upgrade",
      "Sec-WebSocket-Version": "13", "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==",
    ]
    if let token { all["Authorization"] = "Bearer \(token)" }
    all.merge(headers) { $1 }
    let head = all.map { "\($0): \($1)\r\n" }.joined()
    try connection.send(Data("GET \(path) HTTP/1.1\r\n\(head)\r\n".utf8))
    let answer = try connection.read(until: Data("\r\n\r\n".utf8))
    let line = String(decoding: answer, as: UTF8.self).prefix { $0 != "\r\n" }
    guard line.contains(" 101 ") else { throw Failure(what: String(line)) }
    return WebSocketClient(connection: connection)
  }
}

/// A WebSocket client; blocks.
final class WebSocketClient {
  private let connection: Connection

  fileprivate init(connection: Connection) { self.connection = connection }

  /// Sends pings without reading the answers.
  ///
  /// - Returns: How many were sent before the connection was closed, at most `limit`.
  func ping(atMost limit: Int) -> Int {
    // 125 bytes with a zero mask; many pings in one write.
    let ping = [0x89, 0x80 | 125, 0, 0, 0, 0] + [UInt8](repeating: 7, count: 125)
    let piece = Data(Array(repeating: ping, count: 500).joined())
    for sent in stride(from: 0, to: limit, by: 500) {
      do { try connection.send(piece) } catch { return sent }
    }
    return limit
  }

  enum Message {
    case text(String)
    case bytes(Data)
    case closed
  }

  func send(_ text: String) throws {
    let payload = Array(text.utf8)
    var frame: [UInt8] = [0x81]
    if payload.count < 126 {
      frame.append(0x80 | UInt8(payload.count))
    } else {
      frame += [0x80 | 126, UInt8(payload.count >> 8), UInt8(payload.count & 0xFF)]
    }
    // A zero mask.
    frame += [0, 0, 0, 0]
    try connection.send(Data(frame + payload))
  }

  /// The next message; pings are answered.
  func next() throws -> Message {
    while true {
      guard let head = try? connection.read(count: 2) else { return .closed }
      let bytes = [UInt8](head)
      var length = Int(bytes[1] & 0x7F)
      if length == 126 {
        length = try connection.read(count: 2).reduce(0) { $0 << 8 | Int($1) }
      } else if length == 127 {
        length = try connection.read(count: 8).reduce(0) { $0 << 8 | Int($1) }
      }
      let payload = try connection.read(count: length)
      switch bytes[0] & 0x0F {
      case 1: return .text(String(decoding: payload, as: UTF8.self))
      case 2: return .bytes(payload)
      case 8: return .closed
      case 9: try connection.send(Data([0x8A, 0x80 | UInt8(payload.count), 0, 0, 0, 0] + payload))
      default: continue
      }
    }
  }
}

/// A TCP connection to this machine; blocks for at most a minute.
final class Connection {
  private let descriptor: Int32
  private var buffer = Data()

  init(port: Int) throws {
    descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var patience = timeval(tv_sec: 60, tv_usec: 0)
    setsockopt(
      descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = in_port_t(port).bigEndian
    address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
    let status = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    guard status == 0 else { throw NetworkClient.Failure(what: "no connection: \(errno)") }
  }

  deinit { close(descriptor) }

  func send(_ data: Data) throws { try sendAll(data, descriptor) }

  /// Sends on a separate thread, which waits until the data is read.
  func sendAside(_ data: Data) -> Sending { Sending(data, descriptor) }

  /// Data being sent by a dedicated thread: other tests may hold the threads that tasks share for longer than the
  /// gateway's timeout.
  final class Sending: Sendable {
    private let result = Mutex<Result<Void, any Error>>(.success(()))
    private let ended = DispatchSemaphore(value: 0)

    fileprivate init(_ data: Data, _ descriptor: Int32) {
      Thread.detachNewThread { [self] in
        let sent = Result { try sendAll(data, descriptor) }
        result.withLock { $0 = sent }
        ended.signal()
      }
    }

    func wait() throws {
      ended.wait()
      try result.withLock { $0 }.get()
    }
  }

  private func fill() throws -> Bool {
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    let count = recv(descriptor, &chunk, chunk.count, 0)
    guard count >= 0 else { throw NetworkClient.Failure(what: "nothing came: \(errno)") }
    buffer += chunk[..<count]
    return count > 0
  }

  func readToEnd() throws -> Data {
    while try fill() {}
    return buffer
  }

  func read(until end: Data) throws -> Data {
    while true {
      if let range = buffer.firstRange(of: end) {
        defer { buffer = Data(buffer[range.upperBound...]) }
        return Data(buffer[..<range.upperBound])
      }
      guard try fill() else { throw NetworkClient.Failure(what: "closed") }
    }
  }

  func read(count: Int) throws -> Data {
    while buffer.count < count {
      guard try fill() else { throw NetworkClient.Failure(what: "closed") }
    }
    defer { buffer = Data(buffer.dropFirst(count)) }
    return Data(buffer.prefix(count))
  }
}

private func sendAll(_ data: Data, _ descriptor: Int32) throws {
  var rest = data
  while !rest.isEmpty {
    let count = rest.withUnsafeBytes {
      Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
    }
    guard count > 0 else { throw NetworkClient.Failure(what: "closed while sending") }
    rest = rest.dropFirst(count)
  }
}
