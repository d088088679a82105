import Foundation

/// The reference tool of ASC MHL, from PyPI, in a folder of its own.
enum ASCMHLTool {
  /// The version that is asked.
  private static let version = "1.2"

  /// Where the tool is; nil where it could not be installed. It is installed once a day at most.
  static let folder: String? = {
    let folder = FileManager.default.temporaryDirectory.appending(path: "ascmhl-\(version)").path
    if FileManager.default.fileExists(atPath: folder + "/ascmhl") { return folder }
    let part = folder + "-\(UUID().uuidString)"
    let installed = try? run([
      "python3", "-m", "pip", "install", "-q", "--disable-pip-version-check", "--target", part,
      "ascmhl==\(version)",
    ])
    guard installed?.status == 0 else {
      try? FileManager.default.removeItem(atPath: part)
      return nil
    }
    try? FileManager.default.moveItem(atPath: part, toPath: folder)
    return folder
  }()

  /// Asks the tool; its debugging face has the verbs that verify.
  static func ask(_ arguments: String...) throws -> (status: Int32, output: String) {
    try run(
      ["python3", "-m", "ascmhl.cli.ascmhl_debug"] + arguments,
      environment: ["PYTHONPATH": folder ?? ""])
  }

  /// Lets the tool write the next manifest of a folder.
  static func create(_ path: String) throws -> (status: Int32, output: String) {
    try run(
      ["python3", "-m", "ascmhl.cli.ascmhl", "create", "-h", "xxh64", path],
      environment: ["PYTHONPATH": folder ?? ""])
  }

  private static func run(
    _ arguments: [String], environment: [String: String] = [:]
  ) throws -> (status: Int32, output: String) {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = arguments
    process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    let output = Pipe()
    process.standardOutput = output
    process.standardError = output
    try process.run()
    let data = try output.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    return (process.terminationStatus, String(decoding: data, as: UTF8.self))
  }
}
