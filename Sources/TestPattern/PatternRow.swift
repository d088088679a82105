/// A stretch of a row as plain 10-bit codes, full chroma, before it is stored in a layout.
package struct PatternRow {
  /// Codes of a pixel: Y, Cb, Cr.
  package struct Color: Hashable, Sendable {
    package let luma: UInt16
    package let cb: UInt16
    package let cr: UInt16

    package init(_ luma: UInt16, _ cb: UInt16 = 512, _ cr: UInt16 = 512) {
      self.luma = luma
      self.cb = cb
      self.cr = cr
    }

    /// Black of video range.
    static let black = Color(64)
    /// White of video range.
    package static let white = Color(940)
  }

  package private(set) var luma: [UInt16]
  package private(set) var cb: [UInt16]
  package private(set) var cr: [UInt16]

  /// A black stretch.
  package init(width: Int) {
    luma = Array(repeating: Color.black.luma, count: width)
    cb = Array(repeating: 512, count: width)
    cr = Array(repeating: 512, count: width)
  }

  /// Paints pixels; what lies beyond the stretch is left out.
  package mutating func fill(_ range: Range<Int>, _ color: Color) {
    let range = range.clamped(to: 0..<luma.count)
    for index in range {
      luma[index] = color.luma
      cb[index] = color.cb
      cr[index] = color.cr
    }
  }

  /// Paints every pixel by its position.
  package mutating func paint(_ color: (Int) -> Color) {
    for index in luma.indices {
      let color = color(index)
      luma[index] = color.luma
      cb[index] = color.cb
      cr[index] = color.cr
    }
  }
}
