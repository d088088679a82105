import MediaCore
import Testing

@testable import RawPhoto

/// Calibrations and photos that cannot be read.
@Suite struct UnreadableFileTests {
  @Test(arguments: ["[.a]\n", "[[\n", "a = [1}\n", "a = {b = 1]\n"])
  func calibrations_that_would_crash_the_parser_are_refused(text: String) {
    let error = #expect(throws: RawPhotoError.self) {
      try CalibrationFile.read(text: text, name: "camera.toml")
    }
    #expect(error?.code == .invalidCalibration)
    #expect(error?.message.contains("camera.toml:1:") == true)
  }

  @Test(arguments: ["/dev/zero", "/tmp", "/nonexistent.dng"])
  func paths_that_are_not_regular_files_are_refused(path: String) {
    let error = #expect(throws: RawPhotoError.self) { try PhotoFile.read(path) }
    #expect(error?.code == .fileFailed && error?.message.contains(path) == true)
  }
}
