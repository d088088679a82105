import Foundation
import Glibc
import MediaCore
import MediaLibrary
import TestSupport
import Testing

@Suite struct SavingTests {
  @Test func a_movie_is_stored_by_year_and_month_with_its_metadata() async throws {
    let test = try TestLibrary()
    let movie = test.folder.url.appending(path: "A001C003.mov")
    try TestMedia.movie(movie)
    let report = try await test.add(movie, as: .video)
    let asset = try #require(
      try test.library.fetchAssets(withLocalIdentifiers: report.createdAssets).first)
    #expect(asset.mediaType == .video)
    #expect(asset.isProRes)
    #expect(asset.badges == ["ProRes"])
    #expect(asset.pixelWidth == 1920 && asset.pixelHeight == 1080)
    #expect(asset.facts.codec == "apch")
    #expect(asset.facts.frameRate == "25")
    #expect(asset.facts.timecode == "01:00:00:00")
    #expect(asset.facts.device == "Maker Camera 9")
    #expect(abs(asset.duration - 0.12) < 0.001)
    #expect(asset.creationDate == Date(timeIntervalSince1970: 1_653_387_072))
    #expect(asset.resources.map(\.relativePath) == ["2022/05/A001C003.mov"])
    #expect(FileManager.default.fileExists(atPath: movie.path), "a copy leaves its source")
    try test.expectSound()
  }

  @Test func raw_file_and_processed_data_make_one_asset() async throws {
    let test = try TestLibrary()
    let raw = try test.folder.write(TestMedia.dng(), "IMG_1.dng")
    let processed = Data(TestMedia.png())
    #expect(await test.library.requestAuthorization(for: .addOnly) == .authorized)
    let report = try await test.library.performChanges {
      let request = try AssetCreationRequest.forAsset()
      let options = AssetResourceCreationOptions(shouldMoveFile: true)
      request.addResource(with: .photo, fileURL: raw, options: options)
      request.addResource(with: .alternatePhoto, data: processed, options: nil)
    }
    let asset = try #require(
      try test.library.fetchAssets(withLocalIdentifiers: report.createdAssets).first)
    #expect(asset.isRAW)
    #expect(asset.pixelWidth == 4000)
    #expect(asset.facts.device == "Maker Camera 7")
    let resources = AssetResource.assetResources(for: asset)
    #expect(resources.map(\.type) == [.photo, .alternatePhoto])
    #expect(resources.map(\.relativePath) == ["2022/05/IMG_1.dng", "2022/05/IMG_1.png"])
    #expect(!FileManager.default.fileExists(atPath: raw.path), "a moved file is gone")
    try test.expectSound()
  }

  @Test func a_move_across_mounts_copies_verifies_and_removes_the_source() async throws {
    let calls = FaultyFileCalls()
    let test = try TestLibrary(calls: calls)
    try test.library.open()
    let file = try test.folder.write(TestMedia.png(), "a.png")
    let bytes = try Data(contentsOf: file)
    calls.arm(.mountedApart)
    let report = try await test.add(file, moves: true)
    let asset = try #require(
      try test.library.fetchAssets(withLocalIdentifiers: report.createdAssets).first)
    #expect(try Data(contentsOf: #require(asset.fileURL)) == bytes)
    #expect(!calls.drops.isEmpty, "the copy was read again from the disk")
    #expect(report.warnings.isEmpty && report.leftovers.isEmpty, "\(report)")
    #expect(!FileManager.default.fileExists(atPath: file.path))
    try test.expectSound()
  }

  @Test func a_moved_file_is_renamed_not_copied() async throws {
    let test = try TestLibrary()
    let file = try test.folder.write(TestMedia.png(), "a.png")
    var before = stat()
    stat(file.path, &before)
    let report = try await test.add(file, moves: true)
    let asset = try #require(
      try test.library.fetchAssets(withLocalIdentifiers: report.createdAssets).first)
    var after = stat()
    stat(try #require(asset.fileURL).path, &after)
    #expect(before.st_ino == after.st_ino)
  }

  @Test func a_file_on_another_file_system_is_moved_by_a_verified_copy() async throws {
    let other = "/dev/shm/library-\(UUID().uuidString).png"
    defer { unlink(other) }
    try Data(TestMedia.png()).write(to: URL(filePath: other))
    let test = try TestLibrary()
    var (shared, temporary) = (stat(), stat())
    stat("/dev/shm", &shared)
    stat(test.folder.url.path, &temporary)
    try #require(shared.st_dev != temporary.st_dev, "both are on one file system here")
    let report = try await test.add(URL(filePath: other), moves: true)
    #expect(report.leftovers.isEmpty)
    #expect(access(other, F_OK) != 0)
    try test.expectSound()
  }

  @Test func equally_named_files_get_numbers() async throws {
    let test = try TestLibrary()
    for seed in 0..<3 {
      let file = try test.folder.write(TestMedia.png(seed: seed), "\(seed)/a.png")
      try await test.library.performChanges {
        let request = try AssetCreationRequest.forAsset()
        request.creationDate = Date(timeIntervalSince1970: 1_653_387_072)
        request.addResource(with: .photo, fileURL: file)
      }
    }
    #expect(test.originals == ["2022/05/a-2.png", "2022/05/a-3.png", "2022/05/a.png"])
    try test.expectSound()
  }

  @Test func duplicates_are_reported_and_skipped_on_request() async throws {
    let test = try TestLibrary()
    let first = try test.folder.write(TestMedia.png(), "a.png")
    let again = try test.folder.write(TestMedia.png(), "b.png")
    let id = try #require(try await test.add(first).createdAssets.first)
    let skipped = try await test.add(again, moves: true, duplicates: .skip)
    #expect(skipped.createdAssets.isEmpty)
    #expect(skipped.duplicates.map(\.source) == [again.path])
    #expect(skipped.duplicates.map(\.existingAsset) == [id])
    #expect(skipped.duplicates.map(\.wasSkipped) == [true])
    #expect(FileManager.default.fileExists(atPath: again.path))
    let kept = try await test.add(again)
    #expect(kept.createdAssets.count == 1)
    #expect(kept.duplicates.map(\.wasSkipped) == [false])
    try test.expectSound()
  }

  @Test func saving_movies_includes_their_companion_files() async throws {
    let test = try TestLibrary()
    let movie = test.folder.url.appending(path: "take.mov")
    try TestMedia.movie(movie)
    try test.folder.write([UInt8]("{}".utf8), "take.json")
    try test.folder.write([UInt8]("x".utf8), "take.mov.xxh64")
    try test.folder.write([UInt8]("y".utf8), "other.json")
    let report = try await test.library.save(movies: [movie])
    let asset = try #require(
      try test.library.fetchAssets(withLocalIdentifiers: report.createdAssets).first)
    #expect(asset.resources.map(\.type) == [.video, .companion, .companion])
    #expect(
      asset.resources.map(\.originalFilename) == ["take.mov", "take.json", "take.mov.xxh64"])
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: test.folder.url.path).sorted()
        == ["Library", "other.json"])
    try test.expectSound()
  }

  @Test func only_certain_resource_types_form_an_asset() {
    #expect(AssetCreationRequest.supportsAssetResourceTypes([.photo]))
    #expect(AssetCreationRequest.supportsAssetResourceTypes([.photo, .alternatePhoto]))
    #expect(AssetCreationRequest.supportsAssetResourceTypes([.photo, .pairedVideo]))
    #expect(AssetCreationRequest.supportsAssetResourceTypes([.video, .companion, .companion]))
    #expect(!AssetCreationRequest.supportsAssetResourceTypes([]))
    #expect(!AssetCreationRequest.supportsAssetResourceTypes([.alternatePhoto]))
    #expect(!AssetCreationRequest.supportsAssetResourceTypes([.video, .alternatePhoto]))
    #expect(!AssetCreationRequest.supportsAssetResourceTypes([.video, .photo]))
    #expect(!AssetCreationRequest.supportsAssetResourceTypes([.photo, .photo]))
  }

  @Test func the_completion_handler_receives_success_or_failure() async throws {
    let test = try TestLibrary()
    let file = try test.folder.write(TestMedia.png(), "a.png")
    let good = await withCheckedContinuation { waiting in
      test.library.performChanges {
        try AssetCreationRequest.creationRequestForAssetFromImage(atFileURL: file)
      } completionHandler: { success, error in
        waiting.resume(returning: success && error == nil)
      }
    }
    #expect(good)
    let error = await withCheckedContinuation { waiting in
      test.library.performChanges {
        try AssetCreationRequest.creationRequestForAssetFromVideo(atFileURL: file)
      } completionHandler: { _, error in
        waiting.resume(returning: error)
      }
    }
    #expect(error?.code == .invalidResource)
  }
}
