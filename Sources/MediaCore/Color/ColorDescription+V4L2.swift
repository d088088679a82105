extension ColorDescription {
  /// Color as V4L2 writes it into a format: raw values of `enum v4l2_colorspace`,
  /// `v4l2_xfer_func`, `v4l2_ycbcr_encoding` and `v4l2_quantization` (videodev2.h). 0 means "the
  /// default" in each.
  public struct V4L2Values: Hashable, Sendable {
    /// `enum v4l2_colorspace`.
    public var colorspace: UInt32
    /// `enum v4l2_xfer_func`.
    public var transferFunction: UInt32
    /// `enum v4l2_ycbcr_encoding`.
    public var encoding: UInt32
    /// `enum v4l2_quantization`.
    public var quantization: UInt32

    /// Values from their numbers.
    public init(
      colorspace: UInt32, transferFunction: UInt32 = 0, encoding: UInt32 = 0,
      quantization: UInt32 = 0
    ) {
      self.colorspace = colorspace
      self.transferFunction = transferFunction
      self.encoding = encoding
      self.quantization = quantization
    }
  }

  /// The kind of source that V4L2 video comes from: decides what "default color space" stands for.
  public enum V4L2Source: Sendable, Hashable {
    /// An analogue or SD input, or DV timings of CEA-861 up to 576 rows.
    case standardDefinition
    /// DV timings of CEA-861 above 576 rows.
    case highDefinition
    /// A webcam, a sensor, computer graphics.
    case other
  }

  /// A description from V4L2's values.
  ///
  /// Defaults are resolved by the rules of the `V4L2_MAP_..._DEFAULT` macros of videodev2.h.
  /// Unknown values and raw sensor data become unspecified. V4L2 has no hybrid log-gamma.
  ///
  /// - Parameters:
  ///   - values: As the driver gave them.
  ///   - source: What the default color space stands for.
  ///   - isRGB: True for RGB formats, which are full range by default and have no matrix of
  ///     their own; ``matrix`` is then the one to convert with.
  public init(v4l2 values: V4L2Values, source: V4L2Source = .other, isRGB: Bool = false) {
    let colorspace = Colorspace(values.colorspace, source: source)
    let transfer = values.transferFunction == 0 ? colorspace.transfer : values.transferFunction
    let encoding = values.encoding == 0 ? colorspace.encoding : values.encoding
    let isFull =
      switch values.quantization {
      case 1: true
      case 2: false
      default: isRGB || values.colorspace == 7
      }
    self.init(
      primaries: colorspace.primaries,
      transferFunction: Self.transfers[transfer] ?? .unspecified,
      matrix: colorspace.isRaw && values.encoding == 0
        ? .unspecified : Self.matrices[encoding] ?? .unspecified,
      range: isFull ? .full : .video)
  }

  /// The values to ask a V4L2 driver for; default (0) where V4L2 has no such thing.
  public var v4l2Values: V4L2Values {
    let colorspace: UInt32 =
      switch primaries {
      case .bt709: transferFunction == .sRGB ? 8 : 3
      case .smpte170M: 1
      case .smpte240M: 2
      case .bt470M: 5
      case .bt470bg: 6
      case .bt2020: 10
      case .dciP3, .displayP3: 12
      case .unspecified: 0
      }
    let transfer: UInt32 =
      switch transferFunction {
      case .bt709, .smpte170M, .bt2020: 1
      case .sRGB: 2
      case .gamma22: 3
      case .smpte240M: 4
      case .linear: 5
      case .smpte428: 6
      case .pq: 7
      case .unspecified, .gamma28, .hlg: 0
      }
    let encoding: UInt32 =
      switch matrix {
      case .smpte170M, .bt470bg: 1
      case .bt709: 2
      case .bt2020: 6
      case .bt2020ConstantLuminance: 7
      case .smpte240M: 8
      case .identity, .unspecified: 0
      }
    return V4L2Values(
      colorspace: colorspace, transferFunction: transfer, encoding: encoding,
      quantization: range == .full ? 1 : 2)
  }

  /// `enum v4l2_xfer_func`. opRGB's gamma of 2.2 has H.273's code point for gamma 2.2.
  private static let transfers: [UInt32: TransferFunction] = [
    1: .bt709, 2: .sRGB, 3: .gamma22, 4: .smpte240M, 5: .linear, 6: .smpte428, 7: .pq,
  ]

  /// `enum v4l2_ycbcr_encoding`. The extended-gamut forms (3, 4) and sYCC (5) use the matrices of
  /// BT.601 and BT.709.
  private static let matrices: [UInt32: Matrix] = [
    1: .smpte170M, 2: .bt709, 3: .smpte170M, 4: .bt709, 5: .smpte170M, 6: .bt2020,
    7: .bt2020ConstantLuminance, 8: .smpte240M,
  ]

  /// What a color space says by itself.
  private struct Colorspace {
    let primaries: Primaries
    /// `V4L2_MAP_XFER_FUNC_DEFAULT`.
    let transfer: UInt32
    /// `V4L2_MAP_YCBCR_ENC_DEFAULT`.
    let encoding: UInt32
    var isRaw = false

    init(_ value: UInt32, source: V4L2Source) {
      let resolved: UInt32 =
        if value != 0 {
          value
        } else {
          switch source {
          case .standardDefinition: 1
          case .highDefinition: 3
          case .other: 8
          }
        }
      switch resolved {
      case 1: self.init(.smpte170M, 1, 1)
      case 2: self.init(.smpte240M, 4, 8)
      case 3: self.init(.bt709, 1, 2)
      case 5: self.init(.bt470M, 1, 1)
      case 6: self.init(.bt470bg, 1, 1)
      case 7, 8: self.init(.bt709, 2, 1)
      case 9: self.init(.unspecified, 3, 1)
      case 10: self.init(.bt2020, 1, 6)
      case 11:
        self.init(.unspecified, 5, 1)
        isRaw = true
      case 12: self.init(.dciP3, 6, 2)
      default:
        self.init(.unspecified, 0, 0)
      }
    }

    private init(_ primaries: Primaries, _ transfer: UInt32, _ encoding: UInt32) {
      self.primaries = primaries
      self.transfer = transfer
      self.encoding = encoding
    }
  }
}
