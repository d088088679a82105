import Foundation

/// Python packages that judge our files, in a virtual environment of their own below the user's cache:
/// what a developer happens to have installed makes no difference.
package struct PythonEnvironment: Sendable {
  /// Why an environment could not be made.
  package struct Unavailable: Error, CustomStringConvertible {
    package let description: String
  }

  /// The environment's interpreter.
  package let python: String

  /// Makes the environment, or finds the one that an earlier run made.
  ///
  /// - Parameters:
  ///   - name: The folder's name; a new one where the packages change.
  ///   - packages: What pip installs: `name==version`. Only wheels, so that nothing is compiled.
  /// - Throws: `Unavailable` with the last line of what failed.
  package init(_ name: String, packages: [String]) throws {
    let environment = ProcessInfo.processInfo.environment
    let cache =
      environment["XDG_CACHE_HOME"].map { URL(filePath: $0) }
      ?? FileManager.default.homeDirectoryForCurrentUser.appending(path: ".cache")
    let folder = cache.appending(path: "prores-recorder/\(name)").path
    // Several test processes may want it at the same time. They share one pip: to install it into each
    // environment takes four seconds of a processor.
    let script = """
      folder=$1; shift
      mkdir -p "$(dirname "$folder")" && exec 9>"$folder.lock" && flock 9 || exit 1
      test -e "$folder/complete" && exit 0
      pip=$(dirname "$folder")/pip-$(python3 -c 'import sys; print("%d.%d" % sys.version_info[:2])')
      (
        exec 8>"$pip.lock" && flock 8 || exit 1
        test -e "$pip/complete" && "$pip/bin/python" -c '' 2>/dev/null && exit 0
        python3 -m venv --clear "$pip" && touch "$pip/complete"
      ) &&
      python3 -m venv --clear --without-pip "$folder" &&
      timeout 180 "$pip/bin/python" -m pip --python "$folder/bin/python" install -q \
        --disable-pip-version-check --only-binary :all: "$@" && touch "$folder/complete"
      """
    let result: Command.Result
    do {
      result = try Command.run("/bin/sh", ["-c", script, "sh", folder] + packages)
    } catch {
      throw Unavailable(description: "\(packages.joined(separator: " ")): \(error)")
    }
    guard result.status == 0 else {
      let lines = result.output.split(separator: "\n")
      throw Unavailable(
        description:
          "\(packages.joined(separator: " ")): \(lines.last ?? "status \(result.status)")")
    }
    python = folder + "/bin/python"
  }

  /// Asks the interpreter; its standard output and standard error together.
  package func run(_ arguments: [String]) throws -> Command.Result {
    try Command.run(python, arguments)
  }
}
