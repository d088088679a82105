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
}
