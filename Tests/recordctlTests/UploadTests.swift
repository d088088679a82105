import Foundation
import TestSupport
import Testing

/// Gives a suite whose tests run one after another their server: to start one takes a second of a processor.
private struct ServerTrait: SuiteTrait, TestScoping {
  @TaskLocal static var server: MotoServer?

  func provideScope(
    for test: Test, testCase: Test.Case?,
    performing function: @concurrent @Sendable () async throws -> Void
  ) async throws {
    try await Self.$server.withValue(try MotoServer()) { try await function() }
  }
}

extension SuiteTrait where Self == ServerTrait {
  fileprivate static var atOneServer: Self { Self() }
}

/// `upload`, `fetch`, `verify --copy` and recordings with `--upload`, as processes that talk to a server.
@Suite(
  .enabled(if: StorageTools.isPresent, StorageTools.absence), .tags(.judges, .network),
  .serialized, .timeLimit(.minutes(10)), .atOneServer)
struct UploadTests {
  private let folder: TemporaryFolder
  private let server: MotoServer

  init() throws {
    folder = try TemporaryFolder()
    server = try #require(ServerTrait.server)
    try server.begin(bucket: "takes")
  }

  private var variables: [String: String] {
    server.environment.merging(["XDG_STATE_HOME": folder.path("state")]) { $1 }
  }

  @discardableResult
  private func run(
    _ arguments: String..., environment: [String: String] = [:], status: Int32 = 0,
    at location: SourceLocation = #_sourceLocation
  ) throws -> Recordctl {
    let run = try Recordctl(
      arguments, environment: variables.merging(environment) { $1 }, in: folder.url)
    #expect(
      run.status == status, "\(arguments): \(run.output)\(run.errors)", sourceLocation: location)
    #expect(!(run.output + run.errors).contains("hush"), sourceLocation: location)
    return run
  }

  private func record(_ name: String, _ more: String..., seconds: Int = 1) throws -> Recordctl {
    let run = try Recordctl(
      [
        "record", "--device", "pattern:noise?pace=none", "--size", "640x360", "--rate", "25",
        "--codec", "hq", "--duration", "\(seconds * 25)f", "-o", folder.path(name), "--json",
      ] + more, environment: variables, in: folder.url)
    #expect(run.status == 0, "\(run.errors)")
    return run
  }

  private func write(_ name: String, megabytes: Int) throws -> [UInt8] {
    var generator = SeededGenerator(seed: 5)
    let bytes = generator.bytes(megabytes << 20)
    try folder.write(bytes, name)
    return bytes
  }

  @Test func a_take_is_uploaded_verified_removed_and_fetched() throws {
    _ = try record("take.mov")
    let bytes = try folder.bytes("take.mov")
    #expect(try run("upload", "take.mov", "s3://takes/day").output.contains("2 files"))
    #expect(
      try run("verify", "take.mov", "--copy", "s3://takes/day").output.contains("all complete"))
    try run("verify", "take.mov", "--copy", "s3://takes/day", "--read")
    try run("upload", "take.mov", "s3://takes/day", "--remove-when-verified")
    #expect(!folder.contents.contains("take.mov") && !folder.contents.contains("take.mov.json"))
    try run("fetch", "s3://takes/day/take.mov", "-o", "back")
    #expect(try folder.bytes("back/take.mov") == bytes)
    #expect(try run("verify", "back/take.mov").output.contains("the file agrees"))
    #expect(try server.taken.most == 1)
    // Damaged there, with all the words of its sender.
    try server.boto(
      """
      o = s3.get_object(Bucket='takes', Key='day/take.mov')
      b = bytearray(o['Body'].read()); b[len(b) // 2] ^= 1
      s3.put_object(Bucket='takes', Key='day/take.mov', Body=bytes(b), Metadata=o['Metadata'])
      """)
    #expect(
      try run("verify", "back/take.mov", "--copy", "s3://takes/day", "--read", status: 1).output
        .contains("damaged"))
    let refusal = try run("fetch", "s3://takes/day/take.mov", "-o", "other", status: 1)
    #expect(refusal.output.contains("NOT fetched") && refusal.output.contains("is damaged"))
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path("other"))
    #expect(names == ["take.mov.json"])
  }

  @Test(.tags(.slow)) func upload_and_fetch_errors_are_named_with_their_status() throws {
    try folder.write("one", "a.txt")
    try server.boto("s3.put_object(Bucket='takes', Key='a.txt', Body=b'other')")
    #expect(
      try run("upload", "a.txt", "s3://takes", status: 1).output.contains("s3://takes/a.txt"))
    #expect(try run("upload", "a.txt", "s3://gone", status: 2).errors.contains("s3://gone"))
    let short = try run("upload", "a.txt", "s3://b/day", status: 2).errors
    #expect(short.contains("a bucket of 3 or more"))
    for verb in [["verify", "a.txt"], ["library", "verify"]] {
      try Recordctl(
        verb + ["--copy", "s3://gone/day"], environment: variables, in: folder.url
      ).expectRefusal(naming: "s3://gone", "no such bucket")
    }
    #expect(
      try run("fetch", "s3://takes/a.txt", "-o", ".", status: 1).output.contains(
        "different content"))
    let away = ["AWS_ENDPOINT_URL": "http://127.0.0.1:9"]
    // One that never answered is given up after some seconds.
    if TestRun.isThorough {
      try run("upload", "a.txt", "s3://takes", environment: away, status: 75)
    }
    for (arguments, words) in [
      (["upload", "a.txt"], "s3://BUCKET"), (["upload", "s3://takes"], "before the address"),
      (["upload", "--queued", "a.txt", "s3://takes"], "only an address"),
      (["fetch", "a.txt", "-o", "."], "s3://BUCKET"),
      (["record", "--upload", "takes"], "s3://BUCKET"),
      (["record", "--upload-remove"], "--upload"),
      (["record", "--device", "pattern", "--upload", "s3://takes", "--save"], "library"),
    ] {
      try Recordctl(arguments, environment: variables, in: folder.url)
        .expectRefusal(naming: words)
    }
  }

  /// SIGKILL at some place of a movie in parts; the next run sends what has not arrived.
  @Test(.tags(.slow), arguments: TestRun.isThorough ? [50] : [2])
  func a_killed_upload_resumes_without_sending_twice(kills: Int) throws {
    let bytes = try write("big.mov", megabytes: TestRun.isThorough ? 400 : 48)
    var generator = SeededGenerator(seed: UInt64(kills))
    for _ in 0..<kills {
      let before = try server.taken.count
      let child = try Child(
        ["upload", folder.path("big.mov"), "s3://takes", "--bandwidth", "200MB"],
        environment: variables)
      // Somewhere between its first byte and its next parts.
      let wait = Double.random(in: 0.02...0.3, using: &generator)
      try waitUntil("the upload is running", within: .seconds(20)) {
        try server.taken.count > before
          || FileManager.default.fileExists(atPath: folder.path("state/recordctl/uploads"))
      }
      Thread.sleep(forTimeInterval: wait)
      child.send(SIGKILL)
      if child.wait() == .exited(0) { break }
    }
    try run("upload", "big.mov", "s3://takes")
    #expect(try server.taken.most == 1)
    let facts = try server.boto(
      """
      import hashlib
      b = s3.get_object(Bucket='takes', Key='big.mov')['Body'].read()
      print(len(b), hashlib.md5(b).hexdigest(), len(s3.list_multipart_uploads(Bucket='takes').get('Uploads', [])))
      """)
    let digest = try Command.run("md5sum", [folder.path("big.mov")]).output.prefix(32)
    #expect(facts == "\(bytes.count) \(digest) 0")
  }

  @Test func a_killed_fetch_resumes_where_it_stopped() throws {
    let bytes = try write("big.mov", megabytes: 40)
    try run("upload", "big.mov", "s3://takes")
    let child = try Child(
      ["fetch", "s3://takes/big.mov", "-o", folder.path("back"), "--bandwidth", "20MB"],
      environment: variables)
    try waitUntil("part of the file has arrived") {
      let names =
        (try? FileManager.default.contentsOfDirectory(atPath: folder.path("back"))) ?? []
      return names.contains { Recordctl.size(folder.path("back/\($0)")) > 5_000_000 }
    }
    child.send(SIGKILL)
    #expect(child.wait() == .signalled(SIGKILL))
    let there = try FileManager.default.contentsOfDirectory(atPath: folder.path("back"))
    let kept = there.reduce(0) { $0 + Recordctl.size(folder.path("back/\($1)")) }
    #expect(there.allSatisfy { $0.hasPrefix(".") } && kept < bytes.count)
    let run = try run("fetch", "s3://takes/big.mov", "-o", "back", "--json")
    let report = try #require(try run.json() as? [String: Any])
    #expect(report["receivedByteCount"] as? Int == bytes.count - kept)
    #expect(try folder.bytes("back/big.mov") == bytes)
  }

  @Test func workers_without_a_shared_disk_make_an_identical_movie() throws {
    _ = try record("reel.mov", seconds: 2)
    try run(
      "encode", "plan", "reel.mov", "-o", "job", "--parts", "3", "--restart", "10", "--codec", "lt")
    try run("upload", "job", "s3://takes/jobs")
    for (part, worker) in ["one", "two", "one"].enumerated() {
      // Twice, as after a failure.
      for _ in 0..<2 {
        try run(
          "fetch", "s3://takes/jobs/job/plan.json", "s3://takes/jobs/job/index", "-o",
          "\(worker)/job")
      }
      try run("encode", "part", "\(worker)/job", "\(part)")
      try run("upload", "\(worker)/job", "s3://takes/jobs")
    }
    // A part that another worker made as well.
    try run("encode", "part", "two/job", "0")
    #expect(
      try run("upload", "two/job", "s3://takes/jobs").output.contains("another worker encoded"))
    #expect(try server.taken.most == 1)
    try run("fetch", "s3://takes/jobs/job", "-o", "whole")
    try run("encode", "join", "whole/job")
    try run("encode", "part", "job", "0-2")
    try run("encode", "join", "job")
    #expect(try folder.bytes("whole/job/movies/reel.mov") == folder.bytes("job/movies/reel.mov"))
  }

  // MARK: Recordings

  private func channel(
    _ more: String..., environment: [String: String] = [:]
  ) throws -> (child: Child, socket: String) {
    let socket = folder.path("a.socket")
    let child = try Child(
      [
        "channel", "--socket", socket, "--device", "pattern:bars", "--size", "640x360", "--rate",
        "25", "--codec", "proxy", "-o", folder.path("c-{take}.mov"), "--segment", "20f", "--json",
        "--upload",
      ] + more, output: .file(folder.path("channel.out")),
      errors: .file(folder.path("channel.err")),
      environment: variables.merging(environment) { $1 })
    try waitUntil("the channel is idle") {
      try Recordctl(["control", socket, "status", "--json"]).output.contains("\"state\":\"idle\"")
    }
    return (child, socket)
  }

  private func keys() throws -> [String] {
    try server.boto(
      "print(' '.join(o['Key'] for o in s3.list_objects_v2(Bucket='takes').get('Contents', [])))"
    ).split(separator: " ").map(String.init)
  }

  @Test func segments_are_uploaded_during_and_after_the_take() throws {
    let (child, socket) = try channel("s3://takes/live", "--upload-remove")
    try Recordctl(["control", socket, "start"])
    try waitUntil("segments arrive during the recording") {
      try server.requests.count { $0.method == "PUT" && $0.path.hasSuffix(".mov.json") } >= 1
    }
    #expect(
      try Recordctl(["control", socket, "status", "--json"]).output
        .contains("\"state\":\"recording\""))
    // The recorder ends at once; what sends does not.
    try Recordctl(["control", socket, "quit"])
    // 3 where the machine was too busy for real time.
    #expect([.exited(0), .exited(3)].contains(child.wait()))
    try waitUntil("all files are sent and removed") {
      !folder.contents.contains { $0.hasSuffix(".mov") || $0.hasSuffix(".mov.json") }
    }
    let report = try JSONSerialization.jsonObject(with: Data(try folder.bytes("channel.out")))
    let recording = try #require(report as? [String: Any])
    let segments = try #require(recording["segments"] as? [[String: Any]])
    let upload = try #require(recording["upload"] as? [String: Any])
    #expect((upload["movies"] as? [[String: Any]])?.count == segments.count)
    #expect(try keys().count == 2 * segments.count && segments.count > 1)
    #expect(["complete", "imperfect"].contains(recording["outcome"] as? String))
    #expect(try server.taken.most == 1)
    try waitUntil("the queue is empty") {
      try !FileManager.default.subpathsOfDirectory(atPath: folder.path("state"))
        .contains { $0.hasSuffix(".json") }
    }
    try run("fetch", "s3://takes/live/c-001-001.mov", "-o", "back")
    #expect(try Recordctl.isValid(folder.path("back/c-001-001.mov")))
  }

  @Test func a_recording_continues_without_its_bucket_and_reports_it() throws {
    let (child, socket) = try channel("s3://gone/live")
    let listener = try Child(
      ["control", socket, "events"], output: .file(folder.path("events")), environment: variables)
    defer { listener.send(SIGKILL) }
    try Recordctl(["control", socket, "start"])
    try waitUntil("the error is reported as a line and an event") {
      let lines = String(decoding: try folder.bytes("channel.err"), as: UTF8.self)
      let events = String(decoding: try folder.bytes("events"), as: UTF8.self)
      return lines.contains("s3://gone") && lines.contains("no such bucket")
        && events.contains("no such bucket")
    }
    try Recordctl(["control", socket, "quit"])
    // 3 where the machine was too busy for real time.
    #expect([.exited(0), .exited(3)].contains(child.wait()))
    let text = String(decoding: try folder.bytes("channel.out"), as: UTF8.self)
    #expect(text.contains("\"bucketNotFound\""))
    #expect(folder.contents.contains("c-001-001.mov"))
    // The bucket is made, and the upload is called again. The recorder's own uploader may still hold the queue, and may
    // have asked for the bucket before: then one more call is needed.
    try server.boto("s3.create_bucket(Bucket='gone')")
    try waitUntil("all files have arrived") {
      let more = try Recordctl(
        ["upload", "--queued", "s3://gone/live"], environment: variables, in: folder.url)
      #expect(
        more.status == 0 || more.status == 75 && more.errors.contains("another process"),
        "\(more.errors)")
      let count = try server.boto("print(s3.list_objects_v2(Bucket='gone')['KeyCount'])")
      return Int(count) == folder.contents.count { $0.hasPrefix("c-") }
    }
  }

  @Test func the_next_recorder_resumes_a_killed_upload() throws {
    let slow = try record("slow.mov", "--upload", "s3://takes/late", "--upload-bandwidth", "17kB")
    #expect(slow.errors.contains("still to be sent"))
    #expect(slow.output.contains("\"waiting\""))
    // A second one may be there for a moment: it finds the queue taken, and ends.
    try waitUntil("one process sends") { try pids().count == 1 }
    try waitUntil("the process is gone") {
      for pid in try pids() { kill(pid, SIGKILL) }
      return try pids().isEmpty
    }
    #expect(try keys().isEmpty)
    _ = try record("next.mov", "--upload", "s3://takes/late")
    try waitUntil("both takes have arrived") { try keys().count == 4 }
    try waitUntil("the uploader has ended") { try pids().isEmpty }
  }

  /// The processes that send for this test: those of its state folder.
  private func pids() throws -> [pid_t] {
    let mark = "XDG_STATE_HOME=\(folder.path("state"))"
    return try FileManager.default.contentsOfDirectory(atPath: "/proc").compactMap { name in
      guard let pid = pid_t(name),
        let words = try? String(contentsOfFile: "/proc/\(name)/cmdline", encoding: .utf8),
        words.contains("--queued"),
        let variables = try? String(contentsOfFile: "/proc/\(name)/environ", encoding: .utf8),
        variables.contains(mark)
      else { return nil }
      // No secret among its words.
      #expect(!words.contains("hush"))
      return pid
    }
  }
}
