extension ColorDescription {
  /// A description from the three code points of QuickTime's `nclc` or of a ProRes frame header,
  /// both of which are those of ITU-T H.273. A code point that is not known becomes unspecified.
  ///
  /// `nclc` has no range: its video is video range.
  public init(
    nclcPrimaries primaries: some BinaryInteger, transferFunction: some BinaryInteger,
    matrix: some BinaryInteger, range: Range = .video
  ) {
    self.init(
      primaries: Primaries(codePoint: primaries),
      transferFunction: TransferFunction(codePoint: transferFunction),
      matrix: Matrix(codePoint: matrix), range: range)
  }

  /// A description from libav's `AVColorPrimaries`, `AVColorTransferCharacteristic`,
  /// `AVColorSpace` and `AVColorRange` as numbers.
  ///
  /// The first three are H.273's code points. The range is 2 for full (`AVCOL_RANGE_JPEG`);
  /// anything else counts as video range.
  public init(
    libavPrimaries primaries: some BinaryInteger, transferFunction: some BinaryInteger,
    matrix: some BinaryInteger, range: some BinaryInteger
  ) {
    self.init(
      nclcPrimaries: primaries, transferFunction: transferFunction, matrix: matrix,
      range: range == 2 ? .full : .video)
  }

  /// The numbers for libav's `color_primaries`, `color_trc`, `colorspace` and `color_range`.
  public var libavValues: (primaries: Int, transferFunction: Int, matrix: Int, range: Int) {
    (
      Int(primaries.rawValue), Int(transferFunction.rawValue), Int(matrix.rawValue),
      range == .full ? 2 : 1
    )
  }

  /// The same colors in the codes of QuickTime and RDD 36, because H.273 has several codes for the same
  /// curve or matrix. The curves of SMPTE 170M, BT.2020 and, as in Apple's TN2162 for 625 lines, BT.470 B/G become
  /// that of BT.709, and matrix 5 becomes 6. Neither has a code for SMPTE ST 428-1, which becomes unspecified.
  public var withCommonCodes: ColorDescription {
    var color = self
    switch transferFunction {
    case .gamma28, .smpte170M, .bt2020: color.transferFunction = .bt709
    case .smpte428: color.transferFunction = .unspecified
    default: break
    }
    if matrix == .bt470bg { color.matrix = .smpte170M }
    return color
  }

  /// The three code points of `nclc`, in common codes.
  public var nclcValues: (primaries: UInt16, transferFunction: UInt16, matrix: UInt16) {
    let color = withCommonCodes
    return (
      UInt16(color.primaries.rawValue), UInt16(color.transferFunction.rawValue),
      UInt16(color.matrix.rawValue)
    )
  }

  /// The same color with every unknown part filled in from the frame's height, as
  /// broadcast practice has it: BT.709 from 720 rows up, else the 625- or 525-line system.
  public func resolved(forHeight height: Int) -> ColorDescription {
    let usual: ColorDescription =
      height > 576 ? .bt709 : height == 576 || height == 288 ? .bt601PAL : .smpte170M
    return ColorDescription(
      primaries: primaries == .unspecified ? usual.primaries : primaries,
      transferFunction: transferFunction == .unspecified
        ? usual.transferFunction : transferFunction,
      matrix: matrix == .unspecified ? usual.matrix : matrix, range: range)
  }
}

extension ColorDescription.Primaries {
  /// The primaries of a code point of H.273; unspecified where it is not known.
  public init(codePoint: some BinaryInteger) {
    self = UInt8(exactly: codePoint).flatMap(Self.init(rawValue:)) ?? .unspecified
  }
}

extension ColorDescription.TransferFunction {
  /// The transfer function of a code point of H.273; unspecified where it is not known. The
  /// 12-bit code of BT.2020 (15) is taken for the 10-bit one, whose curve it shares.
  public init(codePoint: some BinaryInteger) {
    self =
      codePoint == 15
      ? .bt2020 : UInt8(exactly: codePoint).flatMap(Self.init(rawValue:)) ?? .unspecified
  }
}

extension ColorDescription.Matrix {
  /// The matrix of a code point of H.273; unspecified where it is not known.
  public init(codePoint: some BinaryInteger) {
    self = UInt8(exactly: codePoint).flatMap(Self.init(rawValue:)) ?? .unspecified
  }
}
