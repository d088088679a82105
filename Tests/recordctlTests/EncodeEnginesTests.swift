import EncodeJobs
import Foundation
import TestSupport
import Testing

/// The files in `presets/engines`: run if the engine is a program, otherwise read by the engine's own client or
/// schema.
@Suite(.tags(.judges, .network), .enabled(if: Judges.arePresent, Judges.absence))
struct EncodeEnginesTests {
  private static let engines = URL(filePath: Lab.folder).deletingLastPathComponent()
    .appending(path: "presets/engines")

  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private static func file(_ name: String) -> String { engines.appending(path: name).path }

  /// An environment with PyPI packages; cancels the test if they cannot be installed.
  private static func environment(_ name: String, _ packages: String...) throws
    -> PythonEnvironment
  {
    do { return try PythonEnvironment(name, packages: packages) } catch {
      try Test.cancel("PyPI's packages cannot be installed: \(error)")
    }
  }

  /// Plans a four-second movie in one-second parts; returns the job's folder.
  private func plan(_ name: String = "job", parts: Int = 4) throws -> String {
    _ = try Judges.ffmpeg(
      [
        "-f", "lavfi", "-i", "testsrc2=s=320x180:r=25:d=4", "-c:v", "libx264", "-preset",
        "ultrafast", "-bf", "2", "-g", "24", folder.path("a.mp4"),
      ])
    let run = try Recordctl(
      [
        "encode", "plan", "a.mp4", "-o", name, "--parts", "\(parts)", "--restart", "10",
      ], in: folder.url)
    try #require(run.status == 0, "\(run.errors)")
    return folder.path(name)
  }

  private func writeProgram(_ text: String, _ name: String) throws {
    try folder.writeProgram(text + "\n", name)
  }

  /// Runs a program with the tested `recordctl` first in `PATH`.
  private func run(_ program: String, _ arguments: [String]) throws -> Command.Result {
    let inherited = ProcessInfo.processInfo.environment
    let path = [folder.path("bin"), Recordctl.binary.deletingLastPathComponent().path]
    return try Command.run(
      program, arguments,
      environment: inherited.merging(
        ["PATH": (path + [inherited["PATH"] ?? "/usr/bin:/bin"]).joined(separator: ":")]) { $1 },
      in: folder.url, limit: 120)
  }

  private func isJoined(_ job: String) throws -> Bool {
    try EncodeJobStatus(of: EncodeJob(folder: job)).isComplete
      && Recordctl.isValid(job + "/movies/a.mov")
  }

  @Test(.enabled(if: Judges.find("parallel") != nil, "GNU parallel is not installed"))
  func gnu_parallel_makes_the_parts_and_retries_failed_ones() throws {
    let job = try plan("a job")
    // The first call for every part fails.
    try writeProgram(
      """
      #!/bin/sh
      if [ "$2" = part ] && [ ! -e tried ]; then touch tried; exit 75; fi
      exec '\(Recordctl.binary.path)' "$@"
      """, "bin/recordctl")
    let result = try run(Self.file("parallel/convert"), [job])
    #expect(result.status == 0, "\(result.output)\(result.errors)")
    #expect(FileManager.default.fileExists(atPath: folder.path("tried")))
    #expect(try isJoined(job))
    let again = try run(Self.file("parallel/convert"), [job])
    #expect(again.status == 0 && !again.output.contains("part 0"), "\(again.output)\(again.errors)")
    // A finished part that is lost is made again, and nothing else is.
    for path in ["/movies", "/parts/000001"] {
      try FileManager.default.removeItem(atPath: job + path)
    }
    let mended = try run(Self.file("parallel/convert"), [job])
    #expect(mended.status == 0, "\(mended.output)\(mended.errors)")
    #expect(mended.output.contains("part 1:") && !mended.output.contains("part 0:"))
    #expect(try isJoined(job))
  }

  @Test func openjd_runs_the_template() throws {
    let openjd = try Self.environment("openjd-cli-0.8.0", "openjd-cli==0.8.0")
    let job = try plan()
    let result = try run(
      openjd.python,
      [
        "-m", "openjd", "run", Self.file("openjd/template.yaml"), "-p", "JobFolder=\(job)",
        "-p", "LastPart=1", "-p", "Batch=2",
      ])
    #expect(result.status == 0, "\(result.output)\(result.errors)")
    #expect(try isJoined(job))
  }

  @Test(arguments: ["1.29", "1.37"])
  func kubernetes_schemas_accept_the_jobs(version: String) throws {
    let validator = try Self.environment(
      "kubernetes-validate-1.37.0", "kubernetes-validate==1.37.0")
    let names = ["kubernetes/parts.yaml", "kubernetes/join.yaml"].map(Self.file)
    let result = try validator.run(
      ["-m", "kubernetes_validate", "--strict", "-k", version] + names)
    #expect(result.status == 0, "\(result.output)\(result.errors)")
  }

  /// The AWS command line parses every parameter and answers with an example.
  @Test(arguments: [1, 4]) func the_aws_client_accepts_the_submitted_jobs(parts: Int) throws {
    let client = try Self.environment("awscli-1.46.3", "awscli==1.46.3")
    let job = try plan(parts: parts)
    let aws = """
      exec '\(client.python)' -m awscli "$@" --region us-east-1 --no-sign-request \
        --generate-cli-skeleton output
      """
    try writeProgram(
      """
      #!/bin/sh
      printf '%s\\n' "$*" >>calls
      \(aws)
      """, "bin/aws")
    // The same for any number of parts; run once because the client takes a second to start.
    if parts == 1 {
      let definition = "file://" + Self.file("aws-batch/job-definition.json")
      let registered = try run(
        folder.path("bin/aws"),
        ["batch", "register-job-definition", "--cli-input-json", definition])
      #expect(registered.status == 0, "\(registered.errors)")
    }
    let result = try run(Self.file("aws-batch/submit"), [job, "queue"])
    #expect(result.status == 0, "\(result.output)\(result.errors)")
    let calls = String(decoding: try folder.bytes("calls"), as: UTF8.self)
    #expect(calls.contains(parts == 1 ? "\"part\", \"\(job)\", \"0\"" : "size=4"), "\(calls)")
    #expect(calls.contains("--depends-on jobId=jobId"))
  }
}
