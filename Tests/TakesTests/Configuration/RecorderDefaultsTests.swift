import Foundation
import MediaCore
import TestSupport
import Testing

@testable import CaptureDevices
@testable import Takes
@testable import VideoRecorder

/// Defaults from the environment and from the user's file.
@Suite struct RecorderDefaultsTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try folder.makeFolder("recordctl")
  }

  private var path: String { folder.path + "/recordctl/config.toml" }

  private func read(
    _ text: String?, _ variables: [String: String] = [:]
  ) throws -> RecorderDefaults {
    try text?.write(toFile: path, atomically: true, encoding: .utf8)
    return try RecorderDefaults(
      environment: variables.merging(["XDG_CONFIG_HOME": folder.path, "HOME": "/home/me"]) { $1 })
  }

  @Test func environment_variables_take_precedence_over_the_file() throws {
    let defaults = try read(
      """
      # mine
      device = "pattern"
      preset = "studio"
      output-folder = "~/takes"
      """, ["RECORDCTL_DEVICE": "v4l2:usb-1", "RECORDCTL_PRESET": "", "RECORDCTL_LIBRARY": "/l"])
    #expect(defaults[.device] == "v4l2:usb-1")
    #expect(defaults[.preset] == "studio")
    #expect(defaults[.outputFolder] == "/home/me/takes")
    #expect(defaults[.library] == "/l")
    #expect(
      defaults.summary(of: [.device, .preset])
        == "defaults: device v4l2:usb-1 (RECORDCTL_DEVICE), preset studio (\(path):3)")
    #expect(defaults.summary(of: []) == nil)
  }

  @Test func without_a_file_there_are_no_defaults() throws {
    #expect(try read(nil).values.isEmpty)
  }

  @Test(arguments: [
    ("device = 5", ":1:1: device: must be a string"),
    ("\ndevcie = \"pattern\"", ":2:1: devcie: no such key"),
    ("\ndevcie = \"pattern\"", "did you mean 'device'?"),
    ("output_folder = \"/t\"", "did you mean 'output-folder'?"),
    ("preset = \"\"", ":1:1: preset: is empty"),
    ("preset = ", ":1:"),
  ])
  func errors_in_the_defaults_file_name_their_line(text: String, wanted: String) throws {
    let error = #expect(throws: CaptureError.self) { try read(text) }
    #expect(error?.code == .invalidPreset)
    #expect(error?.message.contains(wanted) == true, "\(error?.message ?? "")")
    #expect(error?.message.hasPrefix(path) == true)
  }

  @Test func only_similar_words_are_suggested() {
    #expect(Suggestion.nearest(to: "sise", in: ["size", "rate"]) == "size")
    #expect(Suggestion.nearest(to: "codec", in: ["size", "rate"]) == nil)
  }
}
