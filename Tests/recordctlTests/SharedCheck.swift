import Foundation
import TestSupport

/// One run of `check --json` for all tests of its report, because its measurements take seconds of processor time.
/// It is about a take in two folders on one disk.
struct SharedCheck {
  let run: Recordctl
  let folder: String
  let secondFolder: String
  /// The files in the first folder after the run.
  let contents: [String]

  private static let only = Result { try SharedCheck() }

  static func get() throws -> SharedCheck { try only.get() }

  private init() throws {
    let place = try TemporaryFolder()
    (folder, secondFolder) = (try place.makeFolder("a").path, try place.makeFolder("b").path)
    let preset = try place.write("[file]\nsecond-folder = \"\(secondFolder)\"\n", "two.toml").path
    run = try Recordctl([
      "check", "--preset", preset, "--device", "pattern", "--size", "640x360", "--rate", "25",
      "--codec", "proxy", "-o", folder + "/{scene}-{take}.mov", "--json",
    ])
    contents = try FileManager.default.contentsOfDirectory(atPath: folder)
  }
}
