import AssetReader
import AssetWriter
import Foundation
import MediaCore
import MovieExport
import QuickTime
import Synchronization
import TakeReports

/// The export of a source whose frames are already encoded. It works like any other export, but
/// with the parts' frames instead of an encoder's.
struct JoinedExport {
  let job: EncodeJob
  let planned: EncodeJobPlan.Source
  let parts: [(folder: PartFolder, record: EncodePart)]
  let outputPath: String
  /// The final path of the movie.
  let moviePath: String
  let session: AssetExportSession
  private let frames: PartFrames

  init(
    job: EncodeJob, planned: EncodeJobPlan.Source,
    parts: [(folder: PartFolder, record: EncodePart)], frames: PartFrames, outputPath: String,
    moviePath: String, onProgress: (@Sendable (AssetExportSession.Progress) -> Void)?
  ) throws {
    self.job = job
    self.planned = planned
    self.parts = parts
    self.frames = frames
    self.outputPath = outputPath
    self.moviePath = moviePath
    var session = try job.plan.options.session(
      AssetLocation(planned.input), outputPath: outputPath)
    session.creationTime = planned.creationUnixTime
    session.onProgress = onProgress
    self.session = session
  }

  /// The result, and the checksums of what was written.
  struct Made {
    var outcome: MovieJoiner.Outcome
    var checksums: MovieChecksums
  }

  /// The checksums of the movie, which arrive on one of the writer's threads.
  private final class Written: Sendable {
    let checksums = Mutex<MovieChecksums?>(nil)
  }

  func run() async throws -> Made {
    let index = try job.index(of: planned)
    let opening = try JobOpening(
      session, readsAudio: true, wanted: WantedPackets(index, 0...0))
    let supply = PlannedSamples(
      index, opening, account: account, captions: captions, readsAudio: true)
    var feed = ExportFeed(
      reader: opening.reader, track: opening.track, session: session,
      processing: opening.processing, fieldOrder: opening.scan, audioTracks: opening.audioTracks,
      supply: supply)
    guard let beginning = try feed.begin() else {
      throw AssetReaderError(
        .truncated, "\(session.location.displayName) contains no complete frame")
    }
    let plan = try ExportPlan(ExportSetup(opening), beginning: beginning, store: frames)
    let keeper = sidecarKeeper(opening)
    let written = Written()
    plan.writer.segmentHandler = { event in
      if case .ended(_, let sums) = event { written.checksums.withLock { $0 = sums } }
      keeper.take(event) { _, _ in }
    }
    do {
      try plan.writer.start()
      try await feed.run(plan)
      try await plan.writer.finishWriting()
    } catch {
      plan.writer.cancelWriting()
      _ = keeper.finish { _, _ in }
      throw frames.failure ?? error
    }
    guard !feed.wasCancelled else { throw CancellationError() }
    guard feed.frameCount == planned.frameCount else {
      throw EncodeJobError(
        .partsDiffer,
        "\(planned.input) gave \(feed.frameCount) frames instead of \(planned.frameCount)")
    }
    let outcome = try outcome(feed, plan, keeper)
    guard let checksums = written.checksums.withLock({ $0 }) else {
      throw EncodeJobError(.joinFailed, "\(outputPath) has no checksums")
    }
    return Made(outcome: outcome, checksums: checksums)
  }

  private func outcome(
    _ feed: ExportFeed, _ plan: ExportPlan, _ keeper: SidecarKeeper
  ) throws -> MovieJoiner.Outcome {
    let report = plan.writer.report
    let encoding = TakeSidecar.Encoding(
      writer: report, framesUndecoded: feed.framesUndecoded,
      prematureEnd: feed.prematureEnd.map { ErrorSummary($0) })
    if let error = keeper.finish(account: { sidecar, _ in sidecar.encoding = encoding }) {
      throw error
    }
    let file = SidecarFile(ofMovie: outputPath)
    guard var sidecar = try file.read(), let movie = sidecar.movie, let sums = sidecar.checksums
    else {
      throw EncodeJobError(.joinFailed, "\(outputPath) has no sidecar with checksums")
    }
    sidecar.movie?.path = moviePath
    try file.write(sidecar)
    let joined = session.joinedMovieNotes()
    let late = LateTracks.notes(among: planned.notes)
    var notes = plan.notes + feed.notes(report) + late + joined + unknownNotes
    if let error = feed.prematureEnd {
      notes.append(ExportNote(.dropped, "audio", "the audio ends early: \(error.message)"))
    }
    return MovieJoiner.Outcome(
      input: planned.input, movie: moviePath, wasThere: false, partCount: parts.count,
      frameCount: Int(movie.frameCount), fileSize: movie.fileSize,
      xxHash64: sums.file?.description ?? "", notes: notes,
      wasRepaired: !feed.timeline.repairs.isEmpty || feed.isDamaged
        || feed.prematureEnd != nil || !joined.isEmpty || LateTracks.lackMedia(late))
  }

  /// What happened to the frames, according to the plan and the parts.
  private var account: FrameAccount {
    parts.compactMap(\.record.pictures).reduce(into: planned.pictures ?? FrameAccount()) {
      $0.add($1)
    }
  }

  private var unknownNotes: [ExportNote] {
    let count = parts.count { $0.record.pictures == nil }
    guard count > 0 else { return [] }
    return [
      ExportNote(
        .assumed, "frames",
        "\(count) of \(parts.count) parts have no record of damage and changes in their frames, which are therefore "
          + "not reported; to see them, remove these parts and make them again")
    ]
  }

  private var captions: [Int: FrameSideData.LineCaptions] {
    var captions: [Int: FrameSideData.LineCaptions] = [:]
    for caption in parts.flatMap(\.record.captions) {
      var lines = FrameSideData.LineCaptions()
      lines.firstField = caption.firstField
      lines.secondField = caption.secondField
      captions[caption.picture] = lines
    }
    return captions
  }

  private func sidecarKeeper(_ opening: JobOpening) -> SidecarKeeper {
    var request = TakeRequest()
    request.input = planned.input
    request.codec = opening.codec.shortName
    request.encoder = EncoderChoice.native.description
    request.timecode = job.plan.options.timecode
    request.options = ExportOptions(session).values
    return SidecarKeeper(request, replacesOthers: true)
  }
}

extension ExportSetup {
  /// The setup for the source of an export in parts.
  fileprivate init(_ opening: JobOpening) {
    self.init(
      opening.session, opening.reader, opening.track, codec: opening.codec, scan: opening.scan,
      processing: opening.processing, audioTracks: opening.audioTracks)
  }
}
