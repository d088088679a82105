public import AssetReader
public import AssetWriter
package import CaptureDevices
import Foundation
public import MediaCore
import Synchronization

/// Encodes a movie, Y4M or raw pictures as a ProRes movie, through the asset writer.
///
/// Sound comes along as PCM, timecode and the facts of the movie as they are.
public struct AssetExportSession: Sendable {
  /// What an export came to.
  public struct Outcome: Sendable {
    /// What happened to each frame.
    public var report: AssetWriter.Report
    /// Frames of the source that could not be decoded and are missing.
    public var framesUndecoded: Int
    /// Why the movie ends before its source was meant to; nil where it does not.
    public var prematureEnd: AssetReaderError?
    /// True where the task was cancelled; the movie holds what came before.
    public var wasCancelled: Bool
    /// What the movie lacks, changes or assumes, compared with its source.
    public var notes: [ExportNote]
    /// True where times of the source were mended, frames had no place, or a part of the file was not
    /// read.
    public var wasRepaired: Bool
    /// Why the movie has no sidecar, in words; nil where it has one, or none was wanted.
    public var sidecarError: ErrorSummary?
  }

  /// Where the field order comes from.
  public enum Scan: Sendable, Hashable {
    /// From the pictures and the container.
    case source
    /// As told, whatever the source says.
    case told(FieldOrder)
    /// From the look of the pictures; see `ScanDetector`.
    case detected
  }

  /// Where an export stands.
  public struct Progress: Sendable, Hashable {
    /// Frames that were read and handed to the encoder.
    public var frames: Int
    /// Frames of the source; nil where it does not tell.
    public var totalFrames: Int?
    /// Bytes of the movie so far.
    public var fileBytes: Int64
    /// True once all frames are read: the last ones are encoded and written, then the index.
    public var isFinishing: Bool
  }

  /// Where the source is.
  public var location: AssetLocation
  /// The movie's path.
  public var outputPath: String
  /// The codec; nil for ProRes 4444 where the source has alpha, for its own where the source is
  /// ProRes 4444, and else for ProRes 422 HQ.
  public var codec: VideoCodecType?
  /// Where the field order comes from.
  public var scan = Scan.source
  /// What is taken of the source, and what is done to it.
  public var edit = ExportEdit()
  /// The encoder.
  public var encoder = EncoderChoice.automatic
  /// Threads that encode; nil for one a processor core.
  public var encoderThreads: Int?
  /// What happens to a file that exists.
  public var overwritePolicy = AssetWriter.OverwritePolicy.refuse
  /// The address of the first frame; nil for the source's own.
  public var startTimecode: String?
  /// True for a sidecar beside the movie, `clip.mov.json`; see `TakeSidecar`.
  public var writesSidecar = true
  /// The most frames to encode; nil for all.
  public var maximumFrameCount: Int?
  /// The movie's creation time in seconds since 1970, where the source has none; nil for now.
  package var creationTime: Int64?
  /// Told what becomes of the movie's path from its beginning to its end, on a thread that writes it.
  package var openMovieHandler: (@Sendable (OpenMovies.Step) -> Void)?
  /// Called after each frame, and several times a second while the movie is finished; on any
  /// thread. Must return quickly.
  public var onProgress: (@Sendable (Progress) -> Void)?
  /// Called with one line as soon as others move, replace, delete or empty the file; it must return
  /// at once.
  public var onNotice: (@Sendable (String) -> Void)?

  /// An export from a source to a path.
  public init(location: AssetLocation, outputPath: String) {
    self.location = location
    self.outputPath = outputPath
  }

  /// Encodes all. Cancelling the task ends the movie where it is.
  ///
  /// A source that ends within a frame makes a movie of the whole ones, and
  /// ``Outcome/prematureEnd`` says so. Where not one frame was encoded no file is left.
  ///
  /// - Throws: `AssetReaderError` where the source cannot be read, `AssetWriterError` where the
  ///   movie cannot be made, `CaptureError` for a timecode that does not exist at the source's rate,
  ///   and for an output that is the source.
  public func export() async throws -> Outcome {
    try checkOutput()
    let setup = try ExportSetup(opening: self)
    var feed = ExportFeed(
      reader: setup.reader, track: setup.track, session: self, processing: setup.processing,
      fieldOrder: setup.scan, sounds: setup.sounds,
      form: form(setup.codec, setup.processing, setup.scan))
    guard let beginning = try feed.begin() else { throw Self.noPicture(location, feed) }
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

  /// Passes what becomes of the movie on to the sidecar, and to those who asked.
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
      // A disk that ran full leaves a valid movie; anything else leaves nothing.
      if (error as? AssetWriterError)?.recordingSuccessfullyFinished != true {
        plan.writer.cancelWriting()
      }
      throw error
    }
    try await finish(plan.writer, feed)
  }

  /// Movies that stand behind one another in the source's file; none for one movie.
  package func joinedMovieNotes() -> [ExportNote] {
    let count = JoinedMovies.count(path: location.path)
    guard count > 1 else { return [] }
    return [
      ExportNote(
        .dropped, "movies",
        "\(count) movies stand behind one another in the file, and readers take the first, or parts of each; give "
          + "each in a file of its own")
    ]
  }

  /// What is done to pictures, with the source's rotation where it is to be applied.
  ///
  /// - Parameter codec: What is made of them. Where it has more chroma than they have, they get it as soon as
  ///   something else is done to them.
  package func processing(
    for track: AssetTrack, codec: VideoCodecType
  ) throws(CaptureError) -> PictureProcessing {
    var processing = edit.processing
    if edit.rotation == .apply {
      guard track.rotation % 90 == 0 else {
        throw CaptureError(
          .invalidArgument,
          "\(location.displayName) is turned by \(track.rotation) degrees; only quarters can be applied"
        )
      }
      processing.quarterTurns += track.rotation / 90
      if track.isMirrored { processing.isMirrored.toggle() }
    }
    if let lut = processing.lut, !FileManager.default.isReadableFile(atPath: lut) {
      throw CaptureError(.invalidArgument, "\(lut): no look-up table that can be read")
    }
    if !processing.isEmpty, codec.is4444, track.video?.pixelFormat?.sharesChroma ?? false {
      processing.layout = .fullChroma
    }
    return processing
  }

  /// What pictures are brought to behind what is done to them; nil for as they are.
  package func form(
    _ codec: VideoCodecType, _ processing: PictureProcessing, _ scan: FieldOrder?
  ) -> PictureForm? {
    // Filters have taken the field order into account.
    PictureForm(fullChromaFor: codec, fieldOrder: processing.isEmpty ? scan : nil)
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
    case .told(let order): return (order, [])
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
              "no field order is seen in \(found.frames) frames; the source's is taken")
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

  private static func noPicture(
    _ location: AssetLocation, _ feed: ExportFeed
  ) -> AssetReaderError {
    feed.prematureEnd
      ?? AssetReaderError(.truncated, "\(location.displayName) contains no complete frame")
  }

  /// Finishes the movie; of a large one that takes seconds.
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
