/// What the sample values of a frame or image mean: primaries, transfer, matrix, range.
///
/// Raw values are the code points of ITU-T H.273, which QuickTime's `nclc`, the ProRes frame
/// header and libav share.
public struct ColorDescription: Hashable, Sendable {
  /// Chromaticities of the primaries and of white.
  public enum Primaries: UInt8, Sendable, CaseIterable {
    /// Rec. ITU-R BT.709 (also sRGB).
    case bt709 = 1
    /// Not known.
    case unspecified = 2
    /// BT.470 system M: NTSC of 1953.
    case bt470M = 4
    /// BT.470 system B/G: 625-line PAL and SECAM.
    case bt470bg = 5
    /// SMPTE 170M: 525-line NTSC.
    case smpte170M = 6
    /// SMPTE 240M.
    case smpte240M = 7
    /// BT.2020 and BT.2100.
    case bt2020 = 9
    /// SMPTE RP 431-2: DCI-P3.
    case dciP3 = 11
    /// SMPTE EG 432-1: Display P3.
    case displayP3 = 12
  }

  /// How light was turned into numbers.
  public enum TransferFunction: UInt8, Sendable, CaseIterable {
    /// BT.709, the same curve as SMPTE 170M and BT.2020.
    case bt709 = 1
    /// Not known.
    case unspecified = 2
    /// Gamma 2.2.
    case gamma22 = 4
    /// Gamma 2.8.
    case gamma28 = 5
    /// SMPTE 170M.
    case smpte170M = 6
    /// SMPTE 240M.
    case smpte240M = 7
    /// Linear light.
    case linear = 8
    /// IEC 61966-2-1: sRGB.
    case sRGB = 13
    /// BT.2020 at 10 bits.
    case bt2020 = 14
    /// SMPTE ST 2084: perceptual quantizer.
    case pq = 16
    /// SMPTE ST 428-1: gamma 2.6 of digital cinema.
    case smpte428 = 17
    /// BT.2100 hybrid log-gamma (ARIB STD-B67).
    case hlg = 18
  }

  /// How RGB was turned into luma and chroma.
  public enum Matrix: UInt8, Sendable, CaseIterable {
    /// No matrix: RGB.
    case identity = 0
    /// BT.709.
    case bt709 = 1
    /// Not known.
    case unspecified = 2
    /// BT.470 system B/G, the same numbers as SMPTE 170M.
    case bt470bg = 5
    /// SMPTE 170M: BT.601.
    case smpte170M = 6
    /// SMPTE 240M.
    case smpte240M = 7
    /// BT.2020, non-constant luminance.
    case bt2020 = 9
    /// BT.2020, constant luminance.
    case bt2020ConstantLuminance = 10
  }

  /// Which codes black and white have.
  public enum Range: UInt8, Sendable {
    /// 64...940 luma and 64...960 chroma at 10 bits ("limited", "legal", MPEG).
    case video
    /// 0...1023 ("full", JPEG).
    case full
  }

  public var primaries: Primaries
  public var transferFunction: TransferFunction
  /// The luma-chroma matrix.
  public var matrix: Matrix
  /// The range of codes.
  public var range: Range

  /// A description from its parts.
  public init(
    primaries: Primaries, transferFunction: TransferFunction, matrix: Matrix, range: Range = .video
  ) {
    self.primaries = primaries
    self.transferFunction = transferFunction
    self.matrix = matrix
    self.range = range
  }

  /// High definition: 1-1-1.
  public static let bt709 = ColorDescription(
    primaries: .bt709, transferFunction: .bt709, matrix: .bt709)
  /// 525-line standard definition: 6-1-6.
  public static let smpte170M = ColorDescription(
    primaries: .smpte170M, transferFunction: .bt709, matrix: .smpte170M)
  /// 625-line standard definition: 5-1-6.
  public static let bt601PAL = ColorDescription(
    primaries: .bt470bg, transferFunction: .bt709, matrix: .smpte170M)
  /// Wide gamut, standard range: 9-1-9.
  public static let bt2020 = ColorDescription(
    primaries: .bt2020, transferFunction: .bt709, matrix: .bt2020)
  /// HDR with the perceptual quantizer: 9-16-9.
  public static let bt2100PQ = ColorDescription(
    primaries: .bt2020, transferFunction: .pq, matrix: .bt2020)
  /// HDR with hybrid log-gamma: 9-18-9.
  public static let bt2100HLG = ColorDescription(
    primaries: .bt2020, transferFunction: .hlg, matrix: .bt2020)
  /// Nothing known; video range.
  public static let unspecified = ColorDescription(
    primaries: .unspecified, transferFunction: .unspecified, matrix: .unspecified)

  /// The same color in another range.
  public func with(range: Range) -> ColorDescription {
    var copy = self
    copy.range = range
    return copy
  }
}

extension ColorDescription: CustomStringConvertible {
  /// Primaries, transfer and matrix as code points, and `full` where the range is: `1-1-1`.
  public var description: String {
    "\(primaries.rawValue)-\(transferFunction.rawValue)-\(matrix.rawValue)"
      + (range == .full ? " full" : "")
  }
}
