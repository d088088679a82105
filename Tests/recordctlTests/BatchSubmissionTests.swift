import Foundation
import TestSupport
import Testing

/// What `presets/engines/aws-batch/submit` passes to the AWS command line.
@Suite struct BatchSubmissionTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private static let submit = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../../presets/engines/aws-batch/submit").standardizedFileURL.path

  /// - Returns: The arguments of the call for the parts, and of the call for the join.
  private func submit(_ job: String, parts: Int) throws -> [[String]] {
    try folder.writeProgram("#!/bin/sh\necho 'parts  0 of \(parts)'\n", "bin/recordctl")
    try folder.writeProgram(
      """
      #!/bin/sh
      for argument in "$@"; do printf '%s\\036' "$argument"; done >>calls
      printf '\\035' >>calls
      echo id
      """ + "\n", "bin/aws")
    var environment = ProcessInfo.processInfo.environment
    environment["PATH"] = folder.path("bin") + ":" + (environment["PATH"] ?? "/usr/bin:/bin")
    let result = try Command.run(
      "/bin/bash", [Self.submit, job, "queue"], environment: environment, in: folder.url, limit: 60)
    try #require(result.status == 0, "\(result.output)\(result.errors)")
    let calls = String(decoding: try folder.bytes("calls"), as: UTF8.self)
    // ASCII separators, because an argument may contain line breaks.
    return calls.split(separator: "\u{1D}").map { call in
      call.split(separator: "\u{1E}", omittingEmptySubsequences: false).dropLast().map(String.init)
    }
  }

  private func value(_ option: String, of call: [String]) throws -> String {
    let index = try #require(call.firstIndex(of: option), "\(call)")
    return try #require(call.dropFirst(index + 1).first)
  }

  private func document<Content: Decodable>(
    _ option: String, of call: [String], as type: Content.Type
  ) throws -> Content {
    try JSONDecoder().decode(type, from: Data(try value(option, of: call).utf8))
  }

  /// The fields of the join's document that are checked.
  private struct Join: Decodable {
    struct Overrides: Decodable {
      var command: [String]
    }

    var containerOverrides: Overrides
  }

  /// AWS substitutes parameters in a definition's command, but not in a command that overrides it: a join would
  /// have looked for a folder named `Ref::job`.
  @Test(arguments: ["submit-join.json", "submit-parts.json"])
  func overriding_commands_contain_no_parameter_references(
    name: String
  ) throws {
    let file = URL(filePath: Self.submit).deletingLastPathComponent().appending(path: name)
    #expect(!String(decoding: try Data(contentsOf: file), as: UTF8.self).contains("Ref::"))
  }

  /// In the client's shorthand syntax a comma ends a value.
  @Test(arguments: [1, 4, 25_000])
  func commas_and_quotation_marks_in_job_names_reach_the_containers(parts: Int) throws {
    let name = #"_day 1, "b\c" é"#
    try folder.makeFolder(name)
    let job = folder.path(name)
    let calls = try submit(job, parts: parts)
    try #require(calls.count == 2, "\(calls)")
    for (call, step) in zip(calls, ["parts", "join"]) {
      // AWS Batch allows no other characters.
      let name = try value("--job-name", of: call)
      #expect(name.wholeMatch(of: /[A-Za-z0-9][A-Za-z0-9_-]*/) != nil, "\(name)")
      #expect(name.hasSuffix("-" + step) && name.count <= 128)
    }
    let parameters = try document("--parameters", of: calls[0], as: [String: String].self)
    #expect(parameters == ["job": job, "batch": parts == 25_000 ? "3" : "1"])
    let join = try document("--cli-input-json", of: calls[1], as: Join.self)
    #expect(join.containerOverrides.command.suffix(2) == ["join", job])
    guard parts == 1 else {
      #expect(!calls[0].contains("--container-overrides"))
      return
    }
    let overrides = try document(
      "--container-overrides", of: calls[0], as: [String: [String]].self)
    #expect(overrides["command"] == ["recordctl", "encode", "part", job, "0"])
  }
}
