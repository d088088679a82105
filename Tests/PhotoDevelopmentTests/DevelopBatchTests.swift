import DNG
import Foundation
import ImageFiles
import MediaCore
import Synchronization
import TIFF
import TestSupport
import Testing

@testable import PhotoDevelopment

/// Batches of photos: their order, names and ends.
@Suite struct DevelopBatchTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  func photo(_ name: String, level: UInt16 = 1000) throws -> String {
    let mosaic = try RawImage(
      width: 64, height: 48, bitDepth: 12,
      samples: (0..<64 * 48).map { level + UInt16($0 % 64) })
    var metadata = PhotoMetadata()
    metadata.model = "Camera"
    metadata.date = Date(timeIntervalSince1970: 1_700_000_000)
    let bytes = try BayerNegative(
      mosaic: mosaic, pattern: .rggb, calibration: .assumed(model: "Camera", bitDepth: 12),
      metadata: metadata
    ).dngFileData()
    try folder.write(bytes, name)
    return folder.path(name)
  }

  func batch(
    _ sources: [String], to output: String?, _ format: ImageFileFormat = .png
  ) throws -> DevelopBatch {
    var options = DevelopOptions()
    options.format = format
    return try DevelopBatch(
      sources: sources, recipe: DevelopRecipe(options), name: ImageName(output))
  }

  @Test func results_keep_the_order_of_the_photos_for_any_number_of_jobs() throws {
    let sources = try (0..<6).map { try photo("\($0).dng", level: UInt16(300 * $0 + 200)) }
    var files: [[Data]] = []
    for jobs in [1, 4] {
      let output = try folder.makeFolder("jobs\(jobs)")
      var batch = try batch(sources, to: output.path)
      batch.jobs = jobs
      let seen = Mutex<[DevelopBatch.Progress]>([])
      let photos = batch.run(progress: { now in seen.withLock { $0.append(now) } })
      #expect(photos.map(\.source) == sources && photos.allSatisfy { $0.status == .developed })
      let progress = seen.withLock { $0 }
      #expect(progress.map(\.done) == Array(1...6) && progress.allSatisfy { $0.total == 6 })
      #expect(progress.last?.secondsLeft == 0 && progress.allSatisfy { $0.secondsLeft != nil })
      files.append(try photos.map { try Data(contentsOf: URL(filePath: $0.path ?? "")) })
    }
    #expect(files[0] == files[1])
  }

  @Test func a_folder_that_cannot_be_created_is_reported_with_the_reason() throws {
    let photo = try photo("a.dng")
    let deep = try batch([photo], to: folder.path("new/deep/{name}")).run()
    #expect(deep.map(\.status) == [.developed])
    // A file has the folder's path.
    let output = folder.path("a.dng/sub/deep")
    let found = try batch([photo], to: output + "/{name}").run()
    #expect(found.map(\.status) == [.failed])
    #expect(
      found.first?.error?.message
        == "\(output) cannot be created: Not a directory; choose another folder")
  }

  @Test func a_skipped_correction_is_reported() throws {
    var root = TIFFDirectory()
    root[.dngVersion] = .bytes([1, 7, 1, 0])
    root[.uniqueCameraModel] = .ascii("Camera")
    root[.imageWidth] = .longs([8])
    root[.imageLength] = .longs([8])
    root[.bitsPerSample] = .shorts([16])
    root[.compression] = .shorts([1])
    root[.samplesPerPixel] = .shorts([1])
    root[.photometric] = .shorts([32_803])
    root[.cfaRepeatPatternDim] = .shorts([2, 2])
    root[.cfaPattern] = .bytes([0, 1, 1, 2])
    root[.rowsPerStrip] = .longs([8])
    root[.colorMatrix1] = .signedRationals([1, 0, 0, 0, 1, 0, 0, 0, 1].map { .init($0) })
    root[.asShotNeutral] = .rationals([1, 1, 1].map { .init($0) })
    // An optional opcode with a number that the specification does not define.
    root[.opcodeList3] = .undefined([
      0, 0, 0, 1, 0, 0, 0, 99, 1, 7, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0,
    ])
    root.pixels = .init(isTiled: false, chunks: [[UInt8](repeating: 40, count: 128)])
    try folder.write(try TIFFWriter.serialize(root), "lens.dng")
    let photo = try #require(try batch([folder.path("lens.dng")], to: nil).run().first)
    #expect(photo.status == .developed)
    let note = try #require(photo.notes.first { $0.kind == .correctionsOmitted })
    #expect(note.message.contains("opcode 99 is unknown"))
  }

  @Test func two_photos_never_share_a_name() throws {
    let sources = [try photo("a.dng"), try photo("b.dng")]
    let photos = try batch(sources, to: folder.path("{camera}")).run()
    #expect(photos.map(\.status) == [.developed, .failed])
    #expect(photos[1].error?.message.contains("{number}") == true)
    let numbered = try batch(sources, to: folder.path("{camera}-{number}")).run()
    #expect(numbered.allSatisfy { $0.status == .developed })
    #expect(folder.contents.contains("Camera-0002.png"))
    #expect(throws: PhotoDevelopmentError.self) { try batch(sources, to: folder.path("one.png")) }
  }

  /// A photo added between two others would get the second one's number, and one of the same day the other's
  /// date; neither would ever be developed.
  @Test func skipping_existing_files_needs_names_unique_to_a_photo() throws {
    let sources = [try photo("a.dng"), try photo("b.dng")]
    func batch(_ name: String) throws -> DevelopBatch {
      try DevelopBatch(
        sources: sources, recipe: DevelopRecipe(), name: ImageName(folder.path(name)),
        skipsExisting: true)
    }
    for name in ["{number}", "{date}-{number}.jpg", "{date}_{time}", "{camera}"] {
      let error = #expect(throws: PhotoDevelopmentError.self) { try batch(name) }
      #expect(error?.code == .invalidArgument && error?.message.contains("{name}") == true)
    }
    for name in ["{number}-{name}", "{name}"] { _ = try batch(name) }
  }

  @Test func canceling_leaves_only_complete_images() throws {
    let sources = try (0..<3).map { try photo("\($0).dng") }
    let asked = Counter()
    let batch = try batch(sources, to: nil)
    let photos = batch.run(isCanceled: {
      asked.add()
      return asked.value > 6
    })
    #expect(photos.last?.status == .canceled && photos.count == 3)
    let made = photos.filter { $0.status == .developed }.compactMap(\.path)
    let there = folder.contents.filter { !$0.hasSuffix(".dng") }
    #expect(Set(made) == Set(there.map(folder.path)), "\(there)")
  }

  private static let sidecar =
    "<x:xmpmeta xmlns:x='adobe:ns:meta/'><rdf:RDF "
    + "xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#'><rdf:Description rdf:about='' "
    + "xmlns:crs='http://ns.adobe.com/camera-raw-settings/1.0/' crs:Exposure2012='+2.00' "
    + "crs:Texture='+7' xmlns:xmp='http://ns.adobe.com/xap/1.0/' xmp:Rating='5'/></rdf:RDF></x:xmpmeta>"

  /// The sidecar does not change the image, and keeps its contents.
  @Test func an_unread_sidecar_keeps_its_contents_when_written() throws {
    let source = try photo("a.dng")
    try folder.write(Self.sidecar, "a.xmp")
    var options = DevelopOptions()
    options.format = .png
    options.adjustment[.exposure] = 0.5
    var recipe = try DevelopRecipe(options)
    (recipe.readsSidecars, recipe.writesSidecars) = (false, true)
    let batch = try DevelopBatch(sources: [source], recipe: recipe, name: ImageName(nil))
    let made = try #require(batch.run().first)
    #expect(made.settings?[.exposure] == 0.5)
    let text = try String(contentsOf: folder.url("a.xmp"), encoding: .utf8)
    for kept in ["Rating", "Texture"] { #expect(text.contains(kept), "\(text)") }
    #expect(text.contains("+0.50"), "\(text)")
  }

  @Test func a_photo_declared_without_a_sidecar_ignores_one_of_its_name() throws {
    let source = try photo("a.dng")
    try folder.write(Self.sidecar, "a.xmp")
    var batch = try batch([source], to: nil)
    batch.sidecars = [source: .none]
    #expect(batch.run().first?.settings?[.exposure] ?? 0 == 0)
    var options = ContactSheet.Options()
    options.sidecars = [source: .none]
    let sheet = try ContactSheet(title: "", sources: [source], options: options)
    options = .init()
    options.readsSidecars = false
    let plain = try ContactSheet(title: "", sources: [source], options: options)
    let bright = try ContactSheet(title: "", sources: [source])
    #expect(sheet.tiles.first?.thumbnail == plain.tiles.first?.thumbnail)
    #expect(sheet.tiles.first?.thumbnail != bright.tiles.first?.thumbnail)
  }

  /// Settings of a preset, like those of a sidecar, were not requested for the draft itself.
  @Test func settings_ignored_by_drafts_and_thumbnails_are_reported() throws {
    let source = try photo("a.dng")
    let preset = try DevelopPreset(
      "[light]\nexposure = 1\n[detail]\nsharpness = 0.5\nstructure = 0\nmoire-reduction = 0.1",
      name: "p", path: "p.toml")
    var recipe = try DevelopRecipe(preset: preset)
    let reported = "a draft ignores: sharpness, moireReduction"
    for isDraft in [true, false] {
      recipe.isDraft = isDraft
      var batch = try DevelopBatch(sources: [source], recipe: recipe, name: ImageName(nil))
      batch.replacesFiles = true
      let notes = try #require(batch.run().first).notes.filter { $0.kind == .settingsOmitted }
      #expect(notes.map(\.message) == (isDraft ? [reported] : []))
    }
    var options = ContactSheet.Options()
    options.preset = preset
    let sheet = try ContactSheet(title: "", sources: [source], options: options)
    #expect(sheet.tiles.first?.notes.map(\.message) == [reported] && sheet.notes.isEmpty)
    let web = try DevelopPreset("[file]\nsize = 99\nhdr = \"pq\"", name: "p", path: "p.toml")
    options.preset = web
    let page = try ContactSheet(title: "", sources: [source], options: options)
    #expect(
      page.notes.map(\.message).first?.hasSuffix("the preset p says about files: size, hdr") == true
    )
    #expect(page.notes.count == 1 && page.tiles.first?.notes.isEmpty == true)
  }

  @Test func an_output_never_replaces_a_source_photo() throws {
    let source = try photo("a.tif")
    try FileManager.default.createSymbolicLink(
      atPath: folder.path("link.tif"), withDestinationPath: source)
    let before = try Data(contentsOf: URL(filePath: source))
    for output in [nil, folder.path("link.tif")] {
      var batch = try batch([source], to: output, .tiff)
      batch.replacesFiles = true
      let made = try #require(batch.run().first)
      #expect(made.status == .failed)
      #expect(made.error?.message.contains("one of the photos") == true, "\(made)")
    }
    #expect(try Data(contentsOf: URL(filePath: source)) == before)
  }

  @Test func folders_are_expanded_and_each_photo_is_used_once() throws {
    let inner = try folder.makeFolder("in")
    for name in ["in/b.DNG", "in/a.dng"] { _ = try photo(name) }
    try folder.write([1], "in/c.jpg")
    try folder.write([1], "in/.d.dng")
    _ = try folder.makeFolder("in/e.dng")
    let found = try PhotoSources.files([inner.path + "/b.DNG", inner.path])
    #expect(found == [inner.path + "/b.DNG", inner.path + "/a.dng"])
    #expect(throws: PhotoDevelopmentError.self) { try PhotoSources.files([folder.path("none")]) }
    let empty = try folder.makeFolder("empty")
    #expect(throws: PhotoDevelopmentError.self) { try PhotoSources.files([empty.path]) }
  }

  /// On Linux, two files may have names that Unicode treats as the same text.
  @Test func photos_whose_names_look_alike_are_each_developed() throws {
    let inner = try folder.makeFolder("alike")
    for name in ["alike/\u{E9}.dng", "alike/e\u{301}.dng"] { _ = try photo(name) }
    let sources = try PhotoSources.files([inner.path])
    #expect(sources.count == 2)
    let photos = try batch(sources, to: folder.path("out/")).run()
    #expect(photos.map(\.status) == [.developed, .developed], "\(photos)")
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path("out")).count == 2)
  }

  @Test func a_photo_name_that_is_not_utf8_is_reported() throws {
    let inner = try folder.makeFolder("latin")
    let bytes = Array((inner.path + "/").utf8) + [0xE9] + Array(".dng".utf8) + [0]
    try #require(rename(try photo("a.dng"), bytes.map { CChar(bitPattern: $0) }) == 0)
    let made = try #require(
      try batch(PhotoSources.files([inner.path]), to: folder.path("out/")).run().first)
    #expect(made.error?.message.contains("has a name that is not UTF-8") == true, "\(made)")
  }

  @Test func a_file_extension_of_another_format_is_refused() throws {
    let source = try photo("a.dng")
    for (name, format, other) in [
      ("a.jpg", ImageFileFormat.heic, "jpeg"), ("{name}.PNG", .jpeg, "png"),
      ("b.tiff", .jpegXL, "tiff"),
    ] {
      let error = #expect(throws: PhotoDevelopmentError.self) {
        try batch([source], to: folder.path(name), format)
      }
      #expect(error?.message.contains("choose \(other), or another ending") == true)
    }
    let gif = #expect(throws: PhotoDevelopmentError.self) {
      try batch([source], to: folder.path("a.gif"), .png)
    }
    #expect(gif?.message.hasSuffix("the images are png; choose another ending") == true)
    for (name, format) in [
      ("a.jpg", ImageFileFormat.gainMapJPEG), ("a.JPEG", .jpeg), ("a.TIFF", .tiff),
      ("a.heif", .heic),
      ("v1.2", .png), ("a.dng", .png), (".png", .jpeg),
    ] { _ = try batch([source], to: folder.path(name), format) }
    let empty = #expect(throws: PhotoDevelopmentError.self) { try ImageName("") }
    #expect(empty?.code == .invalidArgument)
  }

  @Test func metadata_of_the_photo_and_sidecar_is_in_the_output() throws {
    let source = try photo("a.dng")
    try folder.write(
      "<x:xmpmeta xmlns:x='adobe:ns:meta/'><rdf:RDF "
        + "xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#'><rdf:Description rdf:about='' "
        + "xmlns:tiff='http://ns.adobe.com/tiff/1.0/' tiff:Orientation='6' "
        + "xmlns:xmp='http://ns.adobe.com/xap/1.0/' xmp:Rating='5'/></rdf:RDF></x:xmpmeta>",
      "a.xmp")
    let photo = try #require(try batch([source], to: nil).run().first)
    let (width, height) = (try #require(photo.width), try #require(photo.height))
    #expect(width < height, "rotated as in the sidecar")
    let file = try Data(contentsOf: folder.url("a.png"))
    for text in ["Camera", "2023:11:14", "xmp:Rating=\"5\"", "crs:AlreadyApplied=\"True\""] {
      #expect(file.range(of: Data(text.utf8)) != nil, "\(text)")
    }
    // The pixels are already turned: readers must not turn them again.
    #expect(file.range(of: Data("tiff:Orientation=\"1\"".utf8)) != nil)
  }

  @Test func leftovers_of_a_killed_run_are_removed_and_reported() throws {
    let sources = [try photo("a.dng"), try photo("b.dng")]
    let output = try folder.makeFolder("out").path
    // A process on another host is writing this one: no process here has the greatest number.
    let busy = "c.png.2147483647.unfinished"
    for name in [
      "a.png.\(getpid()).unfinished", busy, "movie.mov.2147483647.unfinished", "x.unfinished",
    ] {
      try folder.write([1], "out/" + name)
    }
    let writer = open("\(output)/\(busy)", O_WRONLY)
    defer { close(writer) }
    try #require(flock(writer, LOCK_EX) == 0)
    let photos = try batch(sources, to: output).run()
    #expect(photos.allSatisfy { $0.status == .developed })
    let notes = photos.flatMap(\.notes).filter { $0.kind == .leftoversRemoved }
    #expect(notes.count == 1 && notes[0].message.contains("a.png.\(getpid()).unfinished"))
    let there = try FileManager.default.contentsOfDirectory(atPath: output)
    #expect(
      Set(there) == ["a.png", "b.png", busy, "movie.mov.2147483647.unfinished", "x.unfinished"])
  }
}
