import MediaCore
import TIFF
import TestSupport
import Testing

@testable import DNG

/// Pixels in all the forms that other programs write.
@Suite struct StoredFormTests {
  static let forms: [StoredForm] = {
    var forms: [StoredForm] = []
    for isBigEndian in [false, true] {
      for tileSide in [nil, 32] {
        for bitDepth in [8, 10, 12, 14, 16] {
          forms.append(
            StoredForm(bitDepth: bitDepth, isBigEndian: isBigEndian, tileSide: tileSide))
          forms.append(
            StoredForm(
              bitDepth: bitDepth, compression: 8, isBigEndian: isBigEndian, tileSide: tileSide,
              components: 3))
        }
        for (bitDepth, predictor) in [(8, 2), (16, 2), (16, 34_892), (8, 34_893)] {
          forms.append(
            StoredForm(
              bitDepth: bitDepth, compression: 8, predictor: predictor, isBigEndian: isBigEndian,
              tileSide: tileSide, components: predictor == 2 ? 3 : 1))
        }
        for bitDepth in [16, 24, 32] {
          for predictor in [1, 3, 34_894, 34_895] {
            forms.append(
              StoredForm(
                bitDepth: bitDepth, isFloat: true, compression: predictor == 1 ? 1 : 8,
                predictor: predictor, isBigEndian: isBigEndian, tileSide: tileSide,
                components: predictor == 3 ? 3 : 1))
          }
        }
        forms.append(
          StoredForm(
            bitDepth: 16, isBigEndian: isBigEndian, tileSide: tileSide, components: 3,
            isPlanar: true))
      }
    }
    return forms
  }()

  private func numbers(_ samples: DNGSamples) -> [Double] {
    switch samples {
    case .integers(let image): image.samples.map { Double($0) }
    case .floats(let image): image.samples.map { Double($0) }
    }
  }

  @Test func every_sample_is_read_in_each_stored_form() throws {
    for form in Self.forms {
      let file = try DNGFile(form.file())
      let found = numbers(try file.decodeSamples(of: file.rawImage()))
      #expect(found == form.samples(), "\(form)")
    }
  }

  @Test(.tags(.judges, .network), .enabled(if: DNGJudges.arePresent, DNGJudges.absence))
  func adobes_sdk_reads_the_same_samples_in_each_stored_form() throws {
    let forms = [
      StoredForm(bitDepth: 12, isBigEndian: true, tileSide: nil),
      StoredForm(bitDepth: 16, isBigEndian: true, components: 3),
      StoredForm(bitDepth: 16, isFloat: true, compression: 8, predictor: 3, components: 3),
      StoredForm(bitDepth: 24, isFloat: true, compression: 8, predictor: 34_894),
      StoredForm(bitDepth: 24, isFloat: true, compression: 8, predictor: 3, isBigEndian: true),
      StoredForm(bitDepth: 32, isFloat: true, compression: 8, predictor: 34_895, tileSide: nil),
    ]
    let questions = try forms.map { form in
      DNGJudges.Question(
        file: try form.file(), samples: form.isFloat ? [] : form.samples().map { UInt16($0) },
        floats: form.isFloat ? form.samples().map { Float($0) } : nil, width: StoredForm.width,
        height: StoredForm.height, components: form.components, asksLibRaw: false)
    }
    let complaints = try DNGJudges.complaints(questions).filter { !$0.contains("Warning") }
    #expect(complaints.isEmpty, "\(complaints.joined(separator: "; "))")
  }

  @Test func interleaved_rows_and_columns_are_reordered() throws {
    var form = StoredForm(bitDepth: 16, tileSide: nil)
    form.change = {
      $0[.rowInterleaveFactor] = .short(2)
      $0[.columnInterleaveFactor] = .short(2)
    }
    let file = try DNGFile(form.file())
    let image = try file.decodePixels(of: file.rawImage())
    let (width, height, stored) = (StoredForm.width, StoredForm.height, form.samples())
    for y in 0..<height {
      for x in 0..<width {
        let row = y % 2 == 0 ? y / 2 : (height + 1) / 2 + y / 2
        let column = x % 2 == 0 ? x / 2 : (width + 1) / 2 + x / 2
        #expect(Double(image[y, x, 0]) == stored[row * width + column])
      }
    }
  }

  @Test func lossless_jpeg_xl_survives_a_round_trip() throws {
    let samples = (0..<48 * 32 * 3).map { UInt16(truncatingIfNeeded: $0 * 97) }
    let bytes = try JPEGXLCodec.encode(samples, width: 48, height: 32, quality: 1)
    let pixels = try JPEGXLCodec.decode(
      bytes[...], width: 48, height: 32, components: 3, sampleBytes: 2)
    #expect(pixels == samples.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] })
    for length in [0, 1, bytes.count / 2, bytes.count - 1] {
      #expect(throws: DNGError.self) {
        try JPEGXLCodec.decode(
          bytes[..<length], width: 48, height: 32, components: 3, sampleBytes: 2)
      }
    }
    #expect(throws: DNGError.self) {
      try JPEGXLCodec.decode(bytes[...], width: 48, height: 31, components: 3, sampleBytes: 2)
    }
  }

  @Test func black_level_patterns_and_deltas_give_linear_light() throws {
    let area = PixelArea(top: 3, left: 2, bottom: 43, right: 68)
    var form = StoredForm(bitDepth: 12)
    let deltaH = (0..<area.width).map { Double($0 % 5) }
    let deltaV = (0..<area.height).map { Double($0 % 3) - 1 }
    let black = [64.0, 65, 66, 67]
    let table = (0..<4000).map { UInt16($0 * 3) }
    form.change = {
      $0[.activeArea] = .longs([3, 2, 43, 68])
      $0[.blackLevelRepeatDim] = .shorts([2, 2])
      $0[.blackLevel] = .rationals(black.map { .init($0) })
      $0[.blackLevelDeltaH] = .signedRationals(deltaH.map { .init($0) })
      $0[.blackLevelDeltaV] = .signedRationals(deltaV.map { .init($0) })
      $0[.whiteLevel] = .long(10_000)
      $0[.linearizationTable] = .shorts(table)
    }
    let file = try DNGFile(form.file())
    let light = try file.decodeLinear(of: file.rawImage())
    #expect(light.width == area.width && light.height == area.height)
    let stored = form.samples()
    for y in 0..<area.height {
      for x in 0..<area.width {
        let code = Int(stored[(y + area.top) * StoredForm.width + x + area.left])
        let value = Double(table[min(code, table.count - 1)])
        let dark = black[y % 2 * 2 + x % 2] + deltaH[x] + deltaV[y]
        let expected = min((value - dark) / (10_000 - (67 + 4 + 1)), 1)
        #expect(abs(Double(light.samples[y * area.width + x]) - expected) < 1e-5)
      }
    }
  }

  /// The pattern's rows and columns have separate deltas, so the greatest black is not the sum of the greatest
  /// parts.
  @Test func the_greatest_black_is_taken_per_pattern_position() throws {
    var form = StoredForm(bitDepth: 12, tileSide: nil)
    form.change = {
      $0[.blackLevelRepeatDim] = .shorts([2, 2])
      $0[.blackLevel] = .rationals([100, 400, 200, 300].map { .init($0) })
      $0[.blackLevelDeltaH] = .signedRationals(
        (0..<StoredForm.width).map { .init($0 % 2 == 0 ? 250 : 10) })
      $0[.blackLevelDeltaV] = .signedRationals(
        (0..<StoredForm.height).map { .init($0 % 2 == 0 ? -20 : 30) })
      $0[.whiteLevel] = .long(4000)
    }
    // 100 + 250 - 20, 400 + 10 - 20, 200 + 250 + 30, 300 + 10 + 30.
    #expect(try DNGFile(form.file()).rawImage().levels().greatestBlack == [480])
  }

  @Test func mosaics_other_than_bayer_are_refused_by_name() throws {
    var form = StoredForm()
    form.change = {
      $0[.cfaRepeatPatternDim] = .shorts([6, 6])
      $0[.cfaPattern] = .bytes([UInt8](repeating: 1, count: 36))
    }
    let raw = try DNGFile(form.file()).rawImage()
    let error = #expect(throws: DNGError.self) { try raw.bayerPattern() }
    #expect(error?.code == .unsupported && error?.message.contains("every 6 rows") == true)
    #expect(try DNGFile(StoredForm().file()).rawImage().bayerPattern() == .grbg)
  }

  @Test func invalid_levels_are_refused() throws {
    let changes: [@Sendable (inout TIFFDirectory) -> Void] = [
      { $0[.whiteLevel] = .long(0) },
      { $0[.blackLevel] = .longs([1, 2, 3]) },
      { $0[.activeArea] = .longs([0, 0, 46, 70]) },
      { $0[.blackLevelRepeatDim] = .shorts([0, 2]) },
      { $0[.blackLevelDeltaH] = .signedRationals([.init(1)]) },
    ]
    for change in changes {
      let raw = try DNGFile(StoredForm(change: change).file()).rawImage()
      let error = #expect(throws: DNGError.self) { try raw.levels() }
      #expect(error?.code == .invalidFile)
    }
  }

  @Test(.timeLimit(.minutes(3)))
  func files_with_changed_bytes_are_read_or_refused() throws {
    var random = SeededGenerator(seed: 12)
    let seeds = try Self.forms.map { try $0.file() }
    for round in 0..<600 {
      var bytes = seeds[round % seeds.count]
      for _ in 0..<Int.random(in: 1...6, using: &random) {
        let end = round % 3 == 0 ? bytes.count : min(600, bytes.count)
        bytes[Int.random(in: 0..<end, using: &random)] = UInt8.random(in: 0...255, using: &random)
      }
      if round % 4 == 0 { bytes.removeLast(Int.random(in: 0..<bytes.count, using: &random)) }
      guard let file = try? DNGFile(bytes) else { continue }
      _ = try? file.metadata()
      for image in file.images {
        _ = try? image.opcodeLists()
        if let light = try? file.decodeLinear(of: image) {
          #expect(light.samples.count <= DNGFile.sampleLimit)
        }
      }
    }
  }
}
