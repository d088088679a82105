import MediaCore

/// Counts the samples of a frame into the requested maps.
struct ScopeCounter {
  private(set) var waveform: DensityMap?
  private(set) var parade: [DensityMap] = []
  private(set) var vectorscope: DensityMap?
  private(set) var histogram: [[UInt32]] = []
  private(set) var excess = LegalRange.Excess()
  private let columns: Int
  /// The column of each pair of pixels.
  private let columnOfPair: [Int]
  private let matrix: ColorMatrix

  init(_ frame: PreviewFrame, _ wanted: VideoScopes.Selection) {
    let pairs = frame.width / 2
    let columns = min(pairs, VideoScopes.columnLimit)
    self.columns = columns
    columnOfPair = (0..<pairs).map { $0 * columns / pairs }
    matrix = ColorMatrix(frame.color, height: frame.sourceDimensions.height)
    let levels = VideoScopes.levelCount
    if wanted.contains(.waveform) { waveform = DensityMap(width: columns, height: levels) }
    if wanted.contains(.parade) {
      parade = [DensityMap](repeating: DensityMap(width: columns, height: levels), count: 3)
    }
    if wanted.contains(.vectorscope) { vectorscope = DensityMap(width: levels, height: levels) }
    if wanted.contains(.histogram) {
      histogram = [[UInt32]](repeating: [UInt32](repeating: 0, count: levels), count: 4)
    }
  }

  mutating func count(_ frame: PreviewFrame) {
    frame.luma.withUnsafeBufferPointer { luma in
      frame.cb.withUnsafeBufferPointer { cb in
        frame.cr.withUnsafeBufferPointer { cr in
          countLuma(luma)
          if vectorscope != nil { countChroma(cb, cr) }
          countColors(luma, cb, cr)
        }
      }
    }
  }

  private mutating func countLuma(_ luma: UnsafeBufferPointer<UInt16>) {
    excess.samples = luma.count
    var (below, above) = (0, 0)
    let (black, white) = (LegalRange.luma.lowerBound, LegalRange.luma.upperBound)
    for index in 0..<luma.count {
      below &+= luma[index] < black ? 1 : 0
      above &+= luma[index] > white ? 1 : 0
    }
    (excess.lumaBelow, excess.lumaAbove) = (below, above)
    if !histogram.isEmpty {
      histogram[0].withUnsafeMutableBufferPointer { bins in
        for code in luma { bins[Int(code >> 2) & 0xFF] &+= 1 }
      }
    }
    let (columns, columnOfPair) = (columns, columnOfPair)
    waveform?.counts.withUnsafeMutableBufferPointer { counts in
      columnOfPair.withUnsafeBufferPointer { column in
        var pair = 0
        for index in 0..<(luma.count / 2) {
          let (first, second) = (luma[2 &* index] &>> 2, luma[2 &* index &+ 1] &>> 2)
          counts[(Int(first) & 0xFF) &* columns &+ column[pair]] &+= 1
          counts[(Int(second) & 0xFF) &* columns &+ column[pair]] &+= 1
          pair = pair &+ 1 == column.count ? 0 : pair &+ 1
        }
      }
    }
  }

  private mutating func countChroma(
    _ cb: UnsafeBufferPointer<UInt16>, _ cr: UnsafeBufferPointer<UInt16>
  ) {
    vectorscope?.counts.withUnsafeMutableBufferPointer { counts in
      for index in 0..<cb.count {
        let (row, column) = (Int(cr[index] &>> 2) & 0xFF, Int(cb[index] &>> 2) & 0xFF)
        counts[row &* 256 &+ column] &+= 1
      }
    }
  }

  /// Counts red, green and blue of the pixels that have their own chroma, which are the even ones.
  private mutating func countColors(
    _ luma: UnsafeBufferPointer<UInt16>, _ cb: UnsafeBufferPointer<UInt16>,
    _ cr: UnsafeBufferPointer<UInt16>
  ) {
    let matrix = matrix
    var levels = Levels(matrix)
    if !histogram.isEmpty || !parade.isEmpty {
      // A single array for all counts keeps the loop free of lookups.
      let columns = columns
      let bins = histogram.isEmpty ? 0 : 3 * VideoScopes.levelCount
      let map = parade.isEmpty ? 0 : columns * VideoScopes.levelCount
      var counts = [UInt32](repeating: 0, count: bins + 3 * map)
      counts.withUnsafeMutableBufferPointer { counts in
        columnOfPair.withUnsafeBufferPointer { column in
          var pair = 0
          for index in 0..<cb.count {
            let (red, green, blue) = levels.take(luma[2 &* index], cb[index], cr[index])
            if bins > 0 {
              counts[red] &+= 1
              counts[256 &+ green] &+= 1
              counts[512 &+ blue] &+= 1
            }
            if map > 0 {
              let place = bins &+ column[pair]
              counts[place &+ red &* columns] &+= 1
              counts[place &+ map &+ green &* columns] &+= 1
              counts[place &+ 2 &* map &+ blue &* columns] &+= 1
            }
            pair = pair &+ 1 == column.count ? 0 : pair &+ 1
          }
        }
      }
      for channel in 0..<3 {
        if bins > 0 {
          histogram[channel + 1] = Array(counts[channel * 256..<(channel + 1) * 256])
        }
        if map > 0 {
          parade[channel].counts = Array(
            counts[bins + channel * map..<bins + (channel + 1) * map])
        }
      }
    } else {
      for index in 0..<cb.count { _ = levels.take(luma[2 &* index], cb[index], cr[index]) }
    }
    excess.chromaOutside = levels.chromaOutside
    excess.gamutOutside = levels.gamutOutside
  }

  /// Converts codes to levels of red, green and blue, and counts those out of range.
  private struct Levels {
    let matrix: ColorMatrix
    var chromaOutside = 0
    var gamutOutside = 0

    init(_ matrix: ColorMatrix) { self.matrix = matrix }

    @inline(__always)
    mutating func take(_ y: UInt16, _ cb: UInt16, _ cr: UInt16) -> (Int, Int, Int) {
      let color = matrix.rgb(y, cb, cr)
      // One unsigned comparison checks both ends of the range: codes below it wrap around.
      let (low, span) = (Int32(64), UInt32(940 - 64))
      let isOutside =
        UInt32(bitPattern: color.red &- low) > span || UInt32(bitPattern: color.green &- low) > span
        || UInt32(bitPattern: color.blue &- low) > span
      gamutOutside &+= isOutside ? 1 : 0
      chromaOutside &+= cb &- 64 > 896 || cr &- 64 > 896 ? 1 : 0
      return (Self.level(color.red), Self.level(color.green), Self.level(color.blue))
    }

    @inline(__always)
    private static func level(_ code: Int32) -> Int { Int(min(max(code, 0), 1023) &>> 2) }
  }
}
