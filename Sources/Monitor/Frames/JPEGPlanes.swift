import MediaCore

/// A preview's samples as JPEG needs them (JFIF): 8-bit full range with BT.601's matrix and 4:2:0
/// chroma. Codes beyond the legal range are clipped to black and white.
public struct JPEGPlanes: Sendable, Hashable {
  /// Width in pixels; even.
  public let width: Int
  /// Height in pixels.
  public let height: Int
  /// Luma, row by row.
  public let luma: [UInt8]
  /// Blue difference, subsampled by two in both directions.
  public let cb: [UInt8]
  /// Red difference.
  public let cr: [UInt8]

  /// The number of chroma rows.
  public var chromaHeight: Int { (height + 1) / 2 }

  /// Converts a frame. Transfer functions other than BT.709's are not converted.
  public init(_ frame: PreviewFrame) {
    (width, height) = (frame.width, frame.height)
    let matrix = JPEGMatrix(frame.color, height: frame.sourceDimensions.height)
    let (columns, rows) = (frame.width / 2, (frame.height + 1) / 2)
    var luma = [UInt8](repeating: 0, count: frame.luma.count)
    var cb = [UInt8](repeating: 0, count: columns * rows)
    var cr = cb
    frame.luma.withUnsafeBufferPointer { y in
      frame.cb.withUnsafeBufferPointer { b in
        frame.cr.withUnsafeBufferPointer { r in
          luma.withUnsafeMutableBufferPointer { luma in
            for pair in 0..<columns &* frame.height {
              let offset = matrix.lumaOffset(Int32(b[pair]) &- 512, Int32(r[pair]) &- 512)
              luma[2 &* pair] = matrix.luma(y[2 &* pair], offset)
              luma[2 &* pair &+ 1] = matrix.luma(y[2 &* pair &+ 1], offset)
            }
          }
          for row in 0..<rows {
            let first = 2 &* row &* columns
            let second = min(2 &* row &+ 1, frame.height &- 1) &* columns
            for column in 0..<columns {
              let blue = Int32(b[first &+ column]) &+ Int32(b[second &+ column]) &- 1024
              let red = Int32(r[first &+ column]) &+ Int32(r[second &+ column]) &- 1024
              cb[row &* columns &+ column] = matrix.blue(blue, red)
              cr[row &* columns &+ column] = matrix.red(blue, red)
            }
          }
        }
      }
    }
    (self.luma, self.cb, self.cr) = (luma, cb, cr)
  }
}

/// Converts 10-bit luma and chroma of any matrix to BT.601's at 8-bit full range, in fixed point
/// with 16 fractional bits.
private struct JPEGMatrix {
  private var lumaFromBlue: Int32 = 0
  private var lumaFromRed: Int32 = 0
  private var blueFromBlue: Int32 = 0
  private var blueFromRed: Int32 = 0
  private var redFromBlue: Int32 = 0
  private var redFromRed: Int32 = 0

  private static let one = 65_536.0
  /// 255 steps of full range for 876 steps of luma.
  private static let lumaScale = Int32((255.0 / 876 * one).rounded())

  init(_ color: ColorDescription, height: Int) {
    let (kr, kb) = LumaWeights.of(color, height: height)
    let kg = 1 - kr - kb
    // R', G' and B' minus luma, for one unit of blue and red difference.
    let (red, blue) = (2 * (1 - kr), 2 * (1 - kb))
    let (greenOfBlue, greenOfRed) = (-blue * kb / kg, -red * kr / kg)
    let (yb, yr) = (0.587 * greenOfBlue + 0.114 * blue, 0.299 * red + 0.587 * greenOfRed)
    // Chroma has 896 steps from end to end.
    func fixed(_ value: Double) -> Int32 { Int32((255.0 / 896 * value * Self.one).rounded()) }
    (lumaFromBlue, lumaFromRed) = (fixed(yb), fixed(yr))
    (blueFromBlue, blueFromRed) = (fixed((blue - yb) / 1.772), fixed(-yr / 1.772))
    (redFromBlue, redFromRed) = (fixed(-yb / 1.402), fixed((red - yr) / 1.402))
  }

  @inline(__always)
  private func byte(_ value: Int32) -> UInt8 { UInt8(truncatingIfNeeded: min(max(value, 0), 255)) }

  @inline(__always)
  func lumaOffset(_ blue: Int32, _ red: Int32) -> Int32 {
    lumaFromBlue &* blue &+ lumaFromRed &* red &+ 32_768
  }

  @inline(__always)
  func luma(_ code: UInt16, _ offset: Int32) -> UInt8 {
    byte((Self.lumaScale &* (Int32(code) &- 64) &+ offset) &>> 16)
  }

  /// The arguments are sums of two rows.
  @inline(__always)
  func blue(_ blue: Int32, _ red: Int32) -> UInt8 {
    byte(128 &+ ((blueFromBlue &* blue &+ blueFromRed &* red &+ 65_536) &>> 17))
  }

  @inline(__always)
  func red(_ blue: Int32, _ red: Int32) -> UInt8 {
    byte(128 &+ ((redFromBlue &* blue &+ redFromRed &* red &+ 65_536) &>> 17))
  }
}
