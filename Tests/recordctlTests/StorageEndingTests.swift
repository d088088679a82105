import Foundation
import Glibc
import MediaCore
import TestSupport
import Testing

@testable import MediaLibrary
@testable import ObjectStorage
@testable import recordctl

/// Exit statuses of commands that use object storage.
@Suite struct StorageEndingTests {
  @Test func temporary_errors_end_with_75_and_refusals_with_2() {
    for code in [
      ObjectStorageError.Code.unreachable, .busy, .interrupted, .requestFailed, .credentialsExpired,
    ] {
      #expect(ExitStatus(of: ObjectStorageError(code, "x")) == .tryAgain, "\(code.name)")
    }
    for code in [
      ObjectStorageError.Code.accessDenied, .invalidCredentials, .bucketNotFound, .objectNotFound,
      .untrustedServer,
    ] {
      #expect(ExitStatus(of: ObjectStorageError(code, "x")) == .badInput, "\(code.name)")
    }
  }

  @Test func temporary_library_copy_failures_end_with_75() {
    func status(_ codes: String...) -> recordctl.ExitStatus {
      var report = ExportReport(destination: "s3://takes")
      report.failures = codes.map { .init(asset: "a", path: "a", code: $0, message: "m") }
      return recordctl.ExitStatus([report])
    }
    #expect(ExitStatus(of: MediaLibraryError(.unreachable, "x")) == .tryAgain)
    #expect(status() == .success && status("unreachable", "requestFailed") == .tryAgain)
    #expect(status("unreachable", "objectExists") == .failure)
  }

  @Test func an_uncopied_file_is_named_once() {
    let own = "2026/a.mov: is damaged in the library"
    let whole = "/media/card/2026/a.mov: cannot be opened: no access"
    #expect(
      OffloadText.notCopied([
        ("2026/a.mov", own), ("2026/a.mov", whole), ("2026/a.mov", "other: 2026/a.mov: no"),
        ("a.mov", "2026/a.mov: is there"), ("b.mov", "the disk is full"),
        ("c.mov", "the disk is full"),
      ]) == [
        "NOT copied: " + own, "NOT copied: " + whole,
        "NOT copied: 2026/a.mov: other: 2026/a.mov: no",
        "NOT copied: a.mov: 2026/a.mov: is there",
        "NOT copied: b.mov and 1 more: the disk is full",
      ])
    let report = OffloadReport(
      source: "/media/card", fileCount: 1, byteCount: 1,
      refused: [.init(path: "a.mov", message: "a.mov: is a link")])
    #expect(OffloadText.lines(report).first == "NOT copied: a.mov: is a link")
  }

  /// When a copy also goes to a disk, an unusable address is a failure in its report, with a `MediaLibraryError`
  /// code.
  @Test func a_missing_bucket_ends_with_2() {
    let error = MediaLibraryError(ObjectStorageError(.bucketNotFound, "x"))
    #expect(ExitStatus(of: error) == .badInput)
    var report = ExportReport(destination: "s3://takes")
    report.failures = [.init(asset: "", path: "s3://takes", code: error.code.name, message: "m")]
    #expect(recordctl.ExitStatus([report, ExportReport(destination: "/disk")]) == .badInput)
  }

  @Test func an_asset_changed_during_an_offload_ends_with_3() {
    var offload = LibraryOffload(reports: [ExportReport(destination: "s3://takes")])
    #expect(recordctl.ExitStatus(offload) == .success)
    offload.changed = ["A"]
    #expect(recordctl.ExitStatus(offload) == .imperfect)
    // The worse status wins.
    offload.deletionFailure = MediaLibraryError(.accessDenied, "x")
    #expect(recordctl.ExitStatus(offload) == .failure)
    offload.reports[0].failures = [
      .init(asset: "a", path: "a", code: "unreachable", message: "m")
    ]
    #expect(recordctl.ExitStatus(offload) == .tryAgain)
  }

  @Test func assets_changed_during_an_offload_are_named() {
    #expect(OffloadText.changed([]) == nil)
    #expect(
      OffloadText.changed(["0123456789AB"])
        == "1 asset changed during the copy and stayed in the library: 01234567; offload again to copy "
        + "the current content")
    let many = OffloadText.changed((1...7).map { "A\($0)" })
    #expect(many?.contains("7 assets changed") == true && many?.contains("a5 and 2 more;") == true)
  }

  @Test func an_interrupted_copy_ends_with_75_over_a_network_else_4() {
    func status(to destination: String, _ codes: String...) -> recordctl.ExitStatus {
      var report = ExportReport(destination: "/a")
      report.wasInterrupted = true
      report.failures = codes.map { .init(asset: "a", path: "a", code: $0, message: "m") }
      return recordctl.ExitStatus(
        [ExportReport(destination: destination), report])
    }
    #expect(status(to: "s3://takes") == .tryAgain && status(to: "/b") == .endedEarly)
    #expect(status(to: "/b", "diskFull") == .failure)
  }

  /// The same table applies to copies of cards, of libraries and of single files.
  @Test func storage_errors_have_the_same_status_for_every_copy() {
    func statuses(_ codes: String...) -> [recordctl.ExitStatus] {
      var card = OffloadReport(source: "/card", fileCount: 1, byteCount: 1, refused: [])
      card.destinations = [.init(folder: "s3://takes/card")]
      card.destinations[0].failures = codes.map { .init(path: "a", code: $0, message: "m") }
      var library = ExportReport(destination: "s3://takes")
      library.failures = codes.map { .init(asset: "a", path: "a", code: $0, message: "m") }
      var upload = UploadReport(address: "s3://takes")
      upload.failures = codes.map { TransferFailure(path: "a", code: $0, message: "m") }
      return [.init(card), .init([library]), .init(upload)]
    }
    #expect(Set(statuses("unreachable", "requestFailed")) == [.tryAgain])
    #expect(Set(statuses("accessDenied", "unreachable")) == [.badInput])
    #expect(Set(statuses("objectExists", "unreachable")) == [.failure])
    // A file that cannot be read from the card is not a network problem.
    var card = OffloadReport(source: "/card", fileCount: 1, byteCount: 1, refused: [])
    card.refused = [.init(path: "b", message: "m")]
    card.destinations = [
      .init(
        folder: "s3://takes", failures: [.init(path: "a", code: "unreachable", message: "m")])
    ]
    #expect(recordctl.ExitStatus(card) == .failure)
    card = OffloadReport(source: "/card", fileCount: 1, byteCount: 1, refused: [])
    card.wasInterrupted = true
    card.destinations = [.init(folder: "/disk")]
    #expect(recordctl.ExitStatus(card) == .endedEarly)
  }

  @Test func a_queue_locked_by_another_process_ends_with_75() throws {
    let folder = try TemporaryFolder()
    let state = folder.path("state/recordctl/uploads")
    let queue = UploadQueue(of: try #require(ObjectAddress("s3://takes")), in: state)
    let words = ["upload", "--queued", "s3://takes"]
    let environment = ["XDG_STATE_HOME": folder.path("state")]
    try queue.add(try folder.write("note", "a.mov").path)
    let lock = open(queue.folder + "/lock", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    try #require(lock >= 0 && flock(lock, LOCK_EX) == 0)
    defer { close(lock) }
    let held = try Recordctl(words, environment: environment)
    #expect(held.status == 75 && held.errors.contains("another process"), "\(held.errors)")
    #expect(try !queue.isEmpty)
    // With nothing left to send, the lock is not reported.
    for name in try FileManager.default.contentsOfDirectory(atPath: queue.folder)
    where name != "lock" { try FileManager.default.removeItem(atPath: queue.folder + "/" + name) }
    #expect(try Recordctl(words, environment: environment).status == 0)
  }

  @Test func fetch_refusals_end_with_2_and_damage_with_1() {
    func status(_ codes: String...) -> recordctl.ExitStatus {
      var report = FetchReport(folder: "/a")
      report.failures = codes.map { TransferFailure(path: "a", code: $0, message: "m") }
      return recordctl.ExitStatus(report)
    }
    #expect(status() == .success)
    #expect(status("accessDenied") == .badInput && status("bucketNotFound") == .badInput)
    #expect(status("verificationFailed") == .failure && status("requestRefused") == .failure)
    #expect(status("unreachable") == .tryAgain && status("unreachable", "fileExists") == .failure)
  }

  /// The server accepts the connection and sends nothing.
  @Test(arguments: ["upload", "fetch"], [SIGINT, SIGTERM])
  func a_signal_interrupts_a_pending_storage_request(verb: String, signal: Int32) throws {
    let server = try SilentServer()
    let folder = try TemporaryFolder()
    try folder.write("note", "note.txt")
    let words =
      verb == "upload"
      ? ["upload", folder.path("note.txt"), "s3://takes"]
      : ["fetch", "s3://takes/day", "-o", folder.path("back")]
    let child = try Child(
      words, errors: .file(folder.path("errors")),
      environment: [
        "AWS_ENDPOINT_URL": "http://127.0.0.1:\(server.port)", "AWS_ACCESS_KEY_ID": "KEY",
        "AWS_SECRET_ACCESS_KEY": "hush", "XDG_STATE_HOME": folder.path("state"),
      ])
    #expect(server.isAsked(within: 20), "the server receives a request")
    child.send(signal)
    #expect(child.wait(seconds: 5) == .exited(75))
    let errors = String(decoding: try folder.bytes("errors"), as: UTF8.self)
    #expect(errors.contains("interrupted"), "\(errors)")
  }

  /// There is no server; a recorder's leftover upload waits for one.
  @Test(.tags(.slow)) func queued_uploads_are_retried_until_a_signal() throws {
    let folder = try TemporaryFolder()
    let state = folder.path("state/recordctl/uploads")
    let queue = UploadQueue(of: try #require(ObjectAddress("s3://takes")), in: state)
    try queue.add(try folder.write("note", "a.mov").path)
    let child = try Child(
      ["upload", "--queued", "--keep-trying", "s3://takes"], errors: .file(folder.path("errors")),
      environment: [
        "AWS_ENDPOINT_URL": "http://127.0.0.1:9", "AWS_ACCESS_KEY_ID": "KEY",
        "AWS_SECRET_ACCESS_KEY": "hush", "XDG_STATE_HOME": folder.path("state"),
      ])
    try waitUntil("the wait is reported", within: .seconds(60)) {
      let errors = String(decoding: try folder.bytes("errors"), as: UTF8.self)
      return errors.contains("cannot be reached") && errors.contains("trying again in 5 s")
    }
    child.send(SIGTERM)
    #expect(child.wait(seconds: 5) == .exited(75))
    #expect(try !queue.isEmpty)
    try Recordctl(["upload", "--keep-trying", folder.path("a.mov"), "s3://takes"])
      .expectRefusal(naming: "--queued")
  }
}

/// A port that accepts connections and never answers.
private final class SilentServer {
  private let descriptor: Int32
  let port: UInt16

  init() throws {
    descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let descriptor = descriptor
    let isListening = withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, length) == 0 && listen(descriptor, 4) == 0
          && getsockname(descriptor, $0, &length) == 0
      }
    }
    port = UInt16(bigEndian: address.sin_port)
    try #require(isListening)
  }

  deinit { close(descriptor) }

  /// True once a client connects.
  func isAsked(within seconds: Int32) -> Bool {
    var wish = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    return poll(&wish, 1, seconds * 1000) == 1
  }
}
