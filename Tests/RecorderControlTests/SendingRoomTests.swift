import Foundation
import TestSupport
import Testing

@testable import RecorderControl

/// The size of the system's buffer for a client: the larger it is, the less often the thread that sends frames
/// wakes.
@Suite(.timeLimit(.minutes(5))) struct SendingRoomTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test func a_socket_send_buffer_never_shrinks() {
    var ends: [Int32] = [-1, -1]
    #expect(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0)
    defer { for end in ends { close(end) } }
    let usual = UnixSocket.sendingRoom(of: ends[0])
    UnixSocket.widen(ends[0])
    let wide = UnixSocket.sendingRoom(of: ends[0])
    #expect(wide >= 2 * UnixSocket.sendingRoom && wide >= usual)
    var more = 2 * UnixSocket.sendingRoom
    setsockopt(ends[0], SOL_SOCKET, SO_SNDBUF, &more, socklen_t(MemoryLayout<Int32>.size))
    let widest = UnixSocket.sendingRoom(of: ends[0])
    UnixSocket.widen(ends[0])
    #expect(UnixSocket.sendingRoom(of: ends[0]) == widest)
  }

  @Test func a_slow_client_gets_a_larger_send_buffer() async throws {
    let recorder = StubRecorder()
    let server = try ControlServer(path: folder.path("r.socket"), recorder: recorder)
    defer { server.stop() }
    let client = try UnixSocket.connect(folder.path("r.socket"))
    defer { close(client) }
    let line = "{\"command\":\"events\",\"isOn\":true}\n"
    #expect(send(client, line, line.utf8.count, Int32(MSG_NOSIGNAL)) == line.utf8.count)
    try await eventually("the command arrives") { !recorder.commands.isEmpty }
    for _ in 0..<80 { recorder.tell(String(repeating: "y", count: 10_000)) }
    try await eventually("more than 200 KB are queued") {
      var waiting: Int32 = 0
      return ioctl(client, UInt(FIONREAD), &waiting) == 0 && waiting > 220_000
    }
  }
}
