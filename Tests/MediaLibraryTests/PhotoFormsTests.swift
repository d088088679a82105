import Foundation
import MediaCore
import MediaLibrary
import TestSupport
import Testing

/// RAW and processed files of the same photo.
@Suite struct PhotoFormsTests {
  private func onlyAsset(_ test: TestLibrary) throws -> Asset {
    let assets = try test.library.fetchAssets().allObjects()
    #expect(assets.count == 1)
    return try #require(assets.first)
  }

  /// Reads a resource's data as a stream.
  private func data(of resource: AssetResource) async throws -> [UInt8] {
    var bytes: [UInt8] = []
    for try await piece in AssetResourceManager.default().data(for: resource) {
      bytes += [UInt8](piece)
    }
    return bytes
  }

  @Test(arguments: [false, true])
  func raw_and_processed_files_form_one_asset_in_the_raw_album(isLinear: Bool) async throws {
    let test = try TestLibrary()
    let raw = TestMedia.dng(isLinear: isLinear) + [UInt8](repeating: 9, count: 3_000_000)
    let processed = TestMedia.png()
    let files = [
      try test.folder.write(raw, "IMG_1.dng"), try test.folder.write(processed, "IMG_1.png"),
    ]
    let report = try await test.library.save(photos: [files])
    #expect(report.createdAssets.count == 1)
    let asset = try onlyAsset(test)
    #expect(asset.isRAW && asset.badges == ["RAW"])
    #expect(try test.library.fetchAssets(in: .raw).firstObject == asset)
    #expect(try test.library.fetchAssets(in: .photos).count == 1)
    let found = FetchOptions(predicate: .text("raw img_1"))
    #expect(try test.library.fetchAssets(with: found).count == 1)
    // ProRAW is the photo itself; with Bayer RAW, the processed image is the photo.
    #expect(asset.resources.map(\.type) == [.photo, .alternatePhoto])
    let names = ["IMG_1.dng", "IMG_1.png"]
    #expect(asset.resources.map(\.originalFilename) == (isLinear ? names : names.reversed()))
    #expect(
      asset.resources.map(\.uniformTypeIdentifier).sorted()
        == ["com.adobe.raw-image", "public.png"])
    // The RAW file supplies what the processed file lacks.
    #expect(asset.facts.device == "Maker Camera 7")
    #expect(asset.resources.allSatisfy { $0.relativePath.hasPrefix("2022/05/") })
    for resource in asset.resources {
      let wanted = resource.originalFilename == "IMG_1.dng" ? raw : processed
      #expect(try await data(of: resource) == wanted)
    }
    #expect(!files.contains { FileManager.default.fileExists(atPath: $0.path) })
    try test.expectSound()
  }

  @Test func photo_pairs_without_a_raw_file_are_refused() async throws {
    let test = try TestLibrary()
    let first = try test.folder.write(TestMedia.png(seed: 1), "a.png")
    let second = try test.folder.write(TestMedia.png(seed: 2), "b.png")
    let error = await #expect(throws: MediaLibraryError.self) {
      try await test.library.save(photos: [[first, second]])
    }
    #expect(error?.code == .unsupportedResourceTypes)
    #expect(error?.message.contains("a.png and b.png") == true)
    #expect(FileManager.default.fileExists(atPath: first.path))
    #expect(try test.library.fetchAssets().isEmpty)
  }

  @Test func an_import_pairs_raw_and_processed_files() async throws {
    let test = try TestLibrary()
    try test.folder.write(TestMedia.dng(seed: 1), "Card/IMG_1.DNG")
    try test.folder.write(TestMedia.png(seed: 1), "Card/IMG_1.png")
    try test.folder.write(TestMedia.png(seed: 2), "Card/IMG_2.png")
    // With three files of one name, it is unknown which belong together.
    try test.folder.write(TestMedia.dng(seed: 3), "Card/IMG_3.dng")
    try test.folder.write(TestMedia.png(seed: 3), "Card/IMG_3.png")
    try test.folder.write(TestMedia.png(seed: 4), "Card/IMG_3.jpg")
    // A file in another folder does not belong to the photo either.
    try test.folder.write(TestMedia.dng(seed: 5), "Card/Other/IMG_2.dng")
    let card = test.folder.url.appending(path: "Card")
    let report = try await test.library.importFiles([card])
    #expect(report.failures.isEmpty)
    let assets = try test.library.fetchAssets().allObjects()
    #expect(assets.count == 6)
    let pair = try #require(assets.first { $0.resources.count == 2 })
    #expect(pair.resources.map(\.originalFilename).sorted() == ["IMG_1.DNG", "IMG_1.png"])
    let again = try await test.library.importFiles([card])
    #expect(again.imported.isEmpty && again.duplicates.count == 6)
    try test.expectSound()
  }

  @Test func the_raw_file_of_an_existing_photo_is_imported() async throws {
    let test = try TestLibrary()
    let image = try test.folder.write(TestMedia.png(), "Card/IMG_1.png")
    try await test.add(image)
    try test.folder.write(TestMedia.dng(), "Card/IMG_1.dng")
    let card = test.folder.url.appending(path: "Card")
    let report = try await test.library.importFiles([card])
    #expect(report.imported.count == 1)
    #expect(report.duplicates.map(\.wasSkipped) == [false])
    #expect(try test.library.assetCount(in: .raw) == 1)
    let again = try await test.library.importFiles([card])
    #expect(again.imported.count == 0)
    try test.expectSound()
  }

  @Test(arguments: [false, true])
  func a_rebuild_without_a_journal_restores_raw_pairs(isLinear: Bool) async throws {
    let test = try TestLibrary()
    let files = [
      try test.folder.write(TestMedia.png(), "IMG_1.png"),
      try test.folder.write(TestMedia.dng(isLinear: isLinear), "IMG_1.dng"),
    ]
    try await test.library.save(photos: [files])
    let before = try onlyAsset(test)
    test.library.close()
    try FileManager.default.removeItem(atPath: test.root + "/.medialibrary")
    let report = try test.library.rebuild()
    #expect(report.adoptedFiles.count == 2 && report.assetCount == 1)
    let after = try onlyAsset(test)
    #expect(after.facts == before.facts)
    #expect(after.resources.map(\.type) == before.resources.map(\.type))
    #expect(after.resources.map(\.relativePath) == before.resources.map(\.relativePath))
    try test.expectSound()
  }

  @Test func a_heif_photo_has_the_size_of_its_largest_image() async throws {
    let test = try TestLibrary()
    let file = TestMedia.heif(sizes: [(512, 512), (4032, 3024), (320, 240)])
    try await test.add(try test.folder.write(file, "a.heic"))
    let asset = try onlyAsset(test)
    #expect(asset.pixelWidth == 4032 && asset.pixelHeight == 3024)
    #expect(asset.resources.first?.uniformTypeIdentifier == "public.heic")
  }

  @Test func a_heif_photo_contains_camera_date_and_location() async throws {
    let test = try TestLibrary()
    let place = GeographicLocation(latitude: 48.5, longitude: -11.25, altitude: 520)
    let file = TestMedia.heif(sizes: [(4032, 3024)], exif: TestMedia.dng(location: place))
    try await test.add(try test.folder.write(file, "a.heic"))
    let asset = try onlyAsset(test)
    #expect(asset.pixelWidth == 4032 && asset.pixelHeight == 3024 && !asset.isRAW)
    #expect(asset.facts.device == "Maker Camera 7")
    #expect(asset.location == place)
    #expect(asset.resources.first?.relativePath == "2022/05/a.heic")
  }

  /// The first bytes of files written by libjxl.
  @Test(arguments: [
    (0x0288_1200_01BE_F8 as UInt64, 640, 480), (0x6C00_0288_1200_067F, 256, 256),
    (0x0288_1200_C7CE_8118, 1000, 36), (0x0288_1200_1B5E_7A, 4032, 3024),
    (0x0288_1200_1D21_BA, 1920, 1080), (0x0288_1200_01B0_28, 8, 6),
    (0x0288_1200_1F1F_3A, 2000, 1000),
  ])
  func size_and_camera_are_read_from_jpeg_xl(
    header: UInt64, width: Int, height: Int
  ) async throws {
    let stream: [UInt8] =
      [0xFF, 0x0A] + (0..<8).map { UInt8(truncatingIfNeeded: header >> ($0 * 8)) }
    let exif: [UInt8] = [0, 0, 0, 0] + TestMedia.dng()
    let signature: [UInt8] = [0, 0, 0, 0x0C, 0x4A, 0x58, 0x4C, 0x20, 0x0D, 0x0A, 0x87, 0x0A]
    let head = signature + TestMedia.box("ftyp", [UInt8]("jxl \0\0\0\0jxl ".utf8))
    let forms = [
      stream,
      head + TestMedia.box("Exif", exif) + TestMedia.box("jxlc", stream),
      head + TestMedia.box("jxlp", [0, 0, 0, 0] + stream) + TestMedia.box("Exif", exif),
    ]
    for (number, form) in forms.enumerated() {
      let test = try TestLibrary()
      try await test.add(try test.folder.write(form, "a.jxl"))
      let asset = try onlyAsset(test)
      #expect(asset.pixelWidth == width && asset.pixelHeight == height, "form \(number)")
      #expect(asset.facts.device == (number == 0 ? nil : "Maker Camera 7"), "form \(number)")
    }
  }

  @Test(arguments: ["heif", "jxl"])
  func images_with_corrupted_exif_boxes_are_imported(kind: String) async throws {
    let test = try TestLibrary()
    let signature: [UInt8] = [0, 0, 0, 0x0C, 0x4A, 0x58, 0x4C, 0x20, 0x0D, 0x0A, 0x87, 0x0A]
    let file =
      kind == "heif"
      ? TestMedia.heif(sizes: [(64, 64)], exif: TestMedia.dng())
      : signature + TestMedia.box("Exif", [0, 0, 0, 0] + TestMedia.dng())
        + TestMedia.box("jxlc", [0xFF, 0x0A, 0x7F, 6, 0, 0x12])
    var generator = SeededGenerator(seed: 6)
    var request: [URL] = []
    for round in 0..<300 {
      var bytes = file
      for _ in 0..<4 {
        let place = 12 + Int(generator.next() % UInt64(bytes.count - 12))
        bytes[place] = [0, 1, 0x7F, 0x80, 0xFF][Int(generator.next() % 5)]
      }
      request.append(try test.folder.write(bytes + [UInt8(round & 255)], "h\(round).\(kind)"))
    }
    let report = try await test.library.importFiles(request)
    #expect(report.failures.isEmpty, "\(report.failures.first?.message ?? "")")
  }

  @Test func corrupted_heif_files_are_imported_without_failures() async throws {
    let test = try TestLibrary()
    let file = TestMedia.heif(sizes: [(4032, 3024)])
    var generator = SeededGenerator(seed: 5)
    var request: [URL] = []
    for round in 0..<400 {
      var bytes = file
      if round % 2 == 0 {
        bytes = Array(bytes.prefix(12 + Int(generator.next() % UInt64(bytes.count - 12))))
      } else {
        for _ in 0..<4 {
          let place = 12 + Int(generator.next() % UInt64(bytes.count - 12))
          bytes[place] = [0, 1, 0x7F, 0x80, 0xFF][Int(generator.next() % 5)]
        }
      }
      request.append(try test.folder.write(bytes + [UInt8(round & 255)], "h\(round).heic"))
    }
    let report = try await test.library.importFiles(request)
    #expect(report.failures.isEmpty, "\(report.failures.first?.message ?? "")")
    try test.expectSound()
  }

  @Test func location_is_read_from_a_dng() async throws {
    let test = try TestLibrary()
    let place = GeographicLocation(latitude: -48.5, longitude: 11.25, altitude: 520)
    try await test.add(try test.folder.write(TestMedia.dng(location: place), "a.dng"))
    #expect(try onlyAsset(test).location == place)
  }
}
