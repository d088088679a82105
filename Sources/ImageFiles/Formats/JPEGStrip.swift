/// A JPEG file of some rows of an image, split into its segments and its single scan.
struct JPEGStrip {
  /// Everything before the scan header, with the height set to 0.
  private let head: ArraySlice<UInt8>
  /// The scan's header.
  private let scanHeader: ArraySlice<UInt8>
  /// Coded blocks, without the EOI marker.
  private let data: ArraySlice<UInt8>
  /// The height's offset in `head`.
  private let heightPlace: Int

  /// The parts of a file; nil unless it is baseline with one scan and has no restart intervals.
  init?(_ file: [UInt8]) {
    guard file.starts(with: [0xFF, 0xD8]), file.suffix(2) == [0xFF, 0xD9] else { return nil }
    var heightPlace: Int?
    var place = 2
    while place + 4 <= file.count, file[place] == 0xFF {
      let end = place + 2 + (Int(file[place + 2]) << 8 | Int(file[place + 3]))
      guard end <= file.count - 2 else { return nil }
      switch file[place + 1] {
      case 0xC0 where end >= place + 7: heightPlace = place + 5
      case 0xDA:
        guard let heightPlace else { return nil }
        var head = file[..<place]
        head[heightPlace] = 0
        head[heightPlace + 1] = 0
        (self.head, self.heightPlace) = (head, heightPlace)
        scanHeader = file[place..<end]
        data = file[end..<file.count - 2]
        return
      case 0xC1...0xC3, 0xC5...0xCF, 0xDD: return nil
      default: break
      }
      place = end
    }
    return nil
  }

  /// Joins strips from top to bottom into one file; nil if they were not coded alike.
  ///
  /// - Parameters:
  ///   - height: Rows of all strips.
  ///   - interval: Blocks in each strip but the last; with subsampled colors, groups of four blocks.
  static func joined(_ strips: [JPEGStrip], height: Int, interval: Int) -> [UInt8]? {
    guard let first = strips.first, (1...65_535).contains(interval),
      strips.allSatisfy({ $0.head == first.head && $0.scanHeader == first.scanHeader })
    else { return nil }
    var file = Array(first.head)
    file.reserveCapacity(
      strips.reduce(file.count + first.scanHeader.count + 8) { $0 + $1.data.count + 2 })
    file[first.heightPlace] = UInt8(height >> 8 & 0xFF)
    file[first.heightPlace + 1] = UInt8(height & 0xFF)
    file += [0xFF, 0xDD, 0, 4, UInt8(interval >> 8), UInt8(interval & 0xFF)]
    file += first.scanHeader
    for (index, strip) in strips.enumerated() {
      if index > 0 { file += [0xFF, 0xD0 + UInt8((index - 1) % 8)] }
      file += strip.data
    }
    return file + [0xFF, 0xD9]
  }
}
