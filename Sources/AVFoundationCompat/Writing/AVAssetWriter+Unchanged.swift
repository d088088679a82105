public import Foundation
public import MediaCore

/// Hints that change nothing here.
extension AVAssetWriter {
  /// Nil: nothing is written beside the file. To set it changes nothing.
  public var directoryForTemporaryFiles: URL? {
    get { nil }
    set {}
  }
  /// 0: the tracks' times are kept as they are. To set it changes nothing.
  public var movieTimeScale: CMTimeScale {
    get { 0 }
    set {}
  }
  /// Invalid: no length is guessed. To set it changes nothing.
  public var overallDurationHint: CMTime {
    get { .invalid }
    set {}
  }
  /// 1: fragments are counted from there. To set it changes nothing.
  public var initialMovieFragmentSequenceNumber: Int {
    get { 1 }
    set {}
  }
  /// False: fragments of one writer are not put beside another's. To set it changes nothing.
  public var producesCombinableFragments: Bool {
    get { false }
    set {}
  }
  /// Invalid: the first fragment is as long as the others. To set it changes nothing.
  public var initialMovieFragmentInterval: CMTime {
    get { .invalid }
    set {}
  }
}

extension AVAssetWriterInput {
  /// Nil: tracks name a language by ``languageCode`` alone. To set it changes nothing.
  public var extendedLanguageTag: String? {
    get { nil }
    set {}
  }
  /// True: every track is played. To set it changes nothing.
  public var marksOutputTrackAsEnabled: Bool {
    get { true }
    set {}
  }
  /// 1: sound is as loud as it comes. To set it changes nothing.
  public var preferredVolume: Float {
    get { 1 }
    set {}
  }
  /// Invalid: the writer chooses. To set it changes nothing.
  public var preferredMediaChunkDuration: CMTime {
    get { .invalid }
    set {}
  }
  /// 0: chunks begin where the one before ends. To set it changes nothing.
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
  /// Among those of the other tracks, always. To set it changes nothing.
  public var mediaDataLocation: MediaDataLocation {
    get { .interleavedWithMainMediaData }
    set {}
  }
  /// Nil: all media are in the file, and none in another one. To set it changes nothing.
  public var sampleReferenceBaseURL: URL? {
    get { nil }
    set {}
  }
}
