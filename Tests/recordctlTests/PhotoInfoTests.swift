import DNG
import Foundation
import MediaCore
import RawPhoto
import TestSupport
import Testing

/// `recordctl photo info` on files with unusual content.
@Suite struct PhotoInfoTests {
  @Test(arguments: [0, 1.0 / 4_000_000_000])
  func zero_and_tiny_exposure_times_are_printed(seconds: Double) throws {
    let folder = try TemporaryFolder()
    let mosaic = try RawImage(
      width: 16, height: 16, bitDepth: 12, samples: [UInt16](repeating: 99, count: 256))
    var metadata = PhotoMetadata()
    metadata.exposureTime = seconds
    metadata.isoSpeed = 4e9
    let bytes = try BayerNegative(
      mosaic: mosaic, pattern: .rggb, calibration: .assumed(model: "Camera", bitDepth: 12),
      metadata: metadata
    ).dngFileData()
    let path = folder.path("a.dng")
    try PhotoFile.write(bytes, to: path)
    let info = try Recordctl(["photo", "info", path])
    #expect(info.status == 0 && info.output.contains("Exposure"), "\(info.errors)")
    #expect(info.output.contains("agrees"))
  }

  @Test func a_device_is_refused_as_a_photo() throws {
    let info = try Recordctl(["photo", "info", "/dev/zero"])
    #expect(
      info.status != 0 && info.errors.contains("/dev/zero is not a regular file"), "\(info.errors)")
  }

  /// An empty file, bytes that are not an image, a TIFF file without a DNG version, and a JPEG file with only a
  /// start marker.
  @Test(arguments: [
    [], [1, 2, 3], [0x49, 0x49, 42, 0, 8, 0, 0, 0, 0, 0, 0, 0, 0, 0], [0xFF, 0xD8],
  ])
  func a_file_that_is_not_a_photo_is_named(bytes: [UInt8]) throws {
    let folder = try TemporaryFolder()
    try folder.write(bytes, "a.dng")
    let info = try Recordctl(["photo", "info", "a.dng", "--json"], in: folder.url)
    #expect(info.status == 2 && info.errors.hasPrefix("recordctl: a.dng: "), "\(info.errors)")
    let failure = try #require(try info.json() as? [String: Any])
    let error = failure["error"] as? [String: Any]
    #expect((error?["message"] as? String)?.hasPrefix("a.dng: ") == true)
  }
}
