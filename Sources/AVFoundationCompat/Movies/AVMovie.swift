import AssetReader
public import Foundation
public import MediaCore

/// How a movie is written.
public struct AVMovieWritingOptions: OptionSet, Sendable, Hashable {
  public let rawValue: UInt
  public init(rawValue: UInt) { self.rawValue = rawValue }

  /// The file includes the media. Always so here.
  public static let addMovieHeaderToDestination: AVMovieWritingOptions = []
  /// The file has no media. Rejected: such a movie plays only beside the files that have its media.
  public static let truncateDestinationToMovieHeaderOnly = AVMovieWritingOptions(rawValue: 1)
}

/// Where a movie's media are stored. Movies written here contain all of their media, so nothing is stored there.
public final class AVMediaDataStorage: Sendable {
  private let place: URL

  /// A file for media. Options are ignored.
  public init(url URL: URL, options: [String: Any]? = nil) { place = URL }

  public func url() -> URL? { place }
}

/// A movie in a file, whose frames can be copied to another file without re-encoding.
///
/// Unchecked: the compiler does not verify subclasses. This one adds `let`s of `Sendable` types.
public class AVMovie: AVAsset, @unchecked Sendable {
  /// The file; nil for a movie created here or held in memory.
  public let url: URL?
  private let held: Result<MovieBytes, AVError>?

  /// A movie of a file.
  ///
  /// - Parameters:
  ///   - URL: The file.
  ///   - options: Ignored: durations are always exact.
  public init(url URL: URL, options: [String: Any]? = nil) {
    (url, held) = (URL, nil)
    super.init(location: AssetLocation(path: URL.path))
  }

  /// A movie held in memory. It is read from a copy in the temporary directory, which is removed with the last object
  /// that uses it.
  ///
  /// - Parameters:
  ///   - data: A complete file: a header alone has no media.
  ///   - options: Ignored: durations are always exact.
  public init(data: Data, options: [String: Any]? = nil) {
    let held = Result { () throws(AVError) in try MovieBytes(data) }
    (url, self.held) = (nil, held)
    super.init(location: (try? held.get()).map { AssetLocation(path: $0.path) })
  }

  /// A movie without a file.
  init(of url: URL?) {
    (self.url, held) = (url, nil)
    super.init(location: nil)
  }

  /// The data that the movie was created from; nil for a movie not created from data.
  public var data: Data? { bytes?.data }

  override var bytes: MovieBytes? { try? held?.get() }

  override var displayName: String { held == nil ? super.displayName : "the movie in memory" }

  override func contents() throws(AVError) -> Contents {
    _ = try held?.get()
    return try super.contents()
  }

  /// The file types that can be read as movies.
  public static func movieTypes() -> [AVFileType] { [.mov, .mp4, .m4v, .m4a] }

  override func makeTrack(_ facts: AssetTrack, hasIndex: Bool) -> AVAssetTrack {
    AVMovieTrack(facts, of: self, hasIndex: hasIndex)
  }

  /// True for a QuickTime movie, which may be fragmented.
  public var canContainMovieFragments: Bool { canContainFragments }
  /// True if the file has fragments.
  public var containsMovieFragments: Bool { containsFragments }
  /// Nil: the media stay in their source files until the movie is written.
  public var defaultMediaDataStorage: AVMediaDataStorage? { nil }

  /// True if ``writeHeader(to:fileType:options:)`` can write this file type: a QuickTime movie of ProRes video,
  /// audio, or both.
  public func isCompatible(withFileType fileType: AVFileType) -> Bool {
    fileType == .mov && isReadable && ExportPreset(kind: .copy).fits(self)
  }

  /// Always fails: headers without media cannot be made.
  ///
  /// - Throws: ``AVError/Code/operationNotAllowed``.
  public func makeMovieHeader(fileType: AVFileType) throws -> Data {
    throw AVError(
      .operationNotAllowed,
      "makeMovieHeader(fileType:): a header without its media cannot be made; write "
        + "a movie with writeHeader(to:fileType:options:)")
  }

  /// Writes the movie with its media to a new file: ProRes frames unchanged, integer PCM sample for sample, other
  /// audio decoded. It blocks until the file is complete, and leaves no file if it fails.
  ///
  /// ``AVMutableMovie/notes`` of a mutable movie lists what the file lacks or has in another form.
  ///
  /// - Parameters:
  ///   - URL: The file; an existing file is not replaced.
  ///   - fileType: `.mov`.
  ///   - options: ``AVMovieWritingOptions/truncateDestinationToMovieHeaderOnly`` is rejected.
  /// - Throws: ``AVError``: ``AVError/Code/operationNotAllowed`` for the option,
  ///   ``AVError/Code/operationNotSupportedForAsset`` for another file type and for video that is not ProRes,
  ///   ``AVError/Code/fileAlreadyExists``, ``AVError/Code/diskFull``.
  public func writeHeader(
    to URL: URL, fileType: AVFileType, options: AVMovieWritingOptions = []
  ) throws {
    try MovieCopy(self, fileType, options).write(to: URL.path)
  }
}

/// A track of a movie.
///
/// Unchecked: the compiler does not verify subclasses. This one adds no stored property.
public class AVMovieTrack: AVAssetTrack, @unchecked Sendable {
  /// From 0 to the end of the track's media.
  public var mediaPresentationTimeRange: CMTimeRange {
    CMTimeRange(start: .zero, duration: timeRange.duration)
  }
  /// Same as ``mediaPresentationTimeRange``: ProRes frames and audio are decoded in presentation order.
  public var mediaDecodeTimeRange: CMTimeRange { mediaPresentationTimeRange }
  /// 0: tracks are not alternatives of one another.
  public var alternateGroupID: Int { 0 }
  /// Nil: see ``AVMovie/defaultMediaDataStorage``.
  public var mediaDataStorage: AVMediaDataStorage? { nil }
}
