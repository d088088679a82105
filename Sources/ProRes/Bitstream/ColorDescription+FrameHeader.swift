public import MediaCore

extension ColorDescription {
  /// The same colors in the codes that a frame header may have (RDD 36, tables 5 to 7): an equivalent
  /// code where there is one, else unspecified.
  public var frameHeaderColor: ColorDescription {
    var color = withCommonCodes
    switch color.primaries {
    case .bt709, .unspecified, .bt470bg, .smpte170M, .bt2020, .dciP3, .displayP3: break
    case .smpte240M: color.primaries = .smpte170M  // the same chromaticities
    case .bt470M: color.primaries = .unspecified
    }
    switch color.transferFunction {
    case .bt709, .unspecified, .pq, .hlg: break
    default: color.transferFunction = .unspecified
    }
    switch color.matrix {
    case .bt709, .unspecified, .smpte170M, .bt2020: break
    default: color.matrix = .unspecified
    }
    return color
  }
}
