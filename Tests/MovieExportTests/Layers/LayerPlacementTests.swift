import AssetReader
import TestSupport
import Testing

@testable import MovieExport

/// Where layers are placed on a canvas.
@Suite struct LayerPlacementTests {
  private func placement(
    _ transform: PlaneTransform, drawn: PlaneArea = .infinite
  ) throws -> LayerPlacement {
    try LayerPlacement(transform, of: (320, 180), drawn: drawn)
  }

  @Test func neighbors_meet_without_a_gap_at_any_scale() throws {
    var random = SeededGenerator(seed: 7)
    for _ in 0..<500 {
      let scale = Double.random(in: 0.05...3, using: &random)
      let begin = Double.random(in: -500...500, using: &random)
      let left = try placement(
        PlaneTransform(a: scale, b: 0, c: 0, d: scale, tx: begin, ty: 0))
      let right = try placement(
        PlaneTransform(a: scale, b: 0, c: 0, d: scale, tx: begin + 320 * scale, ty: 0))
      #expect(left.area.x.upperBound == right.area.x.lowerBound)
      for range in [left.area.x, left.area.y] {
        #expect(range.lowerBound.isMultiple(of: 2) && range.count.isMultiple(of: 2))
      }
    }
  }

  @Test func rounded_sines_are_quarters_and_small_turns_are_not() throws {
    let quarter = PlaneTransform(a: 6e-17, b: 1, c: -1, d: 6e-17, tx: 180, ty: 0)
    let turned = try placement(quarter)
    #expect(turned.quarterTurns == 1 && turned.area.x == 0..<180 && turned.area.y == 0..<320)
    for transform in [
      PlaneTransform(a: 1, b: 0.01, c: -0.01, d: 1, tx: 0, ty: 0),
      PlaneTransform(a: 0, b: 0, c: 0, d: 0, tx: 0, ty: 0),
      PlaneTransform(a: .nan, b: 0, c: 0, d: 1, tx: 0, ty: 0),
      PlaneTransform(a: 1, b: 0, c: 0, d: .infinity, tx: 0, ty: 0),
      PlaneTransform(a: 1, b: 0, c: 0, d: .nan, tx: 0, ty: 0),
      PlaneTransform(a: 1, b: 0, c: 0, d: 1, tx: .nan, ty: 0),
      PlaneTransform(a: 1, b: 0, c: 0, d: 1, tx: 0, ty: .infinity),
    ] { #expect(throws: AssetReaderError.self) { try placement(transform) } }
  }

  @Test func cropped_areas_are_not_visible() throws {
    let half = PlaneTransform(a: 0.5, b: 0, c: 0, d: 0.5, tx: 100, ty: 50)
    let drawn = PlaneArea(left: 160, top: 0, right: 1000, bottom: 90)
    let made = try placement(half, drawn: drawn)
    #expect(made.area.x == 100..<260 && made.area.y == 50..<140)
    #expect(made.visible.x == 180..<260 && made.visible.y == 50..<96)
    let none = try placement(half, drawn: PlaneArea(left: 400, top: 0, right: 500, bottom: 90))
    #expect(none.visible.isEmpty)
  }

  @Test func a_moving_layer_keeps_its_size() throws {
    for place in stride(from: -9.0, through: 9, by: 0.25) {
      let moved = try placement(PlaneTransform(a: 1, b: 0, c: 0, d: 1, tx: place, ty: -place))
      #expect(moved.area.x.count == 320 && moved.area.y.count == 180, "\(place)")
    }
  }

  @Test func the_visible_area_stays_within_the_layer() throws {
    var random = SeededGenerator(seed: 3)
    for _ in 0..<2000 {
      let left = Double.random(in: 300...321, using: &random)
      let top = Double.random(in: 170...181, using: &random)
      let drawn = PlaneArea(
        left: left, top: top, right: left + Double.random(in: 0...3, using: &random),
        bottom: top + Double.random(in: 0...3, using: &random))
      let made = try placement(
        PlaneTransform(a: 1, b: 0, c: 0, d: 1, tx: 0, ty: 0), drawn: drawn)
      #expect(made.visible.isEmpty || made.visible == made.visible.intersection(made.area))
    }
  }

  @Test func extreme_offsets_do_not_trap_and_extreme_scales_are_refused() throws {
    let far = try placement(PlaneTransform(a: 1, b: 0, c: 0, d: 1, tx: 1e300, ty: -1e300))
    #expect(!far.area.isEmpty)
    #expect(throws: AssetReaderError.self) {
      try placement(PlaneTransform(a: 1e9, b: 0, c: 0, d: 1, tx: 0, ty: 0))
    }
  }
}
