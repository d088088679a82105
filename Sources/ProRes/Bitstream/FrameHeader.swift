public import MediaCore

/// The header of a ProRes frame (RDD 36, 5.1.1 and 6.1.1).
///
/// Fields are kept as coded, so that a frame with reserved values can be described as it is;
/// typed views stand beside them.
public struct FrameHeader: Sendable, Hashable {
  /// `chroma_format`.
  public enum ChromaFormat: UInt8, Sendable, Hashable {
    /// 4:2:2.
    case yuv422 = 2
    case yuv444 = 3
  }

  /// `interlace_mode`.
  public enum InterlaceMode: UInt8, Sendable, Hashable {
    /// One picture.
    case progressive = 0
    /// Two pictures; the first has the top row.
    case topFieldFirst = 1
    /// Two pictures; the first has the second row.
    case bottomFieldFirst = 2
  }

  /// `alpha_channel_type`.
  public enum AlphaChannelType: UInt8, Sendable, Hashable {
    /// No alpha.
    case none = 0
    /// 8 bits a sample.
    case bits8 = 1
    /// 16 bits a sample.
    case bits16 = 2
  }

  /// `aspect_ratio_information`.
  public enum AspectRatio: UInt8, Sendable, Hashable {
    /// Unknown or unspecified.
    case unspecified = 0
    case squarePixels = 1
    /// A 4:3 picture.
    case fourByThree = 2
    /// A 16:9 picture.
    case sixteenByNine = 3
  }

  /// `frame_size`: bytes of the whole frame, these four included.
  public var frameSize: UInt32
  /// `bitstream_version`: 0, or 1 where the frame has 4:4:4 or alpha.
  public var bitstreamVersion: UInt8
  /// `encoder_identifier`: the program that made the stream.
  public var encoderIdentifier: FourCharCode
  /// `horizontal_size`: pixels in a row.
  public var width: Int
  /// `vertical_size`: rows of the frame, both fields together.
  public var height: Int
  /// `chroma_format` as coded; 2 and 3 are defined.
  public var chromaFormatCode: UInt8
  /// `interlace_mode` as coded; 0, 1 and 2 are defined.
  public var interlaceModeCode: UInt8
  /// `aspect_ratio_information` as coded; 0 to 3 are defined.
  public var aspectRatioCode: UInt8
  /// `frame_rate_code` as coded; 0 is unknown, 1 to 11 are defined.
  public var frameRateCode: UInt8
  /// `color_primaries`, a code point of ITU-T H.273.
  public var colorPrimaries: UInt8
  /// `transfer_characteristic`, a code point of ITU-T H.273.
  public var transferFunction: UInt8
  /// `matrix_coefficients`, a code point of ITU-T H.273.
  public var matrixCoefficients: UInt8
  /// `alpha_channel_type` as coded; 0, 1 and 2 are defined.
  public var alphaCode: UInt8
  /// `luma_quantization_matrix`, or nil where the frame carries none.
  public var lumaMatrix: QuantizationMatrix?
  /// `chroma_quantization_matrix`, or nil where the frame carries none.
  public var chromaMatrix: QuantizationMatrix?
  /// True where a bit that the standard reserves is set; ``serialized()`` sets none.
  public internal(set) var hasReservedBits: Bool = false
  /// `frame_header_size` as it was read; ``serialized()`` writes the size that the matrices need.
  public internal(set) var declaredHeaderSize: Int = 20

  /// A header for an encoder's frame; ``frameSize`` is 0 until the frame is complete.
  ///
  /// The bitstream version follows from chroma and alpha. Colors go by the codes that RDD 36 defines
  /// (``MediaCore/ColorDescription/frameHeaderColor``). Both matrices are sent, unless both are flat:
  /// the standard lets a chroma matrix out that repeats luma's, but Apple's encoder sends it, and some
  /// decoders take a missing one for flat.
  public init(
    width: Int, height: Int, chromaFormat: ChromaFormat, interlaceMode: InterlaceMode,
    aspectRatio: AspectRatio = .unspecified, frameRate: FrameRate? = nil,
    color: ColorDescription = .unspecified, alpha: AlphaChannelType = .none,
    lumaMatrix: QuantizationMatrix = .flat, chromaMatrix: QuantizationMatrix = .flat,
    encoderIdentifier: FourCharCode
  ) {
    self.frameSize = 0
    self.bitstreamVersion = chromaFormat == .yuv444 || alpha != .none ? 1 : 0
    self.encoderIdentifier = encoderIdentifier
    self.width = width
    self.height = height
    self.chromaFormatCode = chromaFormat.rawValue
    self.interlaceModeCode = interlaceMode.rawValue
    self.aspectRatioCode = aspectRatio.rawValue
    self.frameRateCode = frameRate.map(Self.code(for:)) ?? 0
    let color = color.frameHeaderColor
    self.colorPrimaries = color.primaries.rawValue
    self.transferFunction = color.transferFunction.rawValue
    self.matrixCoefficients = color.matrix.rawValue
    self.alphaCode = alpha.rawValue
    let areFlat = lumaMatrix == .flat && chromaMatrix == .flat
    self.lumaMatrix = areFlat ? nil : lumaMatrix
    self.chromaMatrix = areFlat ? nil : chromaMatrix
    self.declaredHeaderSize = encodedSize - 8
  }

  /// The sampling, or nil where the code is reserved.
  public var chromaFormat: ChromaFormat? { ChromaFormat(rawValue: chromaFormatCode) }
  /// The pictures of the frame, or nil where the code is reserved.
  public var interlaceMode: InterlaceMode? { InterlaceMode(rawValue: interlaceModeCode) }
  /// The alpha channel, or nil where the code is reserved.
  public var alpha: AlphaChannelType? { AlphaChannelType(rawValue: alphaCode) }
  /// The picture's shape, or nil where the code is reserved.
  public var aspectRatio: AspectRatio? { AspectRatio(rawValue: aspectRatioCode) }
  /// The field order, or nil where the code is reserved.
  public var fieldOrder: FieldOrder? { FieldOrder(rawValue: interlaceModeCode) }
  /// The frame rate, or nil where it is unknown or the code reserved.
  public var frameRate: FrameRate? {
    let index = Int(frameRateCode) - 1
    return Self.frameRates.indices.contains(index) ? Self.frameRates[index] : nil
  }

  /// The weights a decoder uses for luma.
  public var effectiveLumaMatrix: QuantizationMatrix { lumaMatrix ?? .flat }
  /// The weights a decoder uses for chroma: its own, else luma's.
  public var effectiveChromaMatrix: QuantizationMatrix { chromaMatrix ?? effectiveLumaMatrix }

  /// Bytes of the frame up to its first picture: size, identifier and header.
  public var encodedSize: Int {
    28 + (lumaMatrix == nil ? 0 : 64) + (chromaMatrix == nil ? 0 : 64)
  }

  /// `frame_rate_code` of a rate; 0 where the standard has none for it.
  public static func code(for rate: FrameRate) -> UInt8 {
    UInt8((frameRates.firstIndex(of: rate) ?? -1) + 1)
  }

  /// The rates of codes 1 to 11 (RDD 36, table 4).
  static let frameRates: [FrameRate] = [
    (24000, 1001), (24, 1), (25, 1), (30000, 1001), (30, 1), (50, 1), (60000, 1001), (60, 1),
    (100, 1), (120_000, 1001), (120, 1),
  ].compactMap { FrameRate($0.0, $0.1) }

  /// `frame_identifier`.
  static let identifier: FourCharCode = "icpf"
}
