import MediaCore
import Testing

@Suite struct ColorDescriptionTests {
  typealias Values = ColorDescription.V4L2Values

  /// Each color space's defaults according to the comments in videodev2.h.
  @Test(arguments: [
    (1 as UInt32, 6 as UInt8, 1 as UInt8, 6 as UInt8, false), (2, 7, 7, 7, false),
    (3, 1, 1, 1, false), (5, 4, 1, 6, false), (6, 5, 1, 6, false), (7, 1, 13, 6, true),
    (8, 1, 13, 6, false), (9, 2, 4, 6, false), (10, 9, 1, 9, false), (11, 2, 8, 2, false),
    (12, 11, 17, 1, false), (4, 2, 2, 2, false), (99, 2, 2, 2, false),
  ])
  func defaults_follow_the_color_space(
    colorspace: UInt32, primaries: UInt8, transfer: UInt8, matrix: UInt8, isFull: Bool
  ) {
    let color = ColorDescription(v4l2: Values(colorspace: colorspace))
    #expect(color.primaries.rawValue == primaries)
    #expect(color.transferFunction.rawValue == transfer)
    #expect(color.matrix.rawValue == matrix)
    #expect((color.range == .full) == isFull)
  }

  @Test func a_default_color_space_depends_on_the_source() {
    let none = Values(colorspace: 0)
    #expect(ColorDescription(v4l2: none, source: .standardDefinition) == .smpte170M)
    #expect(ColorDescription(v4l2: none, source: .highDefinition) == .bt709)
    #expect(ColorDescription(v4l2: none).transferFunction == .sRGB)
    #expect(ColorDescription(v4l2: none, isRGB: true).range == .full)
    #expect(
      ColorDescription(v4l2: Values(colorspace: 3, quantization: 2), isRGB: true).range == .video)
  }

  @Test func values_from_the_driver_override_defaults() {
    let hdr = ColorDescription(
      v4l2: Values(colorspace: 10, transferFunction: 7, encoding: 6, quantization: 2))
    #expect(hdr == .bt2100PQ)
    let mixed = ColorDescription(
      v4l2: Values(colorspace: 8, transferFunction: 1, encoding: 2, quantization: 1))
    #expect(mixed == ColorDescription.bt709.with(range: .full))
    #expect(ColorDescription(v4l2: Values(colorspace: 3, encoding: 3)).matrix == .smpte170M)
    #expect(ColorDescription(v4l2: Values(colorspace: 3, encoding: 77)).matrix == .unspecified)
  }

  @Test func colors_survive_conversion_to_v4l2_and_back() {
    for color in [ColorDescription.bt709, .smpte170M, .bt601PAL, .bt2020, .bt2100PQ] {
      for range in [ColorDescription.Range.video, .full] {
        let color = color.with(range: range)
        #expect(ColorDescription(v4l2: color.v4l2Values) == color)
      }
    }
    #expect(ColorDescription.bt2100HLG.v4l2Values.transferFunction == 0, "V4L2 has no HLG")
  }

  @Test func known_code_points_round_trip_and_unknown_ones_are_unspecified() {
    for primaries in 0...255 {
      for value in [primaries, 0x100 + primaries, -1 - primaries] {
        let color = ColorDescription(
          libavPrimaries: value, transferFunction: value, matrix: value, range: 1)
        let known = ColorDescription.Primaries(rawValue: UInt8(primaries)) != nil
        #expect(
          (Int(color.primaries.rawValue) == value) == (known && value == primaries))
      }
    }
    let values = ColorDescription.bt2100HLG.libavValues
    #expect(values == (9, 18, 9, 1))
    #expect(
      ColorDescription(
        libavPrimaries: 9, transferFunction: 18, matrix: 9, range: 2)
        == ColorDescription.bt2100HLG.with(range: .full))
    #expect(
      ColorDescription(nclcPrimaries: 6, transferFunction: 1, matrix: 6) == .smpte170M)
    #expect(ColorDescription.TransferFunction(codePoint: 15) == .bt2020)
    #expect(ColorDescription(nclcPrimaries: 3, transferFunction: 3, matrix: 3) == .unspecified)
    var pal = ColorDescription.bt601PAL
    pal.matrix = .bt470bg
    #expect(pal.nclcValues == (5, 1, 6))
  }

  @Test func an_unspecified_color_is_resolved_by_the_height() {
    #expect(ColorDescription.unspecified.resolved(forHeight: 1080) == .bt709)
    #expect(ColorDescription.unspecified.resolved(forHeight: 720) == .bt709)
    #expect(ColorDescription.unspecified.resolved(forHeight: 576) == .bt601PAL)
    #expect(ColorDescription.unspecified.resolved(forHeight: 486) == .smpte170M)
    #expect(ColorDescription.bt2100PQ.resolved(forHeight: 480) == .bt2100PQ)
  }
}
