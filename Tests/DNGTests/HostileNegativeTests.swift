import Foundation
import MediaCore
import TIFF
import TestSupport
import Testing

@testable import DNG

/// Malicious and damaged DNG files.
@Suite struct HostileNegativeTests {
  /// A file with one raw image, changed by a closure.
  private static func file(
    changing change: (inout TIFFDirectory) -> Void = { _ in }
  ) throws -> [UInt8] {
    let mosaic = try BayerNegativeTests.mosaic(width: 16, height: 16, depth: 12)
    var root = TIFFDirectory()
    root[.dngVersion] = .bytes([1, 4, 0, 0])
    root.describeRawPixels(mosaic, TileGrid(width: 16, height: 16), compression: 7)
    root[.photometric] = .short(32_803)
    root[.newRawImageDigest] = .bytes(RawTiles.digest(mosaic, asBytes: false))
    root.pixels = .init(
      isTiled: true, chunks: try RawTiles.encode(mosaic, TileGrid(width: 16, height: 16)))
    change(&root)
    return try TIFFWriter.serialize(root)
  }

  private func refusal(_ bytes: [UInt8]) -> DNGError? {
    #expect(throws: DNGError.self) { try DNGSummary(DNGFile(bytes)) }
  }

  @Test func non_finite_numbers_are_left_out() throws {
    let bytes = try Self.file { root in
      root[.subIFDs] = .doubles([.nan, .infinity])
      root[.dngBackwardVersion] = .floats([.nan, 0, 0, 0])
      root[.noiseProfile] = .doubles([.infinity, .nan])
      root[.baselineExposure] = .floats([-.infinity])
    }
    let summary = try DNGSummary(DNGFile(bytes))
    #expect(summary.isDigestValid == true)
    #expect(summary.noiseProfile.isEmpty && summary.baselineExposure == nil)
    #expect(throws: Never.self) { try JSONEncoder().encode(summary) }
  }

  /// Lenses without contacts report no f-number, and 16 bits hold no sensitivity above 65,535.
  @Test func unknown_numbers_are_nil_and_large_sensitivities_are_found() throws {
    let bytes = try Self.file { root in
      var exif = TIFFDirectory()
      exif[.fNumber] = .rationals([.init(numerator: 0, denominator: 0)])
      exif[.exposureBias] = .signedRationals([.init(numerator: 0, denominator: 0)])
      exif[.isoSpeed] = .shorts([65_535])
      exif[.recommendedExposureIndex] = .longs([204_800])
      root.linked[.exifIFD] = exif
      // TIFF/EP puts it in the first directory.
      root[.exposureTime] = .rationals([.init(0.008)])
    }
    let summary = try DNGSummary(DNGFile(bytes))
    #expect(summary.fNumber == nil && summary.exposureBias == nil)
    #expect(summary.isoSpeed == 204_800 && summary.exposureTime == 0.008)
  }

  @Test func oversized_numbers_are_refused_or_shown_as_unknown() throws {
    let far = try Self.file { $0[.subIFDs] = .doubles([1e300]) }
    #expect(refusal(far)?.code == .invalidFile)
    let version = try Self.file { $0[.dngVersion] = .doubles([1, 1e300, -1e300, 0.5]) }
    #expect(try DNGSummary(DNGFile(version)).dngVersion == "1.?.?.?")
  }

  /// Reading them again for each area would take hours.
  @Test(.timeLimit(.minutes(1)))
  func a_hundred_thousand_masked_areas_are_read_once() throws {
    let areas = [UInt32](repeating: 0, count: 400_000)
    let file = try DNGFile(Self.file { $0[.maskedAreas] = .longs(areas + [0, 0, 2, 16]) })
    #expect(
      try file.rawImage().levels().maskedAreas
        == [PixelArea(top: 0, left: 0, bottom: 2, right: 16)])
  }

  @Test(arguments: [1, 7, 34_892])
  func tiles_claiming_more_pixels_than_their_data_are_refused(compression: Int) throws {
    let tile = try Self.file { root in
      root[.compression] = .short(compression)
      if compression == 34_892 {
        root[.samplesPerPixel] = .short(3)
        root[.bitsPerSample] = .shorts([8, 8, 8])
      }
      root[.tileWidth] = .long(65_520)
      root[.tileLength] = .long(65_520)
    }
    let error = #expect(throws: DNGError.self) {
      let file = try DNGFile(tile)
      return try file.decodeSamples(of: file.rawImage())
    }
    #expect(error?.code == .invalidFile)
    #expect(error?.message.contains("more pixels than its data can hold") == true)
  }

  @Test func previews_claiming_more_pixels_than_their_data_are_refused() throws {
    func preview(width: Int, height: Int) throws -> DNGFile {
      var jpeg = try EncodedPreview(
        rendering: [UInt8](repeating: 90, count: 3 * 64 * 48), width: 64, height: 48, quality: 0.8
      ).data
      // The size in the frame header (ITU-T T.81, B.2.2).
      let frame = try #require(
        jpeg.indices.dropLast(9).first { jpeg[$0] == 0xFF && jpeg[$0 + 1] == 0xC0 })
      jpeg[frame + 5..<frame + 9] = [
        UInt8(height >> 8), UInt8(height & 0xFF), UInt8(width >> 8), UInt8(width & 0xFF),
      ]
      let described = EncodedPreview(data: jpeg, width: width, height: height)
      return try DNGFile(
        Self.file { root in
          let raw = root
          root = TIFFDirectory()
          root[.dngVersion] = raw[.dngVersion]
          described.describe(in: &root)
          root.children = [raw]
        })
    }
    #expect(try preview(width: 64, height: 48).decodeLargestPreview()?.pixels.count == 9216)
    let file = try preview(width: 65_500, height: 65_500)
    let error = #expect(throws: DNGError.self) { try file.decodeLargestPreview() }
    #expect(error?.message.contains("more pixels than its data can hold") == true)
  }

  /// The raw image is intact, and development needs nothing else.
  @Test(
    arguments: [
      (.bitsPerSample, .shorts([40]), "preview (an image has an impossible size or depth)"),
      (.sampleFormat, .shorts([9]), "preview (samples of an unknown format)"),
      (
        .stripByteCounts, .longs([1 << 30]),
        "preview (its tiles or strips are outside the file)"
      ),
    ] as [(TIFFTag, TIFFValue, String)])
  func an_unusable_preview_does_not_affect_the_raw_image(
    tag: TIFFTag, value: TIFFValue, reported: String
  ) throws {
    var preview = TIFFDirectory()
    preview[.newSubFileType] = .longs([1])
    for tag in [TIFFTag.imageWidth, .imageLength, .rowsPerStrip] { preview[tag] = .longs([4]) }
    for tag in [TIFFTag.bitsPerSample, .sampleFormat] {
      preview[tag] = .shorts([tag == .sampleFormat ? 1 : 8])
    }
    preview[.samplesPerPixel] = .shorts([1])
    preview[.compression] = .shorts([1])
    preview[.photometric] = .shorts([1])
    preview[.stripOffsets] = .longs([8])
    preview[.stripByteCounts] = .longs([16])
    func file(_ preview: TIFFDirectory) throws -> DNGFile {
      try DNGFile(try Self.file { $0.children = [preview, preview] })
    }
    let good = try file(preview)
    #expect(good.images.count == 3 && good.omittedImages.isEmpty)
    preview[tag] = value
    let odd = try file(preview)
    #expect(odd.images.map(\.role) == [.raw] && odd.omittedImages == [reported])
    let summary = try DNGSummary(odd)
    #expect(summary.isDigestValid == true && summary.omittedImages == [reported])
    #expect(try odd.decodeLargestPreview() == nil)
  }

  @Test func an_unusable_raw_image_is_refused() throws {
    let bytes = try Self.file { $0[.sampleFormat] = .shorts([9]) }
    #expect(refusal(bytes)?.message.contains("samples of an unknown format") == true)
  }

  @Test func tiles_sharing_bytes_cannot_claim_more_pixels() throws {
    let count = 4000
    let bytes = try Self.file { root in
      // Each tile is the whole file.
      root[.imageWidth] = .long(16 * count)
      root.pixels = nil
      root[.tileOffsets] = .longs([UInt32](repeating: 0, count: count))
      root[.tileByteCounts] = .longs([UInt32](repeating: 3000, count: count))
    }
    let error = refusal(bytes)
    #expect(error?.message.contains("more pixels than its data can hold") == true)
  }

  @Test func overlapping_values_are_refused() throws {
    let count = 4000
    var bytes: [UInt8] = [0x49, 0x49, 42, 0, 8, 0, 0, 0]
    bytes += TIFFValue.short(count).encoded
    for tag in 0..<count {
      bytes += TIFFValue.shorts([UInt16(tag), 7]).encoded + TIFFValue.longs([40_000, 0]).encoded
    }
    let error = refusal(bytes)
    #expect(error?.code == .invalidFile)
    #expect(error?.message.contains("overlap") == true)
  }

  @Test func contradictory_entries_are_read_or_refused() throws {
    let good = try Self.file { root in
      root[.linearizationTable] = .shorts((0..<64).map { $0 * 64 })
      BayerNegativeTests.metadata.addTIFFEntries(to: &root)
    }
    let count = Int(good[8]) | Int(good[9]) << 8
    let extremes: [UInt32] = [0, 1, 2, 3, 0x7FFF, 0xFFFF, 0x7FFF_FFFF, 0x8000_0000, 0xFFFF_FFFF]
    var random = SeededGenerator(seed: 91)
    var outcomes = (read: 0, refused: 0)
    for _ in 0..<4000 {
      var bytes = good
      for _ in 0..<Int.random(in: 1...3, using: &random) {
        let entry = 10 + 12 * Int.random(in: 0..<count, using: &random)
        let other = 10 + 12 * Int.random(in: 0..<count, using: &random)
        let number =
          Bool.random(using: &random)
          ? extremes.randomElement(using: &random) ?? 0
          : UInt32.random(in: 0...UInt32(good.count), using: &random)
        switch Int.random(in: 0..<5, using: &random) {
        case 0: bytes[entry + 2] = UInt8.random(in: 0...14, using: &random)
        case 1:
          bytes.replaceSubrange(entry + 4..<entry + 8, with: TIFFValue.longs([number]).encoded)
        case 2:
          bytes.replaceSubrange(entry + 8..<entry + 12, with: TIFFValue.longs([number]).encoded)
        case 3: bytes.replaceSubrange(entry..<entry + 2, with: Array(bytes[other..<other + 2]))
        default: bytes.replaceSubrange(entry..<entry + 12, with: Array(bytes[other..<other + 12]))
        }
      }
      do throws(DNGError) {
        let file = try DNGFile(bytes)
        for image in file.images { _ = try? file.decodePixels(of: image) }
        let summary = try DNGSummary(file)
        #expect(throws: Never.self) { try JSONEncoder().encode(summary) }
        outcomes.read += 1
      } catch {
        outcomes.refused += 1
      }
    }
    #expect(min(outcomes.read, outcomes.refused) > 400, "\(outcomes)")
  }
}
