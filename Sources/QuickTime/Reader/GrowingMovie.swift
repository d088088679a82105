public import MediaCore

/// A movie that is being written, as far as it can be played.
///
/// Each update opens the file again, for reading and without a lock, so that it does not interfere with a program that
/// writes, moves or removes the file. It reads only what was added since the last update.
///
/// ```swift
/// var movie = try GrowingMovie(path: path)
/// let first = try movie.frame(0)
/// try movie.readOn()
/// ```
public struct GrowingMovie: Sendable {
  /// An encoded frame, and what is needed to decode it.
  public struct Frame: Sendable {
    public var codec: VideoCodecType
    public var dimensions: VideoDimensions
    public var pixelAspectRatio: PixelAspectRatio
    public var bytes: [UInt8]
  }

  /// The path.
  public let path: String
  private let identity: FileIdentity?
  private var scan: MovieScan
  private let video: MovieIndex.Track

  /// The most bytes that a frame may have.
  private static let frameLimit = 1 << 28

  /// Looks at a movie.
  ///
  /// - Throws: ``QuickTimeError/Code/notFound``, ``QuickTimeError/Code/permissionDenied``,
  ///   ``QuickTimeError/Code/notAMovie`` also for one that was just begun, or has no video,
  ///   ``QuickTimeError/Code/damaged``, ``QuickTimeError/Code/ioFailed``.
  public init(path: String) throws(QuickTimeError) {
    let file = try PosixMovieFile(path: path, mode: .read)
    try self.init(path: path, file, file.identity)
  }

  /// Looks at a movie behind the seam.
  init(
    path: String, _ source: any MovieByteSource, _ identity: FileIdentity?
  ) throws(QuickTimeError) {
    (self.path, self.identity) = (path, identity)
    scan = try MovieScan(source)
    guard let record = scan.movie.tracks.first(where: { $0.handler == "vide" }) else {
      throw QuickTimeError(.notAMovie, "\(path): has no video track")
    }
    video = MovieIndex.Track(record, movieTimescale: scan.movie.timescale, source: source)
  }

  /// Reads what was added since the last update. Starts over if the path leads to another file by now, or the file
  /// has become shorter.
  ///
  /// - Throws: As ``init(path:)``.
  public mutating func readOn() throws(QuickTimeError) {
    let file = try PosixMovieFile(path: path, mode: .read)
    guard file.identity == identity, try file.size() >= scan.fileSize else {
      self = try GrowingMovie(path: path, file, file.identity)
      return
    }
    try scan.readOn(file)
  }

  private var samples: SampleTable {
    scan.movie.tracks.first { $0.id == video.id.rawValue }?.samples ?? SampleTable()
  }

  /// Frames that are there.
  public var frameCount: Int { samples.count }

  /// Seconds that they last.
  public var duration: Double {
    Double(samples.duration) / Double(max(video.timescale, 1))
  }

  /// Frames a second; nil where they do not all last as long.
  public var frameRate: FrameRate? {
    let runs = samples.timeRuns
    guard runs.count == 1, let each = runs.first.flatMap({ Int32(exactly: $0.duration) }) else {
      return nil
    }
    return FrameRate(video.timescale, each)
  }

  /// A frame's bytes.
  ///
  /// - Parameter number: Its number, from 0.
  /// - Throws: ``QuickTimeError/Code/invalidArgument`` beyond ``frameCount``,
  ///   ``QuickTimeError/Code/unsupported`` if the video is not ProRes,
  ///   ``QuickTimeError/Code/damaged`` if there is no frame in its place; those of ``init(path:)``.
  public func frame(_ number: Int) throws(QuickTimeError) -> Frame {
    guard let sample = samples[number], let facts = video.video else {
      throw QuickTimeError(
        .invalidArgument, "\(path): there are \(frameCount) frames so far, counted from 0")
    }
    let codec = VideoCodecType(rawValue: "\(video.codec)")
    guard codec.isProRes, sample.size >= 8, sample.size <= Self.frameLimit else {
      throw QuickTimeError(
        .unsupported, "\(path): its frames are \(video.codec), not ProRes")
    }
    let file = try PosixMovieFile(path: path, mode: .read)
    let bytes = try file.bytes(at: sample.offset, count: Int(sample.size))
    guard bytes.count == Int(sample.size), bytes[4..<8].elementsEqual("icpf".utf8),
      bytes.prefix(4).reduce(0, { $0 << 8 | UInt32($1) }) == sample.size
    else {
      throw QuickTimeError(
        .damaged, "\(path): frame \(number) is not at the offset where it was written")
    }
    return Frame(
      codec: codec, dimensions: facts.dimensions,
      pixelAspectRatio: facts.pixelAspectRatio ?? .square, bytes: bytes)
  }
}
