public import Foundation
public import MediaCore

/// Hints that have no effect here.
extension AVAssetWriter {
  /// Nil: there are no temporary files. Setting it has no effect.
  public var directoryForTemporaryFiles: URL? {
    get { nil }
    set {}
  }
  /// 0: the tracks' timescales are used. Setting it has no effect.
  public var movieTimeScale: CMTimeScale {
    get { 0 }
    set {}
  }
  /// Invalid: the duration is not estimated. Setting it has no effect.
  public var overallDurationHint: CMTime {
    get { .invalid }
    set {}
  }
  /// Always 1. Setting it has no effect.
  public var initialMovieFragmentSequenceNumber: Int {
    get { 1 }
    set {}
  }
  /// False: fragments of several writers cannot be combined. Setting it has no effect.
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
  /// Nil: only ``languageCode`` is written. Setting it has no effect.
  public var extendedLanguageTag: String? {
    get { nil }
    set {}
  }
  /// True: all tracks are enabled. Setting it has no effect.
  public var marksOutputTrackAsEnabled: Bool {
    get { true }
    set {}
  }
  /// 1: as recorded. Setting it has no effect.
  public var preferredVolume: Float {
    get { 1 }
    set {}
  }
  /// Invalid: the writer chooses. Setting it has no effect.
  public var preferredMediaChunkDuration: CMTime {
    get { .invalid }
    set {}
  }
  /// 0: chunks are not aligned. Setting it has no effect.
  public var preferredMediaChunkAlignment: Int {
    get { 0 }
    set {}
  }
  /// The location of a track's media in the file.
  public struct MediaDataLocation: RawRepresentable, Sendable, Hashable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Interleaved with the other tracks.
    public static let interleavedWithMainMediaData = Self(
      rawValue: "AVAssetWriterInputMediaDataLocationInterleavedWithMainMediaData")
    /// Before the other tracks.
    public static let beforeMainMediaDataNotInterleaved = Self(
      rawValue: "AVAssetWriterInputMediaDataLocationBeforeMainMediaDataNotInterleaved")
  }
  /// Always interleaved with the other tracks. Setting it has no effect.
  public var mediaDataLocation: MediaDataLocation {
    get { .interleavedWithMainMediaData }
    set {}
  }
  /// Nil: all media are in the file. Setting it has no effect.
  public var sampleReferenceBaseURL: URL? {
    get { nil }
    set {}
  }
}
