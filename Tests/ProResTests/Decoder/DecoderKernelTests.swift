import CProResKernels
import TestSupport
import Testing

@testable import ProRes

/// Every kernel table of the decoder, compared with the Swift reference: the same levels and
/// samples, and no writes elsewhere.
@Suite struct DecoderKernelTests {
  private static let levelCount = Int(PRORES_LEVELS)

  private func tables(
    _ choice: KernelChoice
  ) throws -> (reference: prores_decoder_kernels, tested: prores_decoder_kernels) {
    (
      try #require(KernelChoice.reference.decoderTable).pointee,
      try #require(choice.decoderTable).pointee
    )
  }

  /// The results of decoding components.
  private struct Outcome: Equatable {
    var paddings: [Int64] = []
    var lasts: [Int32] = []
    var levels: [[Int16]] = []
  }

  private func read(
    _ components: [[UInt8]], blocks: Int, _ kernels: prores_decoder_kernels, stored: Bool
  ) throws -> Outcome {
    let bytes = components.map { component in
      let buffer = GuardedBuffer<UInt8>(
        count: component.count + Int(PRORES_CODED_MARGIN), repeating: 0xFF)
      _ = buffer.elements.update(fromContentsOf: component)
      return buffer
    }
    let levels = components.map { _ in
      GuardedBuffer<Int16>(
        count: Self.levelCount, after: Int(PRORES_LEVELS_MARGIN), repeating: 0)
    }
    var coded = components.indices.map { index in
      prores_coded(
        bytes: bytes[index].start, size: components[index].count, blocks: Int32(blocks),
        levels: stored ? levels[index].start : nil, padding: 7, last: 7, longest: 0)
    }
    kernels.read(&coded, coded.count)
    for buffer in levels { #expect(buffer.wallsStand) }
    var outcome = Outcome()
    outcome.paddings = coded.map(\.padding)
    // A refused component has no other results.
    for index in coded.indices where coded[index].padding >= 0 {
      if stored { outcome.lasts.append(coded[index].last) }
      outcome.levels.append(Array(levels[index].elements[..<(blocks * 64)]))
    }
    return outcome
  }

  @Test(arguments: KernelTests.fast, [2, 4, 8, 16, 32])
  func valid_and_damaged_components_match_the_reference_kernels(
    choice: KernelChoice, blocks: Int
  ) throws {
    let (reference, tested) = try tables(choice)
    var random = SeededGenerator(seed: UInt64(blocks))
    var refused = 0
    for round in 0..<40 {
      let components = (0..<1 + round % 3).map { _ in
        var bytes = ComponentDecoderTests.component(blocks: blocks, using: &random)
        if round % 4 != 0 { ComponentDecoderTests.damage(&bytes, using: &random) }
        return bytes
      }
      let wanted = try read(components, blocks: blocks, reference, stored: true)
      let found = try read(components, blocks: blocks, tested, stored: true)
      #expect(found == wanted, "round \(round)")
      let judged = try read(components, blocks: blocks, tested, stored: false)
      #expect(judged.paddings == wanted.paddings, "round \(round)")
      refused += wanted.paddings.count { $0 < 0 }
    }
    #expect(refused > 10)
  }

  /// Levels that reveal overflows: the largest possible, single ones, and a few as in real
  /// frames.
  private static func levels(_ kind: Int, _ count: Int, using random: inout SeededGenerator)
    -> [Int16]
  {
    switch kind {
    case 0: (0..<count).map { _ in .random(in: -32768...32767, using: &random) }
    case 1: (0..<count).map { _ in [-32768, 32767].randomElement(using: &random) ?? 0 }
    case 2: (0..<count).map { _ in Int.random(in: 0..<40, using: &random) == 0 ? 400 : 0 }
    default:
      (0..<count).map { index in
        let most: Int16 = index < count / 64 ? 900 : index < count / 8 ? 12 : 1
        return .random(in: -most...most, using: &random)
      }
    }
  }

  @Test(arguments: KernelTests.fast, [10, 12])
  func samples_match_the_reference_kernels(choice: KernelChoice, depth: Int32) throws {
    let (reference, tested) = try tables(choice)
    var random = SeededGenerator(seed: 3)
    let arrangements = [
      PRORES_ARRANGEMENT_LUMA, PRORES_ARRANGEMENT_CHROMA_444, PRORES_ARRANGEMENT_CHROMA_422,
    ]
    for kind in 0..<4 {
      for arrangement in arrangements {
        let isShared = arrangement == PRORES_ARRANGEMENT_CHROMA_422
        var dequantizer = prores_dequantizer()
        let scale = UInt16.random(in: 1...512, using: &random)
        withUnsafeMutableBytes(of: &dequantizer) { bytes in
          for (index, position) in ScanOrder.progressive.enumerated() {
            bytes.storeBytes(
              of: scale * UInt16.random(in: 2...63, using: &random), toByteOffset: 2 * index,
              as: UInt16.self)
            bytes[128 + Int(position)] = UInt8(index)
          }
        }
        let levels = (0..<2).map { _ in
          Self.levels(kind, Self.levelCount, using: &random)
        }
        func samples(_ kernels: prores_decoder_kernels) -> [UInt16] {
          let planes = GuardedBuffer<UInt16>(count: 2 * 128 * 16, repeating: 0)
          levels[0].withUnsafeBufferPointer { first in
            levels[1].withUnsafeBufferPointer { second in
              withUnsafePointer(to: dequantizer) { dequantizer in
                var inversion = prores_inversion(
                  levels: first.baseAddress, second_levels: isShared ? second.baseAddress : nil,
                  dequantizer: dequantizer, blocks: isShared ? 16 : 32,
                  columns: Int32(8 - kind % 2 * 3), arrangement: arrangement, depth: depth,
                  first: planes.start, second: planes.start.map { $0 + 128 * 16 }, stride: 128)
                kernels.inverse(&inversion)
              }
            }
          }
          #expect(planes.wallsStand)
          return Array(planes.elements)
        }
        let isSame = samples(tested) == samples(reference)
        #expect(isSame, "kind \(kind), arrangement \(arrangement.rawValue)")
      }
    }
  }
}
