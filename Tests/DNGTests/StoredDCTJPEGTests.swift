import MediaCore
import TIFF
import TestSupport
import Testing

@testable import DNG

/// DNG files whose tiles are DCT JPEGs, as cinema cameras write them.
@Suite struct StoredDCTJPEGTests {
  /// Expects the samples decoded from a file's tiles to be at most two codes from the form's.
  private func check(
    _ form: StoredForm, expected: [Double]? = nil, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let file = try DNGFile(form.file())
    let image = try file.decodePixels(of: file.rawImage())
    let samples = expected ?? form.samples()
    try #require(image.samples.count == samples.count, sourceLocation: sourceLocation)
    let differences = zip(image.samples, samples).map { abs(Double($0) - $1) }
    #expect(differences.allSatisfy { $0 <= 2 }, sourceLocation: sourceLocation)
    let mean = differences.reduce(0, +) / Double(differences.count)
    #expect(mean < 0.5, sourceLocation: sourceLocation)
  }

  /// Frames in the shape of the tile.
  private static let plain: @Sendable ([UInt16], Int, Int, Int) -> [UInt8] = {
    var example = ExampleDCTJPEG($0, columns: $1, rows: $2, components: $3)
    if $3 == 3 { example.identifiers = Array("RGB".utf8) }
    return example.file()
  }

  @Test(arguments: [7, 34_892], [nil, 32])
  func mosaic_and_color_jpegs_of_12_bits_are_read(compression: Int, tileSide: Int?) throws {
    for components in [1, 3] {
      for isPlanar in [false, true] {
        try check(
          StoredForm(
            compression: compression, isBigEndian: isPlanar, tileSide: tileSide,
            components: components, isPlanar: isPlanar, code: Self.plain))
      }
    }
  }

  @Test func jpeg_frames_of_another_shape_are_unfolded_into_rows() throws {
    try check(
      StoredForm(
        compression: 7,
        code: { samples, columns, rows, _ in
          ExampleDCTJPEG(samples, columns: 2 * columns, rows: rows / 2, components: 1).file()
        }))
    try check(
      StoredForm(
        compression: 7,
        code: { samples, columns, rows, _ in
          ExampleDCTJPEG(samples, columns: columns / 2, rows: rows, components: 2).file()
        }))
    let form = StoredForm(
      compression: 7,
      code: { samples, columns, rows, _ in
        ExampleDCTJPEG(samples, columns: columns, rows: rows - 1, components: 1).file()
      })
    let file = try DNGFile(form.file())
    let error = #expect(throws: DNGError.self) { try file.decodeSamples(of: file.rawImage()) }
    #expect(error?.message.contains("different size") == true)
  }

  @Test func stored_ycbcr_is_converted_to_rgb() throws {
    var form = StoredForm(compression: 34_892, components: 3)
    form.code = { samples, columns, rows, components in
      // Both differences in the middle of their range: gray, as bright as the first component.
      let gray = samples.indices.map { $0 % 3 == 0 ? samples[$0] : 2048 }
      return ExampleDCTJPEG(gray, columns: columns, rows: rows, components: components).file()
    }
    let samples = form.samples()
    let file = try DNGFile(form.file())
    let image = try file.decodePixels(of: file.rawImage())
    let differences = image.samples.indices.map {
      abs(Double(image.samples[$0]) - samples[$0 / 3 * 3])
    }
    #expect(differences.allSatisfy { $0 <= 5 })
  }

  @Test func a_uniform_image_may_take_few_bytes() throws {
    let form = StoredForm(
      compression: 7, tileSide: 512,
      code: { samples, columns, rows, _ in
        ExampleDCTJPEG(
          [UInt16](repeating: 700, count: samples.count), columns: columns, rows: rows,
          components: 1
        ).file()
      })
    let file = try DNGFile(form.file())
    let raw = try file.rawImage()
    #expect(raw.byteCount * 8 < 512 * 512)
    #expect(try Set(file.decodePixels(of: raw).samples) == [700])
  }

  @Test func the_linearization_table_is_applied() throws {
    let table = (0..<4096).map { UInt16($0 * 16) }
    var form = StoredForm(compression: 7, code: Self.plain)
    form.change = {
      $0[.linearizationTable] = .shorts(table)
      $0[.blackLevel] = .long(0)
      $0[.whiteLevel] = .long(65_520)
      $0[.blackLevelRepeatDim] = nil
    }
    let file = try DNGFile(form.file())
    let light = try file.decodeLinear(of: file.rawImage())
    for (found, code) in zip(light.samples, form.samples()) {
      #expect(abs(Double(found) - code / 4095) < 2.1 / 4095)
    }
  }

  @Test func the_summary_names_jpeg_and_does_not_judge_its_digest() throws {
    var form = StoredForm(compression: 7, code: Self.plain)
    form.change = { $0[.newRawImageDigest] = .bytes([UInt8](repeating: 7, count: 16)) }
    let summary = try DNGSummary(DNGFile(form.file()))
    #expect(summary.pictures.map(\.compression) == ["JPEG"])
    // Decoders may round differently, so a digest of decoded samples proves nothing.
    #expect(summary.hasDigest && summary.isDigestValid == nil)
  }

  @Test func samples_with_more_bits_than_stated_are_refused() throws {
    for compression in [7, 34_892] {
      var form = StoredForm(compression: compression, components: 2, code: Self.plain)
      form.change = { $0[.bitsPerSample] = .shorts([8, 8]) }
      let file = try DNGFile(form.file())
      let error = #expect(throws: DNGError.self) { try file.decodeSamples(of: file.rawImage()) }
      #expect(error?.message.contains("12 bits, the image of 8") == true)
    }
  }
}
