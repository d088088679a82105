import CProResKernels
import TestSupport
import Testing

@testable import ProRes

/// Every kernel table, compared with the Swift reference: the same numbers, and no writes
/// elsewhere.
@Suite struct KernelTests {
  static let fast = KernelChoice.available.filter { $0 != .reference }
  static let lanes = PRORES_LANES

  private func tables(
    _ choice: KernelChoice
  ) throws -> (reference: prores_kernels, tested: prores_kernels) {
    let reference = try #require(KernelChoice.reference.table)
    let tested = try #require(choice.table)
    return (reference.pointee, tested.pointee)
  }

  /// Sample planes that reveal overflows: extremes, patterns and noise.
  private static func samplePlanes() -> [[Int16]] {
    var random = SeededGenerator(seed: 1)
    let count = PRORES_SAMPLE_PLANE
    let extremes: [Int16] = [-8192, 8191]
    var planes: [[Int16]] = [
      [Int16](repeating: -8192, count: count), [Int16](repeating: 8191, count: count),
      (0..<count).map { extremes[($0 ^ $0 / PRORES_SAMPLE_STRIDE) & 1] },
      (0..<count).map { extremes[$0 / 4 & 1] },
      (0..<count).map { extremes[$0 / PRORES_SAMPLE_STRIDE / 4 & 1] },
    ]
    for _ in 0..<6 {
      planes.append((0..<count).map { _ in extremes.randomElement(using: &random) ?? 0 })
    }
    for amplitude in [16, 500, 8191] as [Int16] {
      planes.append((0..<count).map { _ in .random(in: -amplitude...amplitude, using: &random) })
    }
    return planes
  }

  @Test(arguments: fast) func transform_matches_reference(choice: KernelChoice) throws {
    let (reference, tested) = try tables(choice)
    let arrangements = [
      PRORES_ARRANGEMENT_LUMA, PRORES_ARRANGEMENT_CHROMA_444, PRORES_ARRANGEMENT_CHROMA_422,
    ]
    for (number, plane) in Self.samplePlanes().enumerated() {
      let samples = GuardedBuffer<Int16>(count: plane.count, repeating: 0)
      _ = samples.elements.update(fromContentsOf: plane)
      for arrangement in arrangements {
        let wanted = GuardedBuffer<Int16>(count: 64 * Self.lanes, repeating: 0)
        let found = GuardedBuffer<Int16>(count: 64 * Self.lanes, repeating: 0)
        reference.transform(samples.start, arrangement, wanted.start)
        tested.transform(samples.start, arrangement, found.start)
        #expect(
          wanted.elements.elementsEqual(found.elements),
          "plane \(number), arrangement \(arrangement.rawValue)")
        #expect(found.wallsStand)
      }
    }
  }

  private static func coefficients(_ random: inout SeededGenerator, amplitude: Int) -> [Int16] {
    (0..<64 * lanes).map { index in
      let limit = max(amplitude / (1 + index / lanes / 4), 1)
      return Int16(Int.random(in: -limit...limit, using: &random))
    }
  }

  @Test(arguments: fast) func quantize_and_code_match_reference(choice: KernelChoice) throws {
    let (reference, tested) = try tables(choice)
    var random = SeededGenerator(seed: 2)
    for matrix in [QuantizationMatrix.hq, .proxyLuma, .xqLuma] {
      for interlaced in [false, true] {
        let tables = QuantizerTables(
          luma: matrix, chroma: matrix, interlaced: interlaced, rounding: 0.3...0.46)
        for amplitude in [3, 40, 900, 32_766] {
          let values = Self.coefficients(&random, amplitude: amplitude)
          for index in [1, 2, 7, 40, 128, 224] {
            for blocks in [2, 4, 8, 16, 32] {
              try compare(reference, tested, values, blocks, tables.luma(index))
            }
          }
        }
      }
    }
  }

  private func compare(
    _ reference: prores_kernels, _ tested: prores_kernels, _ values: [Int16], _ blocks: Int,
    _ table: UnsafePointer<prores_quantizer>
  ) throws {
    let margin = PRORES_SYMBOL_MARGIN
    let input = GuardedBuffer<Int16>(count: values.count, repeating: 0)
    _ = input.elements.update(fromContentsOf: values)
    let ahead = [UnsafePointer<UInt8>?](repeating: nil, count: PRORES_AHEAD)
    var dc: [[Int16]] = []
    var symbols: [[UInt32]] = []
    var codes: [[UInt8]] = []
    for kernels in [reference, tested] {
      let levels = GuardedBuffer<Int16>(count: blocks, after: Self.lanes, repeating: 0)
      let list = GuardedBuffer<UInt32>(
        count: blocks * 64, before: margin, after: margin, repeating: 0)
      var component = prores_component()
      component.coefficients = UnsafePointer(input.start)
      component.quantizer = table
      component.blocks = Int32(blocks)
      component.dc = levels.start
      component.symbols = list.start
      kernels.quantize(&component, 1, ahead)
      let count = component.count
      try #require(count <= blocks * 63)
      dc.append(Array(levels.elements))
      symbols.append(Array(list.elements[..<count]))
      let bytes = GuardedBuffer<UInt8>(
        count: blocks * 64 * 7, after: PRORES_CODE_MARGIN, repeating: 0)
      let size = kernels.code(&component, 1, bytes.start, ahead)
      try #require(size <= bytes.elements.count)
      codes.append(Array(bytes.elements[..<size]))
      #expect(levels.wallsStand && list.wallsStand && bytes.wallsStand)
    }
    #expect(dc[0] == dc[1])
    #expect(symbols[0] == symbols[1])
    #expect(codes[0] == codes[1])
  }

  @Test(arguments: fast) func longest_codes_match_reference(choice: KernelChoice) throws {
    let (reference, tested) = try tables(choice)
    var random = SeededGenerator(seed: 3)
    let ahead = [UnsafePointer<UInt8>?](repeating: nil, count: PRORES_AHEAD)
    for round in 0..<40 {
      let blocks = [2, 4, 8, 16, 32][round % 5]
      let margin = PRORES_SYMBOL_MARGIN
      let list = GuardedBuffer<UInt32>(
        count: blocks * 64, before: margin, after: margin, repeating: 0)
      var count = 0
      var position = blocks
      while position < blocks * 64 {
        // Small values before large ones give the longest codes.
        let level = Bool.random(using: &random) ? 1 : UInt32.random(in: 1...8191, using: &random)
        list.elements[count] =
          UInt32(position) << 16 | level | .random(in: 0...1, using: &random) << 15
        count += 1
        position += round % 2 == 0 ? 1 : .random(in: 1...300, using: &random)
      }
      let dc = GuardedBuffer<Int16>(count: Self.lanes, repeating: 0)
      for index in dc.elements.indices {
        dc.elements[index] = .random(in: -8192...8191, using: &random)
      }
      var results: [[UInt8]] = []
      for kernels in [reference, tested] {
        let bytes = GuardedBuffer<UInt8>(
          count: blocks * 64 * 7, after: PRORES_CODE_MARGIN, repeating: 0)
        var component = prores_component()
        component.blocks = Int32(blocks)
        component.dc = dc.start
        component.symbols = list.start
        component.count = count
        let size = kernels.code(&component, 1, bytes.start, ahead)
        results.append(Array(bytes.elements[..<size]))
        #expect(bytes.wallsStand)
      }
      #expect(results[0] == results[1])
    }
  }
}
