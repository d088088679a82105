package import Foundation
import Testing

/// The sample files of Adobe's DNG SDK, which come with the sources of the package dngpy.
package enum AdobeSamples {
  /// Why they are not there.
  package struct Unavailable: Error, CustomStringConvertible {
    package let description: String
  }

  /// The files, in the order of their names.
  package static func files() throws -> [URL] {
    let python = try DNGJudges.python.get()
    let folder = URL(filePath: python).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appending(path: "adobe-samples-1").path
    // Several test processes may want them at the same time.
    let script = """
      python=$1; folder=$2
      exec 9>"$folder.lock" && flock 9 || exit 1
      test -e "$folder/complete" && exit 0
      rm -rf "$folder" && mkdir -p "$folder" && cd "$folder" &&
      timeout 300 "$python" -m pip download -q --disable-pip-version-check --no-deps \\
        --no-binary dngpy dngpy==0.1.3 &&
      tar xzf dngpy-0.1.3.tar.gz --strip-components=3 --wildcards '*/sample_files/*.dng' &&
      rm dngpy-0.1.3.tar.gz && touch complete
      """
    let answer = try Command.run("/bin/sh", ["-c", script, "sh", python, folder])
    guard answer.status == 0 else {
      throw Unavailable(
        description: "\(answer.output.split(separator: "\n").last ?? "status \(answer.status)")")
    }
    return try FileManager.default.contentsOfDirectory(
      at: URL(filePath: folder), includingPropertiesForKeys: nil
    ).filter { $0.pathExtension == "dng" }.sorted { $0.path < $1.path }
  }
}
