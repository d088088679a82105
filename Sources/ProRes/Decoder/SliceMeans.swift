import CProResKernels
import MediaCore

/// Decodes the means of a slice's blocks: its DC levels, and no more of it is read.
struct SliceMeans {
  private let map: FrameMap
  private let frame: UnsafeRawBufferPointer

  init(_ map: FrameMap, _ frame: UnsafeRawBufferPointer) {
    self.map = map
    self.frame = frame
  }

  /// The size of a component or a picture whose blocks are its samples.
  static func reduced(_ size: Int) -> Int { (size + 7) / 8 }

  /// - Throws: ``ProResError/Code/invalidFrame``.
  func decode(
    _ slice: SliceDecoder.Slice, of picture: FrameMap.Picture, into planes: DecodedPlanes
  ) throws(ProResError) {
    guard let parts = SliceParts(frame.bytes, slice.range, hasAlpha: map.alpha != .none),
      QuantizationIndex.range.contains(parts.quantizationIndex)
    else { throw ProResError(.invalidFrame, "slice \(slice.number): its header is not valid") }
    let scale = QuantizationIndex.scale(parts.quantizationIndex)
    for component in 0..<3 {
      let matrix =
        component == 0 ? map.header.effectiveLumaMatrix : map.header.effectiveChromaMatrix
      let isFull = component == 0 || map.chroma == .yuv444
      let levels = try levels(
        parts.components[component], blocks: slice.macroblocks * (isFull ? 4 : 2), slice,
        component)
      let plane = planes.planes[component].rows(of: picture)
      let step = Int(matrix.weights[0]) * scale
      for (block, level) in levels.enumerated() {
        let (x, y) = place(of: block, component, isFull: isFull)
        let column = slice.column * (isFull ? 2 : 1) + x
        let row = slice.row * 2 + y
        guard column < plane.width, row < Self.reduced(picture.height) else { continue }
        plane.start[row * plane.stride + column] = sample(Int(level) * step, planes.depth)
      }
    }
  }

  private func levels(
    _ range: Range<Int>, blocks: Int, _ slice: SliceDecoder.Slice, _ component: Int
  ) throws(ProResError) -> [Int16] {
    var isValid = false
    let levels = [Int16](unsafeUninitializedCapacity: blocks) { levels, count in
      levels.initialize(repeating: 0)
      count = blocks
      // Thirty-two code words have no more.
      let kept = min(range.count, 32 * 4)
      withUnsafeTemporaryAllocation(
        byteCount: 32 * 4 + Int(PRORES_CODED_MARGIN), alignment: 8
      ) { copy in
        copy.initializeMemory(as: UInt8.self, repeating: 0)
        copy.copyMemory(
          from: UnsafeRawBufferPointer(
            rebasing: frame[range.lowerBound..<range.lowerBound + kept]))
        isValid =
          prores_read_dc(
            copy.baseAddress?.assumingMemoryBound(to: UInt8.self), kept, Int32(blocks),
            levels.baseAddress) != 0
      }
    }
    guard isValid else {
      throw ProResError(
        .invalidFrame, "slice \(slice.number), component \(component): its means are not valid")
    }
    return levels
  }

  /// The place of a block among the slice's: luma goes across first, 4:4:4 chroma down first.
  private func place(of block: Int, _ component: Int, isFull: Bool) -> (x: Int, y: Int) {
    if !isFull { return (block / 2, block % 2) }
    let inside = block % 4
    return component == 0
      ? (block / 4 * 2 + inside % 2, inside / 2) : (block / 4 * 2 + inside / 2, inside % 2)
  }

  /// A mean of quarters of a 10-bit step, eight times as large.
  private func sample(_ coefficient: Int, _ depth: Int) -> UInt16 {
    let shift = 5 - (depth - 10)
    let value = (coefficient + 1 << (shift - 1)) >> shift + 1 << (depth - 1)
    return UInt16(value.clamped(to: 4...(1 << depth) - 5))
  }
}
