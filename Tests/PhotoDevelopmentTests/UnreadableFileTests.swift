import DNG
import Foundation
import MediaCore
import TestSupport
import Testing

@testable import PhotoDevelopment

/// Files that cannot be read: the messages give the path, the reason and a remedy.
@Suite struct UnreadableFileTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func message(
    _ code: PhotoDevelopmentError.Code, _ body: () throws(PhotoDevelopmentError) -> Void
  ) -> String? {
    do throws(PhotoDevelopmentError) { try body() } catch {
      #expect(error.code == code)
      return error.message
    }
    return nil
  }

  /// A file of zeros that takes no space on the disk.
  private func largeFile(_ name: String, byteCount: Int) throws -> String {
    let path = try folder.write([UInt8](), name).path
    try #require(truncate(path, off_t(byteCount)) == 0)
    return path
  }

  @Test func an_unreadable_sidecar_is_reported_with_path_and_remedy() throws {
    let mosaic = try RawImage(
      width: 16, height: 16, bitDepth: 12, samples: [UInt16](repeating: 800, count: 256))
    let file = try DNGFile(
      try BayerNegative(
        mosaic: mosaic, pattern: .rggb, calibration: .assumed(model: "Camera", bitDepth: 12)
      ).dngFileData())
    let sidecar = folder.path("a.xmp")
    try FileManager.default.createDirectory(atPath: sidecar, withIntermediateDirectories: false)
    func read(_ photo: String) -> String? {
      message(.invalidSidecar) { () throws(PhotoDevelopmentError) in
        _ = try PhotoSidecar(of: photo, file)
      }
    }
    #expect(
      read(folder.path("a.dng"))
        == "\(sidecar) is not a regular file; name another one; sidecars can be left out")
    let large = try largeFile("b.xmp", byteCount: 16 << 20 + 1)
    #expect(
      read(folder.path("b.dng"))
        == "\(large) has 16777217 bytes, more than 16777216 are not read; sidecars can be left out")
  }

  @Test func an_unreadable_profile_is_reported_with_path_and_remedy() throws {
    func read(_ path: String) -> String? {
      message(.fileFailed) { () throws(PhotoDevelopmentError) in
        _ = try CameraProfile(contentsOf: path)
      }
    }
    let missing = folder.path("none.dcp")
    #expect(
      read(missing)
        == "\(missing) cannot be read: No such file or directory; check that it exists and that you may read it"
    )
    let place = folder.path("")
    #expect(read(place) == "\(place) is not a regular file; name another one")
    let broken = try folder.write([1, 2, 3], "broken.dcp").path
    let error = #expect(throws: PhotoDevelopmentError.self) {
      try CameraProfile(contentsOf: broken)
    }
    #expect(error?.message.hasPrefix("\(broken): not a camera profile") == true)
    #expect(error?.message.hasSuffix("name an intact .dcp file") == true)
  }

  @Test func an_unreadable_preset_is_reported_with_path_and_remedy() throws {
    let library = DevelopPresetLibrary(userFolder: folder.path("presets"))
    func read(_ path: String) -> String? {
      message(.invalidPreset) { () throws(PhotoDevelopmentError) in
        _ = try library.preset(named: path)
      }
    }
    let missing = folder.path("none.toml")
    #expect(
      read(missing)
        == "\(missing) cannot be read: No such file or directory; check that it exists and that you may read it"
    )
    let latin = try folder.write([0x73, 0xFC, 0xDF], "latin.toml").path
    #expect(read(latin) == "\(latin) is not UTF-8; name a preset, a TOML file in UTF-8")
  }

  @Test func an_unreadable_folder_is_reported_with_path_and_remedy() throws {
    let file = try folder.write([1], "file").path
    let reported = message(.fileFailed) { () throws(PhotoDevelopmentError) in
      _ = try ListedFolder.names(in: file) { PhotoDevelopmentError(.fileFailed, $0, errno: $1) }
    }
    #expect(
      reported
        == "\(file) cannot be read: Not a directory; check that it is a folder and that you may read it"
    )
    let own = folder.path("")
    let empty = message(.fileFailed) { () throws(PhotoDevelopmentError) in
      _ = try PhotoSources.files([own])
    }
    #expect(empty == "\(own) has no DNG files; name another folder, or photos")
  }
}
