import DNG
import Foundation
import MediaCore
import RawPhoto
import TestSupport
import Testing

/// `recordctl photo info` of files that say strange things.
@Suite struct PhotoInfoTests {
  @Test(arguments: [0, 1.0 / 4_000_000_000])
  func an_exposure_of_nothing_is_printed(seconds: Double) throws {
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

  @Test func a_device_is_no_photo() throws {
    let info = try Recordctl(["photo", "info", "/dev/zero"])
    #expect(
      info.status != 0 && info.errors.contains("/dev/zero is not a regular file"), "\(info.errors)")
  }
}
