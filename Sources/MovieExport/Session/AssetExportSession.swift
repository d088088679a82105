public import AssetReader
public import AssetWriter
package import CaptureDevices
import Foundation
public import MediaCore
import Synchronization

/// Encodes a movie, Y4M, images or raw video as a ProRes movie, with the asset writer.
///
/// Audio is kept as PCM; timecode and metadata are kept unchanged.
public struct AssetExportSession: Sendable {
  /// The result of an export.
  public struct Outcome: Sendable {
    /// What happened to each frame.
    public var report: AssetWriter.Report
    /// The number of source frames that failed to decode and are missing.
    public var framesUndecoded: Int
    /// Why the movie ends before the source should have ended; nil if it does not.
    public var prematureEnd: AssetReaderError?
    /// True if the task was cancelled; the movie holds what came before.
    public var wasCancelled: Bool
    /// What the movie drops, changes or assumes compared with its source.
    public var notes: [ExportNote]
    /// True if times of the source were corrected, frames were dropped for lack of a slot, or data
    /// is damaged or was not read.
    public var wasRepaired: Bool
    /// Why the movie has no sidecar; nil if it has one or none was wanted.
    public var sidecarError: ErrorSummary?
  }

  /// Where the field order comes from.
  public enum Scan: Sendable, Hashable {
    /// From the coded frames and the container.
    case source
    /// A given order, overriding the source.
    case given(FieldOrder)
    /// Detected in the frames; see `ScanDetector`.
    case detected
  }

  /// The progress of an export.
  public struct Progress: Sendable, Hashable {
    /// The number of frames read and passed to the encoder.
    public var frames: Int
    /// The total number of frames; nil if unknown.
    public var totalFrames: Int?
    /// The size of the movie so far, in bytes.
    public var fileBytes: Int64
    /// True once all frames are read, while the last ones and then the index are written.
    public var isFinishing: Bool
  }

  /// The source's location.
  public var location: AssetLocation
  /// The movie's path.
  public var outputPath: String
  /// The codec. If nil, a ProRes 4444 or 4444 XQ source keeps its codec, a source with alpha
  /// becomes ProRes 4444, and any other ProRes 422 HQ.
  public var codec: VideoCodecType?
  /// Where the field order comes from.
  public var scan = Scan.source
  /// The edit to apply.
  public var edit = ExportEdit()
  /// The encoder.
  public var encoder = EncoderChoice.automatic
  /// The number of encoder threads; nil for one per processor core.
  public var encoderThreads: Int?
  /// What to do if the file exists.
  public var overwritePolicy = AssetWriter.OverwritePolicy.refuse
  /// The timecode of the first frame; nil for the source's.
  public var startTimecode: String?
  /// True to write a sidecar next to the movie, such as `clip.mov.json`; see `TakeSidecar`.
  public var writesSidecar = true
  /// The most frames to encode; nil for all.
  public var maximumFrameCount: Int?
  /// The movie's creation time in seconds since 1970 if the source has none; nil for now.
  package var creationTime: Int64?
  /// Called with each change of the movie's path, from its beginning to its end, on a thread that
  /// writes it.
  package var openMovieHandler: (@Sendable (OpenMovies.Step) -> Void)?
  /// Called after each frame, and several times a second while the movie is finished; on any
  /// thread. Must return quickly.
  public var onProgress: (@Sendable (Progress) -> Void)?
  /// Called with one line as soon as another program moves, replaces, deletes or truncates the
  /// file. Must return immediately.
  public var onNotice: (@Sendable (String) -> Void)?

  /// Creates an export of a source to a path.
  public init(location: AssetLocation, outputPath: String) {
    self.location = location
    self.outputPath = outputPath
  }

  /// Runs the export. Cancelling the task ends the movie at the current frame.
  ///
  /// A source that ends within a frame becomes a movie of its complete frames, and
  /// ``Outcome/prematureEnd`` is set. If no frame was encoded, no file is left.
  ///
  /// - Throws: `AssetReaderError` if the source cannot be read, `AssetWriterError` if the movie
  ///   cannot be written, `CaptureError` for a timecode that does not exist at the movie's frame
  ///   rate and for an output that is the source.
  public func export() async throws -> Outcome {
    try checkOutput()
    let setup = try ExportSetup(opening: self)
    var feed = ExportFeed(
      reader: setup.reader, track: setup.track, session: self, processing: setup.processing,
      fieldOrder: setup.scan, audioTracks: setup.audioTracks,
      form: form(setup.codec, setup.processing, setup.scan))
    guard let beginning = try feed.begin() else { throw Self.noFrame(location, feed) }
    let plan = try ExportPlan(setup, beginning: beginning)
    let sidecar = ExportSidecar(self, codec: setup.codec)
    observe(plan.writer, sidecar)
    do {
      try await write(plan, &feed)
    } catch {
      sidecar.complete(plan.writer, feed)
      throw error
    }
    let sidecarError = sidecar.complete(plan.writer, feed)
    let joined = joinedMovieNotes()
    let report = plan.writer.report
    return Outcome(
      report: report, framesUndecoded: feed.framesUndecoded,
      prematureEnd: feed.prematureEnd, wasCancelled: feed.wasCancelled,
      notes: setup.scanNotes + plan.notes + feed.notes(report) + feed.late.notes + joined
        + sidecar.notes,
      wasRepaired: !feed.timeline.repairs.isEmpty || !joined.isEmpty || feed.isDamaged
        || LateTracks.lackMedia(feed.late.notes),
      sidecarError: sidecarError.map { ErrorSummary($0) })
  }

  /// Passes the movie's events to the sidecar and the handlers.
  private func observe(_ writer: AssetWriter, _ sidecar: ExportSidecar) {
    let open = Mutex(OpenMovies())
    writer.segmentHandler = { [onNotice, openMovieHandler] event in
      if let step = open.withLock({ $0.take(event) }) { openMovieHandler?(step) }
      if case .changed(_, let change) = event { onNotice?(change.message) }
      sidecar.take(event)
    }
  }

  /// Writes the movie from its first frame to its index.
  private func write(_ plan: ExportPlan, _ feed: inout ExportFeed) async throws {
    do {
      try plan.writer.start()
      try await feed.run(plan)
    } catch {
      // A full disk leaves a valid movie; any other error leaves nothing.
      if (error as? AssetWriterError)?.recordingSuccessfullyFinished != true {
        plan.writer.cancelWriting()
      }
      throw error
    }
    try await finish(plan.writer, feed)
  }

  /// Notes on movies concatenated in the source's file; empty for a single movie.
  package func joinedMovieNotes() -> [ExportNote] {
    let count = JoinedMovies.count(path: location.path)
    guard count > 1 else { return [] }
    return [
      ExportNote(
        .dropped, "movies",
        "the file consists of \(count) movies one after another, and readers use the first, or parts of each; put "
          + "each into its own file")
    ]
  }

  /// The processing of frames, including the source's rotation if it is to be applied.
  ///
  /// - Parameter codec: The output codec. If it has more chroma than the source, chroma is
  ///   upsampled together with any other processing.
  package func processing(
    for track: AssetTrack, codec: VideoCodecType
  ) throws(CaptureError) -> VideoProcessing {
    var processing = edit.processing
    if edit.rotation == .apply {
      guard track.rotation % 90 == 0 else {
        throw CaptureError(
          .invalidArgument,
          "\(location.displayName) is rotated by \(track.rotation) degrees; only multiples of 90 can be applied"
        )
      }
      processing.quarterTurns += track.rotation / 90
      if track.isMirrored { processing.isMirrored.toggle() }
    }
    if let lut = processing.lut, !FileManager.default.isReadableFile(atPath: lut) {
      throw CaptureError(.invalidArgument, "\(lut): not a readable look-up table")
    }
    if !processing.isEmpty, codec.is4444, track.video?.pixelFormat?.sharesChroma ?? false {
      processing.layout = .fullChroma
    }
    return processing
  }

  /// The conversion of frames after their processing; nil for none.
  package func form(
    _ codec: VideoCodecType, _ processing: VideoProcessing, _ scan: FieldOrder?
  ) -> FrameForm? {
    // Filters already take the field order into account.
    FrameForm(fullChromaFor: codec, fieldOrder: processing.isEmpty ? scan : nil)
  }

  private func checkOutput() throws(CaptureError) {
    guard !location.isSameFile(asPath: outputPath) else {
      throw CaptureError(
        .outputFailed, "\(outputPath) is the input itself; choose another name")
    }
    let name = outputPath.pathName
    let suffix = name.split(separator: ".").dropFirst().last.map { $0.lowercased() } ?? ""
    let others: Set = ["mp4", "m4v", "mkv", "mxf", "avi", "webm", "ts", "mts", "m2ts", "mpg"]
    guard !others.contains(suffix) else {
      throw CaptureError(
        .outputFailed,
        "\(outputPath): ProRes is written as a QuickTime movie; call it "
          + "\(name.dropLast(suffix.count))mov")
    }
  }

  package func codec(for track: AssetTrack) -> VideoCodecType {
    if let codec { return codec }
    switch track.codecTag {
    case "ap4h": return .proRes4444
    case "ap4x": return .proRes4444XQ
    default: return track.hasAlpha ? .proRes4444 : .proRes422HQ
    }
  }

  package func fieldOrder() throws -> (FieldOrder?, [ExportNote]) {
    switch scan {
    case .source: return (nil, [])
    case .given(let order): return (order, [])
    case .detected:
      let found = try ScanDetector(location).detect()
      let words = [
        FieldOrder.progressive: "progressive", .topFieldFirst: "top field first",
        .bottomFieldFirst: "bottom field first",
      ]
      guard let order = found.fieldOrder, found.certainty >= 0.6 else {
        return (
          nil,
          [
            ExportNote(
              .assumed, "scan",
              "no field order was detected in \(found.frames) frames; the source's is used")
          ]
        )
      }
      let percent = Int((found.certainty * 100).rounded())
      return (
        order,
        [
          ExportNote(
            .assumed, "scan",
            "\(words[order] ?? "") seen in \(percent)% of \(found.decidedFrames) frames that show it"
          )
        ]
      )
    }
  }

  private static func noFrame(
    _ location: AssetLocation, _ feed: ExportFeed
  ) -> AssetReaderError {
    feed.prematureEnd
      ?? AssetReaderError(.truncated, "\(location.displayName) contains no complete frame")
  }

  /// Finishes the movie, which may take seconds if it is large.
  private func finish(_ writer: AssetWriter, _ feed: ExportFeed) async throws(AssetWriterError) {
    let ticker = onProgress.map { tell in
      let (frames, total) = (feed.frameCount, feed.totalFrames)
      return Task {
        while !Task.isCancelled {
          tell(
            Progress(
              frames: frames, totalFrames: total, fileBytes: writer.progress.fileBytes,
              isFinishing: true))
          try? await Task.sleep(for: .milliseconds(100))
        }
      }
    }
    defer { ticker?.cancel() }
    try await writer.finishWriting()
  }
}
