public import AssetWriter
import FoundationEssentials
public import MediaCore
package import QuickTime

/// The file beside a movie that tells how it came to be, and what its bytes were: `take.mov.json`
/// beside `take.mov`. `docs/takes.md` describes it.
public struct TakeSidecar: Sendable, Hashable, Codable {
  /// What a sidecar is about.
  public enum State: String, Sendable, Hashable, Codable {
    /// The movie was being recorded when the sidecar was written. If it still says so although nothing is
    /// recording, the take was ended by a crash or a power cut.
    case recording
    /// A movie that was completed.
    case complete
    /// A movie that `recover` completed.
    case recovered
  }

  /// Checksums: xxHash64 with seed 0, as `xxhsum` prints it.
  public struct Checksums: Sendable, Hashable, Codable {
    /// A checksum: eight bytes in memory, sixteen digits in the file.
    public struct Sum: Sendable, Hashable, Codable, CustomStringConvertible {
      /// The checksum as a number.
      public var value: UInt64

      /// A checksum that was taken.
      public init(_ value: UInt64) { self.value = value }

      /// As `xxhsum` prints it.
      public var description: String { XXHash64.text(value) }

      /// Takes up to sixteen hexadecimal digits.
      ///
      /// - Throws: `DecodingError` for anything else.
      public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let value = UInt64(try container.decode(String.self), radix: 16) else {
          throw DecodingError.dataCorruptedError(
            in: container, debugDescription: "no checksum of sixteen digits")
        }
        self.value = value
      }

      /// Writes sixteen hexadecimal digits.
      ///
      /// - Throws: What the encoder throws.
      public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
      }
    }

    /// A stretch of the file.
    public struct Region: Sendable, Hashable, Codable {
      /// Where it begins.
      public var offset: UInt64
      public var byteCount: UInt64
      /// Its checksum.
      public var xxHash64: Sum
    }

    /// Samples of audio that follow one another.
    public struct Run: Sendable, Hashable, Codable {
      /// Samples of each channel.
      public var samples: Int
      /// The checksum of their bytes.
      public var xxHash64: Sum
    }

    /// A track of audio.
    public struct Audio: Sendable, Hashable, Codable {
      /// The track's number.
      public var track: UInt32
      /// Its samples, from the first sample to the last.
      public var runs: [Run]
    }

    /// What ``algorithm`` says.
    static let algorithmName = "xxHash64"

    /// Always `xxHash64`.
    public private(set) var algorithm = Self.algorithmName
    /// The whole file; missing where it is not known.
    public var file: Sum?
    /// From the file's beginning to the first fragment.
    public var head: Region?
    /// The index that ends the file.
    public var index: Region?
    /// One of each frame of the first track of pictures, as it left the encoder.
    public var frames: [Sum]
    /// The tracks of audio.
    public var audio: [Audio]

    package init(_ sums: MovieChecksums) {
      file = Sum(sums.file)
      head = Region(sums.head)
      index = Region(sums.index)
      frames = sums.tracks.first { !$0.frames.isEmpty }?.frames.map(Sum.init) ?? []
      audio = sums.tracks.filter { !$0.runs.isEmpty }.map { track in
        Audio(
          track: track.id.rawValue,
          runs: track.runs.map { Run(samples: $0.sampleCount, xxHash64: Sum($0.value)) })
      }
    }
  }

  /// What an encode came to.
  public struct Encoding: Sendable, Hashable, Codable {
    /// What happened to each frame.
    public var writer: AssetWriter.Report
    /// Frames of the source that could not be decoded and are missing.
    public var framesUndecoded: Int
    /// Why the movie ends before its source was meant to; missing where it does not.
    public var prematureEnd: ErrorSummary?

    package init(
      writer: AssetWriter.Report, framesUndecoded: Int, prematureEnd: ErrorSummary? = nil
    ) {
      self.writer = writer
      self.framesUndecoded = framesUndecoded
      self.prematureEnd = prematureEnd
    }
  }

  /// Always `prores-recorder/sidecar`.
  public private(set) var schema = DocumentKind.sidecar.schema
  /// The version of the vocabulary, `DocumentKind.version`. A reader refuses a later one
  /// than it knows.
  public private(set) var version = DocumentKind.version
  /// What the sidecar is about.
  public var state: State
  /// When it was written, by ISO 8601.
  public var date: String
  /// The movie's file, without its folder.
  public var fileName: String
  /// The movie; missing while it is recorded.
  public var movie: Segment?
  /// What was asked.
  public var request: TakeRequest
  /// What was done, where it was recorded.
  public var recording: RecordingReport?
  /// What was done, where it was encoded.
  public var encoding: Encoding?
  /// The checksums; missing while it is recorded, and of a movie that was recovered from a sudden
  /// end.
  public var checksums: Checksums?

  /// A sidecar of a movie that was just begun.
  init(of path: String, request: TakeRequest) {
    state = .recording
    fileName = URL(filePath: path).lastPathComponent
    date = Self.now
    self.request = request
  }

  /// Sets the schema and version to those that are written now, whichever were read.
  mutating func adoptVocabulary() {
    schema = DocumentKind.sidecar.schema
    version = DocumentKind.version
    date = Self.inUTC(date)
    let start = recording?.movie.startDate.map(Self.inUTC)
    recording?.movie.startDate = start
  }

  /// Version 1 wrote dates in the machine's zone.
  private static func inUTC(_ date: String) -> String {
    (try? Date.ISO8601FormatStyle().parse(date))?.formatted(.iso8601) ?? date
  }

  package static var now: String {
    JSONDocument.date(unixTime: Int64(Date().timeIntervalSince1970))
  }
}

extension TakeSidecar.Checksums.Region {
  init(_ region: MovieChecksums.Region) {
    self.init(offset: region.offset, byteCount: region.byteCount, xxHash64: .init(region.value))
  }
}

extension RecordingReport {
  /// The report of a take as the sidecar of one of its movies tells it: what is said of the movie, and
  /// what happened, is that of this movie, its frames counted from 0; all other figures are the
  /// take's up to the end of the movie.
  package func narrowed(to segment: Segment) -> RecordingReport {
    var report = self
    report.continuations = []
    report.segments = [segment]
    guard segment.number > 1 || segment.frameCount < movie.frameCount else { return report }
    let rate = FrameRate(movie.frameRate)
    let seconds =
      rate.map { 1 / $0.framesPerSecond } ?? movie.duration / Double(max(movie.frameCount, 1))
    // All frames but ``Segment/frameCount`` are slots of the timeline, of which gaps have some as well.
    let end = segment.firstFrame + segment.slots(at: rate)
    report.incidents = incidents.compactMap { incident in
      var incident = incident
      let isSpan = incident.kind == .dropped || incident.kind == .repeated
      let last = incident.frame + (isSpan ? Int64(max(incident.count, 1)) : 1)
      guard incident.frame < end, last > segment.firstFrame else { return nil }
      let first = max(incident.frame, segment.firstFrame)
      if isSpan { incident.count = Int(min(last, end) - first) }
      if first != incident.frame { incident.timecode = segment.startTimecode }
      incident.frame = first - segment.firstFrame
      incident.seconds = Double(incident.frame) * seconds
      return incident
    }
    let markers = report.markers?.compactMap { marker -> Marker? in
      guard (segment.firstFrame..<end).contains(marker.frame) else { return nil }
      var marker = marker
      marker.frame -= segment.firstFrame
      marker.seconds = Double(marker.frame) * seconds
      return marker
    }
    report.markers = markers?.isEmpty == true ? nil : markers
    report.movie.path = segment.path
    report.movie.frameCount = segment.frameCount
    report.movie.duration = segment.duration
    report.movie.fileSize = segment.fileSize
    report.movie.startTimecode = segment.startTimecode
    if segment.firstFrame > 0 {
      report.movie.startTime = movie.startTime.map { $0 + Double(segment.firstFrame) * seconds }
      report.movie.startDate = nil
    }
    if segment.end != .takeEnded { report.movie.endTimecode = nil }
    return report
  }
}
