package import Testing

/// The reference tool of ASC MHL, from PyPI.
package enum ASCMHLTool {
  private static let version = "1.2"

  private static let environment: Result<PythonEnvironment, any Error> = Result {
    try PythonEnvironment("ascmhl-\(version)", packages: ["ascmhl==\(version)"])
  }

  /// True if the tool can be used; the first use installs it.
  package static var isPresent: Bool { (try? environment.get()) != nil }

  package static let absence: Comment =
    "ascmhl, the judge of manifests, cannot be installed from PyPI"

  /// Runs the tool's debug command, which has the verbs that verify.
  package static func ask(_ arguments: String...) throws -> (status: Int32, output: String) {
    try run("ascmhl.cli.ascmhl_debug", arguments)
  }

  /// Makes the tool write a folder's next manifest.
  package static func create(_ path: String) throws -> (status: Int32, output: String) {
    try run("ascmhl.cli.ascmhl", ["create", "-h", "xxh64", path])
  }

  private static func run(
    _ module: String, _ arguments: [String]
  ) throws -> (status: Int32, output: String) {
    let result = try environment.get().run(["-m", module] + arguments)
    return (result.status, result.output)
  }
}
