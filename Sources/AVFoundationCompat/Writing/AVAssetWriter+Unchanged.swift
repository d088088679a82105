public import Foundation
public import MediaCore

/// Hints that change nothing here.
extension AVAssetWriter {
  /// Nil: nothing is written beside the file. Setting it has no effect.
  public var directoryForTemporaryFiles: URL? {
    get { nil }
    set {}
  }
  /// 0: the tracks' times are kept as they are. Setting it has no effect.
  public var movieTimeScale: CMTimeScale {
    get { 0 }
    set {}
  }
  /// Invalid: no length is guessed. Setting it has no effect.
  public var overallDurationHint: CMTime {
    get { .invalid }
    set {}
  }
  /// 1: fragments are counted from there. Setting it has no effect.
  public var initialMovieFragmentSequenceNumber: Int {
    get { 1 }
    set {}
  }
  /// False: fragments of one writer are not put beside another's. Setting it has no effect.
  public var producesCombinableFragments: Bool {
    get { false }
    set {}
  }
  /// Invalid: the first fragment is as long as the others. Setting it has no effect.
  public var initialMovieFragmentInterval: CMTime {
    get { .invalid }
    set {}
  }
}

extension AVAssetWriterInput {
  /// Nil: tracks name a language by ``languageCode`` alone. Setting it has no effect.
  public var extendedLanguageTag: String? {
    get { nil }
    set {}
  }
  /// True: every track is played. Setting it has no effect.
  public var marksOutputTrackAsEnabled: Bool {
    get { true }
    set {}
  }
  /// 1: audio is as loud as it comes. Setting it has no effect.
  public var preferredVolume: Float {
    get { 1 }
    set {}
  }
  /// Invalid: the writer chooses. Setting it has no effect.
  public var preferredMediaChunkDuration: CMTime {
    get { .invalid }
    set {}
  }
  /// 0: chunks begin where the one before ends. Setting it has no effect.
  public var preferredMediaChunkAlignment: Int {
    get { 0 }
    set {}
  }
  /// Where a track's media lie in the file.
  public struct MediaDataLocation: RawRepresentable, Sendable, Hashable {
    /// Apple's text.
    public let rawValue: String
    /// A place from its text.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Among those of the other tracks.
    public static let interleavedWithMainMediaData = Self(
      rawValue: "AVAssetWriterInputMediaDataLocationInterleavedWithMainMediaData")
    /// In front of those of the other tracks.
    public static let beforeMainMediaDataNotInterleaved = Self(
      rawValue: "AVAssetWriterInputMediaDataLocationBeforeMainMediaDataNotInterleaved")
  }
  /// Among those of the other tracks, always. Setting it has no effect.
  public var mediaDataLocation: MediaDataLocation {
    get { .interleavedWithMainMediaData }
    set {}
  }
  /// Nil: all media are in the file, and none in another one. Setting it has no effect.
  public var sampleReferenceBaseURL: URL? {
    get { nil }
    set {}
  }
}
