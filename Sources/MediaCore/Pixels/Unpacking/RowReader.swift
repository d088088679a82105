#if canImport(Glibc)
import Glibc
#else
import Musl
#endif

/// Splits rows of a frame into one run of 16-bit words for each component.
///
/// Words are as stored: where the format keeps its codes at the top of a word they still are
/// there. A run stays valid until the next call that makes the same one.
struct RowReader {
  private let buffer: PixelBuffer
  private let packing: PixelFormat.Packing
  private let isWide: Bool
  private let width: Int
  private let chromaWidth: Int
  /// What a row of each plane holds.
  private let rowBytes: InlineArray<4, Int>
  private let scratch: UnsafeMutableRawPointer

  /// Words of a run, with room for what v210's last block has beyond the frame.
  private static func runLength(width: Int) -> Int { (width + 63) / 32 * 32 }
  /// One row as it lies in memory (16 bits for each of at most two components, or v210), then runs:
  /// luma, mixed chroma, and two rows of each chroma component.
  private static let runCount = 6

  /// Bytes of scratch memory that a frame needs, to be aligned to 64.
  static func scratchBytes(width: Int) -> Int { runLength(width: width) * (4 + 2 * runCount) }

  init(_ buffer: PixelBuffer, scratch: UnsafeMutableRawPointer) {
    let table = buffer.format.descriptor
    self.buffer = buffer
    self.packing = table.packing
    self.isWide = buffer.format.bytesPerSample != 1
    self.width = buffer.width
    self.chromaWidth =
      (buffer.width + (1 << table.subsampling.horizontalShift) - 1)
      >> table.subsampling.horizontalShift
    self.rowBytes = InlineArray { plane in
      plane < buffer.planeCount
        ? buffer.format.minimumBytesPerRow(plane: plane, width: buffer.width) : 0
    }
    self.scratch = scratch
  }

  private func run(_ index: Int) -> UnsafeMutablePointer<UInt16> {
    let length = Self.runLength(width: width)
    return (scratch + length * (4 + 2 * index)).assumingMemoryBound(to: UInt16.self)
  }

  /// The bytes of a row where they lie, or a copy where they lie askew.
  func row(_ row: Int, ofPlane index: Int) -> UnsafeRawPointer {
    let plane = buffer.plane(index)
    let address = UnsafeRawPointer(plane.baseAddress + row * plane.bytesPerRow)
    if UInt(bitPattern: address) % 8 == 0 { return address }
    memcpy(scratch, address, min(plane.bytesPerRow, rowBytes[index]))
    return UnsafeRawPointer(scratch)
  }

  /// Luma (or another full-size plane) of a row, for packings that keep it in a plane of its own.
  func plane(_ index: Int, row: Int, count: Int, slot: Int = 0) -> UnsafePointer<UInt16> {
    let bytes = self.row(row, ofPlane: index)
    if packing == .biplanarPacked10 {
      RowLoops.unpackTightTenBit(bytes, run(slot), groups: (count + 3) / 4)
      return UnsafePointer(run(slot))
    }
    if isWide, bytes != UnsafeRawPointer(scratch) {
      return bytes.assumingMemoryBound(to: UInt16.self)
    }
    if isWide {
      memcpy(run(slot), bytes, count * 2)
    } else {
      RowLoops.widen(bytes.assumingMemoryBound(to: UInt8.self), run(slot), count: count)
    }
    return UnsafePointer(run(slot))
  }

  /// Chroma of a row of the chroma planes. `second` chooses another place for the result.
  func chroma(
    row: Int, second: Bool = false
  ) -> (cb: UnsafePointer<UInt16>, cr: UnsafePointer<UInt16>) {
    let slot = second ? 4 : 2
    guard packing != .planar else {
      return (
        plane(1, row: row, count: chromaWidth, slot: slot),
        plane(2, row: row, count: chromaWidth, slot: slot + 1)
      )
    }
    let (cb, cr) = (run(slot), run(slot + 1))
    let bytes = self.row(row, ofPlane: 1)
    if packing == .biplanarPacked10 {
      RowLoops.unpackTightTenBit(bytes, run(1), groups: (chromaWidth * 2 + 3) / 4)
      split(UnsafeRawPointer(run(1)), cb, cr)
    } else if isWide {
      split(bytes, cb, cr)
    } else {
      RowLoops.splitBytes(
        bytes.assumingMemoryBound(to: UInt16.self), first: cb, second: cr, count: chromaWidth)
    }
    return (UnsafePointer(cb), UnsafePointer(cr))
  }

  private func split(
    _ bytes: UnsafeRawPointer, _ cb: UnsafeMutablePointer<UInt16>,
    _ cr: UnsafeMutablePointer<UInt16>
  ) {
    RowLoops.splitLumaFirst(
      bytes.assumingMemoryBound(to: UInt32.self), luma: cb, chroma: cr, count: chromaWidth)
  }

  /// Where chroma of a row lies as pairs of Cb and Cr words, ready for one conversion loop.
  func chromaPairs(row: Int) -> UnsafePointer<UInt32>? {
    guard packing == .biplanar, isWide else { return nil }
    return self.row(row, ofPlane: 1).assumingMemoryBound(to: UInt32.self)
  }

  /// Luma and chroma of a row of a packed format: chroma either as pairs or as two runs.
  func packed(
    row: Int
  ) -> (
    luma: UnsafePointer<UInt16>, pairs: UnsafePointer<UInt32>?,
    cb: UnsafePointer<UInt16>, cr: UnsafePointer<UInt16>
  ) {
    let bytes = self.row(row, ofPlane: 0)
    let (luma, mixed, cb, cr) = (run(0), run(1), run(2), run(3))
    let pairs = UnsafeRawPointer(mixed).assumingMemoryBound(to: UInt32.self)
    let count = chromaWidth * 2
    switch packing {
    case .packedYCbYCr where isWide:
      RowLoops.splitLumaFirst(
        bytes.assumingMemoryBound(to: UInt32.self), luma: luma, chroma: mixed, count: count)
    case .packedYCbYCr:
      RowLoops.splitBytes(
        bytes.assumingMemoryBound(to: UInt16.self), first: luma, second: mixed, count: count)
    case .packedCbYCrY:
      RowLoops.splitBytes(
        bytes.assumingMemoryBound(to: UInt16.self), first: mixed, second: luma, count: count)
    default:
      RowLoops.unpackV210(
        bytes.assumingMemoryBound(to: UInt64.self), luma: luma, cb: cb, cr: cr,
        blocks: (width + 5) / 6)
      return (UnsafePointer(luma), nil, UnsafePointer(cb), UnsafePointer(cr))
    }
    return (UnsafePointer(luma), pairs, UnsafePointer(cb), UnsafePointer(cr))
  }
}
