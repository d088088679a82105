import ArgumentParser
import Foundation
import MediaCore
import MediaLibrary
import RecorderControl
import Takes
import VideoRecorder

/// `recordctl channel`
struct ChannelCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "channel",
    abstract: "Runs a recorder that others see and steer through a socket.",
    discussion: """
      Opens the device and keeps it open. Takes are begun, marked, split and ended by `recordctl \
      control`, `recordctl monitor` and programs that speak the protocol of the socket, which only the \
      same user and root may do. SIGINT or SIGTERM ends the take and the recorder.

      Nothing that watches can hold a recording up. The report of each take follows as soon as it is \
      complete, with --json one document a line.

      The movie's name may have the wildcards that it has for `recordctl record`; where it does not tell \
      takes apart, the take's number is added.
      """)

  @OptionGroup var recording: RecordingArguments

  @Option(
    help: "The socket to listen on, at most 107 bytes.", completion: .file(),
    transform: GivenPath.argument)
  var socket: String

  @Option(
    name: [.short, .customLong("output")],
    help: """
      The movies' name with wildcards, or a folder. If omitted, the default folder or the working \
      folder.
      """, completion: .file(extensions: ["mov"]), transform: GivenPath.argument)
  var output: String?

  @Option(
    help: "Write each movie and its sidecar into this folder too, on another disk.",
    completion: .directory, transform: GivenPath.argument)
  var secondFolder: String?

  @Flag(
    help:
      "Stand by between takes from the start, so that each begins with its very frame and pre-roll."
  )
  var standby = false

  @Option(
    help: "While standing by, begin movies this long before the start: 5s.",
    transform: RecordingDuration.argument)
  var preRoll: RecordingDuration?

  @Option(
    help: "Start a new movie every 10m or 300f (frames), or before 4GB.",
    transform: SegmentLimit.argument)
  var segment: SegmentLimit?

  @Option(
    help: """
      The takes' reel, until `control start --reel` names another; for their metadata, timecode track \
      and {reel} in the name.
      """)
  var reel: String?

  @Option(
    help: """
      The takes' scene, until `control start --scene` names another; for their metadata and {scene} in \
      the name.
      """)
  var scene: String?

  @Option(help: "The first take's number.", transform: Int.argument(in: 0...999_999))
  var take: Int?

  @OptionGroup var saving: SavingArguments

  @OptionGroup var uploading: UploadingArguments

  @Option(
    help:
      "When the terminal goes away (SIGHUP): finish the take and end, or continue without it; finish if omitted.",
    completion: HangupPolicy.completions, transform: HangupPolicy.argument)
  var onHangup = HangupPolicy.finish

  @Flag(help: "Print the report of each take as JSON, one document a line.")
  var json = false

  func run() async throws {
    let defaults = try RecorderDefaults()
    var request = try request(defaults)
    let wanted = request.preset.library
    let photos = try saving.destination(for: wanted)
    let defaulted = recording.defaulted(output: output, savesTo: photos, saving, wanted)
    if let line = defaults.summary(of: defaulted) { Console.note(line) }
    let uploads = try uploading.uploads(isSaved: photos != nil)
    uploads?.attach(to: &request)
    let feed = MonitorFeed()
    feed.attach(to: &request)
    let session = try TakeSession(request, name: output, idles: !standby)
    // Report a library that cannot be written now, rather than after a take.
    try photos?.checkAdding()
    session.setup.selection.warn()
    session.secondFolder?.warn()
    let recorder = TakeRecorder(session) { [overrides] in overrides.request(of: session, with: $0) }
    uploads?.observe { recorder.notice($0) }
    let server = try ControlServer(path: socket, recorder: recorder, feed: feed)
    defer { server.stop() }
    Console.note("steered through \(server.path); SIGINT ends")
    try await TakeRun(
      recorder: recorder, photos: photos, uploads: uploads, isJSON: json
    ).run(onHangup: onHangup)
  }

  /// What the arguments say in place of a preset's settings.
  private var overrides: PresetOverrides {
    var overrides = recording.overrides
    overrides.segment = segment
    overrides.preRoll = preRoll
    return overrides
  }

  private func request(_ defaults: RecorderDefaults) throws -> RecordingRequest {
    var request = try recording.request(defaults, overrides)
    request.openMovieHandler = TrapMovies.note
    request.secondFolder = secondFolder
    request.outputFolder = output == nil ? defaults[.outputFolder] : nil
    (request.names.reel, request.names.scene, request.names.take) = (reel, scene, take)
    return request
  }
}
