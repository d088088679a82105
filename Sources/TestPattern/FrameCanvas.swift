import Foundation
package import MediaCore

/// Memory of one frame, its planes, and the way to store plain codes into them.
///
/// Sendable: the memory is written by the stream's one thread, and only while no consumer holds
/// the slot; `PatternRing`'s lock lies between the last reader and the next writer.
package final class FrameCanvas: @unchecked Sendable {
  package let details: PixelBuffer.Description
  private let memory: UnsafeMutableRawPointer
  private let byteCount: Int
  private let planes: [PixelBuffer.Plane]
  private let bases: [UnsafeMutableRawPointer]
  private let packing: PixelFormat.Packing
  private let subsampling: PixelFormat.Subsampling
  private let depth: Int
  /// Bits from the bottom of a word to a 10-bit code's lowest one; negative for 8 bits.
  private let shift: Int

  package init(_ details: PixelBuffer.Description) throws(MediaCoreError) {
    let format = details.format
    var offsets: [(offset: Int, bytesPerRow: Int, rows: Int)] = []
    var size = 0
    for plane in 0..<format.planeCount {
      let bytesPerRow =
        (format.minimumBytesPerRow(plane: plane, width: details.width) + 63) / 64 * 64
      let rows = format.rows(plane: plane, height: details.height)
      offsets.append((size, bytesPerRow, rows))
      size += bytesPerRow * rows
    }
    guard let address = ImageMemory.allocate(byteCount: size + 64) else {
      throw MediaCoreError(
        .outOfMemory, "no memory for a pattern of \(details.width)x\(details.height)")
    }
    // Words without a sample (v210's padding) stay zero.
    memset(address, 0, size + 64)
    let table = format.descriptor
    self.details = details
    self.memory = address
    self.byteCount = size
    self.bases = offsets.map { address + $0.offset }
    self.planes = offsets.map {
      PixelBuffer.Plane(
        baseAddress: address + $0.offset, bytesPerRow: $0.bytesPerRow, rows: $0.rows)
    }
    self.packing = table.packing
    self.subsampling = table.subsampling
    self.depth = table.bitDepth
    self.shift = table.bitDepth - 10 + table.shift
  }

  deinit { free(memory) }

  /// The frame as a buffer, which keeps the slot until it is released.
  package func buffer(release: @escaping @Sendable () -> Void) throws(MediaCoreError) -> PixelBuffer
  {
    try PixelBuffer(details, planes: planes) { [self] in
      withExtendedLifetime(self) { release() }
    }
  }

  private func words(_ plane: Int, row: Int) -> UnsafeMutablePointer<UInt16> {
    (bases[plane] + row * planes[plane].bytesPerRow).assumingMemoryBound(to: UInt16.self)
  }

  private func bytes(_ plane: Int, row: Int) -> UnsafeMutablePointer<UInt8> {
    (bases[plane] + row * planes[plane].bytesPerRow).assumingMemoryBound(to: UInt8.self)
  }

  /// Stores the first `count` pixels of a stretch at `x` of a row. `x` is a multiple of twelve.
  package func store(_ line: borrowing PatternRow, row: Int, x: Int, count: Int) {
    line.luma.withUnsafeBufferPointer { luma in
      line.cb.withUnsafeBufferPointer { cb in
        line.cr.withUnsafeBufferPointer { cr in
          let codes = Codes(luma: luma, cb: cb, cr: cr, count: min(count, luma.count))
          store(codes, row: row, x: x)
          if let chroma = chromaRow(row) { storeChroma(codes, row: chroma, x: x) }
        }
      }
    }
  }

  /// Makes a stretch of a row the same as that of another row, `line` being what that one holds.
  package func copy(_ line: borrowing PatternRow, from source: Int, to row: Int, x: Int, count: Int)
  {
    copyLuma(from: self, source, to: row, x: x, count: count)
    guard subsampling == .yuv420, let chroma = chromaRow(row) else { return }
    line.luma.withUnsafeBufferPointer { luma in
      line.cb.withUnsafeBufferPointer { cb in
        line.cr.withUnsafeBufferPointer { cr in
          storeChroma(
            Codes(luma: luma, cb: cb, cr: cr, count: min(count, luma.count)), row: chroma, x: x)
        }
      }
    }
  }

  /// Copies the whole frame of another slot of the same description.
  package func copy(_ other: FrameCanvas) {
    memcpy(memory, other.memory, min(byteCount, other.byteCount))
  }

  /// Copies a whole row, which may be another slot's; for 4:2:0, of its luma alone.
  func copyRow(from other: FrameCanvas, _ source: Int, to row: Int) {
    for plane in planes.indices where plane == 0 || subsampling != .yuv420 {
      memcpy(
        bytes(plane, row: row), other.bytes(plane, row: source), planes[plane].bytesPerRow)
    }
  }

  /// Stores a row's chroma, where a 4:2:0 layout takes it from this row.
  func storeSharedChroma(_ line: borrowing PatternRow, row: Int) {
    guard subsampling == .yuv420 else { return }
    copy(line, from: row, to: row, x: 0, count: details.width)
  }

  private func copyLuma(from other: FrameCanvas, _ source: Int, to row: Int, x: Int, count: Int) {
    guard source != row else { return }
    for plane in planes.indices where plane == 0 || subsampling != .yuv420 {
      let bytesPerTwelve = planeBytesPerTwelve(plane)
      memcpy(
        bytes(plane, row: row) + x / 12 * bytesPerTwelve,
        other.bytes(plane, row: source) + x / 12 * bytesPerTwelve,
        (count + 11) / 12 * bytesPerTwelve)
    }
  }

  private func planeBytesPerTwelve(_ plane: Int) -> Int {
    switch packing {
    case .v210: 32
    case .planar: (plane == 0 || subsampling == .yuv444 ? 12 : 6) * (depth > 8 ? 2 : 1)
    case .packedYCbYCr, .packedCbYCrY: 24 * (depth > 8 ? 2 : 1)
    case .biplanar, .biplanarPacked10, .packedBGR, .packedBGRX, .packedXRGB, .mosaic,
      .mosaicPacked:
      12 * (depth > 8 ? 2 : 1)
    }
  }

  /// The chroma row that takes its samples from a row of luma: the row itself, or for 4:2:0 the
  /// first of the two rows, of one field, that share it.
  func chromaRow(_ row: Int) -> Int? {
    guard subsampling == .yuv420 else { return row }
    if details.fieldOrder.isInterlaced {
      return row % 4 < 2 ? row / 4 * 2 + row % 2 : nil
    }
    return row % 2 == 0 ? row / 2 : nil
  }

  private struct Codes {
    let luma: UnsafeBufferPointer<UInt16>
    let cb: UnsafeBufferPointer<UInt16>
    let cr: UnsafeBufferPointer<UInt16>
    let count: Int
  }

  private func store(_ codes: Codes, row: Int, x: Int) {
    let up = UInt16(max(shift, 0))
    switch packing {
    case .planar, .biplanar:
      if depth == 8 {
        let target = bytes(0, row: row) + x
        for index in 0..<codes.count { target[index] = Self.eightBits(codes.luma[index]) }
      } else {
        let target = words(0, row: row) + x
        for index in 0..<codes.count { target[index] = codes.luma[index] &<< up }
      }
    case .packedYCbYCr where depth == 8:
      let target = bytes(0, row: row) + 2 * x
      for pair in 0..<codes.count / 2 {
        target[4 * pair] = Self.eightBits(codes.luma[2 * pair])
        target[4 * pair + 1] = Self.eightBits(codes.cb[2 * pair])
        target[4 * pair + 2] = Self.eightBits(codes.luma[2 * pair + 1])
        target[4 * pair + 3] = Self.eightBits(codes.cr[2 * pair])
      }
    case .packedYCbYCr:
      let target = words(0, row: row) + 2 * x
      for pair in 0..<codes.count / 2 {
        target[4 * pair] = codes.luma[2 * pair] &<< up
        target[4 * pair + 1] = codes.cb[2 * pair] &<< up
        target[4 * pair + 2] = codes.luma[2 * pair + 1] &<< up
        target[4 * pair + 3] = codes.cr[2 * pair] &<< up
      }
    case .packedCbYCrY:
      let target = bytes(0, row: row) + 2 * x
      for pair in 0..<codes.count / 2 {
        target[4 * pair] = Self.eightBits(codes.cb[2 * pair])
        target[4 * pair + 1] = Self.eightBits(codes.luma[2 * pair])
        target[4 * pair + 2] = Self.eightBits(codes.cr[2 * pair])
        target[4 * pair + 3] = Self.eightBits(codes.luma[2 * pair + 1])
      }
    case .v210:
      storeV210(codes, UnsafeMutableRawPointer(bytes(0, row: row) + x / 6 * 16))
    case .biplanarPacked10, .packedBGR, .packedBGRX, .packedXRGB, .mosaic, .mosaicPacked:
      break
    }
  }

  private func storeChroma(_ codes: Codes, row: Int, x: Int) {
    let up = UInt16(max(shift, 0))
    switch packing {
    case .planar where depth == 8:
      let step = subsampling == .yuv444 ? 1 : 2
      let (first, second) = (bytes(1, row: row) + x / step, bytes(2, row: row) + x / step)
      for index in 0..<codes.count / step {
        first[index] = Self.eightBits(codes.cb[step * index])
        second[index] = Self.eightBits(codes.cr[step * index])
      }
    case .planar:
      let step = subsampling == .yuv444 ? 1 : 2
      let (first, second) = (words(1, row: row) + x / step, words(2, row: row) + x / step)
      for index in 0..<codes.count / step {
        first[index] = codes.cb[step * index] &<< up
        second[index] = codes.cr[step * index] &<< up
      }
    case .biplanar where depth == 8:
      let target = bytes(1, row: row) + x
      for pair in 0..<codes.count / 2 {
        target[2 * pair] = Self.eightBits(codes.cb[2 * pair])
        target[2 * pair + 1] = Self.eightBits(codes.cr[2 * pair])
      }
    case .biplanar:
      let target = words(1, row: row) + x
      for pair in 0..<codes.count / 2 {
        target[2 * pair] = codes.cb[2 * pair] &<< up
        target[2 * pair + 1] = codes.cr[2 * pair] &<< up
      }
    case .packedYCbYCr, .packedCbYCrY, .v210, .biplanarPacked10, .packedBGR, .packedBGRX,
      .packedXRGB, .mosaic, .mosaicPacked:
      break
    }
  }

  /// Blocks of six pixels in four words; what a last block has beyond the stretch is zero.
  private func storeV210(_ codes: Codes, _ target: UnsafeMutableRawPointer) {
    for block in 0..<(codes.count + 5) / 6 {
      func sample(_ index: Int) -> UInt32 {
        let pixel = 6 * block + index / 2
        guard pixel < codes.count else { return 0 }
        if index % 2 == 1 { return UInt32(codes.luma[pixel]) }
        return UInt32(index % 4 == 0 ? codes.cb[pixel] : codes.cr[pixel - pixel % 2])
      }
      for word in 0..<4 {
        // In the order Cb Y Cr Y; an even sample is the chroma of the pair that begins there.
        let value =
          sample(3 * word) | sample(3 * word + 1) &<< 10 | sample(3 * word + 2) &<< 20
        target.storeBytes(
          of: value.littleEndian, toByteOffset: 16 * block + 4 * word, as: UInt32.self)
      }
    }
  }

  @inline(__always)
  private static func eightBits(_ code: UInt16) -> UInt8 {
    UInt8(truncatingIfNeeded: min((code &+ 2) &>> 2, 255))
  }
}
