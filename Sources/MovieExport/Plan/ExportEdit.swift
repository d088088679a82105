public import AssetReader
public import MediaCore

/// What an export takes from its source and how it changes it. By default it changes nothing.
public struct ExportEdit: Sendable, Hashable {
  /// How to handle a source with rotation.
  public enum Rotation: String, Sendable, Hashable, CaseIterable {
    /// The rotation goes into the track's matrix, and frames are not rotated.
    case matrix
    /// Frames are rotated.
    case apply
  }

  /// The first frame; nil for the source's.
  public var start: ExportPoint?
  /// The first frame to leave out; nil for the end of the source.
  public var end: ExportPoint?
  /// The processing of frames.
  public var processing = VideoProcessing()
  /// Another frame rate at which the same frames, and the audio with them, are played; nil for the
  /// source's.
  public var conformRate: FrameRate?
  /// How to handle rotation.
  public var rotation = Rotation.matrix
  /// The choice of audio tracks.
  public var audio = AudioSelection.all
  /// Overrides the source's pixel aspect ratio; nil keeps it.
  public var pixelAspectRatio: PixelAspectRatio?
  /// Overrides the source's color; nil keeps it.
  public var color: ColorDescription?

  /// Creates an edit that changes nothing.
  public init() {}
}
