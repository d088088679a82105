import Foundation

/// The reference tool of ASC MHL, from PyPI, in a virtual environment of its own.
public enum ASCMHLTool {
  /// The version that is asked.
  private static let version = "1.2"

  /// True where the tool is there; it is installed when it is asked for first.
  public static var isPresent: Bool { folder != nil }

  /// The environment's folder; nil where the tool could not be installed.
  private static let folder: String? = {
    let cache =
      ProcessInfo.processInfo.environment["XDG_CACHE_HOME"].map { URL(filePath: $0) }
      ?? FileManager.default.homeDirectoryForCurrentUser.appending(path: ".cache")
    let folder = cache.appending(path: "prores-recorder/ascmhl-\(version)").path
    // Several test processes may want it at the same time.
    let script = """
      mkdir -p "$1" && exec 9>"$1.lock" && flock 9 && { test -e "$1/complete" ||
      { python3 -m venv --clear "$1" &&
      timeout 120 "$1/bin/python" -m pip install -q ascmhl==\(version) && touch "$1/complete"; }; }
      """
    let installed = try? run(["sh", "-c", script, "sh", folder])
    return installed?.status == 0 ? folder : nil
  }()

  /// Asks the tool; its debugging face has the verbs that verify.
  public static func ask(_ arguments: String...) throws -> (status: Int32, output: String) {
    try run([(folder ?? "") + "/bin/python", "-m", "ascmhl.cli.ascmhl_debug"] + arguments)
  }

  /// Lets the tool write the next manifest of a folder.
  public static func create(_ path: String) throws -> (status: Int32, output: String) {
    try run(
      [(folder ?? "") + "/bin/python", "-m", "ascmhl.cli.ascmhl", "create", "-h", "xxh64", path])
  }

  private static func run(_ arguments: [String]) throws -> (status: Int32, output: String) {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = arguments
    process.standardInput = FileHandle.nullDevice
    let output = Pipe()
    process.standardOutput = output
    process.standardError = output
    try process.run()
    let data = try output.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    return (process.terminationStatus, String(decoding: data, as: UTF8.self))
  }
}
