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
    abstract: "Runs a recorder that other programs watch and control through a socket.",
    discussion: """
      Opens the device and keeps it open. `recordctl control`, `recordctl monitor` and other \
      programs that speak the socket's protocol start, mark, split and stop takes; only the same \
      user and root may connect. SIGINT or SIGTERM ends the take and the recorder.

      A program that watches cannot delay a recording. Each take's report is printed as soon as \
      the take is complete; with --json, as one line of JSON.

      The movie name may contain the same wildcards as for `recordctl record`. If they do not make \
      the takes' names differ, the take number is added.
      """)

  @OptionGroup var recording: RecordingArguments

  @Option(
    help: "Path of the socket to listen on, at most 107 bytes long.", completion: .file(),
    transform: GivenPath.argument)
  var socket: String

  @Option(
    name: [.short, .customLong("output")],
    help: """
      Movie name with wildcards, or a folder (default: the configured folder, or the working \
      folder).
      """, completion: .file(extensions: ["mov"]), transform: GivenPath.argument)
  var output: String?

  @Option(
    help: ArgumentHelp(
      "Also write each movie and its sidecar to this folder, on another disk.", valueName: "folder"),
    completion: .directory, transform: GivenPath.argument)
  var secondFolder: String?

  @Flag(
    help:
      """
      Stay in standby between takes, so that each take starts on the exact frame and with its \
      pre-roll.
      """
  )
  var standby = false

  @Option(
    help: ArgumentHelp(
      "In standby, include this much video from before the start, such as 5s.",
      valueName: "duration"),
    transform: RecordingDuration.argument)
  var preRoll: RecordingDuration?

  @Option(
    help: ArgumentHelp(
      "Start a new movie at intervals, such as 10m or 300f (frames), or before a size, such as 4GB.",
      valueName: "limit"),
    transform: SegmentLimit.argument)
  var segment: SegmentLimit?

  @Option(
    help: """
      Reel of the takes, until changed by `control start --reel`; for the metadata, the timecode \
      track and {reel} in the name.
      """)
  var reel: String?

  @Option(
    help: """
      Scene of the takes, until changed by `control start --scene`; for the metadata and {scene} \
      in the name.
      """)
  var scene: String?

  @Option(help: "Number of the first take.", transform: Int.argument(in: 0...999_999))
  var take: Int?

  @OptionGroup var saving: SavingArguments

  @OptionGroup var uploading: UploadingArguments

  @Option(
    help: ArgumentHelp(
      """
      When the terminal closes (SIGHUP): finish the take and exit, or continue without the \
      terminal (default: finish).
      """, valueName: "policy"),
    completion: HangupPolicy.completions, transform: HangupPolicy.argument)
  var onHangup = HangupPolicy.finish

  @Flag(help: "Print the report of each take as one line of JSON.")
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
    Console.note("controlled through \(server.path); SIGINT ends the recorder")
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
