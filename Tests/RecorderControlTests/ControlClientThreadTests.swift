import Foundation
import MediaCore
import TestSupport
import Testing

@testable import RecorderControl

/// A system that cannot start more threads.
@Suite struct ControlClientThreadTests {
  @Test func a_client_without_a_thread_reports_why_and_closes_its_connection() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("r.socket")
    let listener = try UnixSocket.listen(path)
    defer { close(listener) }
    let error = #expect(throws: ControlError.self) {
      _ = try ControlClient(path: path, within: 1) { _ throws(MediaCoreError) in
        throw MediaCoreError(.outOfResources, "the system cannot start more threads")
      }
    }
    #expect(error?.code == .socketFailed)
    #expect(error?.message.contains("start more threads") == true, "\(String(describing: error))")
    let connection = accept(listener, nil, nil)
    defer { close(connection) }
    var byte: UInt8 = 0
    #expect(connection >= 0 && recv(connection, &byte, 1, Int32(MSG_DONTWAIT)) == 0)
  }
}
