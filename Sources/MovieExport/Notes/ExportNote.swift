import AssetReader
import MediaCore

/// Something that an export changed from its source, or had to assume.
public struct ExportNote: Sendable, Hashable, Codable {
  /// What happened.
  public enum Kind: String, Sendable, Hashable, Codable {
    /// The source has it, and the movie does not.
    case dropped
    /// The movie has it in another form.
    case changed
    /// The source does not state it.
    case assumed
    /// The source was wrong.
    case repaired
  }

  /// What happened.
  public var kind: Kind
  /// The subject: `alpha`, `scan`, `timestamps`.
  public var subject: String
  /// The message, in one line.
  public var message: String

  package init(_ kind: Kind, _ subject: String, _ message: String) {
    self.kind = kind
    self.subject = subject
    self.message = message
  }

  /// A note on samples that were clipped because they exceeded full scale; nil if there are none.
  ///
  /// - Parameter subject: A prefix of the message, such as the track.
  static func clipping(_ excess: AudioExcess, of subject: String = "") -> ExportNote? {
    guard excess.sampleCount > 0 else { return nil }
    let level = excess.decibels.text(decimals: 2)
    return ExportNote(
      .changed, "audio",
      "\(subject)\(excess.sampleCount) samples above full scale, up to \(level) dB, clipped")
  }

  /// A note on chroma that is interpolated to 4:4:4; nil if the codec is not 4:4:4 or the source
  /// already is.
  ///
  /// - Parameter isResampled: True if each pixel of the movie is made from several source pixels,
  ///   which together may have full chroma.
  static func chroma(
    of track: AssetTrack, in codec: VideoCodecType, isResampled: Bool
  ) -> ExportNote? {
    guard codec.is4444, let format = track.video?.pixelFormat, format.sharesChroma else {
      return nil
    }
    // ProRes 422 codecs have 10 bits.
    let isVain = !isResampled && track.sourceBitDepth <= 10
    let vanity = "nothing is gained over ProRes 422 HQ"
    let layout = track.sourceFormatName
    guard !layout.hasPrefix("gray"), !layout.hasPrefix("mono") else {
      return isVain ? ExportNote(.changed, "chroma", "the source has only luma; \(vanity)") : nil
    }
    // These two are read as 4:2:2.
    let chroma =
      ["411": "4:1:1", "410": "4:1:0"].first { layout.contains($0.key) }?.value
      ?? format.descriptor.subsampling.rawValue
    return ExportNote(
      .changed, "chroma",
      "the source has \(chroma); its chroma is interpolated to 4:4:4"
        + (isVain ? ", and \(vanity)" : ""))
  }

  /// A note on 4:2:2 chroma whose siting differs from the movie's; nil if it is the same. 4:2:0
  /// chroma is interpolated from its actual siting anyway.
  ///
  /// - Parameter frame: The description of the encoded frames.
  static func chromaSiting(_ frame: PixelBuffer.Description) -> ExportNote? {
    guard frame.format.descriptor.subsampling == .yuv422, frame.chromaSiting.isBetweenColumns
    else { return nil }
    return ExportNote(
      .changed, "chroma siting",
      "the source's 4:2:2 chroma sits midway between two pixels, the movie's on the first of them; it is "
        + "left unchanged, so colors are shown half a pixel to the left")
  }
}
