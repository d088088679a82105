import Foundation
import MediaCore
import TIFF
import TestSupport
import Testing

@testable import DNG
@testable import RawPhoto

@Suite struct LinearNegativeTests {
  private static var metadata: PhotoMetadata {
    var metadata = PhotoMetadata()
    metadata.make = "Example"
    metadata.model = "Sensor One"
    metadata.exposureTime = 1.0 / 125
    metadata.location = .init(latitude: -33.5, longitude: 151.25, altitude: 12)
    metadata.orientation = .right
    return metadata
  }

  private func negative(width: Int = 304, height: Int = 232) throws -> LinearNegative {
    let scene = KnownScene(width: width, height: height)
    return try LinearNegative(
      merging: [scene.frame(seed: 1), scene.frame(-2, seed: 2), scene.frame(2, seed: 3)],
      metadata: Self.metadata)
  }

  private func preview(_ negative: LinearNegative) throws -> EncodedPreview {
    try JPEGCodec.encode(
      negative.renderedPixels(), width: negative.image.width, height: negative.image.height,
      quality: 0.9)
  }

  @Test(.tags(.judges, .network), .enabled(if: DNGJudges.arePresent, DNGJudges.absence))
  func adobes_sdk_and_libraw_read_the_codes_at_every_depth() throws {
    let negative = try negative()
    let preview = try preview(negative)
    var questions: [DNGJudges.Question] = []
    for depth in [8, 10, 12, 14] {
      let file = try negative.dngFileData(
        compression: .lossless(bitDepth: depth), preview: preview)
      questions.append(try question(file))
    }
    questions.append(
      try question(try negative.dngFileData(compression: .lossy(quality: 0.8), preview: preview)))
    let complaints = try DNGJudges.complaints(questions)
    #expect(complaints.isEmpty, "\(complaints.joined(separator: "; "))")
  }

  @Test(.tags(.judges, .network), .enabled(if: DNGJudges.arePresent, DNGJudges.absence))
  func adobes_sdk_reads_the_codes_of_lossless_jpeg_xl() throws {
    let negative = try negative()
    let preview = try preview(negative)
    let lossless = try DNGFile(negative.dngFileData(compression: .lossless(bitDepth: 12)))
    let codes = try lossless.decodePixels(of: lossless.rawImage())
    let file = try negative.dngFileData(
      compression: .jpegXL(bitDepth: 12, quality: 1), preview: preview)
    let complaints = try DNGJudges.complaints([
      .init(
        file: file, samples: codes.samples, width: codes.width, height: codes.height,
        components: 3, asksLibRaw: false)
    ])
    #expect(complaints.isEmpty, "\(complaints.joined(separator: "; "))")
    let lossy = try negative.dngFileData(
      compression: .jpegXL(bitDepth: 12, quality: 0.5), preview: preview)
    #expect(lossy.count < file.count)
    #expect(try DNGSummary(DNGFile(lossy)).isDigestValid == true)
  }

  @Test(.tags(.judges, .network), .enabled(if: DNGJudges.arePresent, DNGJudges.absence))
  func adobes_sdk_accepts_semantic_masks() throws {
    var negative = try negative()
    let coverage: [UInt16] = (0..<304 * 232).map { (index: Int) -> UInt16 in
      UInt16(index % 304 * 255 / 303)
    }
    negative.masks = [
      .init(
        name: "com.example.sky",
        coverage: try RawImage(width: 304, height: 232, bitDepth: 8, samples: coverage))
    ]
    let file = try negative.dngFileData(preview: preview(negative))
    let complaints = try DNGJudges.complaints([question(file)])
    #expect(complaints.isEmpty, "\(complaints.joined(separator: "; "))")
    let mask = try #require(try DNGFile(file).images.first { $0.role == .semanticMask })
    #expect(try DNGFile(file).decodePixels(of: mask).samples == coverage)
  }

  private func question(_ bytes: [UInt8]) throws -> DNGJudges.Question {
    let file = try DNGFile(bytes)
    let raw = try file.rawImage()
    let pixels = try file.decodePixels(of: raw)
    let table = raw.directory.numbers(.linearizationTable)?.map { UInt16($0) }
    let isLossy = raw.compression == .lossyJPEG
    return DNGJudges.Question(
      file: bytes, samples: pixels.samples, width: pixels.width, height: pixels.height,
      components: 3, table: table, means: isLossy ? try means(of: polynomialLight(file)) : nil,
      asksLibRaw: raw.compression == .jpeg || isLossy)
  }

  /// The light that a lossy file's codes stand for, by its OpcodeList2.
  private func polynomialLight(_ file: DNGFile) throws -> [Double] {
    let raw = try file.rawImage()
    var polynomials: [[Double]] = []
    for opcode in try raw.opcodeLists().linear.opcodes {
      guard case .mapPolynomial(_, let coefficients) = opcode.operation else { continue }
      polynomials.append(coefficients)
    }
    try #require(polynomials.count == 3)
    return try file.decodePixels(of: raw).samples.enumerated().map { index, code in
      polynomials[index % 3].reversed().reduce(0) { $0 * Double(code) / 255 + $1 }
    }
  }

  private func means(of light: [Double]) -> [Double] {
    (0..<3).map { plane in
      let values = stride(from: plane, to: light.count, by: 3).map { light[$0] }
      return values.reduce(0, +) / Double(values.count)
    }
  }

  @Test func lossy_8_bit_storage_preserves_brightness() throws {
    let negative = try negative()
    let bytes = try negative.dngFileData(compression: .lossy(quality: 1))
    let file = try DNGFile(bytes)
    #expect(try file.verifyDigest() == true)
    var damaged = bytes
    let raw = try file.rawImage()
    damaged[raw.layout.offsets[0] + raw.layout.byteCounts[0] / 2] ^= 1
    #expect(try DNGFile(damaged).verifyDigest() == false)
    let neutral = try #require(file.root.numbers(.asShotNeutral))
    let found = try polynomialLight(file)
    let wanted = negative.image.samples.enumerated().map { index, light in
      min(max(Double(light) / negative.headroom, 0), 1) * neutral[index % 3]
    }
    for (found, wanted) in zip(means(of: found), means(of: wanted)) {
      #expect(abs(found - wanted) < 0.01 * wanted, "\(found), not \(wanted)")
    }
    // Two codes where the curve is steepest, plus the error of JPEG at full quality.
    let worst = zip(found, wanted).map { abs($0 - $1) }.max() ?? 1
    #expect(worst < 0.03, "\(worst)")
  }

  @Test(arguments: [10, 12])
  func companding_errors_are_a_fraction_of_the_noise(depth: Int) throws {
    let negative = try negative()
    let file = try DNGFile(negative.dngFileData(compression: .lossless(bitDepth: depth)))
    #expect(try file.verifyDigest() == true)
    let raw = try file.rawImage()
    let codes = try file.decodePixels(of: raw)
    let table = try #require(raw.directory.numbers(.linearizationTable))
    let black = try #require(raw.directory.numbers(.blackLevel)?.first)
    let neutral = try #require(file.root.numbers(.asShotNeutral))
    var worst = 0.0
    for (index, light) in negative.image.samples.enumerated() {
      let stored = (table[Int(codes.samples[index])] - black) / (65_535 - black)
      let found = stored / neutral[index % 3] * negative.headroom
      // Light is clipped beyond the table's ends.
      guard stored < 0.999, stored > 0 else { continue }
      let sigma = negative.noise.variance(Double(light) * neutral[index % 3]).squareRoot()
      worst = max(worst, abs(found - Double(light)) * neutral[index % 3] / sigma)
    }
    #expect(worst < (depth == 12 ? 0.5 : 2), "\(worst) deviations")
  }

  @Test(arguments: 8...16)
  func companding_tables_increase_strictly(depth: Int) {
    for noise in [(1e-4, 1e-4), (1e-6, 1e-5), (1e-3, 1e-2), (1e-9, 1e-6)] {
      let curve = CompandingCurve(noise: .init(slope: noise.0, dark: noise.1), bitDepth: depth)
      #expect(curve.table.count == 1 << depth)
      #expect(zip(curve.table, curve.table.dropFirst()).allSatisfy { $0 < $1 })
      #expect(curve.table.last == 65_535)
      for code in curve.table.indices { #expect(curve.code(Int(curve.table[code])) == code) }
    }
  }

  @Test func a_tone_curve_must_increase() {
    #expect(throws: DNGError.self) { try ToneCurve(points: [(0, 0), (0.5, 0.6), (0.5, 1)]) }
    #expect(throws: DNGError.self) { try ToneCurve(points: [(0, 0.1), (1, 1)]) }
    let table = ToneCurve.standard.table(1024)
    #expect(table.first == 0 && table.last == 1)
    #expect(zip(table, table.dropFirst()).allSatisfy { $0 <= $1 })
  }

  @Test func the_gain_map_never_renders_more_light_darker() {
    for headroom in [1.0, 4, 16] {
      let map = GainMap(
        means: [-12, -6, -2.47, 0, 2], columns: 5, rows: 1, headroom: headroom)
      for point in 0..<5 {
        let gains = map.gains[point * map.count..<(point + 1) * map.count]
        let outputs = gains.enumerated().map {
          Double($1) * max(Double($0), 0.25) / Double(map.count)
        }
        #expect(zip(outputs, outputs.dropFirst()).allSatisfy { $0 <= $1 })
        #expect(gains.allSatisfy { $0 >= 1.0 / 4096 && $0 <= 4096 })
      }
      #expect(map.encoded.count == 64 + 4 * map.columns * map.rows * map.count)
    }
  }

  @Test func a_depth_out_of_range_is_refused() throws {
    let negative = try negative(width: 32, height: 32)
    #expect(throws: DNGError.self) {
      try negative.dngFileData(compression: .lossless(bitDepth: 7))
    }
  }
}
