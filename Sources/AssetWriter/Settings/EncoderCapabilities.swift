public import MediaCore
import ProRes

/// What this machine's encoders can make, and of what.
public struct EncoderCapabilities: Hashable, Sendable {
  /// The choices that can be used here, the preferred one first. Never ``EncoderChoice/automatic``.
  public let encoders: [EncoderChoice]

  /// Looks at the encoders that are here.
  public static let current = EncoderCapabilities(
    encoders: [.native]
      + EncoderChoice.LibavEncoder.allCases.filter(LibavLibrary.has)
      .map(EncoderChoice.libavcodec))

  /// The codecs other than ProRes that libavcodec makes here: H.264 and HEVC, where their encoders are
  /// installed.
  public var interframeCodecs: [VideoCodecType] {
    VideoCodecType.allInterframe.filter(LibavCompressor.has)
  }

  /// The version of the library behind the encoders that are not the recorder's own:
  /// `libavcodec 59.37.100`.
  public static var libraryVersion: String { LibavLibrary.version }

  /// Capabilities with certain encoders.
  public init(encoders: [EncoderChoice]) { self.encoders = encoders }

  /// The encoder that a choice comes to here.
  ///
  /// - Throws: ``AssetWriterError/Code/encoderUnavailable``, naming what there is.
  public func resolve(_ choice: EncoderChoice) throws(AssetWriterError) -> EncoderChoice {
    switch choice {
    case .automatic:
      if let first = encoders.first { return first }
    default:
      if encoders.contains(choice) { return choice }
    }
    let names = encoders.map(\.description).joined(separator: ", ")
    throw AssetWriterError(
      .encoderUnavailable,
      names.isEmpty
        ? "no ProRes encoder found; install libavcodec with prores_ks"
        : "encoder \(choice) not found; available: \(names)")
  }

  /// The codecs that frames of a layout can feed, smallest rate first.
  ///
  /// The 422 family takes every layout; 4444 and XQ only one with full chroma, because chroma
  /// that was never sampled cannot be claimed (TN3104, "Selecting a capture format"). Empty where the
  /// choice is not available here, and for a sensor's mosaic, which has to be developed first.
  public func codecs(
    for format: PixelFormat, encoder choice: EncoderChoice = .automatic
  ) -> [VideoCodecType] {
    guard format.descriptor.subsampling != .mosaic, (try? resolve(choice)) != nil else {
      return []
    }
    return VideoCodecType.allProRes.filter { !$0.is4444 || format.hasFullChroma }
  }

  /// Refuses a pixel format that cannot feed a codec.
  func check(_ format: PixelFormat, feeds codec: VideoCodecType) throws(AssetWriterError) {
    guard format.descriptor.subsampling != .mosaic else {
      throw AssetWriterError(
        .codecUnavailable,
        "\(format) is a sensor's mosaic, which cannot be recorded to a movie; take stills instead")
    }
    guard codec.is4444, !format.hasFullChroma else { return }
    throw AssetWriterError(
      .codecUnavailable,
      "\(codec) accepts only 4:4:4 frames, and \(format) is "
        + "\(format.descriptor.subsampling.rawValue); choose a 422 codec")
  }
}

extension PixelFormat {
  /// True for layouts with a chroma sample for each pixel.
  var hasFullChroma: Bool { descriptor.subsampling == .yuv444 || descriptor.subsampling == .rgb }
}
