import TIFF

/// An area of an image, in pixels; right and bottom are exclusive.
public struct PixelArea: Sendable, Hashable, Codable {
  /// The first row.
  public var top: Int
  /// The first column.
  public var left: Int
  /// The row after the last one.
  public var bottom: Int
  /// The column after the last one.
  public var right: Int

  public var width: Int { right - left }
  public var height: Int { bottom - top }

  public init(top: Int, left: Int, bottom: Int, right: Int) {
    self.top = top
    self.left = left
    self.bottom = bottom
    self.right = right
  }

  /// An area from DNG's four numbers; nil if it does not lie within the image.
  init?(_ numbers: some Collection<Double>, width: Int, height: Int) {
    let edges = numbers.compactMap { Int(exactly: $0) }
    guard edges.count == 4, numbers.count == 4, 0 <= edges[0], edges[0] < edges[2],
      edges[2] <= height, 0 <= edges[1], edges[1] < edges[3], edges[3] <= width
    else { return nil }
    self.init(top: edges[0], left: edges[1], bottom: edges[2], right: edges[3])
  }
}

/// The levels that convert a raw image's samples to linear light.
public struct RawLevels: Sendable, Hashable {
  /// Applied before anything else; codes beyond its end become the last entry. Nil if there is none.
  public var linearizationTable: [UInt16]?
  /// Rows in the black pattern, which begins at the corner of the active area.
  public var blackRows: Int
  /// Columns in the black pattern.
  public var blackColumns: Int
  /// The black levels of the pattern: rows outermost, a pixel's components innermost.
  public var black: [Double]
  /// Added to the black of each column of the active area; empty if there are none.
  public var blackDeltaH: [Double]
  /// Added to the black of each row of the active area; empty if there are none.
  public var blackDeltaV: [Double]
  /// The white level of each component.
  public var white: [Double]
  /// The pixels exposed to light.
  public var activeArea: PixelArea
  /// The masked pixels.
  public var maskedAreas: [PixelArea]
  /// The bit depth of the codes that the file's table or levels refer to, if these were converted to 16 bits: DNG
  /// wants them in 16 bits for JPEG XL, but some files state them for the stream's own codes. Nil if nothing was
  /// converted.
  public private(set) var spreadBitDepth: Int?

  /// The greatest black level of each component, over all positions in the pattern and the deltas that apply there.
  public var greatestBlack: [Double] {
    let components = white.count
    let (across, down) = (
      Self.greatest(blackDeltaH, period: blackColumns),
      Self.greatest(blackDeltaV, period: blackRows)
    )
    return (0..<components).map { component in
      stride(from: component, to: black.count, by: components).map { index in
        let place = index / components
        return black[index] + across[place % blackColumns] + down[place / blackColumns]
      }.max() ?? 0
    }
  }

  /// The greatest delta that applies to each line of a pattern; zeros if there are none.
  private static func greatest(_ deltas: [Double], period: Int) -> [Double] {
    (0..<period).map { phase in
      stride(from: phase, to: deltas.count, by: period).map { deltas[$0] }.max() ?? 0
    }
  }

  /// A raw image's levels, with defaults for those not stated.
  ///
  /// - Throws: ``DNGError/Code/invalidFile`` for invalid levels.
  init(_ image: DNGFile.Image) throws(DNGError) {
    let directory = image.directory
    let components = image.components
    func numbers(_ tag: TIFFTag) -> [Double] { directory.numbers(tag) ?? [] }
    if let table = directory[.linearizationTable] {
      guard case .shorts(let entries) = table, !entries.isEmpty, !image.isFloat else {
        throw .damaged("its linearization table is not one of 16-bit integers")
      }
      linearizationTable = entries
    }
    let whole = PixelArea(top: 0, left: 0, bottom: image.height, right: image.width)
    if let area = directory.numbers(.activeArea) {
      guard let area = PixelArea(area, width: image.width, height: image.height) else {
        throw .damaged("its active area is outside the image")
      }
      activeArea = area
    } else {
      activeArea = whole
    }
    let masked = numbers(.maskedAreas)
    maskedAreas = stride(from: 0, to: masked.count / 4 * 4, by: 4).compactMap {
      PixelArea(masked[$0..<$0 + 4], width: image.width, height: image.height)
    }
    let pattern = (directory.numbers(.blackLevelRepeatDim) ?? [1, 1]).compactMap {
      Int(exactly: $0)
    }
    guard pattern.count == 2, (1...8).contains(pattern[0]), (1...8).contains(pattern[1]) else {
      throw .damaged("its black pattern is not one of 1 to 8 rows and columns")
    }
    (blackRows, blackColumns) = (pattern[0], pattern[1])
    let cells = blackRows * blackColumns * components
    var black = directory.numbers(.blackLevel) ?? [0]
    if black.count == 1 { black = [Double](repeating: black[0], count: cells) }
    guard black.count == cells else {
      throw .damaged("it has \(black.count) black levels instead of \(cells)")
    }
    self.black = black
    blackDeltaH = numbers(.blackLevelDeltaH)
    blackDeltaV = numbers(.blackLevelDeltaV)
    guard blackDeltaH.isEmpty || blackDeltaH.count == activeArea.width,
      blackDeltaV.isEmpty || blackDeltaV.count == activeArea.height
    else { throw .damaged("its black deltas do not match its columns or rows") }
    // A 16-bit stream contains codes of the file's depth unchanged; other codes are spread over 16 bits.
    let usualDepth = image.codedBitDepth == 16 ? image.bitDepth : image.storedBitDepth
    let usual = image.isFloat ? 1 : Double(1 << usualDepth) - 1
    var white = directory.numbers(.whiteLevel) ?? [usual]
    if white.count == 1 { white = [Double](repeating: white[0], count: components) }
    guard white.count >= components else { throw .damaged("it has too few white levels") }
    self.white = Array(white.prefix(components))
    if image.codedBitDepth == image.bitDepth { spread(from: image.bitDepth) }
    guard zip(self.white, greatestBlack).allSatisfy({ $0 > $1 }) else {
      throw .damaged("its white level is not above black")
    }
  }

  /// Converts a table or levels for codes of fewer than 16 bits to the 16 bits of decoded JPEG XL. DNG and Adobe's
  /// SDK expect 16 bits there, so that such small levels would put nearly all light above white. A table with more
  /// entries than there are codes, or a level above the greatest code, already refers to 16 bits and stays.
  private mutating func spread(from bitDepth: Int) {
    let greatest = (1 << bitDepth) - 1
    if let table = linearizationTable {
      guard table.count <= greatest + 1 else { return }
      linearizationTable = (0...65_535).map { sample in
        table[min((sample * greatest + 32_767) / 65_535, table.count - 1)]
      }
    } else {
      guard white.allSatisfy({ $0 <= Double(greatest) }) else { return }
      let factor = 65_535 / Double(greatest)
      black = black.map { $0 * factor }
      blackDeltaH = blackDeltaH.map { $0 * factor }
      blackDeltaV = blackDeltaV.map { $0 * factor }
      white = white.map { $0 * factor }
    }
    spreadBitDepth = bitDepth
  }
}
