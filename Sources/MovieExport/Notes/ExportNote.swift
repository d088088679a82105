import AssetReader
import MediaCore

/// One thing that an export did not leave as it was in the source, or could not know.
public struct ExportNote: Sendable, Hashable, Codable {
  /// What happened.
  public enum Kind: String, Sendable, Hashable, Codable {
    /// The source says it, and the movie does not.
    case dropped
    /// The movie has it in another form.
    case changed
    /// The source does not say it.
    case assumed
    /// The source was wrong in it.
    case repaired
  }

  /// What happened.
  public var kind: Kind
  /// What it happened to: `alpha`, `scan`, `timestamps`.
  public var subject: String
  /// All of it in one line.
  public var message: String

  package init(_ kind: Kind, _ subject: String, _ message: String) {
    self.kind = kind
    self.subject = subject
    self.message = message
  }

  /// Sound above full scale, which was clipped; nil where there is none.
  ///
  /// - Parameter subject: What comes before the numbers, such as the track.
  static func clipping(_ excess: SoundExcess, of subject: String = "") -> ExportNote? {
    guard excess.sampleCount > 0 else { return nil }
    let level = excess.decibels.text(decimals: 2)
    return ExportNote(
      .changed, "audio",
      "\(subject)\(excess.sampleCount) samples above full scale, up to \(level) dB, clipped")
  }

  /// Chroma that a movie has for each pixel, and its source has not; nil where the codec, or the source, has
  /// it otherwise.
  ///
  /// - Parameter isResampled: True where pixels of the movie are made of several of the source, which may have
  ///   as much chroma together.
  static func chroma(
    of track: AssetTrack, in codec: VideoCodecType, isResampled: Bool
  ) -> ExportNote? {
    guard codec.is4444, let format = track.video?.pixelFormat, format.sharesChroma else {
      return nil
    }
    // The other codecs have 10 bits.
    let isVain = !isResampled && track.sourceBitDepth <= 10
    let vanity = "nothing is gained over ProRes 422 HQ"
    let layout = track.sourceFormatName
    guard !layout.hasPrefix("gray"), !layout.hasPrefix("mono") else {
      return isVain ? ExportNote(.changed, "chroma", "the source has luma alone; \(vanity)") : nil
    }
    // These two come as 4:2:2.
    let chroma =
      ["411": "4:1:1", "410": "4:1:0"].first { layout.contains($0.key) }?.value
      ?? format.descriptor.subsampling.rawValue
    return ExportNote(
      .changed, "chroma",
      "the source has \(chroma); its chroma is interpolated to 4:4:4"
        + (isVain ? ", and \(vanity)" : ""))
  }

  /// Chroma of 4:2:2 that is not where the movie has it; nil where it is. That of 4:2:0 is interpolated
  /// anyway, from where it is.
  ///
  /// - Parameter picture: One that is encoded.
  static func chromaSiting(_ picture: PixelBuffer.Description) -> ExportNote? {
    guard picture.format.descriptor.subsampling == .yuv422, picture.chromaSiting.isBetweenColumns
    else { return nil }
    return ExportNote(
      .changed, "chroma siting",
      "the source's 4:2:2 chroma sits midway between two pixels, the movie's on the first of them; it is "
        + "kept as it is, so that colors are shown half a pixel to the left")
  }
}
