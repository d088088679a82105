import AssetReader
public import CaptureDevices
public import FoundationEssentials
import MediaCore
import ProRes
public import TakeReports
public import VideoRecorder

/// A session that is set up for one recording.
public final class RecordingSetup: Sendable {
  /// What was chosen.
  public let selection: RecordingSelection
  /// What was asked for.
  public let request: RecordingRequest
  /// The session; it runs while ``record(to:)`` does.
  public let session = CaptureSession()
  /// The output, for progress and to stop.
  public let output = CaptureMovieFileOutput()

  /// Chooses devices and formats, and builds the session.
  ///
  /// - Throws: As ``RecordingSelection/init(_:)``, and `CaptureError.Code.codecUnavailable` where
  ///   the format cannot feed the codec or no encoder here makes it,
  ///   `CaptureError.Code.invalidArgument` for a timecode that the rate has not, and a reel or a scene that no
  ///   name can hold.
  public convenience init(_ request: RecordingRequest) throws(CaptureError) {
    var part = RecordingSelection.Part.device
    try self.init(request, choosing: &part)
  }

  /// As ``init(_:)``.
  ///
  /// - Parameter part: What was being set up where it throws.
  package init(
    _ request: RecordingRequest, choosing part: inout RecordingSelection.Part
  ) throws(CaptureError) {
    self.request = request
    try request.names.check()
    let selection = try RecordingSelection(request, choosing: &part)
    self.selection = selection
    part = .format
    session.beginConfiguration()
    defer { session.commitConfiguration() }
    session.sessionPreset = .inputPriority
    try Self.configure(selection.device, selection.format, rate: selection.frameRate)
    let input = try CaptureDeviceInput(device: selection.device)
    input.threadOptions = request.preset.threads
    try session.add(input)
    if let audio = selection.audioDevice, let format = selection.audioFormat,
      audio !== selection.device
    {
      try Self.configure(audio, format, rate: nil)
      let audioInput = try CaptureDeviceInput(device: audio)
      audioInput.threadOptions = request.preset.threads
      try session.add(audioInput)
    }
    output.openMovieHandler = request.openMovieHandler
    output.completedMovieHandler = request.completedMovieHandler
    try session.add(output)
    // Behind the movie's: who only looks comes last.
    for observer in request.makeObservers?() ?? [] { try session.add(observer) }
    try configureOutput(input, choosing: &part)
  }

  private static func configure(
    _ device: CaptureDevice, _ format: CaptureDevice.Format, rate: FrameRate?
  ) throws(CaptureError) {
    try device.configure { device throws(CaptureError) in
      try device.setActiveFormat(format)
      if let rate { try device.setActiveFrameRate(rate) }
    }
  }

  private func configureOutput(
    _ input: CaptureDeviceInput, choosing part: inout RecordingSelection.Part
  ) throws(CaptureError) {
    var options = RecordingOptions(request, at: selection.frameRate)
    // Under every policy: lost audio returns in this take if it continues, or else in the next ones.
    session.reconnectsDevices = true
    part = .timecode
    options.timecodeSource = try timecodeSource(input)
    part = .format
    if let color = selection.format.video?.color { try options.checkHighRange(of: color) }
    output.options = options
    if let connection = output.connection(with: .video) {
      try output.setVideoCodec(
        request.preset.video.codec, encoder: request.encoder, for: connection)
    }
    try configureAudio(choosing: &part)
  }

  /// The path of the movie that begins now: a name as ``MovieName`` has it, else, in the folder that
  /// `name` is, the request's folder or the working folder, the preset's name, else date and time.
  ///
  /// - Throws: `CaptureError.Code.invalidArgument`, as ``MovieName`` does.
  public func moviePath(for name: String?) throws(CaptureError) -> String {
    try movieName(for: name).path
  }

  /// As ``moviePath(for:)``, with the take that the name tells.
  ///
  /// - Parameters:
  ///   - name: A name, a folder, or nil for the preset's name.
  ///   - take: The take's number; nil for the one that the request says, or the name counts.
  ///   - first: The number from which the name counts.
  ///   - tellsTakes: True for a name that is another one for each take.
  ///   - reel: The reel; nil for the request's.
  ///   - scene: The scene; nil for the request's.
  ///   - unixTime: When the take begins, in seconds since 1970 UTC.
  /// - Throws: As ``moviePath(for:)``.
  public func movieName(
    for name: String?, take: Int? = nil, from first: Int = 1, tellsTakes: Bool = false,
    reel: String? = nil, scene: String? = nil,
    at unixTime: Double = Date().timeIntervalSince1970
  ) throws(CaptureError) -> MovieName.Resolution {
    var template = try template(of: name)
    if tellsTakes { template = template.tellingTakes }
    var values = request.names
    values.take = take ?? values.take
    values.reel = reel ?? values.reel
    values.scene = scene ?? values.scene
    values.device = selection.device.localizedName
    values.preset = request.preset.name
    values.unixTime = unixTime
    var movies: PresentMovies?
    func isTaken(_ path: String) -> Bool {
      let present = movies ?? presentMovies(beside: path)
      movies = present
      return present.hold(path.pathName)
    }
    var resolved = try template.resolve(values, from: first, isTaken: isTaken)
    guard template.tellsTime, isTaken(resolved.path) else { return resolved }
    // A name by the time is meant for this take alone, not for another recorder's of the same second.
    let others = (2...Self.recordersInOneSecond).lazy.map { MovieName.numbered(resolved.path, $0) }
    resolved.path = others.first { !isTaken($0) } ?? resolved.path
    return resolved
  }

  /// Takes that are told apart where their names have one second.
  private static let recordersInOneSecond = 1000

  /// True where a movie of that name is there, or one of several of it, be it in the second folder.
  func isTaken(_ path: String) -> Bool {
    presentMovies(beside: path).hold(path.pathName)
  }

  private func presentMovies(beside path: String) -> PresentMovies {
    PresentMovies(
      in: [path.parentPath, output.options.secondFolder].compactMap(\.self),
      policy: output.segmentPolicy)
  }

  private func template(of name: String?) throws(CaptureError) -> MovieName {
    try MovieName(
      output: name ?? request.outputFolder.map { $0.hasSuffix("/") ? $0 : $0 + "/" },
      standardName: request.preset.fileName)
  }

  /// The folder of a movie's name, or of the movies whose name is nil; nil for a name that cannot be.
  package func folder(of name: String?) -> URL? {
    (try? template(of: name)).map { URL(filePath: $0.folderPath, directoryHint: .isDirectory) }
  }

  /// When a recording begins that is to begin at a time of day, and the address of its frame then.
  ///
  /// - Parameter unixTime: What the clock shows, in seconds since 1970 UTC.
  /// - Throws: As ``StartTime/timecode(at:)``.
  public func moment(
    of time: StartTime, after unixTime: Double = Date().timeIntervalSince1970
  ) throws(CaptureError) -> StartTime.Moment {
    var moment = try time.next(after: unixTime, rate: selection.frameRate)
    if case .start = request.preset.timecode { moment.timecode = nil }
    return moment
  }

  /// What sets the system's clock, and its error, as far as known. Returns at once.
  public var clock: ClockState { request.clock.present }

  /// A warning about the clock, for a start that several recorders share; nil for none. Waits a few seconds at most
  /// for the programs that set the clock.
  public func remarkOnClock() async -> String? {
    await request.clock.read().remark(
      frameDuration: 1 / (selection.frameRate?.framesPerSecond ?? 25))
  }

  private func timecodeSource(
    _ input: CaptureDeviceInput
  ) throws(CaptureError) -> RecordingOptions.TimecodeSource {
    switch request.preset.timecode {
    case .none: return .none
    case .timeOfDay:
      // A generator paints the time of day into its frames; the track has the same.
      return selection.device.deviceType == .pattern ? .source : .timeOfDay
    case .device: return .source
    case .start(let text):
      let rate = selection.frameRate ?? .fps25
      guard let start = Timecode(text, frameRate: rate) else {
        throw CaptureError(.invalidArgument, PresetReader.timecodeFault(text, rate: rate))
      }
      input.startTimecode = start
      return .start(start)
    }
  }

  /// Frames a second that are reckoned with where the device does not tell its rate.
  public static let assumedFrameRate = 30.0

  /// Bytes per second of the codec at Apple's target rate, including the audio as recorded; 0 for a codec without such
  /// a rate.
  public var targetBytesPerSecond: Double {
    guard let profile = ProResProfile(request.preset.video.codec) else { return 0 }
    let size = selection.format.dimensions
    let rate = selection.frameRate?.framesPerSecond ?? Self.assumedFrameRate
    return Double(profile.targetFrameBytes(width: size.width, height: size.height)) * rate
      + audioBytesPerSecond
  }

  /// Runs the session and records, until the duration is reached, the task is cancelled, or
  /// something ends it. A source that goes away before the start is told at once, and awaited.
  ///
  /// - Parameters:
  ///   - path: Asked for the movie's name when the recording begins, and for the next one where another
  ///     recorder has taken it by then.
  ///   - start: Awaited before, while the output stands by with the preset's pre-roll, for the mark at
  ///     which the recording begins; nil to begin at once.
  ///   - folder: Where the movie is to be made, for whoever looks at the disk while the output stands by.
  /// - Throws: What starting the session or `CaptureMovieFileOutput.record(to:from:)` throws.
  public func record(
    after start: (@Sendable () async -> StartMark?)? = nil, in folder: URL? = nil,
    to path: @Sendable () throws(CaptureError) -> MovieName.Resolution
  ) async throws(CaptureError) -> RecordingReport {
    try await session.start()
    do throws(CaptureError) {
      var mark: StartMark?
      if let start {
        let readiness = try keepStandingBy(in: folder)
        mark = await start()
        readiness.cancel()
        // A standby that it is just setting up must be over before the take begins.
        await readiness.value
        guard !Task.isCancelled else {
          throw CaptureError(.invalidState, "the recording was ended before it was started")
        }
      }
      let (_, recording) = try await beginTake(from: mark, named: path)
      let report = await recording.waitForReportOrStop()
      await session.stop()
      return try report.validated()
    } catch {
      output.stopRecording()
      await session.stop()
      throw error
    }
  }

  /// Names that are tried for a take while others take them.
  private static let nameLimit = 8

  /// Begins a take of the session, which runs, under the first name that is free.
  ///
  /// - Parameter name: Asked again where another recorder takes the name in the moment before its file is
  ///   made, as several do that begin at one time.
  func beginTake(
    from mark: StartMark?, named name: () throws(CaptureError) -> MovieName.Resolution
  ) async throws(CaptureError) -> (MovieName.Resolution, MovieRecording) {
    var present = try name()
    for _ in 0..<Self.nameLimit {
      do throws(CaptureError) { return (present, try await beginTake(present, from: mark)) } catch {
        let next = try? name()
        guard error.code == .fileAlreadyExists, let next, next.path != present.path else {
          throw error
        }
        present = next
      }
    }
    return (present, try await beginTake(present, from: mark))
  }

  private func beginTake(
    _ name: MovieName.Resolution, from mark: StartMark?
  ) async throws(CaptureError) -> MovieRecording {
    try checkNotPlayed(name.path)
    output.options.label.take = name.take
    return try await output.beginTake(at: URL(filePath: name.path), from: mark)
  }

  private func checkNotPlayed(_ path: String) throws(CaptureError) {
    for device in [selection.device, selection.audioDevice] {
      if let file = device?.driver as? FileDeviceDriver, file.location.isSameFile(asPath: path) {
        throw CaptureError(.outputFailed, "\(path) is the file being played; choose another name")
      }
    }
  }

  /// Records at once to a path.
  ///
  /// - Throws: As ``record(after:in:to:)``.
  public func record(to path: String) async throws(CaptureError) -> RecordingReport {
    try await record { () throws(CaptureError) in
      MovieName.Resolution(path: path, take: request.names.take)
    }
  }

  /// The report's outcome, except `RecordingReport.Outcome.endedEarly` if a limit of the preset ended the
  /// recording before the requested duration.
  public func outcome(of report: RecordingReport) -> RecordingReport.Outcome {
    guard report.outcome != .failed, report.end == .maximumDurationReached,
      let limit = request.preset.limits.maximumSeconds,
      let rate = selection.frameRate ?? FrameRate(report.movie.frameRate)
    else { return report.outcome }
    guard let wanted = request.duration?.frameCount(at: rate) else { return .endedEarly }
    let isShort = RecordingDuration.seconds(limit).frameCount(at: rate) < wanted
    return isShort ? .endedEarly : report.outcome
  }
}
