import MediaCore

/// Means of two or four samples of a row of v210, straight from its words: no row is unpacked.
///
/// A word has three samples of 10 bits. Apart by masks, each has room enough beside it for the sum of two
/// rows; so two rows are summed at once, and only sums are taken apart.
struct V210Decimation: Sendable, Hashable {
  /// Samples of a mean along the row: 2 or 4.
  let factor: Int

  /// Nil for a source or a size that this is not made for.
  init?(_ source: PixelBuffer.Description, into width: Int) {
    guard source.format == .v210, source.color.range == .video, source.width % 24 == 0 else {
      return nil
    }
    switch source.width {
    case 2 * width: factor = 2
    case 4 * width: factor = 4
    default: return nil
    }
  }

  /// The sums of two rows' blocks of six pixels.
  private struct Block {
    /// Cb0 at bit 0, Cr0 at 20, Y1 at 32, Y2 at 52.
    let e0: UInt64
    /// Y0 at bit 0, Cb1 at 32.
    let o0: UInt64
    /// Cr1 at bit 0, Cb2 at 20, Y4 at 32, Y5 at 52.
    let e1: UInt64
    /// Y3 at bit 0, Cr2 at 32.
    let o1: UInt64

    @inline(__always)
    init(_ first: UnsafePointer<UInt64>, _ second: UnsafePointer<UInt64>, _ block: Int) {
      let (outer, middle): (UInt64, UInt64) = (0x3FF0_03FF_3FF0_03FF, 0x0000_03FF_0000_03FF)
      let (a, b) = (first[2 &* block], second[2 &* block])
      let (c, d) = (first[2 &* block &+ 1], second[2 &* block &+ 1])
      e0 = (a & outer) &+ (b & outer)
      o0 = ((a &>> 10) & middle) &+ ((b &>> 10) & middle)
      e1 = (c & outer) &+ (d & outer)
      o1 = ((c &>> 10) & middle) &+ ((d &>> 10) & middle)
    }

    @inline(__always) var y0: UInt64 { o0 & 0xFFFF }
    @inline(__always) var y1: UInt64 { (e0 &>> 32) & 0xFFFFF }
    @inline(__always) var y2: UInt64 { e0 &>> 52 }
    @inline(__always) var y3: UInt64 { o1 & 0xFFFF }
    @inline(__always) var y4: UInt64 { (e1 &>> 32) & 0xFFFFF }
    @inline(__always) var y5: UInt64 { e1 &>> 52 }
    @inline(__always) var cb0: UInt64 { e0 & 0xFFFFF }
    @inline(__always) var cb1: UInt64 { o0 &>> 32 }
    @inline(__always) var cb2: UInt64 { (e1 &>> 20) & 0xFFF }
    @inline(__always) var cr0: UInt64 { (e0 &>> 20) & 0xFFF }
    @inline(__always) var cr1: UInt64 { e1 & 0xFFFFF }
    @inline(__always) var cr2: UInt64 { o1 &>> 32 }
  }

  /// The means of two rows; the same one twice stands for one row.
  func means(
    _ first: UnsafePointer<UInt64>, _ second: UnsafePointer<UInt64>, blocks: Int,
    luma: UnsafeMutablePointer<UInt16>, cb: UnsafeMutablePointer<UInt16>,
    cr: UnsafeMutablePointer<UInt16>
  ) {
    if factor == 2 {
      halves(first, second, blocks, luma, cb, cr)
    } else {
      quarters(first, second, blocks, luma, cb, cr)
    }
  }

  /// The rounded mean of a sum, without the codes that SDI reserves.
  @inline(__always)
  private static func mean(_ sum: UInt64, _ shift: UInt64) -> UInt16 {
    let mean = (sum &+ (1 &<< (shift &- 1))) &>> shift
    return UInt16(truncatingIfNeeded: min(max(mean, 4), 1019))
  }

  private func halves(
    _ first: UnsafePointer<UInt64>, _ second: UnsafePointer<UInt64>, _ blocks: Int,
    _ luma: UnsafeMutablePointer<UInt16>, _ cb: UnsafeMutablePointer<UInt16>,
    _ cr: UnsafeMutablePointer<UInt16>
  ) {
    for pair in 0..<(blocks / 2) {
      let a = Block(first, second, 2 &* pair)
      let b = Block(first, second, 2 &* pair &+ 1)
      let y = luma + 6 &* pair
      y[0] = Self.mean(a.y0 &+ a.y1, 2)
      y[1] = Self.mean(a.y2 &+ a.y3, 2)
      y[2] = Self.mean(a.y4 &+ a.y5, 2)
      y[3] = Self.mean(b.y0 &+ b.y1, 2)
      y[4] = Self.mean(b.y2 &+ b.y3, 2)
      y[5] = Self.mean(b.y4 &+ b.y5, 2)
      let (u, v) = (cb + 3 &* pair, cr + 3 &* pair)
      u[0] = Self.mean(a.cb0 &+ a.cb1, 2)
      u[1] = Self.mean(a.cb2 &+ b.cb0, 2)
      u[2] = Self.mean(b.cb1 &+ b.cb2, 2)
      v[0] = Self.mean(a.cr0 &+ a.cr1, 2)
      v[1] = Self.mean(a.cr2 &+ b.cr0, 2)
      v[2] = Self.mean(b.cr1 &+ b.cr2, 2)
    }
  }

  private func quarters(
    _ first: UnsafePointer<UInt64>, _ second: UnsafePointer<UInt64>, _ blocks: Int,
    _ luma: UnsafeMutablePointer<UInt16>, _ cb: UnsafeMutablePointer<UInt16>,
    _ cr: UnsafeMutablePointer<UInt16>
  ) {
    for group in 0..<(blocks / 4) {
      let a = Block(first, second, 4 &* group)
      let b = Block(first, second, 4 &* group &+ 1)
      let c = Block(first, second, 4 &* group &+ 2)
      let d = Block(first, second, 4 &* group &+ 3)
      let y = luma + 6 &* group
      y[0] = Self.mean(a.y0 &+ a.y1 &+ a.y2 &+ a.y3, 3)
      y[1] = Self.mean(a.y4 &+ a.y5 &+ b.y0 &+ b.y1, 3)
      y[2] = Self.mean(b.y2 &+ b.y3 &+ b.y4 &+ b.y5, 3)
      y[3] = Self.mean(c.y0 &+ c.y1 &+ c.y2 &+ c.y3, 3)
      y[4] = Self.mean(c.y4 &+ c.y5 &+ d.y0 &+ d.y1, 3)
      y[5] = Self.mean(d.y2 &+ d.y3 &+ d.y4 &+ d.y5, 3)
      let (u, v) = (cb + 3 &* group, cr + 3 &* group)
      u[0] = Self.mean(a.cb0 &+ a.cb1 &+ a.cb2 &+ b.cb0, 3)
      u[1] = Self.mean(b.cb1 &+ b.cb2 &+ c.cb0 &+ c.cb1, 3)
      u[2] = Self.mean(c.cb2 &+ d.cb0 &+ d.cb1 &+ d.cb2, 3)
      v[0] = Self.mean(a.cr0 &+ a.cr1 &+ a.cr2 &+ b.cr0, 3)
      v[1] = Self.mean(b.cr1 &+ b.cr2 &+ c.cr0 &+ c.cr1, 3)
      v[2] = Self.mean(c.cr2 &+ d.cr0 &+ d.cr1 &+ d.cr2, 3)
    }
  }
}
