public import AssetWriter
import FoundationEssentials
public import MediaCore
package import QuickTime

/// The file beside a movie that tells how it was made, with checksums of its bytes: `take.mov.json`
/// beside `take.mov`. See `docs/takes.md`.
public struct TakeSidecar: Sendable, Hashable, Codable {
  /// The state of the movie.
  public enum State: String, Sendable, Hashable, Codable {
    /// The movie was being recorded when the sidecar was written. If it still says so although nothing is
    /// recording, the take was ended by a crash or a power cut.
    case recording
    /// The movie is complete.
    case complete
    /// The movie was completed by `recover`.
    case recovered
  }

  /// Checksums: xxHash64 with seed 0, as `xxhsum` prints it.
  public struct Checksums: Sendable, Hashable, Codable {
    /// A checksum: eight bytes in memory, sixteen digits in the file.
    public struct Sum: Sendable, Hashable, Codable, CustomStringConvertible {
      /// The checksum as a number.
      public var value: UInt64

      public init(_ value: UInt64) { self.value = value }

      /// The checksum as `xxhsum` prints it.
      public var description: String { XXHash64.text(value) }

      /// Decodes up to sixteen hexadecimal digits.
      ///
      /// - Throws: `DecodingError` for anything else.
      public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let value = UInt64(try container.decode(String.self), radix: 16) else {
          throw DecodingError.dataCorruptedError(
            in: container, debugDescription: "not a checksum of sixteen digits")
        }
        self.value = value
      }

      /// Encodes sixteen hexadecimal digits.
      ///
      /// - Throws: Errors of the encoder.
      public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
      }
    }

    /// A region of the file.
    public struct Region: Sendable, Hashable, Codable {
      /// Its offset in the file.
      public var offset: UInt64
      public var byteCount: UInt64
      public var xxHash64: Sum
    }

    /// A run of consecutive audio samples.
    public struct Run: Sendable, Hashable, Codable {
      /// The number of samples per channel.
      public var samples: Int
      /// The checksum of their bytes.
      public var xxHash64: Sum
    }

    /// An audio track.
    public struct Audio: Sendable, Hashable, Codable {
      /// The track's number.
      public var track: UInt32
      /// All its samples, in order.
      public var runs: [Run]
    }

    /// The value of ``algorithm``.
    static let algorithmName = "xxHash64"

    /// Always `xxHash64`.
    public private(set) var algorithm = Self.algorithmName
    /// The whole file; missing if unknown.
    public var file: Sum?
    /// From the start of the file to the first fragment.
    public var head: Region?
    /// The index at the end of the file.
    public var index: Region?
    /// A checksum of each frame of the first video track, as it left the encoder.
    public var frames: [Sum]
    /// The audio tracks.
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

  /// The result of an encode.
  public struct Encoding: Sendable, Hashable, Codable {
    /// What happened to each frame.
    public var writer: AssetWriter.Report
    /// Frames of the source that could not be decoded and are missing.
    public var framesUndecoded: Int
    /// Why the movie ends before its source was meant to; missing if it does not.
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
  /// The version of the vocabulary, `DocumentKind.version`. Readers refuse versions later than they
  /// know.
  public private(set) var version = DocumentKind.version
  /// The state of the movie.
  public var state: State
  /// When the sidecar was written, in ISO 8601.
  public var date: String
  /// The name of the movie's file, without its folder.
  public var fileName: String
  /// The movie; missing while it is being recorded.
  public var movie: Segment?
  /// The request.
  public var request: TakeRequest
  /// What was done, if it was recorded.
  public var recording: RecordingReport?
  /// What was done, if it was encoded.
  public var encoding: Encoding?
  /// The checksums; missing while the movie is being recorded, and if it was recovered after a sudden
  /// end.
  public var checksums: Checksums?

  /// A sidecar for a movie that was just begun.
  init(of path: String, request: TakeRequest) {
    state = .recording
    fileName = URL(filePath: path).lastPathComponent
    date = Self.now
    self.request = request
  }

  /// Sets schema and version to the current ones, whichever were read.
  mutating func adoptVocabulary() {
    schema = DocumentKind.sidecar.schema
    version = DocumentKind.version
    date = Self.inUTC(date)
    let start = recording?.movie.startDate.map(Self.inUTC)
    recording?.movie.startDate = start
  }

  /// Converts dates of version 1, which are in the machine's time zone.
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
  /// The report of a take as in the sidecar of one of its movies. Statements about the movie and
  /// incidents are limited to this movie, with frames counted from 0; all other figures are those
  /// of the take up to the end of the movie.
  package func narrowed(to segment: Segment) -> RecordingReport {
    var report = self
    report.continuations = []
    report.segments = [segment]
    guard segment.number > 1 || segment.frameCount < movie.frameCount else { return report }
    let rate = FrameRate(movie.frameRate)
    let seconds =
      rate.map { 1 / $0.framesPerSecond } ?? movie.duration / Double(max(movie.frameCount, 1))
    // All frame numbers except ``Segment/frameCount`` are timeline slots, which include gaps.
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
