import DNG
import Foundation
import ImageFiles
import MediaCore
import RawDevelop
import TIFF
import TestSupport
import Testing

@testable import PhotoDevelopment

/// Photos with impossible values in their files, or changed since they were written.
@Suite struct OddPhotoTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// A mosaic of 8 by 8 uncompressed samples of 10,280 each.
  func root() -> TIFFDirectory {
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
    root.pixels = .init(isTiled: false, chunks: [[UInt8](repeating: 40, count: 128)])
    return root
  }

  func develop(
    _ root: TIFFDirectory, to output: String? = nil, as format: ImageFileFormat = .png
  ) throws -> DevelopedPhoto {
    try folder.write(try TIFFWriter.serialize(root), "odd.dng")
    var options = DevelopOptions()
    options.format = format
    var batch = try DevelopBatch(
      sources: [folder.path("odd.dng")], recipe: DevelopRecipe(options), name: ImageName(output))
    batch.replacesFiles = true
    return try #require(batch.run().first)
  }

  // MARK: Files

  /// The file is refused before it is read, so it takes no memory.
  @Test func an_absurdly_large_file_is_refused_by_its_size() throws {
    try folder.write(try TIFFWriter.serialize(root()), "odd.dng")
    #expect(truncate(folder.path("odd.dng"), off_t(DNGFile.byteLimit) + 1) == 0)
    let batch = try DevelopBatch(
      sources: [folder.path("odd.dng")], recipe: DevelopRecipe(), name: ImageName(nil))
    let error = try #require(batch.run().first?.error)
    #expect(error.code == "fileFailed", "\(error)")
    #expect(error.message.contains("has 4294967296 bytes, more than 4294967295 are not read"))
    let refusal = #expect(throws: RawDevelopError.self) {
      try RAWFilter(url: folder.url("odd.dng"))
    }
    #expect(refusal?.code == .fileFailed && refusal?.message == error.message)
  }

  @Test(arguments: ["/dev/zero", "/tmp", "/nonexistent.dng"])
  func paths_that_are_not_files_are_refused(path: String) {
    let error = #expect(throws: RawDevelopError.self) { try RAWFilter(url: URL(filePath: path)) }
    #expect(error?.code == .fileFailed && error?.message.hasPrefix(path) == true)
  }

  // MARK: Digests

  /// The MD5 of the 128 bytes, by `md5sum`.
  private static let rows: [UInt8] = [
    80, 214, 242, 203, 18, 124, 235, 123, 32, 105, 32, 197, 110, 178, 175, 21,
  ]

  private func hasFailed(_ photo: DevelopedPhoto) -> Bool {
    photo.notes.contains { note in
      note.kind == .digestDisagrees
        && note.message.hasPrefix("the samples of \(folder.path("odd.dng")) do not match")
    }
  }

  @Test(
    arguments: [TIFFTag.newRawImageDigest, .rawImageDigest], [ImageFileFormat.png, .gainMapJPEG])
  func samples_that_contradict_the_digest_are_developed_and_reported(
    _ tag: TIFFTag, _ format: ImageFileFormat
  ) throws {
    var root = root()
    root[tag] = .bytes([UInt8](repeating: 7, count: 16))
    let photo = try develop(root, as: format)
    #expect(photo.status == .developed && hasFailed(photo), "\(photo.notes)")
    #expect(photo.notes.filter { $0.kind == .digestDisagrees }.count == 1)
    let sheet = try ContactSheet(title: "", sources: [folder.path("odd.dng")])
    let tile = try #require(sheet.tiles.first)
    #expect(tile.thumbnail != nil && tile.notes.contains { $0.kind == .digestDisagrees })
  }

  @Test func samples_that_match_the_digest_give_no_notes() throws {
    var root = root()
    root[.rawImageDigest] = .bytes(Self.rows)
    #expect(try DNGFile(TIFFWriter.serialize(root)).verifyDigest() == true)
    #expect(try develop(root).notes.isEmpty)
    // All zeros mean that there is no digest.
    root[.rawImageDigest] = .bytes([UInt8](repeating: 0, count: 16))
    #expect(try DNGFile(TIFFWriter.serialize(root)).verifyDigest() == nil)
    let mosaic = try RawImage(
      width: 64, height: 48, bitDepth: 12, samples: (0..<64 * 48).map { 900 + UInt16($0 % 64) })
    try folder.write(
      try BayerNegative(
        mosaic: mosaic, pattern: .rggb, calibration: .assumed(model: "Camera", bitDepth: 12)
      ).dngFileData(), "whole.dng")
    let batch = try DevelopBatch(
      sources: [folder.path("whole.dng")], recipe: DevelopRecipe(), name: ImageName(nil))
    let photo = try #require(batch.run().first)
    #expect(photo.status == .developed && photo.notes.isEmpty, "\(photo.notes)")
  }

  // MARK: Images

  /// Programs make three colors of linear light from a mosaic, never a single one.
  @Test(arguments: [1, 3])
  func an_enhanced_image_in_the_file_is_reported(components: Int) throws {
    var (root, enhanced) = (root(), root())
    enhanced[.dngVersion] = nil
    enhanced[.newSubFileType] = .longs([16])
    enhanced[.photometric] = .shorts([34_892])
    enhanced[.enhanceParams] = .ascii("Enhance Details")
    enhanced[.samplesPerPixel] = .shorts([UInt16(components)])
    enhanced[.bitsPerSample] = .shorts([UInt16](repeating: 16, count: components))
    enhanced.pixels = .init(
      isTiled: false, chunks: [[UInt8](repeating: 90, count: 128 * components)])
    root.children = [enhanced]
    // The digest is of the sensor's samples; it cannot be checked if these are not developed.
    root[.rawImageDigest] = .bytes(components == 3 ? [UInt8](repeating: 7, count: 16) : Self.rows)
    let file = try DNGFile(TIFFWriter.serialize(root))
    #expect(file.images.map(\.role) == [.raw, .enhanced])
    let photo = try develop(root)
    #expect(photo.status == .developed && photo.notes.count == 1, "\(photo)")
    let note = try #require(photo.notes.first)
    #expect(
      note.kind == (components == 3 ? .enhancedPictureDeveloped : .enhancedPictureOmitted))
    #expect(
      note.message
        == (components == 3
          ? "instead of the sensor's image, the version of 8x8 made from it by Enhance "
            + "Details is developed"
          : "the sensor's image is developed, not the version of 8x8 made from it by Enhance Details")
    )
  }

  @Test func a_truncated_preview_is_only_reported() throws {
    var (root, preview) = (root(), root())
    preview[.dngVersion] = nil
    preview[.newSubFileType] = .longs([1])
    preview.pixels = nil
    preview[.stripOffsets] = .longs([8])
    preview[.stripByteCounts] = .longs([1 << 20])
    root.children = [preview]
    let photo = try develop(root)
    #expect(photo.status == .developed && photo.notes.map(\.kind) == [.pictureOmitted], "\(photo)")
    let reported = "preview (its tiles or strips are outside the file)"
    #expect(photo.notes.first?.message.hasSuffix(reported) == true)
  }

  @Test func color_settings_for_a_monochrome_photo_are_reported() throws {
    var root = root()
    root[.photometric] = .shorts([34_892])
    (root[.cfaRepeatPatternDim], root[.cfaPattern]) = (nil, nil)
    let plain = try develop(root)
    #expect(plain.status == .developed && plain.notes.isEmpty && plain.white == nil, "\(plain)")
    var options = DevelopOptions()
    options.adjustment.white = .init(temperature: 3000, tint: 10)
    options.adjustment[.saturation] = 0.5
    var batch = try DevelopBatch(
      sources: [folder.path("odd.dng")], recipe: DevelopRecipe(options), name: ImageName(nil))
    batch.replacesFiles = true
    let photo = try #require(batch.run().first)
    let left = ["saturation", "temperature"].map { "this kind of photo has no \($0): left out" }
    #expect(photo.notes.map(\.message) == left)
    #expect(photo.notes.allSatisfy { $0.kind == .settingsOmitted } && photo.white == nil)
  }

  // MARK: What the file lacks

  @Test func a_missing_or_invalid_white_is_reported_as_guessed() throws {
    let cases: [(TIFFValue?, String)] = [
      (nil, "the photo does not state its white: D55 is used"),
      (
        .rationals([.init(1)]),
        "the photo's white is not three colors above 0: D55 is used"
      ),
      (
        .rationals([0, 0, 0].map { .init(numerator: 1, denominator: $0) }),
        "the photo's white is not three colors above 0: D55 is used"
      ),
    ]
    for (neutral, reported) in cases {
      var root = root()
      root[.asShotNeutral] = neutral
      let photo = try develop(root)
      #expect(
        photo.notes.map(\.message) == [reported] && photo.notes.map(\.kind) == [.usualValueTaken])
      let sheet = try ContactSheet(title: "", sources: [folder.path("odd.dng")])
      #expect(sheet.tiles.first?.notes.map(\.message) == [reported])
    }
    var point = self.root()
    point[.asShotNeutral] = nil
    point[.asShotWhiteXY] = .rationals([.init(0), .init(1)])
    #expect(
      try develop(point).notes.map(\.message).first?.contains("not a valid chromaticity") == true)
    // A matrix that makes no light for any color.
    var root = root()
    root[.colorMatrix1] = .signedRationals([-1, 0, 0, 0, -1, 0, 0, 0, -1].map { .init($0) })
    let filter = try RAWFilter(data: TIFFWriter.serialize(root))
    #expect(filter.whiteGuess?.hasSuffix("D50 is used") == true)
  }

  @Test func fractions_with_a_denominator_of_0_are_reported() throws {
    var root = root()
    root[.blackLevel] = .rationals([.init(numerator: 5, denominator: 0)])
    root[.baselineExposure] = .signedRationals([.init(numerator: 1, denominator: 0)])
    let reported = "fractions with a denominator of 0 count as 0: BlackLevel, BaselineExposure"
    #expect(try develop(root).notes.map(\.message) == [reported])
  }

  @Test func an_explicit_white_is_not_a_guess() throws {
    var root = root()
    root[.asShotNeutral] = nil
    var filter = try RAWFilter(data: TIFFWriter.serialize(root))
    #expect(filter.whiteGuess != nil)
    filter.neutralTemperature = 5000
    #expect(filter.whiteGuess == nil)
    root[.asShotWhiteXY] = .rationals([.init(0.3457), .init(0.3585)])
    #expect(try develop(root).notes.isEmpty)
  }

  @Test(arguments: [nil, [1e-4, 1e-6]] as [[Double]?])
  func a_missing_noise_profile_is_reported_as_guessed(noise: [Double]?) throws {
    var root = root()
    root[.noiseProfile] = noise.map { .doubles($0) }
    try folder.write(try TIFFWriter.serialize(root), "odd.dng")
    var options = DevelopOptions()
    options.adjustment[.luminanceNoiseReduction] = 0.5
    let batch = try DevelopBatch(
      sources: [folder.path("odd.dng")], recipe: DevelopRecipe(options), name: ImageName(nil))
    let photo = try #require(batch.run().first)
    #expect(photo.status == .developed, "\(photo)")
    #expect(photo.notes.map(\.kind) == (noise == nil ? [.usualValueTaken] : []), "\(photo.notes)")
  }

  @Test func an_unapplied_camera_crop_is_reported() throws {
    var root = root()
    root[.defaultUserCrop] = .rationals([.init(0.125), .init(0), .init(0.875), .init(1)])
    let photo = try develop(root)
    #expect(photo.width == 8 && photo.height == 8)
    #expect(
      photo.notes.map(\.message) == [
        "the whole photo is kept, and the camera's crop is ignored: 0, 0.125, 1, 0.875"
      ])
    // An explicit crop is applied, even of the whole photo.
    var options = DevelopOptions()
    options.adjustment.crop = ImageCrop("0,0,1,1")
    var batch = try DevelopBatch(
      sources: [folder.path("odd.dng")], recipe: DevelopRecipe(options), name: ImageName(nil))
    batch.replacesFiles = true
    #expect(try #require(batch.run().first).notes.isEmpty)
  }

  @Test(arguments: [[0.9, 0, 0.1, 1], [0, 0, 1.5, 1], [0, 0, 1], [0, 0, 0.5, 0.5, 0.5, 1]])
  func a_nonsensical_camera_crop_is_ignored_and_reported(_ area: [Double]) throws {
    var root = root()
    root[.defaultUserCrop] = .rationals(area.map { .init($0) })
    let photo = try develop(root)
    #expect(photo.width == 8 && photo.height == 8, "\(photo)")
    let note = try #require(photo.notes.first)
    #expect(photo.notes.count == 1 && note.kind == .settingsOmitted)
    #expect(
      note.message.hasPrefix("the camera's crop is invalid and ignored: 0"))
    #expect(note.message.hasSuffix("…") == (area.count > 4))
  }
}
