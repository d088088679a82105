import ArgumentParser
import Foundation
import MediaCore
import MediaLibrary
import VideoRecorder

/// `recordctl record`
struct RecordCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "record", abstract: "Records a device into a ProRes movie.",
    discussion: """
      Records until the duration is reached or the command is interrupted (Ctrl-C, SIGTERM); the \
      file is a valid movie either way. The report on standard output tells what happened to each \
      frame.

      SIGUSR1 begins a new movie while recording: no frame is lost or repeated. With --pre-roll or \
      --start-at the command stands by first: the recording begins at Enter, at SIGUSR2, or at the \
      time.

      The movie's name may have wildcards: {reel}, {scene}, {take}, {date}, {time}, {counter}, \
      {device}, {preset}.
      """)

  @OptionGroup var recording: RecordingArguments

  @Option(
    help: "How long: 10, 10s, 1m30s, or 300f for frames; else until interrupted.",
    transform: RecordingDuration.argument)
  var duration: RecordingDuration?

  @Option(help: "The first frame's timecode: HH:MM:SS:FF, or HH:MM:SS;FF for drop-frame.")
  var timecode: String?

  @Option(
    name: [.short, .customLong("output")],
    help: "The movie to write; else a name of date and time in the working folder.",
    completion: .file(extensions: ["mov"]))
  var output: String?

  @Option(
    help: """
      When the source goes away: new-segment (a new movie when it is back), hold (the last frame), \
      slate, or stop; else as the preset says.
      """, transform: InterruptionPolicy.argument)
  var onInterruption: InterruptionPolicy?

  @Option(
    help: "Go on in a new movie after each 10m, 300f (frames), or before 4GB.",
    transform: SegmentLimit.argument)
  var segment: SegmentLimit?

  @Option(
    help: "Stand by, and begin the movie this much before the start: 5s.",
    transform: RecordingDuration.argument)
  var preRoll: RecordingDuration?

  @Option(
    help: "Stand by until the time of day: 09:30, 09:30:00, or 09:30:00:12 with frames.",
    transform: StartTime.argument)
  var startAt: StartTime?

  @Option(help: "The reel: in the timecode track, and for {reel} in the name.")
  var reel: String?

  @Option(help: "The scene, for {scene} in the name.")
  var scene: String?

  @Option(help: "The take's number, for {take} in the name; else the first that is free.")
  var take: Int?

  @Flag(help: "Replace the file where it exists.")
  var overwrite = false

  @Flag(
    help: "Leave gaps open where frames are missing, at a variable rate; else the rate is constant."
  )
  var variable = false

  @Flag(
    inversion: .prefixedNo,
    help: "Write a sidecar beside the movie, FILE.json: the report, and checksums for verify.")
  var sidecar: Bool?

  @OptionGroup var saving: SavingArguments

  @Flag(help: "Print the report as JSON.")
  var json = false

  func run() async throws {
    var request = try recording.request()
    request.duration = duration
    request.overwritesExistingFile = overwrite
    if let timecode { request.preset.timecode = .start(timecode) }
    if let onInterruption { request.preset.faults.interruption = onInterruption }
    if variable { request.preset.video.fillsGaps = false }
    if let segment { request.preset.segment = segment }
    if let sidecar { request.preset.writesSidecar = sidecar }
    if let preRoll {
      request.preset.preRollSeconds = preRoll.seconds(at: request.preset.video.frameRate)
    }
    request.names.reel = reel
    request.names.scene = scene
    request.names.take = take
    let series = try RecordingSeries(request)
    let setup = series.setup
    // A name that cannot be is told now, not when the recording begins.
    let path = try setup.moviePath(for: output)
    let wanted = setup.request.preset.library
    let photos = saving.isWanted || wanted.saves ? saving.destination(else: wanted.folder) : nil
    // So is a library that takes nothing, or not this.
    try photos?.checkAdding(fileNamed: URL(filePath: path).lastPathComponent)
    if !setup.selection.tier.isTrue10Bit422 {
      Console.note(
        "recordctl: fallback: the input is tier \(setup.selection.tier.rawValue) "
          + "(\(setup.selection.tier.displayName)), not 10-bit 4:2:2")
    }
    if let note = UnfinishedMovies(besides: path, isReplaced: overwrite).text {
      Console.note("recordctl: \(note)")
    }
    let report = try await record(series)
    // As JSON there is one document, which tells where the movies are in the end.
    if !json {
      Console.print(RecordingText.series(report))
    } else if photos == nil {
      try Console.print(json: report)
    }
    for error in ([report] + report.continuations).compactMap(\.sidecarError) {
      Console.note("recordctl: \(error)")
    }
    var wasInterrupted = false
    if let photos { wasInterrupted = try await saveTake(report, in: photos, hooks: wanted.hooks) }
    let last = report.continuations.last ?? report
    if let error = last.error, !last.end.isIntended { Console.complain(error) }
    let status = report.status(of: series.setup.exitStatus(of: last))
    if status != 0 { throw ExitCode(status) }
    if wasInterrupted { throw ExitStatus.endedEarly.exit }
  }

  /// Moves the movies of a take into the library. Where that fails they stay where they are.
  ///
  /// - Returns: True where a signal ended the hooks.
  private func saveTake(
    _ report: RecordingReport, in photos: PhotoLibrary, hooks: [String]?
  ) async throws -> Bool {
    if let hooks { photos.hookSelection = .executables(hooks) }
    let changes: ChangeReport
    do throws(MediaLibraryError) {
      changes = try await SavingArguments.save { () async throws(MediaLibraryError) in
        try await photos.save(movies: report.finishedMovies)
      }
    } catch {
      let failure = SavedRecording.Saving(path: photos.url.path, error: error.message)
      if json { try Console.print(json: SavedRecording(report: report, library: failure)) }
      Console.complain("the take is not in the library: \(error.message)")
      throw ExitStatus.failure.exit
    }
    if json {
      try Console.print(
        json: SavedRecording(report: report, library: .init(changes, in: photos)))
    }
    SavingArguments.tell(changes, photos)
    return changes.hooks.contains(where: \.wasInterrupted)
  }

  private func record(_ series: RecordingSeries) async throws -> RecordingReport {
    let progress = ProgressLine()
    let name = output
    let setup = series.setup
    let trigger = startTrigger(setup)
    let task = Task {
      try await series.record(
        after: trigger.map { trigger in { @Sendable in await trigger.wait() } },
        telling: { Console.note("recordctl: \(RecordingText.event($0))") }
      ) { () throws(CaptureError) in try setup.moviePath(for: name) }
    }
    let interruption = Interruption {
      task.cancel()
      trigger?.pull()
    }
    let cutter = SignalHandler(SIGUSR1) {
      do { try series.setup.output.startNewSegment() } catch { Console.complain("\(error)") }
    }
    // The library sees the limit of a file's size before it is reached; the signal must not kill.
    signal(SIGXFSZ, SIG_IGN)
    // Only now: who reads this may send a signal, which must not kill.
    if trigger != nil, startAt == nil {
      Console.note("recordctl: standing by; Enter or SIGUSR2 begins to record")
    }
    let drawing = Task {
      while !Task.isCancelled {
        if let now = series.setup.output.progress {
          progress.show(fitting: { RecordingText.line(now, columns: $0) })
        }
        try? await Task.sleep(for: .milliseconds(100))
      }
    }
    let result = await task.result
    drawing.cancel()
    await drawing.value
    progress.clear()
    withExtendedLifetime((interruption, cutter, trigger)) {}
    return try result.get()
  }

  /// What a recording that stands by waits for; nil where it begins at once.
  private func startTrigger(_ setup: RecordingSetup) -> StartTrigger? {
    guard setup.request.preset.preRollSeconds > 0 || startAt != nil else { return nil }
    let delay = startAt?.seconds(
      after: Date().timeIntervalSince1970, rate: setup.selection.frameRate)
    return StartTrigger(after: delay)
  }
}
