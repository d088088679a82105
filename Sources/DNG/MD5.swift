import CRawKernels

/// The checksum that DNG uses.
enum MD5 {
  /// Sixteen bytes.
  static func digest(of bytes: [UInt8]) -> [UInt8] {
    bytes.withUnsafeBufferPointer { digest(of: $0) }
  }

  static func digest(of bytes: UnsafeBufferPointer<UInt8>) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: 16) { target, count in
      raw_md5(bytes.baseAddress, bytes.count, target.baseAddress)
      count = 16
    }
  }
}

/// Memory for a tile whose digest is taken.
final class DigestBuffer {
  private var bytes: [UInt8]

  init(capacity: Int) { bytes = [UInt8](repeating: 0, count: capacity) }

  /// The digest of a part of an image, plane by plane.
  func digest(
    _ image: RawImage, _ columns: Range<Int>, _ rows: Range<Int>, asBytes: Bool
  ) -> [UInt8] {
    let components = image.components
    let count = columns.count * rows.count * components * (asBytes ? 1 : 2)
    return image.samples.withUnsafeBufferPointer { samples in
      bytes.withUnsafeMutableBytes { target in
        var next = 0
        for component in 0..<components {
          for row in rows {
            let first = (row * image.width + columns.lowerBound) * components + component
            if components == 1, !asBytes, 1.littleEndian == 1 {
              let line = UnsafeRawBufferPointer(
                rebasing: UnsafeRawBufferPointer(samples)[2 * first..<2 * (first + columns.count)])
              UnsafeMutableRawBufferPointer(rebasing: target[next...]).copyMemory(from: line)
              next += line.count
              continue
            }
            for column in 0..<columns.count {
              let sample = samples[first + column * components]
              if asBytes {
                target[next] = UInt8(truncatingIfNeeded: sample)
                next += 1
              } else {
                target.storeBytes(of: sample.littleEndian, toByteOffset: next, as: UInt16.self)
                next += 2
              }
            }
          }
        }
        return MD5.digest(
          of: UnsafeBufferPointer(rebasing: target.bindMemory(to: UInt8.self)[..<count]))
      }
    }
  }
}
