import DNG
import MediaCore
import TIFF
import Testing

@testable import RawDevelop

/// How semantic masks change an image.
struct SemanticMaskTests: RAWFilterRig {
  /// A uniform image whose profile turns black what the masks with this name cover.
  private func filter(_ name: String, _ masks: [TIFFDirectory]) throws -> RAWFilter {
    var negative = ExampleNegative()
    negative.light = { _, _, color in 0.3 * [0.52, 1, 0.66][color] }
    negative.change = { root in
      root[.rgbTables] = ExampleNegative.blackTable(for: name)
      root.children = masks
    }
    return try filter(negative)
  }

  @Test func areas_outside_the_stored_part_of_a_mask_are_unmasked() throws {
    let mask = ExampleNegative.mask(
      "sky", width: 4, samples: [UInt8](repeating: 255, count: 8), area: .longs([0, 0, 8, 4]))
    let image = try filter("sky", [mask]).outputImage()
    #expect(image[10, 10, 1] == 0)
    for (row, column) in [(10, 90), (60, 10), (60, 90)] {
      #expect(image[row, column, 1] > 0.3, "row \(row), column \(column)")
    }
  }

  @Test func masks_with_the_same_name_combine_and_keep_their_instances() throws {
    let filter = try filter(
      "Person",
      [
        ExampleNegative.mask("Person", width: 4, samples: [255, 0, 0, 0], instance: "left"),
        ExampleNegative.mask("Sky", width: 1, samples: [0]),
        ExampleNegative.mask("Person", width: 2, samples: [0, 255], instance: "right"),
      ])
    #expect(filter.semanticNames == ["Person", "Sky"])
    let masks = try filter.semanticMasks(named: "Person")
    #expect(masks.map(\.instanceID) == ["left", "right"] && masks.map(\.width) == [4, 2])
    #expect(try filter.semanticMasks(named: "Hair").isEmpty)
    let image = try filter.outputImage()
    #expect(image[30, 2, 1] == 0 && image[30, 93, 1] == 0)
    #expect(image[30, 36, 1] > 0.3)
    let matte = try #require(try filter.matte(.portraitEffects))
    #expect(matte.name == "Person" && matte.instanceID == nil)
    let samples = (0..<4).map { matte.image[0, $0, 0] }
    #expect(samples[0] > 0.99 && samples[1] < 0.3 && samples[3] > 0.99, "\(samples)")
  }
  /// Each alone would be accepted, and none has the bytes it claims.
  @Test
  func oversized_masks_are_refused_before_decoding()
    throws
  {
    let names = ["Hair", "Person", "Sky"]
    let masks = names.map { name in
      var mask = ExampleNegative.mask(name, width: 4, samples: [0, 0, 0, 0])
      mask[.imageWidth] = .longs([16_384])
      mask[.imageLength] = .longs([16_384])
      mask[.rowsPerStrip] = .longs([16_384])
      mask[.compression] = .shorts([8])
      return mask
    }
    var negative = ExampleNegative()
    negative.change = { root in
      root[.rgbTables] = ExampleNegative.blackTable(for: "Hair", "Person", "Sky")
      root.children = masks
    }
    let filter = try filter(negative)
    let error = #expect(throws: RawDevelopError.self) { try filter.outputImage() }
    #expect(
      error?.message.contains("3 masks Hair, Person, Sky, which are too large together") == true,
      "\(error.map { "\($0)" } ?? "")")
  }

  @Test func a_partly_stored_mask_equals_one_padded_with_zeros() throws {
    let part: [UInt8] = [255, 90, 30, 200, 10, 255]
    for (top, left) in [(0, 0), (3, 4), (6, 9), (5, 0), (0, 7)] {
      var all = [UInt8](repeating: 0, count: 12 * 8)
      for (index, sample) in part.enumerated() {
        all[(top + index / 3) * 12 + left + index % 3] = sample
      }
      let area = TIFFValue.longs([UInt32(top), UInt32(left), 12, 8])
      let stored = ExampleNegative.mask("sky", width: 3, samples: part, area: area)
      let whole = ExampleNegative.mask("sky", width: 12, samples: all)
      for scale: Float in [1, 0.3] {
        var (first, second) = (try filter("sky", [stored]), try filter("sky", [whole]))
        (first.scaleFactor, second.scaleFactor) = (scale, scale)
        #expect(try first.outputImage() == second.outputImage(), "\(top), \(left)")
      }
    }
  }

  /// Each has a few samples, but the first claims 169 megapixels.
  @Test func many_small_masks_over_a_huge_one_are_refused() throws {
    var negative = ExampleNegative()
    negative.change = { root in
      root.children = (0..<60).map { index in
        ExampleNegative.mask(
          "Person", width: 2, samples: [255, 0],
          area: index == 0 ? .longs([0, 0, 13_000, 13_000]) : nil)
      }
    }
    let filter = try filter(negative)
    let error = #expect(throws: RawDevelopError.self) { try filter.matte(.portraitEffects) }
    #expect(error?.message.contains("60 masks Person, which are too large together") == true)
    #expect(try filter.semanticMasks(named: "Person").count == 60)
  }
}
