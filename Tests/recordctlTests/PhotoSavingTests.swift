import Foundation
import MediaLibrary
import TestSupport
import Testing

/// `recordctl photo --save`: real RAW photos in a library.
@Suite struct PhotoSavingTests {
  private struct Document: Decodable {
    let photos: [Listing]
    let library: Saving?
  }

  private struct Saving: Decodable {
    struct Failure: Decodable { let message: String }
    struct Hook: Decodable { let output: String }

    let path: String
    let createdAssets: [String]
    let hooks: [Hook]
    let error: Failure?
  }

  private struct Listing: Decodable {
    let path: String
    let asset: String?
    let isRAW: Bool
  }

  private func take(_ folder: TemporaryFolder, _ arguments: String...) throws -> [Listing] {
    let run = try Recordctl(
      Recordctl.photo + ["--library", folder.path("Library"), "--json"] + arguments,
      in: folder.url)
    #expect(run.status == 0, "\(run.errors)")
    return try JSONDecoder().decode(Document.self, from: Data(run.output.utf8)).photos
  }

  private func library(_ folder: TemporaryFolder) -> PhotoLibrary {
    let library = PhotoLibrary(at: URL(filePath: folder.path("Library")))
    library.hookSelection = .none
    return library
  }

  @Test func a_bayer_photo_and_its_jpeg_become_one_asset() async throws {
    let folder = try TemporaryFolder()
    let files = try take(folder, "--raw", "bayer", "--processed", "jpeg", "-o", "shot.dng")
    #expect(folder.contents == ["Library"], "the files were moved")
    #expect(files.count == 2 && Set(files.map(\.asset)).count == 1)
    let assets = try library(folder).fetchAssets(in: .raw).allObjects()
    let asset = try #require(assets.first)
    #expect(assets.count == 1 && asset.localIdentifier == files.first?.asset)
    #expect(asset.resources.map(\.type) == [.photo, .alternatePhoto])
    #expect(asset.resources.map(\.originalFilename) == ["shot.jpg", "shot.dng"])
    #expect(Set(asset.resources.map(\.fileURL.path)) == Set(files.map(\.path)))
    #expect(asset.pixelWidth == 640 && asset.pixelHeight == 480)
    // The DNG file in the library is complete.
    let raw = try #require(files.first { $0.isRAW })
    let info = try Recordctl(["photo", "info", raw.path])
    #expect(info.status == 0 && info.output.contains("agrees"), "\(info.errors)")
    #expect(try Recordctl(["library", "verify", "-L", folder.path("Library")]).status == 0)
  }

  @Test func a_merged_photo_precedes_its_heic_and_has_a_preview() async throws {
    let folder = try TemporaryFolder()
    _ = try take(folder, "--raw", "proraw", "--bracket", "-2,0", "--processed", "heic")
    let library = library(folder)
    let asset = try #require(try library.fetchAssets(in: .raw).firstObject)
    #expect(asset.resources.map(\.type) == [.photo, .alternatePhoto])
    #expect(
      asset.resources.map(\.uniformTypeIdentifier) == ["com.adobe.raw-image", "public.heic"])
    #expect(asset.facts.isLinearRAW == true)
    #expect(asset.pixelWidth == 640)
    let preview = try await library.preview(.thumbnail, of: asset)
    let frame = try Data(contentsOf: preview)
    #expect(frame.starts(with: [0xFF, 0xD8, 0xFF]) && frame.count > 1000)
  }

  @Test func each_bracket_exposure_becomes_an_asset() throws {
    let folder = try TemporaryFolder()
    let files = try take(
      folder, "--raw", "bayer", "--bracket", "-1,0,1", "--processed", "jpeg", "--thumbnail", "none")
    #expect(files.count == 6)
    let assets = try library(folder).fetchAssets().allObjects()
    #expect(assets.count == 3)
    for asset in assets {
      let mine = files.filter { $0.asset == asset.localIdentifier }
      #expect(Set(mine.map(\.path)) == Set(asset.resources.map(\.fileURL.path)))
      #expect(asset.resources.count == 2 && asset.isRAW)
    }
  }

  private func takeOne(_ folder: TemporaryFolder) throws -> Recordctl {
    try Recordctl(
      Recordctl.photo
        + ["--raw", "bayer", "-o", "shot.dng", "--library", folder.path("Library")],
      in: folder.url)
  }

  @Test func an_unusable_library_is_reported_before_taking_a_photo() throws {
    let folder = try TemporaryFolder()
    let place = try folder.emptyFile("Library")
    try takeOne(folder).expectRefusal(naming: place.path)
    #expect(folder.contents == ["Library"])
  }

  @Test func json_reports_how_photos_were_saved() throws {
    let folder = try TemporaryFolder()
    try folder.writeProgram("#!/bin/sh\necho seen\n", "config/recordctl/hooks/tell")
    func save(_ status: Int32) throws -> Saving {
      let run = try Recordctl(
        Recordctl.photo
          + ["--raw", "bayer", "-o", "shot.dng", "--library", folder.path("Library"), "--json"],
        environment: ["XDG_CONFIG_HOME": folder.path("config")], in: folder.url)
      #expect(run.status == status, "\(run.errors)")
      let document = try JSONDecoder().decode(Document.self, from: Data(run.output.utf8))
      return try #require(document.library)
    }
    let saved = try save(0)
    #expect(saved.path == folder.path("Library") && saved.error == nil)
    #expect(saved.createdAssets.count == 1 && saved.hooks.map(\.output) == ["seen\n"])
    let kept = URL(filePath: folder.path("Library/.medialibrary/staging/kept"))
    try? FileManager.default.removeItem(at: kept)
    try Data().write(to: kept)
    let failed = try save(1)
    #expect(failed.error != nil && failed.createdAssets.isEmpty)
  }

  @Test func photos_that_cannot_be_saved_stay_in_place() throws {
    let folder = try TemporaryFolder()
    try library(folder).open()
    // This file is in the way only once there is something to save.
    let kept = URL(filePath: folder.path("Library/.medialibrary/staging/kept"))
    try Data().write(to: kept)
    let run = try takeOne(folder)
    #expect(run.status == 1)
    #expect(run.errors.contains("not in the library"), "\(run.errors)")
    #expect(folder.contents == ["Library", "shot.dng"])
    #expect(run.output == "shot.dng\n")
  }
}
