public import MediaCore
public import VideoRecorder

/// A kind of file of media, by its uniform type identifier. A writer here writes ``mov``, ``mp4``, ``m4v``, ``m4a``,
/// ``wav``, ``aiff`` and ``caf``, and refuses the others by name.
public struct AVFileType: RawRepresentable, Hashable, Sendable {
  /// The identifier.
  public let rawValue: String
  /// A kind from its identifier.
  public init(rawValue: String) { self.rawValue = rawValue }
  /// A kind from its identifier.
  public init(_ rawValue: String) { self.rawValue = rawValue }

  /// A QuickTime movie.
  public static let mov = AVFileType("com.apple.quicktime-movie")
  /// An MPEG-4 movie: of H.264 or HEVC, with AAC or Apple Lossless.
  public static let mp4 = AVFileType("public.mpeg-4")
  /// Apple's form of an MPEG-4 movie: of H.264 or HEVC, with AAC or Apple Lossless.
  public static let m4v = AVFileType("com.apple.m4v-video")
  /// Audio in an MPEG-4 file: AAC or Apple Lossless.
  public static let m4a = AVFileType("com.apple.m4a-audio")
  /// A mobile phone's movie. Not written here.
  public static let mobile3GPP = AVFileType("public.3gpp")
  /// Audio in Apple's Core Audio Format: linear PCM or Apple Lossless; AAC is not written into it here.
  public static let caf = AVFileType("com.apple.coreaudio-format")
  /// Audio in Microsoft's WAVE format: linear PCM, little-endian; RF64 beyond 4 GiB.
  public static let wav = AVFileType("com.microsoft.waveform-audio")
  /// Audio in Apple's AIFF format: linear PCM, big-endian, of 4 GiB at most.
  public static let aiff = AVFileType("public.aiff-audio")
  /// Audio in Apple's compressed AIFF. Not written here.
  public static let aifc = AVFileType("public.aifc-audio")
  /// MP3. Not written here.
  public static let mp3 = AVFileType("public.mp3")
  /// A mobile phone's movie of the other standard. Not written here.
  public static let mobile3GPP2 = AVFileType("public.3gpp2")
  /// Speech as mobile phones send it. Not written here.
  public static let amr = AVFileType("org.3gpp.adaptive-multi-rate-audio")
  /// Audio of Dolby Digital. Not written here.
  public static let ac3 = AVFileType("public.ac3-audio")
  /// Audio of Dolby Digital Plus. Not written here.
  public static let eac3 = AVFileType("public.enhanced-ac3-audio")
  /// Audio in Sun's format. Not written here.
  public static let au = AVFileType("public.au-audio")
  /// A picture of H.264 in a HEIF file. Not written by a movie's writer.
  public static let avci = AVFileType("public.avci")
  /// Pictures in a HEIF file. Not written by a movie's writer.
  public static let heif = AVFileType("public.heif")
  /// A picture in a HEIF file. Not written by a movie's writer.
  public static let heic = AVFileType("public.heic")
  /// A picture in a JPEG file. Not written by a movie's writer.
  public static let jpg = AVFileType("public.jpeg")
  /// A picture in a TIFF file. Not written by a movie's writer.
  public static let tif = AVFileType("public.tiff")
  /// A RAW picture in a DNG file. Not written by a movie's writer.
  public static let dng = AVFileType("com.adobe.raw-image")

  /// The kind in this package's own terms; nil if a movie's writer does not write it.
  var native: FileType? { FileType(rawValue: rawValue) }
}

extension CaptureVideoDataOutput {
  /// The codecs that an asset writer can make of the connected device's active format; none for a kind of
  /// file that is not written here.
  public func availableVideoCodecTypesForAssetWriter(
    writingTo fileType: AVFileType
  ) -> [AVVideoCodecType] {
    guard let native = fileType.native else { return [] }
    return availableVideoCodecTypesForAssetWriter(writingTo: native, encoder: .automatic)
  }
}
