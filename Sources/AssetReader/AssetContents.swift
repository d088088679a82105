public import MediaCore

/// A chapter of an asset.
public struct AssetChapter: Sendable, Hashable {
  /// Its name; empty for none.
  public var title: String
  /// Where it begins.
  public var start: MediaTime
}

/// A track that is neither pictures nor sound that can be read.
public struct AssetOtherTrack: Sendable, Hashable {
  /// What it is: `subtitle`, `data`, `attachment`, `cover picture`.
  public var kind: String
  /// libavcodec's name of the codec; nil where it has none.
  public var codecName: String?
  /// The language as ISO 639-2; nil where not known.
  public var language: String?
  /// Its title, or of an attachment the name of the file; nil for none.
  public var title: String?
}

/// What the file of a picture says of itself, and nobody reads.
public struct AssetRemark: Sendable, Hashable {
  /// What it is about: `color`, `orientation`.
  public var subject: String
  /// False for what is guessed, or taken otherwise.
  public var isLoss: Bool
  /// All of it in one line.
  public var message: String
}

/// What an asset holds beside its tracks of pictures and sound.
public struct AssetContents: Sendable, Hashable {
  /// Chapters, in order of time.
  public var chapters: [AssetChapter] = []
  /// Tracks that are not read.
  public var otherTracks: [AssetOtherTrack] = []
  /// True for containers whose time stamps may jump: MPEG streams, and what is joined of them.
  public var timesMayJump = false

  /// The rate that was assumed, because pictures in files of their own and bare streams of a codec have no
  /// times; nil where the source says it.
  public var assumedRate: FrameRate?
  /// What the first picture's own file says of itself and is lost, or is not believed.
  public var remarks: [AssetRemark] = []

  /// Keys of tags whose texts are not UTF-8 and were taken for Latin-1, in alphabetical order.
  public var latinTags: [String] = []

  /// Nothing.
  public init() {}
}
