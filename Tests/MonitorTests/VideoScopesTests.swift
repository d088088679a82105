import MediaCore
import Testing

@testable import Monitor
@testable import TestPattern

@Suite struct VideoScopesTests {
  /// A frame of vertical stripes: each pair of pixels has one color, the same in every row.
  private static func stripes(
    _ colors: [PatternRow.Color], height: Int = 4, color: ColorDescription = .bt709
  ) throws -> PreviewFrame {
    let luma = colors.flatMap { [$0.luma, $0.luma] }
    func rows(_ row: [UInt16]) -> [UInt16] { (0..<height).flatMap { _ in row } }
    return try PreviewFrame(
      width: luma.count, height: height, color: color,
      sourceDimensions: .init(width: 1920, height: 1080), luma: rows(luma),
      cb: rows(colors.map(\.cb)), cr: rows(colors.map(\.cr)))
  }

  /// 75 % bars, whose red, green and blue are either 0 or 75 %: code 64 or 721.
  private static let bars: [(color: PatternRow.Color, rgb: [Int])] = [
    (ColorBars.white75, [721, 721, 721]), (ColorBars.yellow75, [721, 721, 64]),
    (ColorBars.cyan75, [64, 721, 721]), (ColorBars.green75, [64, 721, 64]),
    (ColorBars.magenta75, [721, 64, 721]), (ColorBars.red75, [721, 64, 64]),
    (ColorBars.blue75, [64, 64, 721]),
  ]

  @Test func the_waveform_shows_bars_at_their_levels() throws {
    let scopes = VideoScopes(try Self.stripes(Self.bars.map(\.color)))
    let waveform = try #require(scopes.waveform)
    #expect(waveform.width == 7 && waveform.height == 256)
    for (column, bar) in Self.bars.enumerated() {
      // Two pixels in each of four rows, all at one level.
      #expect(waveform[column, Int(bar.color.luma) / 4] == 8)
    }
    #expect(waveform.counts.reduce(0, +) == 7 * 8)
  }

  @Test func the_parade_shows_the_red_green_and_blue_of_bars() throws {
    let scopes = VideoScopes(try Self.stripes(Self.bars.map(\.color)))
    try #require(scopes.parade.count == 3)
    for (column, bar) in Self.bars.enumerated() {
      for channel in 0..<3 {
        // The bars' codes are rounded, so red, green or blue may be one or two codes off.
        let level = bar.rgb[channel] / 4
        let around = (level - 1...level + 1).reduce(0) { $0 + scopes.parade[channel][column, $1] }
        #expect(around == 4, "bar \(column), channel \(channel)")
      }
    }
    #expect(scopes.excess.lumaAbove == 0 && scopes.excess.chromaOutside == 0)
  }

  @Test(arguments: [
    (ColorDescription.Matrix.bt709, 0.2126, 0.0722), (.smpte170M, 0.299, 0.114),
    (.bt2020, 0.2627, 0.0593),
  ])
  func colors_are_converted_with_the_frames_matrix(
    matrix: ColorDescription.Matrix, red: Double, blue: Double
  ) throws {
    var description = ColorDescription.bt709
    description.matrix = matrix
    let converter = ColorMatrix(description, height: 1080)
    for (r, g, b) in [(0.75, 0.1, 0.2), (0.0, 1.0, 0.5), (1, 0, 0), (0.2, 0.3, 0.9)] {
      let y = red * r + (1 - red - blue) * g + blue * b
      let color = converter.rgb(
        UInt16((64 + 876 * y).rounded()),
        UInt16((512 + 448 * (b - y) / (1 - blue)).rounded()),
        UInt16((512 + 448 * (r - y) / (1 - red)).rounded()))
      for (code, value) in [(color.red, r), (color.green, g), (color.blue, b)] {
        #expect(abs(Double(code) - (64 + 876 * value)) < 2.5)
      }
    }
  }

  @Test func the_vectorscope_shows_bars_in_their_boxes() throws {
    let vectorscope = try #require(
      VideoScopes(try Self.stripes(Self.bars.map(\.color)), .vectorscope).vectorscope)
    for bar in Self.bars { #expect(vectorscope[Int(bar.color.cb) / 4, Int(bar.color.cr) / 4] == 4) }
    #expect(vectorscope[128, 128] == 4, "white is in the middle")
  }

  @Test func a_full_ramp_fills_the_histogram_and_counts_illegal_codes() throws {
    let ramp = try Self.stripes((4...1019).map { PatternRow.Color(UInt16($0)) }, height: 1)
    let scopes = VideoScopes(ramp)
    let luma = try #require(scopes.histogram.first)
    #expect(luma[0] == 0 && luma[255] == 0)
    #expect(luma[1...254].allSatisfy { $0 == 8 })
    // Gray: red, green and blue equal the luma.
    #expect(scopes.histogram[1] == luma.map { $0 / 2 })
    #expect(scopes.histogram[2] == scopes.histogram[1])
    #expect(scopes.excess.samples == 2032)
    #expect(scopes.excess.lumaBelow == 2 * 60 && scopes.excess.lumaAbove == 2 * 79)
    #expect(scopes.excess.gamutOutside == 60 + 79 && scopes.excess.chromaOutside == 0)
    let waveform = try #require(scopes.waveform)
    #expect(waveform.width == VideoScopes.columnLimit)
    #expect(waveform[0, 1] > 0 && waveform[319, 254] > 0 && waveform[0, 254] == 0)
  }

  @Test func out_of_range_chroma_and_colors_are_counted() throws {
    let scopes = VideoScopes(
      try Self.stripes([
        .init(500, 961, 512), .init(500, 512, 63), .init(940, 700, 512), .init(500),
      ]))
    #expect(scopes.excess.chromaOutside == 8)
    #expect(scopes.excess.gamutOutside == 12, "nominal white with blue in it is more than white")
  }

  @Test func only_requested_scopes_are_made() throws {
    let scopes = VideoScopes(try Self.stripes([.init(500)]), [.histogram])
    #expect(scopes.waveform == nil && scopes.vectorscope == nil && scopes.parade.isEmpty)
    #expect(scopes.histogram.count == 4)
    #expect(VideoScopes(try Self.stripes([.init(500)]), []).histogram.isEmpty)
  }

  @Test func densities_grow_with_the_square_root_of_the_count() {
    var map = DensityMap(width: 4, height: 1)
    map.counts = [0, 1, 100, 400]
    #expect(map.densities() == [0, 13, 128, 255])
    #expect(map.densities(full: 100) == [0, 26, 255, 255])
    map.counts = [0, 1, 1, 4_000_000]
    #expect(map.densities()[1] == 1, "a single sample is visible")
  }
}
