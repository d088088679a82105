import DNG
import Foundation
import MediaCore
import TIFF
import TestSupport
import Testing

@testable import RawDevelop

/// Damaged or malicious files and lists of opcodes yield an image or an error.
@Suite(.tags(.slow), .timeLimit(.minutes(60))) struct DamagedFileTests {
  @Test func unsupported_dng_features_are_refused_by_name() throws {
    func message(_ change: @escaping (inout TIFFDirectory) -> Void) throws -> String {
      var negative = ExampleNegative()
      negative.components = 1
      negative.change = change
      let file = try DNGFile(try negative.bytes())
      do throws(RawDevelopError) { _ = try Negative(file) } catch {
        #expect(error.code == .unsupported)
        return error.message
      }
      return ""
    }
    #expect(try message { _ in } == "")
    #expect(try message { $0[.dngBackwardVersion] = .bytes([1, 9, 0, 0]) }.contains("1.9.0.0"))
    #expect(try message { $0[.cfaPlaneColor] = .bytes([2, 1, 0]) }.contains("[2, 1, 0]"))
    #expect(try message { $0[.cfaPlaneColor] = .bytes([0, 1, 2]) } == "")
    // The message also shows numbers that are not integers.
    let planes = try message { $0[.cfaPlaneColor] = .floats([1e30, 0.5]) }
    #expect(planes.contains(", 0.5]"), "\(planes)")
    let cell = try message { $0[.cfaPattern] = .doubles([1e300, 0.5, 0, 0]) }
    #expect(cell.contains("[1e+300, 0.5, 0, 0]"), "\(cell)")
  }

  @Test func huge_bad_pixel_areas_are_clipped_to_the_image() throws {
    let ends = [Int(Int32.min), Int(Int32.max)]
    for corners in [
      [ends[0], ends[0], ends[1], ends[1]], [0, ends[0], 3, ends[1]], [2, 2, 4, 4],
    ] {
      let data = ([0, 0, 1] + corners).flatMap(OpcodeBytes.long)
      let planes = LightPlanes(width: 12, height: 8, count: 1)
      for index in 0..<96 { planes[0][index] = Float(index % 13) / 13 }
      let runner = OpcodeRunner(stage: .stored, isFloat: false)
      let result = try runner.apply(try OpcodeList(OpcodeBytes.list([(5, data)])), to: planes)
      #expect(result.width == 12 && result.height == 8)
    }
  }

  /// Numbers that break arithmetic.
  private static let extremes: [[UInt8]] = [
    [0, 0, 0, 0], [0xFF, 0xFF, 0xFF, 0xFF], [0x7F, 0xFF, 0xFF, 0xFF], [0x80, 0, 0, 0],
    [0x7F, 0x80, 0, 0], [0x7F, 0xF8, 0, 0], [0, 0, 0, 1], [0x7E, 0xFF, 0, 0],
  ]

  private static func spoil(_ bytes: inout [UInt8], _ random: inout SeededGenerator) {
    for _ in 0..<Int.random(in: 1...4, using: &random) {
      let place = Int.random(in: 0..<bytes.count, using: &random)
      switch Int.random(in: 0..<6, using: &random) {
      case 0: bytes[place] = UInt8.random(in: 0...255, using: &random)
      case 1: bytes[place] ^= 1 << UInt8.random(in: 0...7, using: &random)
      case 5 where bytes.count > 16:
        bytes.removeLast(Int.random(in: 1...bytes.count / 4, using: &random))
      default:
        let aligned = place & ~3
        guard aligned + 4 <= bytes.count, let number = extremes.randomElement(using: &random) else {
          continue
        }
        bytes.replaceSubrange(aligned..<aligned + 4, with: number)
      }
      if bytes.count < 8 { return }
    }
  }

  @Test func damaged_opcode_lists_are_applied_or_refused() throws {
    let count = TestRun.isThorough ? 1_000_000 : 600
    let outcomes = ConcurrentMap.map(8) { lane in
      var random = SeededGenerator(seed: 100 + UInt64(lane))
      var outcomes = (applied: 0, refused: 0)
      for _ in 0..<count / 8 {
        let chosen = (0..<Int.random(in: 1...2, using: &random)).compactMap { _ in
          OpcodeBytes.examples.randomElement(using: &random)
        }
        var bytes = OpcodeBytes.list(chosen)
        Self.spoil(&bytes, &random)
        let planes = LightPlanes(width: 12, height: 8, count: 3)
        for index in 0..<3 * 96 { planes[index / 96][index % 96] = Float(index % 13) / 13 }
        let stages: [OpcodeRunner.Stage] = [.stored, .linear, .demosaicked]
        let runner = OpcodeRunner(
          stage: stages[Int.random(in: 0..<3, using: &random)],
          isFloat: Bool.random(using: &random))
        do {
          let result = try runner.apply(try OpcodeList(bytes), to: planes)
          if result.width <= 12, result.height <= 8 { outcomes.applied += 1 }
        } catch { outcomes.refused += 1 }
      }
      return outcomes
    }
    let applied = outcomes.reduce(0) { $0 + $1.applied }
    let refused = outcomes.reduce(0) { $0 + $1.refused }
    #expect(applied + refused == count / 8 * 8)
    #expect(min(applied, refused) > count / 20, "\(applied) applied, \(refused) refused")
  }

  /// Small files with many things to read.
  private static func seeds() throws -> [[UInt8]] {
    let opcodes = OpcodeBytes.examples
    var mosaic = ExampleNegative()
    (mosaic.components, mosaic.width, mosaic.height) = (1, 12, 8)
    mosaic.change = {
      $0[.opcodeList2] = .undefined(OpcodeBytes.list([opcodes[8], opcodes[4]]))
      $0[.opcodeList3] = .undefined(OpcodeBytes.list([opcodes[0], opcodes[2]]))
      $0[.noiseProfile] = .doubles([1e-4, 1e-6])
    }
    var linear = ExampleNegative()
    (linear.width, linear.height) = (12, 8)
    linear.change = {
      $0[.profileToneCurve] = .floats([0, 0, 0.5, 0.6, 1, 1])
      $0[.profileLookTableDims] = .longs([2, 2, 2])
      $0[.profileLookTableData] = .floats([Float](repeating: 1, count: 24))
      $0[.baselineExposure] = ExampleNegative.rationals([0.5])
      $0[.defaultCropOrigin] = .longs([1, 1])
      $0[.defaultCropSize] = .longs([10, 6])
    }
    return [try mosaic.bytes(), try linear.bytes()]
  }

  @Test func damaged_files_are_developed_or_refused() throws {
    let seeds = try Self.seeds()
    let count = TestRun.isThorough ? 20_000 : 100
    let outcomes = ConcurrentMap.map(8) { lane in
      var random = SeededGenerator(seed: 300 + UInt64(lane))
      var outcomes = (developed: 0, refused: 0)
      for _ in 0..<count / 8 {
        guard var bytes = seeds.randomElement(using: &random) else { continue }
        Self.spoil(&bytes, &random)
        do {
          var filter = try RAWFilter(data: bytes)
          filter.scaleFactor = [1, 1, 0.5, 0.3].randomElement(using: &random) ?? 1
          if Bool.random(using: &random) { filter.sampleFormat = .half }
          _ = try filter.outputImage()
          outcomes.developed += 1
        } catch { outcomes.refused += 1 }
      }
      return outcomes
    }
    let developed = outcomes.reduce(0) { $0 + $1.developed }
    let refused = outcomes.reduce(0) { $0 + $1.refused }
    #expect(min(developed, refused) > count / 20, "\(developed) developed, \(refused) refused")
  }
}
