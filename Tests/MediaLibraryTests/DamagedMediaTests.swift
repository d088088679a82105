import Foundation
import MediaLibrary
import TestSupport
import Testing

/// Files that are truncated, empty or of unknown kinds, as from a failing card.
@Suite struct DamagedMediaTests {
  private func names(_ paths: [String]) -> [String] {
    paths.map { URL(filePath: $0).lastPathComponent }
  }

  /// - Parameter directoryIsLast: Whether the raw image's directory follows its tiles.
  @Test(arguments: [false, true])
  func a_truncated_dng_is_imported_with_a_warning(directoryIsLast: Bool) async throws {
    let test = try TestLibrary()
    let whole = TestMedia.tiledDNG(endsWithDirectory: directoryIsLast)
    let cuts = [whole.count - 1, whole.count * 99 / 100, whole.count * 6 / 10, 500, 300]
    try test.folder.write(whole, "Card/whole.dng")
    for cut in cuts { try test.folder.write(Array(whole.prefix(cut)), "Card/cut\(cut).dng") }
    let card = test.folder.url.appending(path: "Card")
    let report = try await test.library.importFiles([card])
    #expect(report.imported.count == 6 && report.failures.isEmpty && report.ignored.isEmpty)
    #expect(report.warnings.count == cuts.count, "\(report.warnings)")
    for cut in cuts {
      let path = card.path + "/cut\(cut).dng: "
      #expect(report.warnings.contains { $0.hasPrefix(path) && $0.contains("cut short") })
    }
    try test.expectSound()
  }

  /// As when Exif data is written last.
  @Test func a_dng_with_truncated_metadata_gets_a_warning() async throws {
    let test = try TestLibrary()
    let place = GeographicLocation(latitude: 48.5, longitude: -11.25, altitude: 520)
    let whole = Array(TestMedia.dng(location: place).dropLast("seed 0".utf8.count))
    let files = try [0, 1, 60].map { cut in
      try test.folder.write(Array(whole.dropLast(cut)), "cut\(cut).dng")
    }
    let report = try await test.library.importFiles(files)
    #expect(report.imported.count == 3)
    let reported = report.warnings.compactMap { $0.split(separator: ":").first.map(String.init) }
    #expect(names(reported) == ["cut1.dng", "cut60.dng"], "\(report.warnings)")
  }

  @Test func bytes_after_an_image_are_not_reported_as_damage() async throws {
    let test = try TestLibrary()
    let more = [UInt8](repeating: 0, count: 999)
    let files = [
      try test.folder.write(TestMedia.tiledDNG() + more, "a.dng"),
      try test.folder.write(TestMedia.heif(sizes: [(64, 48)]) + more, "b.heic"),
      try test.folder.write(TestMedia.heif(sizes: [(64, 32)]) + [1, 2, 3] + more, "c.heic"),
      try test.folder.write(TestMedia.jpeg() + more, "d.jpg"),
      try test.folder.write(TestMedia.png() + more, "e.png"),
    ]
    let report = try await test.library.importFiles(files)
    #expect(report.imported.count == 5 && report.warnings.isEmpty, "\(report.warnings)")
  }

  @Test func truncated_heic_jpeg_and_movie_files_get_warnings() async throws {
    let test = try TestLibrary()
    let heif = TestMedia.heif(sizes: [(64, 48)])
    try test.folder.write(heif.dropLast(2), "Card/a.heic")
    try test.folder.write(heif.prefix(40) + [], "Card/b.heic")
    try test.folder.write([0xFF, 0xD8, 0xFF, 0xE0, 0, 16, 0x4A, 0x46], "Card/c.jpg")
    let card = test.folder.url.appending(path: "Card")
    try TestMedia.cutMovie(card.appending(path: "d.mov"))
    let report = try await test.library.importFiles([card])
    #expect(report.imported.count == 4, "\(report.failures)")
    let reported = report.warnings.compactMap { $0.split(separator: ":").first.map(String.init) }
    #expect(
      names(reported).sorted() == ["a.heic", "b.heic", "c.jpg", "d.mov"], "\(report.warnings)")
  }

  @Test func jpeg_and_png_images_without_an_end_get_warnings() async throws {
    let test = try TestLibrary()
    let (jpeg, png) = (TestMedia.jpeg(), TestMedia.png())
    let cuts = [1, 2, 1000, jpeg.count / 2, jpeg.count - 100]
    for cut in cuts { try test.folder.write(jpeg.dropLast(cut), "Card/\(cut).jpg") }
    for cut in [1, 5, 12, 20] { try test.folder.write(png.dropLast(cut), "Card/\(cut).png") }
    try test.folder.write(jpeg, "Card/whole.jpg")
    try test.folder.write(png, "Card/whole.png")
    let report = try await test.library.importFiles([test.folder.url.appending(path: "Card")])
    #expect(report.imported.count == cuts.count + 6 && report.failures.isEmpty)
    #expect(report.warnings.count == cuts.count + 4, "\(report.warnings)")
    #expect(report.warnings.allSatisfy { $0.contains(": is cut short: ") })
    #expect(!report.warnings.contains { $0.contains("whole") })
  }

  @Test func jpeg_size_is_read_past_many_segments_and_fill_bytes() async throws {
    let test = try TestLibrary()
    let plain = TestMedia.jpeg()
    let comment: [UInt8] = [0xFF, 0xFF, 0xFE, 0, 3, 0x20]
    let segments = (0..<400).flatMap { _ in comment }
    let files = [
      try test.folder.write(plain, "a.jpg"),
      try test.folder.write(Array(plain.prefix(2) + segments + plain.dropFirst(2)), "b.jpg"),
    ]
    let report = try await test.library.importFiles(files)
    #expect(report.imported.count == 2 && report.warnings.isEmpty, "\(report.warnings)")
    let sizes = try test.library.fetchAssets().allObjects().map { [$0.pixelWidth, $0.pixelHeight] }
    #expect(sizes.count == 2 && sizes.first == sizes.last && sizes.first?.first ?? 0 > 0)
  }

  @Test func unreadable_media_files_are_reported_as_failures() async throws {
    let test = try TestLibrary()
    let empty = ["a.dng", "b.CR2", "c.nef", "d.arw", "e.tif", "f.heic", "g.jpg", "h.mov", "i.wav"]
    for name in empty { try test.folder.write([], "Card/" + name) }
    // The directory should be at the end but is missing.
    let cut: [UInt8] = [0x49, 0x49, 0x2A, 0, 0, 0x10, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9]
    try test.folder.write(cut, "Card/k.dng")
    // Recognized by their first bytes, whatever their names.
    try test.folder.write(cut, "Card/l")
    try test.folder.write(TestMedia.box("ftyp", [UInt8]("qt  \0\0\0\0".utf8)), "Card/m.part")
    try test.folder.write([UInt8]("no picture".utf8), "Card/n.jpeg")
    // These do not claim to be images.
    try test.folder.write([], "Card/o.dat")
    try test.folder.write([UInt8]("words".utf8), "Card/p.ts")
    try test.folder.write(TestMedia.png(), "Card/q.png")
    let card = test.folder.url.appending(path: "Card")
    let report = try await test.library.importFiles([card])
    #expect(names(report.imported.map(\.path)) == ["q.png"])
    #expect(names(report.ignored).sorted() == ["o.dat", "p.ts"])
    #expect(
      names(report.failures.map(\.path)).sorted()
        == (empty + ["k.dng", "l", "m.part", "n.jpeg"]).sorted())
    for failure in report.failures {
      #expect(failure.code == "invalidResource")
      #expect(failure.message.hasPrefix(failure.path + ": "))
      let isEmpty = empty.contains { failure.path.hasSuffix("/" + $0) }
      #expect(failure.message.contains("is empty") == isEmpty, "\(failure.message)")
    }
    try test.expectSound()
  }

  @Test(arguments: TestMedia.stills)
  func a_still_known_only_to_libavformat_is_a_photo(kind: String) async throws {
    let test = try TestLibrary()
    let file = try test.folder.write(TestMedia.still(kind), "a.\(kind)")
    let report = try await test.library.importFiles([file])
    #expect(report.failures.isEmpty && report.warnings.isEmpty, "\(report)")
    func expectPhoto() throws {
      let asset = try #require(try test.library.fetchAssets(in: .photos).firstObject)
      #expect(asset.mediaType == .image && asset.resources.map(\.type) == [.photo])
      #expect(asset.pixelWidth == 8 && asset.pixelHeight == 4)
      #expect(asset.facts.frameRate == nil && asset.facts.frameCount == nil && asset.duration == 0)
      #expect(asset.facts.container == kind && asset.facts.codecName == kind.uppercased())
      #expect(try test.library.assetCount(in: .videos) == 0)
    }
    try expectPhoto()
    test.library.close()
    try FileManager.default.removeItem(atPath: test.root + "/.medialibrary")
    _ = try test.library.rebuild()
    try expectPhoto()
    try test.expectSound()
  }

  @Test func an_animated_gif_is_a_video() async throws {
    let test = try TestLibrary()
    let file = try test.folder.write(TestMedia.gif(images: 3), "a.gif")
    #expect(try await test.library.importFiles([file]).imported.count == 1)
    #expect(try test.library.assetCount(in: .videos) == 1)
  }

  @Test func the_processed_file_beside_a_raw_file_may_be_exr() async throws {
    let test = try TestLibrary()
    try test.folder.write(TestMedia.dng(), "Card/a.dng")
    try test.folder.write(TestMedia.still("exr"), "Card/a.exr")
    let card = test.folder.url.appending(path: "Card")
    #expect(try await test.library.importFiles([card]).imported.count == 1)
    let asset = try #require(try test.library.fetchAssets().firstObject)
    #expect(asset.isRAW && asset.resources.map(\.type) == [.photo, .alternatePhoto])
    try test.expectSound()
  }

  /// An encoder with blocks of 16 or 64 pixels describes a tile that is larger than the image.
  @Test(arguments: [false, true])
  func a_heic_photo_has_the_size_of_its_primary_item(hasAperture: Bool) async throws {
    let test = try TestLibrary()
    let bytes =
      hasAperture
      ? TestMedia.heif(sizes: [(32, 32), (80, 64)], primary: 1, aperture: (80, 48))
      : TestMedia.heif(sizes: [(80, 64), (80, 48), (16, 16)], primary: 1)
    let file = try test.folder.write(bytes, "a.heic")
    let report = try await test.library.importFiles([file])
    #expect(report.imported.count == 1 && report.warnings.isEmpty)
    let asset = try #require(try test.library.fetchAssets().firstObject)
    #expect(asset.pixelWidth == 80 && asset.pixelHeight == 48)
  }
}
