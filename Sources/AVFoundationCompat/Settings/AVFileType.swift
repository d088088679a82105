public import MediaCore
public import VideoRecorder

/// A type of media file, by its uniform type identifier. Writers support ``mov``, ``mp4``, ``m4v``, ``m4a``, ``wav``,
/// ``aiff`` and ``caf``; others are rejected with an error that names them.
public struct AVFileType: RawRepresentable, Hashable, Sendable {
  public let rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }
  public init(_ rawValue: String) { self.rawValue = rawValue }

  /// A QuickTime movie.
  public static let mov = AVFileType("com.apple.quicktime-movie")
  /// An MPEG-4 movie: H.264 or HEVC, with AAC or Apple Lossless.
  public static let mp4 = AVFileType("public.mpeg-4")
  /// Apple's variant of an MPEG-4 movie: H.264 or HEVC, with AAC or Apple Lossless.
  public static let m4v = AVFileType("com.apple.m4v-video")
  /// An MPEG-4 audio file: AAC or Apple Lossless.
  public static let m4a = AVFileType("com.apple.m4a-audio")
  /// A 3GPP movie. Not written here.
  public static let mobile3GPP = AVFileType("public.3gpp")
  /// Core Audio Format: linear PCM or Apple Lossless. AAC is not supported in it here.
  public static let caf = AVFileType("com.apple.coreaudio-format")
  /// WAVE: linear PCM, little-endian; RF64 beyond 4 GiB.
  public static let wav = AVFileType("com.microsoft.waveform-audio")
  /// AIFF: linear PCM, big-endian, up to 4 GiB.
  public static let aiff = AVFileType("public.aiff-audio")
  /// AIFF-C. Not written here.
  public static let aifc = AVFileType("public.aifc-audio")
  /// MP3. Not written here.
  public static let mp3 = AVFileType("public.mp3")
  /// A 3GPP2 movie. Not written here.
  public static let mobile3GPP2 = AVFileType("public.3gpp2")
  /// Adaptive multi-rate speech. Not written here.
  public static let amr = AVFileType("org.3gpp.adaptive-multi-rate-audio")
  /// Dolby Digital. Not written here.
  public static let ac3 = AVFileType("public.ac3-audio")
  /// Dolby Digital Plus. Not written here.
  public static let eac3 = AVFileType("public.enhanced-ac3-audio")
  /// Sun audio. Not written here.
  public static let au = AVFileType("public.au-audio")
  /// An H.264 image in a HEIF file. Not written by asset writers.
  public static let avci = AVFileType("public.avci")
  /// Images in a HEIF file. Not written by asset writers.
  public static let heif = AVFileType("public.heif")
  /// An HEVC image in a HEIF file. Not written by asset writers.
  public static let heic = AVFileType("public.heic")
  /// A JPEG file. Not written by asset writers.
  public static let jpg = AVFileType("public.jpeg")
  /// A TIFF file. Not written by asset writers.
  public static let tif = AVFileType("public.tiff")
  /// A RAW image in a DNG file. Not written by asset writers.
  public static let dng = AVFileType("com.adobe.raw-image")

  /// The file type in this package's API; nil if asset writers do not support it.
  var native: FileType? { FileType(rawValue: rawValue) }
}

extension CaptureVideoDataOutput {
  /// The codecs that an asset writer supports for the connected device's active format; none for an unsupported file
  /// type.
  public func availableVideoCodecTypesForAssetWriter(
    writingTo fileType: AVFileType
  ) -> [AVVideoCodecType] {
    guard let native = fileType.native else { return [] }
    return availableVideoCodecTypesForAssetWriter(writingTo: native, encoder: .automatic)
  }
}
