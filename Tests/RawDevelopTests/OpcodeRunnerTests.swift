import DNG
import MediaCore
import TIFF
import TestSupport
import Testing

@testable import RawDevelop

/// Which opcodes of a list are applied, and to which samples.
@Suite struct OpcodeRunnerTests {
  /// The first plane of twelve by eight pixels after a list of opcodes.
  private func applied(
    _ opcodes: [[UInt8]], isPreview: Bool = false, isMosaic: Bool = false
  ) throws -> [Float] {
    let planes = LightPlanes(width: 12, height: 8, count: 1)
    for index in 0..<96 { planes[0][index] = Float(index % 13) / 26 + 0.2 }
    var runner = OpcodeRunner(stage: .linear)
    (runner.isPreview, runner.isMosaic) = (isPreview, isMosaic)
    let result = try runner.apply(try OpcodeList(OpcodeBytes.list(opcodes)), to: planes)
    return (0..<96).map { result[0][$0] }
  }

  private func example(
    _ code: Int, flags: Int = 1, version: [UInt8] = [1, 3, 0, 0]
  ) throws -> [UInt8] {
    let data = try #require(OpcodeBytes.examples.first { $0.0 == code }).1
    return OpcodeBytes.opcode(code, data, flags: flags, version: version)
  }

  @Test(arguments: [1, 2])
  func an_older_warp_right_after_an_optional_newer_one_is_skipped(code: Int) throws {
    let (older, newer, scale) = (try example(code), try example(14), try example(12))
    let required = try example(14, flags: 0)
    let alone = try applied([newer])
    let both = try applied([required, older])
    #expect(both != alone)
    #expect(try applied([newer, older]) == alone)
    #expect(try applied([newer, scale, older]) == applied([required, scale, older]))
    // If the newer one is not applied, the older one is.
    let (unread, skipped) = (try example(14, version: [1, 9, 0, 0]), try example(14, flags: 3))
    let plain = try applied([older])
    #expect(try applied([unread, older]) == plain)
    #expect(try applied([skipped, older], isPreview: true) == plain)
    #expect(try applied([skipped, older]) == alone)
  }

  @Test func an_opcode_of_a_newer_version_is_refused_by_name_unless_it_is_optional() throws {
    #expect(try applied([try example(8, version: [1, 9, 0, 0])]) == applied([]))
    let required = try example(8, flags: 0, version: [1, 9, 0, 0])
    let error = #expect(throws: RawDevelopError.self) { try applied([required]) }
    #expect(error?.message.contains("opcode 8 is unknown (DNG 1.9.0.0)") == true)
  }

  @Test func a_gain_map_covers_the_image_even_if_its_area_starts_outside() throws {
    func gains(_ area: [Int]) throws -> [Float] {
      let grid =
        OpcodeBytes.long(2) + OpcodeBytes.long(2) + OpcodeBytes.doubles([1, 1, 0, 0])
        + OpcodeBytes.long(1) + OpcodeBytes.floats([1, 0.5, 0.25, 0.75])
      return try applied([OpcodeBytes.opcode(9, area.flatMap(OpcodeBytes.long) + grid)])
    }
    #expect(try gains([-8, -6, 20, 30, 0, 1, 1, 1]) == gains([0, 0, 8, 12, 0, 1, 1, 1]))
    #expect(try gains([-3, -1, 8, 12, 0, 1, 2, 2]) == gains([1, 1, 8, 12, 0, 1, 2, 2]))
  }

  /// A pixel that stands for two by two of the file changes in proportion to those of them that change.
  @Test func averaged_pixels_change_in_proportion() throws {
    func rows(_ area: [Int], count: Int) throws -> [Float] {
      let planes = LightPlanes(width: 6, height: 4, count: 1)
      for index in 0..<24 { planes[0][index] = 0.5 }
      let factors = OpcodeBytes.floats([Float](repeating: 0.5, count: count))
      let data = area.flatMap(OpcodeBytes.long) + OpcodeBytes.long(count) + factors
      let result = try OpcodeRunner(stage: .linear, reduction: 2)
        .apply(try OpcodeList(OpcodeBytes.list([(12, data)])), to: planes)
      return [0, 1, 18, 23].map { result[0][$0] }
    }
    #expect(try rows([0, 0, 8, 12, 0, 1, 1, 1], count: 8) == [0.25, 0.25, 0.25, 0.25])
    #expect(try rows([0, 0, 8, 12, 0, 1, 2, 1], count: 4) == [0.375, 0.375, 0.375, 0.375])
    #expect(try rows([1, 0, 8, 12, 0, 1, 2, 2], count: 4) == [0.4375, 0.4375, 0.4375, 0.4375])
    // An edge within a block.
    #expect(try rows([1, 1, 8, 12, 0, 1, 1, 1], count: 7) == [0.4375, 0.375, 0.375, 0.25])
    #expect(try rows([-2, 0, 1, 12, 0, 1, 3, 1], count: 1) == [0.5, 0.5, 0.5, 0.5])
  }

  /// As in Adobe's SDK: only light that is still above white afterward is clipped.
  @Test(arguments: [(1, TIFFTag.opcodeList2), (3, .opcodeList2), (3, .opcodeList3)])
  func float_light_above_white_is_kept_for_opcodes(
    components: Int, list: TIFFTag
  ) throws {
    func image(_ factor: Float, halving: Bool) throws -> RenderedImage {
      var negative = ExampleNegative()
      (negative.width, negative.height, negative.components) = (12, 8, components)
      let levels: [Float] = [0.25, 0.9, 1.6, 5]
      let samples = (0..<12 * 8 * components).map { factor * levels[$0 / components / 24] }
      negative.change = { root in
        root[.bitsPerSample] = .shorts([UInt16](repeating: 32, count: components))
        root[.sampleFormat] = .shorts([UInt16](repeating: 3, count: components))
        root.pixels = .init(isTiled: false, chunks: [ExampleNegative.bytes(samples)])
        let area = [0, 0, 8, 12, 0, components, 1, 1].flatMap(OpcodeBytes.long)
        let half = area + OpcodeBytes.long(1) + OpcodeBytes.doubles([0, 0.5])
        if halving { root[list] = .undefined(OpcodeBytes.list([(8, half)])) }
      }
      return try Developer(
        negative: try Negative(try DNGFile(try negative.bytes())), settings: .linear
      ).develop()
    }
    #expect(try image(1, halving: true) == image(0.5, halving: false))
    #expect(try image(1, halving: true) != image(1, halving: false))
  }

  /// As in Adobe's SDK between opcodes.
  @Test func integer_files_are_rounded_to_16_bits_after_an_opcode() throws {
    func light(_ runner: OpcodeRunner) throws -> Float {
      let planes = LightPlanes(width: 12, height: 8, count: 1)
      for index in 0..<96 { planes[0][index] = 0.0049 }
      let square = OpcodeBytes.area + OpcodeBytes.long(2) + OpcodeBytes.doubles([0, 0, 1])
      return try runner.apply(try OpcodeList(OpcodeBytes.list([(8, square)])), to: planes)[0][0]
    }
    // 1.57 of 65535.
    let exact: Float = 0.0049 * 0.0049
    for stage in [OpcodeRunner.Stage.linear, .demosaicked] {
      #expect(try light(OpcodeRunner(stage: stage)) == 2.0 / 65_535)
      #expect(abs(try light(OpcodeRunner(stage: stage, isFloat: true)) - exact) < 1e-9)
      // Means are not rounded to such steps.
      #expect(abs(try light(OpcodeRunner(stage: stage, reduction: 2)) - exact) < 1e-9)
    }
  }

  @Test func a_polynomial_is_mirrored_below_black() throws {
    let planes = LightPlanes(width: 12, height: 8, count: 1)
    for index in 0..<96 { planes[0][index] = index % 2 == 0 ? 0.1 : -0.1 }
    let terms = OpcodeBytes.doubles([0.25, 0.5, 2, 10])
    let data = OpcodeBytes.area + OpcodeBytes.long(3) + terms
    let result = try OpcodeRunner(stage: .linear, isFloat: true)
      .apply(try OpcodeList(OpcodeBytes.list([(8, data)])), to: planes)
    // 0.05, 0.02 and 0.01 above and below the constant.
    #expect(abs(result[0][0] - 0.33) < 1e-6)
    #expect(abs(result[0][1] - 0.17) < 1e-6)
  }

  @Test func a_mosaic_is_warped_as_stored() throws {
    for code in [1, 2, 14] {
      let warp = try example(code, flags: 0)
      #expect(try applied([warp], isMosaic: true) == applied([warp]))
    }
  }

  @Test func planes_are_warped_independently() throws {
    let (width, height) = (40, 30)
    let list = try OpcodeList(OpcodeBytes.list([try example(1)]))
    func light(_ plane: Int, _ index: Int) -> Float { Float((index * (7 + plane)) % 31) / 62 }
    func warped(_ planes: [Int]) throws -> [[Float]] {
      let target = LightPlanes(width: width, height: height, count: planes.count)
      for (place, plane) in planes.enumerated() {
        for index in 0..<width * height { target[place][index] = light(plane, index) }
      }
      let result = try OpcodeRunner(stage: .demosaicked).apply(list, to: target)
      return planes.indices.map { place in (0..<width * height).map { result[place][$0] } }
    }
    let together = try warped([0, 1, 2])
    let alone = try (0..<3).flatMap { try warped([$0]) }
    #expect(together == alone)
    #expect(together[0] != (0..<width * height).map { light(0, $0) })
  }

  @Test func lens_settings_apply_to_all_opcode_lists() throws {
    func image(_ tag: TIFFTag?, corrects: Bool) throws -> RenderedImage {
      var negative = ExampleNegative()
      negative.light = { row, column, _ in 0.2 + Double(row + column) / 600 }
      let vignette = try example(3)
      negative.change = {
        // Pixels twice as wide as they are high.
        $0[.defaultScale] = ExampleNegative.unsigned([2, 1])
        if let tag { $0[tag] = .undefined(OpcodeBytes.list([vignette])) }
      }
      var filter = try RAWFilter(data: try negative.bytes())
      filter.sampleFormat = .float
      filter.isLensCorrectionEnabled = corrects
      return try filter.outputImage()
    }
    let plain = try image(nil, corrects: true)
    let corrected = try image(.opcodeList2, corrects: true)
    #expect(corrected != plain)
    for tag in [TIFFTag.opcodeList1, .opcodeList2, .opcodeList3] {
      #expect(try image(tag, corrects: false) == plain)
      let image = try image(tag, corrects: true)
      for (row, column) in [(0, 0), (10, 40), (31, 95), (3, 90)] {
        #expect(abs(image[row, column, 1] - corrected[row, column, 1]) < 1e-3)
      }
    }
  }
}
