/// The tiles that DNG's NewRawImageDigest covers, in groups that are hashed in parallel.
struct DigestTiles {
  /// A thread's buffer for tiles that the image does not store in the form that the digest requires.
  final class Buffer {
    fileprivate var bytes: [UInt8] = []
  }

  let image: RawImage
  /// True for one byte per sample, false for little-endian words.
  let asBytes: Bool

  private static let side = 256

  private var tileWidth: Int { min(Self.side, image.width) }
  private var tileHeight: Int { min(Self.side, image.height) }
  /// Full-width tiles per row; a narrower one may follow them.
  private var wholeColumns: Int { image.width / tileWidth }
  private var groupsOfWholes: Int { (wholeColumns + MD5.lanes - 1) / MD5.lanes }
  private var groupsPerRow: Int { groupsOfWholes + (image.width % tileWidth > 0 ? 1 : 0) }

  /// Groups of tiles, in tile order.
  var groupCount: Int { groupsPerRow * ((image.height + tileHeight - 1) / tileHeight) }

  /// The digests of a group's tiles, in order; a tile is hashed plane by plane.
  func digests(ofGroup index: Int, _ buffer: Buffer) -> [UInt8] {
    let group = index % groupsPerRow
    let first = min(group * MD5.lanes, wholeColumns)
    let columns =
      first..<(group < groupsOfWholes ? min(first + MD5.lanes, wholeColumns) : first + 1)
    let x = first * tileWidth
    let y = index / groupsPerRow * tileHeight
    let width = min(tileWidth, image.width - x)
    let rows = y..<min(y + tileHeight, image.height)
    if image.components == 1, !asBytes, 2 * width % 64 == 0, 1.littleEndian == 1 {
      return image.samples.withUnsafeBytes { bytes in
        guard let start = bytes.bindMemory(to: UInt8.self).baseAddress else { return [] }
        let corner = start + 2 * (y * image.stride + x)
        return MD5.digests(
          of: columns.map { corner + 2 * ($0 - first) * tileWidth }, rowBytes: 2 * width,
          stride: 2 * image.stride, rows: rows.count)
      }
    }
    let count = width * rows.count * image.components * (asBytes ? 1 : 2)
    if buffer.bytes.count < count * columns.count {
      buffer.bytes = [UInt8](repeating: 0, count: count * columns.count)
    }
    return buffer.bytes.withUnsafeMutableBytes { bytes in
      for column in columns {
        let left = column * tileWidth
        fill(
          UnsafeMutableRawBufferPointer(rebasing: bytes[(column - first) * count..<bytes.count]),
          left..<left + width, rows)
      }
      let messages = bytes.bindMemory(to: UInt8.self)
      guard count % 64 == 0, columns.count > 1, let start = messages.baseAddress else {
        return (0..<columns.count).flatMap {
          MD5.digest(of: UnsafeBufferPointer(rebasing: messages[$0 * count..<($0 + 1) * count]))
        }
      }
      return MD5.digests(
        of: (0..<columns.count).map { UnsafePointer(start + $0 * count) }, rowBytes: count,
        stride: count, rows: 1)
    }
  }

  /// Copies part of the image, plane by plane.
  private func fill(
    _ target: UnsafeMutableRawBufferPointer, _ columns: Range<Int>, _ rows: Range<Int>
  ) {
    let components = image.components
    image.samples.withUnsafeBufferPointer { samples in
      var next = 0
      for component in 0..<components {
        for row in rows {
          let first = (row * image.width + columns.lowerBound) * components + component
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
    }
  }
}
