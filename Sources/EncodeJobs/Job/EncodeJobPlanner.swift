import AssetReader
import Foundation
import MediaCore
public import MovieExport
import QuickTime
import SystemPackage

/// Plans an export in parts: finds every frame of each source, divides them into parts, and records
/// all of it.
public struct EncodeJobPlanner: Sendable {
  /// How a source is divided.
  public enum Division: Sendable, Hashable {
    /// Into parts of about this many seconds.
    case seconds(Double)
    /// Into this many parts per source.
    case parts(Int)
  }

  /// The sources and their movies, which must be in the job's folder.
  public var sources: ExportSources
  /// The settings of each export; its source and output are ignored.
  public var template: AssetExportSession
  /// The job's folder, which is created.
  public var folder: String
  /// How sources are divided.
  public var division = Division.seconds(30)
  /// The number of frames between restarts of the encoder; nil for five seconds.
  public var restartInterval: Int?
  /// Called with each source before it is indexed.
  public var onSource: (@Sendable (_ source: Int) -> Void)?
  /// The system calls for the job's folder.
  var calls: any JobFolderCalls = SystemJobFolderCalls()

  /// Creates a planner of a job in a folder.
  public init(_ sources: ExportSources, as template: AssetExportSession, folder: String) {
    self.sources = sources
    self.template = template
    self.folder = folder
  }

  /// Makes the plan. The same sources and options always give the same bytes.
  ///
  /// - Throws: ``EncodeJobError``, `AssetReaderError`, `CaptureError`, `QuickTimeError`.
  public func run() throws -> EncodeJob {
    let path = folder + "/" + EncodeJobLayout.plan
    guard !FileManager.default.fileExists(atPath: path) else {
      throw EncodeJobError(
        .invalidArgument, "\(folder) is a job already; choose another folder, or remove this one")
    }
    try checkNames()
    for name in ["", "/index", "/" + EncodeJobLayout.parts] {
      try calls.makeFolders(folder + name)
    }
    try JobFolderProbe(folder: folder + "/" + EncodeJobLayout.parts, calls: calls).run()
    var plan = EncodeJobPlan(
      options: try EncodeJobOptions(template), versions: .current, sources: [], parts: [])
    for (number, item) in sources.items.enumerated() {
      onSource?(number)
      let source = try source(item, number, plan.options)
      plan.sources.append(source)
      plan.parts += try parts(of: source, number)
    }
    if !synchronizesEach { try synchronizeIndices() }
    try publish(plan, path)
    return try EncodeJob(folder: folder)
  }

  /// Publishes the plan, which makes the folder a job.
  ///
  /// - Throws: ``EncodeJobError/Code/invalidArgument`` if another plan was made in the folder
  ///   meanwhile.
  private func publish(_ plan: EncodeJobPlan, _ path: String) throws {
    let document = JSONDocument(.encodePlan, plan)
    do {
      try Self.write([UInt8](try document.data()), to: path, isExclusive: true)
    } catch let error as QuickTimeError where error.code == .fileExists {
      throw EncodeJobError(
        .invalidArgument,
        "another plan was created in \(folder) meanwhile and is kept; continue with that one, or plan into another folder"
      )
    }
  }

  /// Up to this many inputs, each index is flushed to disk separately. For thousands, that would
  /// take most of the planning time.
  private static let fewInputs = 8
  private var synchronizesEach: Bool { sources.items.count <= Self.fewInputs }

  /// Flushes all indices to disk together. One that is lost anyway is detected by its checksum.
  private func synchronizeIndices() throws(EncodeJobError) {
    do throws(Errno) { try calls.synchronize(folder) } catch {
      throw EncodeJobError.refusal(
        "\(folder) cannot be flushed to the disk: \(error)", at: folder, error)
    }
  }

  /// Checks that the movies do not exist yet, before anything is encoded for a join that would
  /// fail.
  private func checkNames() throws(EncodeJobError) {
    guard
      let taken = sources.items.first(where: {
        FileManager.default.fileExists(atPath: $0.outputPath)
      })
    else { return }
    throw EncodeJobError(
      .invalidArgument,
      "\(taken.outputPath) already exists, and \(taken.input) would become a movie of that name; move it away, "
        + "or choose another folder or name")
  }

  private func source(
    _ item: ExportSources.Item, _ number: Int, _ options: EncodeJobOptions
  ) throws -> EncodeJobPlan.Source {
    let input = Self.absolute(item.input)
    let location = try AssetLocation(input)
    guard location.isRegularFile == true else {
      throw location.isRegularFile == nil && !location.path.contains("%")
        ? AssetReaderError(.fileNotFound, "\(item.input): no such file")
        : EncodeJobError(
          .notDivisible,
          "\(item.input) cannot be read from any position; encode it in one piece")
    }
    let identity = try SourceIdentity(path: location.path)
    let session = try options.session(location, outputPath: "")
    let indexer = SourceIndexer(location: location)
    let opening = try JobOpening(session, overlapsFrames: false, onPacket: indexer.note)
    var index = try indexer.index(opening)
    try setSchedule(&index, opening)
    guard let rate = opening.track.frameRate else {
      throw EncodeJobError(.notDivisible, "\(item.input) has no frame rate")
    }
    let frames = try account(indexer, opening)
    let bytes = [UInt8](try JSONDocument(.encodeIndex, index).data(isOneLine: true))
    let checksum = XXHash64.text(bytes.withUnsafeBytes { XXHash64.digest($0) })
    // Named by its content, so that two concurrent plans in the same folder do not use each other's
    // index.
    let name = "index/\(EncodeJob.partName(number))-\(checksum).json"
    try Self.write(bytes, to: folder + "/" + name, synchronizes: synchronizesEach)
    let seconds = Int((rate.framesPerSecond * 5).rounded())
    return EncodeJobPlan.Source(
      input: input, fileSize: identity.fileSize, modifiedNanoseconds: identity.modified,
      edges: identity.edges, samples: identity.samples, codec: opening.codec.shortName,
      frameRate: rate.fraction, pictureCount: index.count, frameCount: index.schedule.count,
      restartInterval: restartInterval ?? max(seconds, 1), movie: try relative(item.outputPath),
      creationUnixTime: identity.modified / 1_000_000_000, index: name,
      indexChecksum: checksum, pictures: frames,
      notes: session.joinedMovieNotes()
        + frames.notes(of: session, fieldOrder: opening.scan)
        + (try lateNotes(index, opening)))
  }

  /// Writes a file of the job.
  ///
  /// - Throws: ``EncodeJobError/Code/temporary`` if writing may succeed later, as on a full disk.
  private static func write(
    _ bytes: [UInt8], to path: String, isExclusive: Bool = false, synchronizes: Bool = true
  ) throws {
    do {
      try SmallFile(path: path).write(
        [bytes], isExclusive: isExclusive, synchronizes: synchronizes)
    } catch {
      throw RetryJudgment.passing(error) ?? error
    }
  }

  /// Notes on tracks that begin late but before the last encoded frame. The joiner may not read far
  /// enough to find them.
  private func lateNotes(_ index: SourceIndex, _ opening: JobOpening) throws -> [ExportNote] {
    let timing = try opening.timing()
    let start = timing.start(from: opening.first.sampleBuffer.presentationTimeStamp)
    let end = index.schedule.last.map { index.time($0) + index.duration($0) }
    let tracks = opening.reader.lateTracks.filter { track in
      guard let end, end.isNumeric, track.startTime.isNumeric else { return true }
      return track.startTime < end
    }
    var late = LateTracks()
    late.take(tracks, audio: opening.session.edit.audio) { track in
      let time = timing.shown(track.startTime - start)
      return LateTracks.place(time, near: time)
    }
    return late.notes
  }

  /// What is known about the frames before they are decoded.
  private func account(
    _ indexer: SourceIndexer, _ opening: JobOpening
  ) throws -> FrameAccount {
    var account = opening.account
    let timing = try opening.timing()
    let range = timing.range(from: opening.first.sampleBuffer.presentationTimeStamp)
    account.takeUndecoded(timing.lostFrames(opening.refused, in: range), at: .zero)
    let start = timing.start(from: opening.first.sampleBuffer.presentationTimeStamp)
    for frame in indexer.undecoded where range.concerns(frame.time...frame.time) {
      // Not before the beginning of the movie.
      account.takeUndecoded(at: timing.shown(max(frame.timeBefore - start, .zero)))
    }
    let video = opening.track.id
    var damage = SourceDamage(video: video, packets: PacketWatch(video: video))
    damage.begin(in: range)
    // All video packets have times; see the index.
    for mark in indexer.marks + opening.unseenDamage where mark.time.isNumeric {
      damage.take(mark, at: mark.time)
    }
    account.gapCount = damage.count
    return account
  }

  /// Uses the export's rules to decide which frames are encoded.
  private func setSchedule(_ index: inout SourceIndex, _ opening: JobOpening) throws {
    let location = opening.session.location
    var feed = ExportFeed(
      reader: opening.reader, track: opening.track, session: opening.session,
      processing: opening.processing, fieldOrder: opening.scan, audioTracks: [],
      supply: PlannedSamples(index, opening))
    let chosen = try feed.schedule()
    guard feed.timeline.partCount == 1 else {
      throw EncodeJobError(
        .notDivisible,
        "\(location.displayName) cannot be cut exactly: its timestamps restart midway; encode it in one piece"
      )
    }
    guard !chosen.isEmpty else {
      throw EncodeJobError(
        .invalidArgument, "\(location.displayName) has no frame between the in and the out point")
    }
    index.setSchedule(chosen)
  }

  private func parts(
    of source: EncodeJobPlan.Source, _ number: Int
  ) throws(EncodeJobError) -> [EncodeJobPlan.Part] {
    let interval = source.restartInterval
    let pieces = (source.frameCount + interval - 1) / interval
    let count: Int
    switch division {
    case .parts(let wanted):
      guard (1...pieces).contains(wanted) else {
        throw EncodeJobError(
          .invalidArgument,
          "\(source.input) has \(source.frameCount) frames, \(pieces) pieces of \(interval): it cannot "
            + "become \(wanted) parts; ask for fewer, or choose a smaller restart interval")
      }
      count = wanted
    case .seconds(let seconds):
      let rate = FrameRate(source.frameRate)?.framesPerSecond ?? 25
      let length = max((seconds * rate / Double(interval)).rounded(), 1)
      count = max(1, Int((Double(pieces) / length).rounded(.up)))
    }
    return (0..<count).map { part in
      let first = part * pieces / count * interval
      let end = min((part + 1) * pieces / count * interval, source.frameCount)
      return EncodeJobPlan.Part(source: number, firstFrame: first, frameCount: end - first)
    }
  }

  private func relative(_ path: String) throws(EncodeJobError) -> String {
    let prefix = folder.hasSuffix("/") ? folder : folder + "/"
    guard path.utf8.starts(with: prefix.utf8) else {
      throw EncodeJobError(.invalidArgument, "\(path) is not within the job's folder, \(folder)")
    }
    return String(Substring(path.utf8.dropFirst(prefix.utf8.count)))
  }

  private static func absolute(_ input: String) -> String {
    input.isAbsolutePath ? input : FileManager.default.currentDirectoryPath + "/" + input
  }
}
