public import AssetReader
public import MediaCore

/// What an export takes of its source, and what it does to it. Nothing, unless told.
public struct ExportEdit: Sendable, Hashable {
  /// What becomes of a source that a player turns.
  public enum Rotation: String, Sendable, Hashable, CaseIterable {
    /// The track's matrix says so, and the pictures stay as they are.
    case matrix
    /// The pictures are turned.
    case apply
  }

  /// The first frame; nil for the source's.
  public var start: ExportPoint?
  /// The first frame that is left out; nil for the source's end.
  public var end: ExportPoint?
  /// What is done to pictures.
  public var processing = PictureProcessing()
  /// Another rate at which the same frames are shown, and the sound with them; nil for the source's.
  public var conformRate: FrameRate?
  /// What becomes of rotation.
  public var rotation = Rotation.matrix
  /// Which sound becomes which track.
  public var audio = AudioSelection.all
  /// The shape of a pixel, whatever the source says; nil for what it says.
  public var pixelAspectRatio: PixelAspectRatio?
  /// What the codes of pictures mean, whatever the source says; nil for what it says.
  public var color: ColorDescription?

  /// Nothing changed.
  public init() {}
}
