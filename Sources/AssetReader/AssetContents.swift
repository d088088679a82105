public import MediaCore

/// A chapter of an asset.
public struct AssetChapter: Sendable, Hashable {
  /// The chapter's title; empty if it has none.
  public var title: String
  /// The start time.
  public var start: MediaTime
}

/// A track that is neither readable video nor readable audio.
public struct AssetOtherTrack: Sendable, Hashable {
  /// The kind of track: `subtitle`, `data`, `attachment`, `cover art`.
  public var kind: String
  /// libavcodec's name of the codec; nil if it has none.
  public var codecName: String?
  /// The language as an ISO 639-2 code; nil if unknown.
  public var language: String?
  /// The track's title, or an attachment's file name; nil if it has neither.
  public var title: String?
}

/// Something that an image file or container states and that is not carried over as stated.
public struct AssetRemark: Sendable, Hashable {
  /// The subject: `color`, `orientation`.
  public var subject: String
  /// True if the information is lost; false if it is guessed or interpreted differently.
  public var isLoss: Bool
  /// The remark in one line.
  public var message: String
}

/// What an asset holds besides its video and audio tracks.
public struct AssetContents: Sendable, Hashable {
  /// Chapters, in time order.
  public var chapters: [AssetChapter] = []
  /// Tracks that are not read.
  public var otherTracks: [AssetOtherTrack] = []
  /// True for containers whose time stamps may jump: MPEG streams, including concatenated ones.
  public var timesMayJump = false

  /// The frame rate that was assumed because image sequences and bare codec streams carry no times;
  /// nil if the source states one.
  public var assumedRate: FrameRate?
  /// What the source states and is lost or not believed.
  public var remarks: [AssetRemark] = []

  /// Keys of tags whose text is not UTF-8 and was read as Latin-1, in alphabetical order.
  public var latinTags: [String] = []

  /// Empty contents.
  public init() {}
}
