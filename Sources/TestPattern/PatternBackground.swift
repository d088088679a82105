import MediaCore

/// The image behind the moving parts.
protocol PatternBackground: Sendable {
  /// Paints a row of one phase. Static images have one phase only.
  func paint(row: Int, phase: Int, into line: inout PatternRow)

  /// A row, painted earlier, that is the same as this one; nil where there is none. Rows are
  /// painted from the top, phase by phase.
  func twin(row: Int, phase: Int) -> (row: Int, phase: Int)?
}

/// SMPTE RP 219-1:2014 color bars for 16:9, at their 10-bit codes.
///
/// Where the standard leaves a choice, the square beside the cyan of the second pattern is 75 %
/// white, and the one beside the yellow of the third is black.
struct ColorBars: PatternBackground {
  typealias Color = PatternRow.Color

  // The table of 10-bit codes of RP 219-1 for HDTV (BT.709).
  static let gray40 = Color(414)
  static let white75 = Color(721)
  static let yellow75 = Color(674, 176, 543)
  static let cyan75 = Color(581, 589, 176)
  static let green75 = Color(534, 253, 207)
  static let magenta75 = Color(251, 771, 817)
  static let red75 = Color(204, 435, 848)
  static let blue75 = Color(111, 848, 481)
  static let cyan100 = Color(754, 615, 64)
  static let blue100 = Color(127, 960, 471)
  static let yellow100 = Color(877, 64, 553)
  static let red100 = Color(250, 409, 960)
  static let gray15 = Color(195)
  static let minus2 = Color(46)
  static let plus2 = Color(82)
  static let plus4 = Color(99)

  private let width: Int
  private let tops: [Int]

  init(width: Int, height: Int) {
    self.width = width
    // Heights of 7, 1, 1 and 3 twelfths, whole rows of chroma and fields.
    self.tops = [0, 7, 8, 9].map { height * $0 / 12 / 4 * 4 }
  }

  func twin(row: Int, phase: Int) -> (row: Int, phase: Int)? {
    let top = tops[band(row)]
    return row == top && phase == 0 ? nil : (top, 0)
  }

  private func band(_ row: Int) -> Int { tops.lastIndex { row >= $0 } ?? 0 }

  func paint(row: Int, phase: Int, into line: inout PatternRow) {
    let side = width / 8
    // A bar is a seventh of the middle three quarters; edges lie on even pixels.
    func edge(_ bars: Double) -> Int {
      (side + Int((Double(width - 2 * side) * bars / 7).rounded())) / 2 * 2
    }
    func put(_ from: Double, _ to: Double, _ color: Color) {
      line.fill(edge(from)..<edge(to), color)
    }
    func flanks(_ left: Color, _ right: Color) {
      line.fill(0..<edge(0), left)
      line.fill(edge(7)..<width, right)
    }
    switch band(row) {
    case 0:
      flanks(Self.gray40, Self.gray40)
      let bars = [
        Self.white75, Self.yellow75, Self.cyan75, Self.green75, Self.magenta75, Self.red75,
        Self.blue75,
      ]
      for (index, color) in bars.enumerated() { put(Double(index), Double(index + 1), color) }
    case 1:
      flanks(Self.cyan100, Self.blue100)
      put(0, 7, Self.white75)
    case 2:
      flanks(Self.yellow100, Self.red100)
      put(0, 1, .black)
      let (first, last) = (edge(1), edge(6))
      for x in first..<last {
        let code = 64 + (876 * (x - first) + (last - first - 1) / 2) / max(last - first - 1, 1)
        line.fill(x..<x + 1, Color(UInt16(code)))
      }
      put(6, 7, .white)
    default:
      flanks(Self.gray15, Self.gray15)
      put(0, 7, .black)
      put(1.5, 3.5, .white)
      let start = 3.5 + 5.0 / 6
      put(start, start + 1.0 / 3, Self.minus2)
      put(start + 2.0 / 3, start + 1, Self.plus2)
      put(start + 4.0 / 3, start + 5.0 / 3, Self.plus4)
    }
  }
}

/// Luma from code 4 to 1019 over the width in the upper part, and chroma over the width in the
/// lower one, Cb up while Cr goes down.
///
/// 4 to 1019 are all codes that 10-bit video may carry; ProRes decoders clamp to them. A frame
/// narrower than the 1016 codes carries them on several bands of rows, one after the other.
struct CodeRamp: PatternBackground {
  static let firstCode = 4
  static let codeCount = 1016

  let width: Int
  let height: Int

  /// Bands of rows that the luma codes are spread over.
  var bandCount: Int { (Self.codeCount + width - 1) / width }
  /// Rows of the part that carries luma codes.
  var lumaRows: Int { PatternGeometry(width: width, height: height).top }

  private func band(_ row: Int) -> Int {
    row < lumaRows ? row * bandCount / lumaRows : bandCount
  }

  func twin(row: Int, phase: Int) -> (row: Int, phase: Int)? {
    let band = band(row)
    let top = band < bandCount ? (band * lumaRows + bandCount - 1) / bandCount : lumaRows
    return row == top && phase == 0 ? nil : (top, 0)
  }

  /// The luma code at a pixel of the upper part.
  func code(column: Int, row: Int) -> Int {
    Self.firstCode
      + (band(row) * width + column) * Self.codeCount / (bandCount * width)
  }

  func paint(row: Int, phase: Int, into line: inout PatternRow) {
    if row < lumaRows {
      line.paint { PatternRow.Color(UInt16(code(column: $0, row: row))) }
    } else {
      line.paint { x in
        let step = x * Self.codeCount / width
        return PatternRow.Color(
          512, UInt16(Self.firstCode + step), UInt16(Self.firstCode + Self.codeCount - 1 - step))
      }
    }
  }
}

/// A circular zone plate: the cosine of the squared distance from the center, reaching the finest
/// detail that the frame holds at its left and right edge. Phases go round once.
struct ZonePlate: PatternBackground {
  let width: Int
  let height: Int
  let phaseCount: Int
  let fieldOrder: FieldOrder

  private static let steps = 4096
  private static let codes: [UInt16] = (0..<steps).map {
    UInt16((502 + 438 * PatternMath.cosine(turns: Double($0) / Double(steps))).rounded())
  }

  func twin(row: Int, phase: Int) -> (row: Int, phase: Int)? {
    // The lower half mirrors the upper one, but the fields of a frame are at different times.
    guard fieldOrder == .progressive, row >= (height + 1) / 2 else { return nil }
    return (height - 1 - row, phase)
  }

  func paint(row: Int, phase: Int, into line: inout PatternRow) {
    let isLaterField =
      switch fieldOrder {
      case .progressive: false
      case .topFieldFirst: row % 2 == 1
      case .bottomFieldFirst: row % 2 == 0
      }
    let shift = (2 * phase + (isLaterField ? 1 : 0)) * Self.steps / (2 * phaseCount)
    // Distances in half pixels; 512/width turns of 4096 steps, as a binary fraction of 16 bits.
    let scale = (512 << 16) / width
    let vertical = (2 * row - height + 1) * (2 * row - height + 1)
    Self.codes.withUnsafeBufferPointer { codes in
      line.paint { x in
        let horizontal = 2 * x - width + 1
        let place = ((horizontal * horizontal + vertical) * scale) >> 16
        return PatternRow.Color(codes[(place - shift) & (Self.steps - 1)])
      }
    }
  }
}

/// Gray that gets lighter downwards, under strong noise in luma and chroma. Later phases are the
/// first one with its rows moved round.
struct NoiseFrame: PatternBackground {
  let width: Int
  let height: Int

  func twin(row: Int, phase: Int) -> (row: Int, phase: Int)? {
    guard phase > 0 else { return nil }
    return ((row + phase * 4 * (height / 11)) % height, 0)
  }

  func paint(row: Int, phase: Int, into line: inout PatternRow) {
    var random = PatternRandom(seed: UInt64(row) &* 0x2545_F491_4F6C_DD1D)
    let base = 300 + 300 * row / height
    line.paint { _ in
      let bits = random.next()
      func part(_ shift: UInt64) -> Int { Int((bits >> shift) & 0xFF) - 128 }
      // Sums of uniform numbers are nearly normal, as a sensor's noise is.
      let luma = base + (part(0) + part(8) + part(16)) / 2
      return PatternRow.Color(
        UInt16(min(max(luma, 64), 940)), UInt16(512 + (part(24) + part(32)) / 3),
        UInt16(512 + (part(40) + part(48)) / 3))
    }
  }
}

/// One gray, a fifth of the way from black to white.
struct PlainGray: PatternBackground {
  func twin(row: Int, phase: Int) -> (row: Int, phase: Int)? {
    row == 0 && phase == 0 ? nil : (0, 0)
  }

  func paint(row: Int, phase: Int, into line: inout PatternRow) {
    line.paint { _ in PatternRow.Color(240) }
  }
}
