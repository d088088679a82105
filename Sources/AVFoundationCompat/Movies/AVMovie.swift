import AssetReader
public import Foundation
public import MediaCore

/// How a movie is written.
public struct AVMovieWritingOptions: OptionSet, Sendable, Hashable {
  /// The bits.
  public let rawValue: UInt
  /// Options from their bits.
  public init(rawValue: UInt) { self.rawValue = rawValue }

  /// The file has the media as well: always so here.
  public static let addMovieHeaderToDestination: AVMovieWritingOptions = []
  /// The file is to have no media of its own: refused, for such a movie plays only beside those that have them.
  public static let truncateDestinationToMovieHeaderOnly = AVMovieWritingOptions(rawValue: 1)
}

/// Where media are put that a movie takes over. A movie that is written here has all of its media itself, so that
/// nothing is put there before.
public final class AVMediaDataStorage: Sendable {
  private let place: URL

  /// A file for media. Options are ignored.
  public init(url URL: URL, options: [String: Any]? = nil) { place = URL }

  /// The file.
  public func url() -> URL? { place }
}

/// A movie in a file, whose frames can be written to another file as they are.
///
/// Unchecked: the compiler does not verify subclasses. This one adds a `let` of a `Sendable` type.
public class AVMovie: AVAsset, @unchecked Sendable {
  /// The file; nil for a movie that was made here, and for one in memory.
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

  /// A movie that a program has in memory. It is read from a copy in the folder for temporary files, which goes with
  /// the last object that shows something of it.
  ///
  /// - Parameters:
  ///   - data: A whole file: a header alone has no media to show.
  ///   - options: Ignored: durations are always exact.
  public init(data: Data, options: [String: Any]? = nil) {
    let held = Result { () throws(AVError) in try MovieBytes(data) }
    (url, self.held) = (nil, held)
    super.init(location: (try? held.get()).map { AssetLocation(path: $0.path) })
  }

  /// A movie that is in no file yet.
  init(of url: URL?) {
    (self.url, held) = (url, nil)
    super.init(location: nil)
  }

  /// The file that the movie was made of; nil for a movie that was not made of data.
  public var data: Data? { bytes?.data }

  override var bytes: MovieBytes? { try? held?.get() }

  override var displayName: String { held == nil ? super.displayName : "the movie in memory" }

  override func contents() throws(AVError) -> Contents {
    _ = try held?.get()
    return try super.contents()
  }

  /// The kinds of files that are read as movies.
  public static func movieTypes() -> [AVFileType] { [.mov, .mp4, .m4v, .m4a] }

  override func makeTrack(_ facts: AssetTrack, hasIndex: Bool) -> AVAssetTrack {
    AVMovieTrack(facts, of: self, hasIndex: hasIndex)
  }

  /// True for a QuickTime movie, which may be in fragments.
  public var canContainMovieFragments: Bool { canContainFragments }
  /// True if the file has fragments.
  public var containsMovieFragments: Bool { containsFragments }
  /// Nil: the media lie in the files that they came from, until the movie is written.
  public var defaultMediaDataStorage: AVMediaDataStorage? { nil }

  /// True if ``writeHeader(to:fileType:options:)`` can write such a file: QuickTime movies of ProRes, of audio, or
  /// of both.
  public func isCompatible(withFileType fileType: AVFileType) -> Bool {
    fileType == .mov && isReadable && ExportPreset(kind: .copy).fits(self)
  }

  /// Fails: a header without media is not made here.
  ///
  /// - Throws: ``AVError/Code/operationNotAllowed``.
  public func makeMovieHeader(fileType: AVFileType) throws -> Data {
    throw AVError(
      .operationNotAllowed,
      "makeMovieHeader(fileType:): a header that is apart from its media is not made here; write "
        + "a movie with writeHeader(to:fileType:options:)")
  }

  /// Writes the movie to a file of its own, with its media: ProRes frames as they are, PCM of whole numbers to the
  /// sample, other audio decoded. It blocks until the file is complete, and leaves nothing where it fails.
  ///
  /// What the file lacks or has in another form is in ``AVMutableMovie/notes`` of a movie that can be changed.
  ///
  /// - Parameters:
  ///   - URL: The file; one that exists is not replaced.
  ///   - fileType: `.mov`.
  ///   - options: ``AVMovieWritingOptions/truncateDestinationToMovieHeaderOnly`` is refused.
  /// - Throws: ``AVError``, of code ``AVError/Code/operationNotAllowed`` for the option,
  ///   ``AVError/Code/operationNotSupportedForAsset`` for another kind of file and for frames that are not ProRes,
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
  /// From 0 to the end of the media that the track shows.
  public var mediaPresentationTimeRange: CMTimeRange {
    CMTimeRange(start: .zero, duration: timeRange.duration)
  }
  /// As ``mediaPresentationTimeRange``: frames of ProRes and audio are decoded in the order in which they are shown.
  public var mediaDecodeTimeRange: CMTimeRange { mediaPresentationTimeRange }
  /// 0: no track is shown in place of another.
  public var alternateGroupID: Int { 0 }
  /// Nil: see ``AVMovie/defaultMediaDataStorage``.
  public var mediaDataStorage: AVMediaDataStorage? { nil }
}
