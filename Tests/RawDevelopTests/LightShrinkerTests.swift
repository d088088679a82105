import DNG
import MediaCore
import TestSupport
import Testing

@testable import RawDevelop

/// Shrinks light, whole or strip by strip.
@Suite struct LightShrinkerTests {
  private static func noise(_ width: Int, _ height: Int, count: Int) -> LightPlanes {
    var random = SeededGenerator(seed: 7)
    let planes = LightPlanes(width: width, height: height, count: count)
    for plane in 0..<count {
      for place in 0..<width * height {
        planes[plane][place] = Float.random(in: 0...1, using: &random)
      }
    }
    return planes
  }

  private static func samples(_ planes: LightPlanes) -> [[Float]] {
    (0..<planes.count).map {
      Array(UnsafeBufferPointer(start: planes[$0], count: planes.width * planes.height))
    }
  }

  @Test(arguments: [0..<500, 3..<490, 170..<480], [(110, 290), (97, 151), (60, 300)])
  func shrinking_strips_equals_shrinking_the_whole_image(
    rows: Range<Int>, size: (width: Int, height: Int)
  ) {
    let mosaic = Self.noise(130, 500, count: 1)
    let demosaicker = Demosaicker(mosaic, .grbg, white: [0.6, 1, 0.7], clips: false)
    let shrinker = LightShrinker(
      columns: 5..<120, rows: rows, width: size.width, height: size.height)
    let strips = shrinker.shrunk(
      LightStripSource(source: .mosaic(mosaic, .grbg), demosaicker: demosaicker))
    let whole = shrinker.shrunk(demosaicker.planes())
    #expect(Self.samples(strips) == Self.samples(whole))
  }

  @Test func shrinking_a_part_equals_shrinking_its_crop() {
    let planes = Self.noise(90, 70, count: 3)
    let (columns, rows) = (7..<80, 11..<63)
    let part = LightShrinker(columns: columns, rows: rows, width: 41, height: 40)
      .shrunk(planes)
    let alone = LightShrinker(
      columns: 0..<columns.count, rows: 0..<rows.count, width: 41, height: 40
    ).shrunk(planes.cropped(columns, rows))
    #expect(Self.samples(part) == Self.samples(alone))
  }

  @Test func separated_planes_outlive_their_image() {
    var parts: [LightPlanes] = []
    do {
      let planes = Self.noise(9, 5, count: 3)
      parts = planes.separated
      #expect(parts.map { $0[0] } == (0..<3).map { planes[$0] })
    }
    let expected = Self.samples(Self.noise(9, 5, count: 3))
    #expect(parts.map { Self.samples($0)[0] } == expected)
  }

  /// A mosaic or linear pixels, at sizes that are made strip by strip or, with local contrast, as a whole.
  @Test(arguments: [1, 3], [0.9, 0.6])
  func a_scaled_image_is_the_same_by_strips_or_as_a_whole(
    components: Int, scale: Float
  ) throws {
    var negative = ExampleNegative()
    (negative.components, negative.width, negative.height) = (components, 210, 330)
    let data = try negative.bytes()
    func image(_ change: (inout RAWFilter) -> Void = { _ in }) throws -> RenderedImage {
      var filter = try RAWFilter(data: data)
      filter.scaleFactor = scale
      change(&filter)
      return try filter.outputImage()
    }
    let strips = try image()
    let alone = try ConcurrentMap.$threadLimit.withValue(1) { try image() }
    #expect(strips == alone)
    // So little contrast barely changes 8-bit samples, but needs the light as a whole.
    let eight = try image { $0.sampleFormat = .uint8 }
    let whole = try image {
      $0.sampleFormat = .uint8
      $0.contrastAmount = 1e-6
    }
    guard case .uint8(let found) = eight.samples, case .uint8(let wanted) = whole.samples else {
      Issue.record("samples are not 8-bit")
      return
    }
    #expect(found.count == wanted.count)
    #expect(zip(found, wanted).allSatisfy { abs(Int($0) - Int($1)) <= 1 })
  }
}
