package import Foundation
package import Testing

/// DNG readers of other projects: Adobe's SDK and LibRaw through Python packages in a virtual
/// environment of their own, and exiftool and dcraw if installed.
package enum DNGJudges {
  /// A file with its expected content.
  package struct Question {
    package var file: [UInt8]
    package var samples: [UInt16]
    /// The samples of a floating-point file, in place of the integers.
    package var floats: [Float]?
    package var width: Int
    package var height: Int
    package var components = 1
    package var pattern = ""
    /// The linearization table, which LibRaw applies.
    package var table: [UInt16]?
    /// The mean light of each plane that LibRaw must find, in place of the samples.
    package var means: [Double]?
    package var asksLibRaw = true

    package init(
      file: [UInt8], samples: [UInt16], floats: [Float]? = nil, width: Int, height: Int,
      components: Int = 1,
      pattern: String = "", table: [UInt16]? = nil, means: [Double]? = nil,
      asksLibRaw: Bool = true
    ) {
      self.means = means
      self.file = file
      self.samples = samples
      self.floats = floats
      self.width = width
      self.height = height
      self.components = components
      self.pattern = pattern
      self.table = table
      self.asksLibRaw = asksLibRaw
    }
  }

  /// The environment's Python, or why there is none.
  package static let python: Result<String, any Error> = Result {
    try PythonEnvironment(
      "dng-judges-2", packages: ["dngpy==0.1.3", "rawpy==0.28.0", "numpy"]
    ).python
  }

  package static var arePresent: Bool { (try? python.get()) != nil }

  package static var absence: Comment {
    switch python {
    case .success: "the judges of DNG are there"
    case .failure(let error): "no judges of DNG: \(error)"
    }
  }

  /// Runs a program and waits for it.
  package static func run(
    _ program: String, _ arguments: [String], input: Data? = nil
  ) throws -> (status: Int32, output: String) {
    let (status, output) = try runForData(program, arguments, input: input)
    return (status, String(decoding: output, as: UTF8.self))
  }

  package static func runForData(
    _ program: String, _ arguments: [String], input: Data? = nil
  ) throws -> (status: Int32, output: Data) {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = [program] + arguments
    let output = Pipe()
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    let source = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: source) }
    try (input ?? Data()).write(to: source)
    process.standardInput = try FileHandle(forReadingFrom: source)
    try process.run()
    let data = output.fileHandleForReading.readDataToEndOfFile()
    process.waitForExit()
    return (process.terminationStatus, data)
  }

  /// The judges' complaints about some files; empty if all is well.
  package static func complaints(_ questions: [Question]) throws -> [String] {
    let folder = try TemporaryFolder()
    var lines = ""
    for (index, question) in questions.enumerated() {
      let file = folder.url("\(index).dng")
      let samples = folder.url("\(index).samples")
      try Data(question.file).write(to: file)
      if let floats = question.floats {
        try floats.withUnsafeBytes { try Data($0).write(to: samples) }
      } else {
        try question.samples.withUnsafeBytes { try Data($0).write(to: samples) }
      }
      var request: [String: Any] = [
        "file": file.path, "samples": samples.path, "width": question.width,
        "height": question.height, "components": question.components,
        "isFloat": question.floats != nil, "pattern": question.pattern,
        "libraw": question.asksLibRaw,
      ]
      if let means = question.means { request["means"] = means }
      if let table = question.table { request["table"] = table.map { Int($0) } }
      lines +=
        String(
          decoding: try JSONSerialization.data(withJSONObject: request), as: UTF8.self) + "\n"
    }
    guard let script = Bundle.module.path(forResource: "judge_dng", ofType: "py") else {
      return ["the judges' script is missing"]
    }
    let answer = try Command.run(try python.get(), [script], input: Data(lines.utf8))
    var complaints =
      answer.status == 0 ? [] : ["the judges' script ended with status \(answer.status)"]
    var answers = 0
    for line in answer.output.split(separator: "\n") {
      guard
        let verdict = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any],
        let found = verdict["complaints"] as? [String], let judges = verdict["judges"] as? [String]
      else { continue }
      complaints += found.map { "file \(answers): \($0)" }
      if judges.isEmpty { complaints.append("file \(answers): nobody judged it") }
      answers += 1
    }
    if answers != questions.count { complaints.append("\(answers) answers of \(questions.count)") }
    return complaints
  }
}
