public import MediaCore

/// How good a source for ProRes 422 a format is, best first.
///
/// ProRes 422 wants 10-bit 4:2:2. Only ``native10Bit422`` and ``reduced422`` give it; the others
/// are used only where the user allows a fallback, and are reported as what they are.
public enum FormatTier: Int, Sendable, Hashable, CaseIterable, Comparable, Codable {
  /// 10-bit 4:2:2: `x422`.
  case native10Bit422 = 1
  /// More than 10 bits, 4:2:2 or 4:4:4, reduced to 10.
  case reduced422 = 2
  /// 8-bit 4:2:2.
  case eightBit422 = 3
  /// 10-bit 4:2:0.
  case tenBit420 = 4
  /// 8-bit 4:2:0, compressed video, and everything else of 8 bits.
  case eightBit420 = 5

  /// True for the tiers that hold 10 bits and 4:2:2.
  public var isTrue10Bit422: Bool { self <= .reduced422 }

  /// Orders best first.
  public static func < (lhs: FormatTier, rhs: FormatTier) -> Bool { lhs.rawValue < rhs.rawValue }

  /// The tier of uncompressed video.
  public init(_ format: PixelFormat) {
    let table = format.descriptor
    self =
      switch (table.subsampling, table.bitDepth) {
      case (.yuv422, 10): .native10Bit422
      case (.yuv422, 11...), (.yuv444, 10...): .reduced422
      case (.yuv422, _), (.yuv444, _): .eightBit422
      case (.yuv420, 10...): .tenBit420
      default: .eightBit420
      }
  }
}

extension CaptureDevice.Format {
  /// The tier of the format; nil for audio, and for a sensor's mosaic, which is for stills.
  public var tier: FormatTier? {
    guard let video else { return nil }
    guard let pixelFormat = video.pixelFormat else { return .eightBit420 }
    guard !pixelFormat.isBayer else { return nil }
    return isEmulated ? max(.eightBit422, FormatTier(pixelFormat)) : FormatTier(pixelFormat)
  }
}

extension FormatTier {
  /// The tiers that hold 10 bits and 4:2:2: what ProRes 422 wants.
  public static let true10Bit422: Set<FormatTier> = [.native10Bit422, .reduced422]

  /// This tier and all better ones: what the user allows who allows this one.
  public var andBetter: Set<FormatTier> { Set(Self.allCases.filter { $0 <= self }) }

  /// The tier in words.
  public var displayName: String {
    switch self {
    case .native10Bit422: "10-bit 4:2:2"
    case .reduced422: "more than 10-bit 4:2:2, reduced"
    case .eightBit422: "8-bit 4:2:2"
    case .tenBit420: "10-bit 4:2:0"
    case .eightBit420: "8-bit 4:2:0 or compressed"
    }
  }
}
