import Foundation
import MediaCore
import MediaLibrary
import TestSupport
import Testing

@Suite struct PreviewTests {
  @Test(.tags(.judges), .enabled(if: Judges.arePresent, Judges.absence))
  func movie_thumbnail_and_poster_are_decodable() async throws {
    let test = try TestLibrary()
    let movie = test.folder.url.appending(path: "a.mov")
    try Judges.ffmpeg([
      "-f", "lavfi", "-i", "color=red:size=720x576:rate=25", "-frames:v", "2", "-vf",
      "setsar=16/11", "-c:v", "prores_ks", movie.path,
    ])
    try await test.add(movie, as: .video)
    let asset = try #require(try test.library.fetchAssets().firstObject)
    let file = try await test.library.preview(.thumbnail, of: asset)
    // 720 pixels with 16:11 aspect are 1047 square pixels.
    #expect(try await size(file) == VideoDimensions(width: 256, height: 140))
    let poster = try await test.library.preview(.poster, of: asset)
    #expect(try await size(poster) == VideoDimensions(width: 1048, height: 576))
    let again = try await test.library.preview(.thumbnail, of: asset)
    #expect(again == file)
    let color = try Judges.ffmpeg([
      "-i", file.path, "-vf", "scale=1:1", "-f", "rawvideo", "-pix_fmt", "rgb24", "-",
    ])
    #expect(color.count == 3)
    #expect(color[0] > 240 && color[1] < 16 && color[2] < 16, "\([UInt8](color))")
  }

  @Test(.tags(.judges), .enabled(if: Judges.arePresent, Judges.absence))
  func a_large_jpeg_and_a_png_have_thumbnails() async throws {
    let test = try TestLibrary()
    for name in ["noise.jpg", "noise.png"] {
      let file = test.folder.url.appending(path: name)
      try Judges.ffmpeg([
        "-f", "lavfi", "-i", "nullsrc=size=1600x900,geq=random(1)*255:128:128", "-frames:v", "1",
        "-q:v", "1", file.path,
      ])
      try await test.add(file)
    }
    for asset in try test.library.fetchAssets().allObjects() {
      let file = try await test.library.preview(.thumbnail, of: asset)
      #expect(try await size(file) == VideoDimensions(width: 256, height: 144))
    }
  }

  private func size(_ file: URL) async throws -> VideoDimensions {
    let test = try TestLibrary()
    try await test.add(file)
    let asset = try #require(try test.library.fetchAssets().firstObject)
    return VideoDimensions(width: asset.pixelWidth, height: asset.pixelHeight)
  }

  @Test func previews_and_settings_are_replaced_under_the_lock() async throws {
    let calls = FaultyFileCalls()
    let test = try TestLibrary(calls: calls)
    try await test.add(try test.folder.write(TestMedia.still("ppm"), "a.ppm"))
    let asset = try #require(try test.library.fetchAssets().firstObject)
    let witness = LockWitness()
    let lock = test.root + "/.medialibrary/lock"
    calls.beforeReplacement { witness.look(at: lock) }
    let file = try await test.library.preview(.thumbnail, of: asset)
    #expect(FileManager.default.fileExists(atPath: file.path))
    var settings = try test.library.settings
    settings.retentionDays = 7
    try test.library.setSettings(settings)
    #expect(witness.looks == [true, true])
  }

  @Test func undecodable_images_have_no_preview() async throws {
    let test = try TestLibrary()
    try await test.add(try test.folder.write(TestMedia.png(), "a.png"))
    let asset = try #require(try test.library.fetchAssets().firstObject)
    let error = await #expect(throws: MediaLibraryError.self) {
      try await test.library.preview(.thumbnail, of: asset)
    }
    #expect(error?.code == .invalidResource)
  }
}
