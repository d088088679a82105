import ArgumentParser
import Foundation
import MediaCore
import MediaLibrary
import RecorderControl
import TakeReports
import Takes
import VideoRecorder

/// `recordctl record`
struct RecordCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "record", abstract: "Records from a capture device to a ProRes movie.",
    discussion: """
      Records until the duration is reached or the command is interrupted (Ctrl-C, SIGTERM); \
      either way the file is a valid movie. The report on standard output says what happened to \
      each frame.

      SIGUSR1 starts a new movie while recording, without losing or repeating a frame. With \
      --pre-roll or --start-at the command first waits in standby: recording starts at Enter, at \
      SIGUSR2 or at the given time.

      With --takes the device stays open between takes: Enter (or SIGUSR2) starts and stops a \
      take, p (or SIGTSTP, Ctrl-Z) pauses and resumes it, and q or Ctrl-C ends the session. Each \
      take's report is printed as soon as the take is complete; with --json, as one line of JSON.

      The defaults for device, preset, folder and library are read from \
      ~/.config/recordctl/config.toml and from RECORDCTL_DEVICE, RECORDCTL_PRESET, \
      RECORDCTL_OUTPUT_FOLDER and RECORDCTL_LIBRARY.

      The movie name may contain wildcards: {reel}, {scene}, {take}, {date}, {time}, {counter}, \
      {device}, {preset}.
      """)

  @OptionGroup var recording: RecordingArguments

  @Option(
    help: "Duration: 10, 10s, 1m30s, or 300f for frames (default: until interrupted).",
    transform: RecordingDuration.argument)
  var duration: RecordingDuration?

  @Option(help: "Timecode of the first frame: HH:MM:SS:FF, or HH:MM:SS;FF for drop-frame.")
  var timecode: String?

  @Option(
    name: [.short, .customLong("output")],
    help: """
      Movie to write, or a folder for a movie named by date and time (default: the configured \
      folder, or the working folder).
      """,
    completion: .file(extensions: ["mov"]), transform: GivenPath.argument)
  var output: String?

  @Option(
    help: ArgumentHelp(
      """
      What to do when the source is lost: new-segment (start a new movie when it returns), hold \
      (repeat the last frame), slate, or stop (default: as in the preset).
      """, valueName: "policy"), completion: InterruptionPolicy.completions,
    transform: InterruptionPolicy.argument)
  var onInterruption: InterruptionPolicy?

  @Option(
    help: ArgumentHelp(
      "Start a new movie at intervals, such as 10m or 300f (frames), or before a size, such as 4GB.",
      valueName: "limit"),
    transform: SegmentLimit.argument)
  var segment: SegmentLimit?

  @Option(
    help: ArgumentHelp(
      "Wait in standby, and include this much video from before the start, such as 5s.",
      valueName: "duration"),
    transform: RecordingDuration.argument)
  var preRoll: RecordingDuration?

  @Option(
    help: ArgumentHelp(
      "Wait in standby until a time of day: 09:30, 09:30:00, or 09:30:00:12 with frames.",
      valueName: "time"),
    transform: StartTime.argument)
  var startAt: StartTime?

  @Option(help: "Reel, for the metadata, the timecode track and {reel} in the name.")
  var reel: String?

  @Option(help: "Scene, for the metadata and {scene} in the name.")
  var scene: String?

  @Option(
    help: """
      Take number, for the metadata and {take} in the name (default: the first unused number). \
      With --takes, the number of the first take.
      """, transform: Int.argument(in: 0...999_999))
  var take: Int?

  @Flag(
    help: "Record several takes with the device kept open; keys or signals start and stop each.")
  var takes = false

  @Option(
    help: ArgumentHelp(
      "Also write each movie and its sidecar to this folder, on another disk.", valueName: "folder"),
    completion: .directory, transform: GivenPath.argument)
  var secondFolder: String?

  @Flag(help: "Overwrite an existing file.")
  var overwrite = false

  @Flag(
    help: "Leave gaps where frames are missing (variable frame rate) instead of repeating frames."
  )
  var variable = false

  @Flag(
    inversion: .prefixedNo,
    help:
      "Write a sidecar, FILE.json, with the report and the checksums that `recordctl verify` uses.")
  var sidecar: Bool?

  @Option(
    help: ArgumentHelp(
      """
      Let other programs watch and control the recording through this socket; see `recordctl \
      control`.
      """, valueName: "socket"),
    completion: .file(), transform: GivenPath.argument)
  var control: String?

  @OptionGroup var saving: SavingArguments

  @OptionGroup var uploading: UploadingArguments

  @OptionGroup var watching: WatchingArguments

  @Flag(help: "Print the report as JSON; with --takes, one line per take.")
  var json = false

  func run() async throws {
    let defaults = try RecorderDefaults()
    var request = try request(defaults)
    let wanted = request.preset.library
    let photos = try saving.destination(for: wanted)
    let uploads = try uploading.uploads(isSaved: photos != nil)
    uploads?.attach(to: &request)
    if let line = defaults.summary(
      of: recording.defaulted(output: output, savesTo: photos, saving, wanted))
    {
      Console.note(line)
    }
    if takes {
      try await recordTakes(request, photos, uploads)
    } else {
      try await recordOne(request, photos, uploads)
    }
  }

  /// What the arguments say in place of a preset's settings.
  var overrides: PresetOverrides {
    var overrides = recording.overrides
    overrides.timecode = timecode
    overrides.interruption = onInterruption
    overrides.fillsGaps = variable ? false : nil
    overrides.segment = segment
    overrides.writesSidecar = sidecar
    overrides.preRoll = preRoll
    return overrides
  }

  private func request(_ defaults: RecorderDefaults) throws -> RecordingRequest {
    var request = try recording.request(defaults, overrides)
    request.duration = duration
    request.openMovieHandler = TrapMovies.note
    request.overwritesExistingFile = overwrite
    request.secondFolder = secondFolder
    request.outputFolder = output == nil ? defaults[.outputFolder] : nil
    request.names.reel = reel
    request.names.scene = scene
    request.names.take = take
    return request
  }

  /// What is to be said before a recording begins.
  func checkBefore(
    _ setup: RecordingSetup, _ path: String, _ photos: PhotoLibrary?
  ) throws {
    // A library that takes nothing, or not this, is told now, not when the recording is complete.
    try photos?.checkAdding(fileNamed: URL(filePath: path).lastPathComponent)
    setup.selection.warn()
    try setup.request.secondFolder(beside: path)?.warn()
    if let note = UnfinishedMovies(besides: path, isReplaced: overwrite).text {
      Console.note(note)
    }
  }

  private func recordOne(
    _ asked: RecordingRequest, _ photos: PhotoLibrary?, _ uploads: MovieUploads?
  ) async throws {
    var request = asked
    let feed = control.map { _ in MonitorFeed() }
    feed?.attach(to: &request)
    let series = try RecordingSeries(request)
    // A name that cannot be is told now, not when the recording begins.
    try checkBefore(series.setup, try series.setup.moviePath(for: output), photos)
    let interruption = Interruption(onHangup: watching.onHangup)
    let report = try await record(series, feed, uploads, interruption)
    let last = report.continuations.last ?? report
    let outcome = OutcomeField(
      outcome: report.outcome(endingWith: series.setup.outcome(of: last)))
    let second = SecondPlace(of: report)
    // As JSON there is one document, which tells where the movies are in the end.
    if !json {
      Console.print(RecordingText.series(report) + (uploads.map { [$0.line(of: report)] } ?? []))
    } else if let uploads {
      try Console.print(
        JSONDocument(.recording, report, outcome, second, uploads.result(of: report)))
    } else if photos == nil || report.finishedMovies.isEmpty {
      try Console.print(JSONDocument(.recording, report, outcome, second))
    }
    uploads?.finish()
    for error in ([report] + report.continuations).compactMap(\.sidecarError) {
      Console.note("\(error)")
    }
    UnfinishedMovies.tell(of: ([report] + report.continuations).flatMap(\.segments))
    var wasInterrupted = false
    if let photos, !report.finishedMovies.isEmpty {
      wasInterrupted = try await saveTake(report, outcome, in: photos, interruption)
    }
    // Until all is said: a second Ctrl-C that comes at once is the first one still.
    withExtendedLifetime(interruption) {}
    if let error = last.error, !last.end.isIntended { Console.note(error.message) }
    let status = ExitStatus(outcome.outcome)
    if status != .success { throw status.exit }
    if wasInterrupted { throw ExitStatus.endedEarly.exit }
  }

  /// Moves the movies of a take into the library. Where that fails they stay where they are.
  ///
  /// - Returns: True where a signal ended the hooks.
  private func saveTake(
    _ report: RecordingReport, _ outcome: OutcomeField, in photos: PhotoLibrary,
    _ interruption: Interruption
  ) async throws -> Bool {
    let second = SecondPlace(of: report)
    let changes: ChangeReport
    do throws(MediaLibraryError) {
      changes = try await SavingArguments.save(under: interruption) {
        () async throws(MediaLibraryError) in
        try await photos.save(takes: [report.finishedMovies])
      }
    } catch {
      let failure = SavedRecording(library: .init(path: photos.url.path, error: error))
      if json { try Console.print(JSONDocument(.recording, report, outcome, second, failure)) }
      Console.note("the take is not in the library: \(error.message)")
      throw ExitStatus.failure.exit
    }
    if json {
      let saved = SavedRecording(library: .init(changes, in: photos))
      try Console.print(JSONDocument(.recording, report, outcome, second, saved))
    }
    SavingArguments.tell(changes, photos)
    return changes.hooks.contains(where: \.wasInterrupted)
  }

  private func record(
    _ series: RecordingSeries, _ feed: MonitorFeed?, _ uploads: MovieUploads?,
    _ interruption: Interruption
  ) async throws -> RecordingReport {
    let name = output
    let setup = series.setup
    let trigger = try startTrigger(setup)
    if startAt != nil, let remark = await setup.remarkOnClock() {
      Console.note(remark)
    }
    let steered = OneTakeRecorder(series)
    uploads?.observe { steered.notice($0) }
    if let trigger { steered.begins { trigger.pull($0) } }
    let server = try control.map { try ControlServer(path: $0, recorder: steered, feed: feed) }
    defer { server?.stop() }
    let task = Task {
      try await series.record(
        after: trigger.map { trigger in { @Sendable in await trigger.wait() } },
        in: setup.folder(of: name),
        telling: {
          steered.note($0)
          Console.note(RecordingText.event($0))
        }
      ) { () throws(CaptureError) in try setup.movieName(for: name) }
    }
    let end: @Sendable () -> Void = {
      task.cancel()
      trigger?.pull(nil)
    }
    steered.ends(by: end)
    interruption.handle { steered.end() }
    let cutter = SignalHandler(SIGUSR1) {
      do { try series.setup.output.startNewSegment() } catch { Console.note("\(error)") }
    }
    // Only now: who reads this may send a signal.
    if trigger != nil, startAt == nil { Self.tellHowToStart() }
    let drawing = draw(series, for: server == nil ? nil : steered)
    let result = await task.result
    steered.finish(
      result,
      outcome: { report in
        report.outcome(endingWith: series.setup.outcome(of: report.continuations.last ?? report))
      })
    drawing.cancel()
    await drawing.value
    withExtendedLifetime((cutter, trigger)) {}
    return try result.get()
  }

  private static func tellHowToStart() {
    let process = ProcessInfo.processInfo.processIdentifier
    Console.note(
      "standing by; \(EnterKey.isPresent ? "press Enter, or " : "")send SIGUSR2 to process "
        + "\(process) to start recording")
  }

  /// Shows how a recording is getting on, until the task is cancelled.
  ///
  /// - Parameter steered: Looks where the recording stands as often as the line is drawn; nil where nobody steers.
  private func draw(
    _ series: RecordingSeries, for steered: OneTakeRecorder?
  ) -> Task<Void, Never> {
    let display = display(hasKeys: EnterKey.isPresent) {
      series.setup.output.noteProcessStop(lasting: $0.seconds)
    }
    return Task {
      await display.run {
        steered?.look()
        return series.setup.output.progress
      }
    }
  }

  /// The line that shows how a take is getting on.
  ///
  /// - Parameters:
  ///   - hasKeys: True if keys of the terminal steer the takes.
  ///   - refusesStop: False if Ctrl-Z means something else.
  ///   - didStop: Told how long the process was stopped.
  func display(
    hasKeys: Bool, refusesStop: Bool = true, _ didStop: @escaping @Sendable (Duration) -> Void
  ) -> TakeDisplay {
    let line = ProgressLine()
    return TakeDisplay(
      line: line,
      live: LiveLine(hasBlocks: line.hasBlocks, start: .init(time: startAt, hasKeys: hasKeys)),
      rings: watching.bell,
      watch: TakeWatch(suspension: Suspension(refusesStop: refusesStop, didStop)))
  }

  /// What a recording that stands by waits for; nil where it begins at once.
  private func startTrigger(_ setup: RecordingSetup) throws -> StartTrigger? {
    guard setup.request.preset.preRoll != nil || startAt != nil else { return nil }
    return StartTrigger(at: try startAt.map { try setup.moment(of: $0) })
  }
}
