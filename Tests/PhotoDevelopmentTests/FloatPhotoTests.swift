import Foundation
import ImageFiles
import MediaCore
import TIFF
import TestSupport
import Testing

@testable import PhotoDevelopment

/// Photos with floating-point samples.
@Suite struct FloatPhotoTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// A mosaic of 8 by 8 samples, developed.
  private func develop(
    _ samples: [Float], as format: ImageFileFormat = .png
  ) throws -> DevelopedPhoto {
    var root = TIFFDirectory()
    root[.dngVersion] = .bytes([1, 7, 1, 0])
    root[.imageWidth] = .longs([8])
    root[.imageLength] = .longs([8])
    root[.bitsPerSample] = .shorts([32])
    root[.sampleFormat] = .shorts([3])
    root[.samplesPerPixel] = .shorts([1])
    root[.photometric] = .shorts([32_803])
    root[.cfaPattern] = .bytes([0, 1, 1, 2])
    root[.colorMatrix1] = .signedRationals([1, 0, 0, 0, 1, 0, 0, 0, 1].map { .init($0) })
    root[.asShotNeutral] = .rationals([1, 1, 1].map { .init($0) })
    root.pixels = .init(isTiled: false, chunks: [samples.withUnsafeBytes { Array($0) }])
    try folder.write(try TIFFWriter.serialize(root), "float.dng")
    var options = DevelopOptions()
    options.format = format
    var batch = try DevelopBatch(
      sources: [folder.path("float.dng")], recipe: DevelopRecipe(options), name: ImageName(nil))
    batch.replacesFiles = true
    return try #require(batch.run().first)
  }

  @Test func nonfinite_samples_are_counted_and_reported() throws {
    var samples = [Float](repeating: 0.25, count: 64)
    #expect(try develop(samples).notes.isEmpty)
    samples[9] = .nan
    let one = try develop(samples)
    let rule = "infinity counts as white, anything else as black"
    #expect(one.status == .developed, "\(one.error?.message ?? "")")
    #expect(one.notes.map(\.message) == ["1 sample is not a finite number: " + rule])
    (samples[0], samples[63]) = (-.infinity, .infinity)
    // An image with a gain map is rendered twice, but its samples are counted once.
    for format in [ImageFileFormat.png, .gainMapJPEG] {
      let notes = try develop(samples, as: format).notes.filter { $0.kind == .usualValueTaken }
      #expect(notes.map(\.message) == ["3 samples are not finite numbers: " + rule])
    }
  }
}
