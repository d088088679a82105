import Foundation
import TestSupport
import Testing

/// How the engines' files treat the exit status of a join.
@Suite struct JoinStatusTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private static func file(_ name: String) -> String {
    URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../presets/engines/\(name)").standardizedFileURL.path
  }

  /// The command of the join's container.
  private static func containerCommand() throws -> [String] {
    let data = try Data(contentsOf: URL(filePath: file("aws-batch/submit-join.json")))
    let job = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
    let overrides = try #require(job["containerOverrides"] as? [String: Any])
    return try #require(overrides["command"] as? [String])
  }

  private func program(_ name: String, _ text: String) throws {
    try folder.writeProgram("#!/bin/sh\n\(text)\n", name)
  }

  private func run(_ program: String, _ arguments: [String]) throws -> Command.Result {
    var environment = ProcessInfo.processInfo.environment
    environment["PATH"] = folder.path("") + ":" + (environment["PATH"] ?? "/usr/bin:/bin")
    environment["SLURM_CPUS_PER_TASK"] = "2"
    environment["SLURM_ARRAY_TASK_ID"] = nil
    return try Command.run(
      program, arguments, environment: environment, in: folder.url, limit: 60)
  }

  /// `term`: a join that is terminated and exits with 75.
  @Test(arguments: [("exit 0", 0), ("exit 3", 0), ("exit 75", 75), ("exit 1", 1), ("term", 75)])
  func a_container_treats_a_damaged_source_as_success(
    ends: String, status: Int32
  ) throws {
    let term = "trap 'exit 75' TERM; kill -TERM $PPID; while :; do sleep 0.05; done"
    try program("recordctl", ends == "term" ? term : ends)
    let command = try Self.containerCommand()
    let result = try run("/bin/\(command[0])", Array(command.dropFirst()))
    #expect(result.status == status, "\(result.errors)")
    #expect(result.errors.contains("look at its sidecar") == (ends == "exit 3"))
  }

  @Test(arguments: ["kubernetes/join.yaml", "openjd/template.yaml"])
  func other_containers_run_the_same_script(name: String) throws {
    let text = try String(contentsOfFile: Self.file(name), encoding: .utf8)
    let line = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    #expect(line.contains(try Self.containerCommand()[2]))
  }

  @Test(arguments: [("exit 0", 0), ("exit 3", 0), ("exit 1", 1)])
  func slurm_treats_a_damaged_source_as_success(ends: String, status: Int32) throws {
    try program("srun", ends)
    let result = try run("/bin/bash", [Self.file("slurm/join.sbatch"), "/shared/reel1"])
    #expect(result.status == status, "\(result.errors)")
    #expect(result.errors.contains("look at its sidecar") == (ends == "exit 3"))
  }
}
