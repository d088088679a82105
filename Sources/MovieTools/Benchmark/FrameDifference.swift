import MediaCore

#if canImport(Glibc)
import Glibc
#else
import Musl
#endif

/// The difference between a decoded frame and its original.
struct FrameDifference {
  /// Peak signal-to-noise ratio over all samples, in dB; 99 for identical frames.
  let psnr: Double
  /// The same for luma only.
  let lumaPSNR: Double

  /// Compares planar frames of the same size and subsampling. Their depths may differ.
  ///
  /// - Throws: `MediaCoreError.Code.unsupportedConversion` for others.
  init(_ original: PixelBuffer, _ decoded: PixelBuffer) throws(MediaCoreError) {
    let (first, second) = (original.format.descriptor, decoded.format.descriptor)
    guard original.width == decoded.width, original.height == decoded.height,
      first.subsampling == second.subsampling, first.packing == .planar,
      second.packing == .planar, first.bitDepth > 8, second.bitDepth > 8
    else {
      throw MediaCoreError(
        .unsupportedConversion,
        "\(decoded.width)x\(decoded.height) \(decoded.format) cannot be compared with "
          + "\(original.width)x\(original.height) \(original.format)")
    }
    let depth = max(first.bitDepth, second.bitDepth)
    var sums: [(error: Double, count: Int)] = []
    for plane in 0..<3 {
      let bytes = original.format.minimumBytesPerRow(plane: plane, width: original.width)
      let rows = original.format.rows(plane: plane, height: original.height)
      let error = original.withUnsafeBytes(ofPlane: plane) { left in
        decoded.withUnsafeBytes(ofPlane: plane) { right in
          Self.squaredError(
            left, original.bytesPerRow(plane: plane), UInt16(depth - first.bitDepth), right,
            decoded.bytesPerRow(plane: plane), UInt16(depth - second.bitDepth), samples: bytes / 2,
            rows: rows)
        }
      }
      sums.append((error, bytes / 2 * rows))
    }
    let peak = Double(1 << depth - 1)
    psnr = Self.decibels(
      sums.reduce(0) { $0 + $1.error } / Double(sums.reduce(0) { $0 + $1.count }), peak: peak)
    lumaPSNR = Self.decibels(sums[0].error / Double(sums[0].count), peak: peak)
  }

  private static func decibels(_ meanSquare: Double, peak: Double) -> Double {
    meanSquare > 0 ? min(10 * log10(peak * peak / meanSquare), 99) : 99
  }

  private static func squaredError(
    _ left: UnsafeRawBufferPointer, _ leftStride: Int, _ leftShift: UInt16,
    _ right: UnsafeRawBufferPointer, _ rightStride: Int, _ rightShift: UInt16, samples: Int,
    rows: Int
  ) -> Double {
    var total = 0.0
    for row in 0..<rows {
      guard
        let a = left.baseAddress.map({ $0 + row * leftStride })?
          .assumingMemoryBound(to: UInt16.self),
        let b = right.baseAddress.map({ $0 + row * rightStride })?
          .assumingMemoryBound(to: UInt16.self)
      else { return total }
      var sum: UInt64 = 0
      for column in 0..<samples {
        let difference = Int32(a[column] &<< leftShift) &- Int32(b[column] &<< rightShift)
        sum &+= UInt64(truncatingIfNeeded: difference &* difference)
      }
      total += Double(sum)
    }
    return total
  }
}
