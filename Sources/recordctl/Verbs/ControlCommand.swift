import ArgumentParser
import MediaCore
import RecorderControl
import Takes

/// `recordctl control`
struct ControlCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "control",
    abstract: "Steers a recorder through its socket, and tells where it stands.",
    discussion: """
      The recorder is a `recordctl channel`, or a `recordctl record --control`. Actions: status; start; \
      stop; split (go on in a new movie); mark NOTE (mark the present frame); standby on or off; preset \
      NAME (for the next takes); events (print what happens, until interrupted); quit (end the take and \
      the recorder); retire (end the recorder, unless it has a take).

      The exit status is 0 if it was done, 1 if the recorder refused or ended, and 2 if there is none or \
      the arguments make no sense.
      """)

  @Argument(help: "The recorder's socket.", completion: .file())
  var socket: String

  @Argument(
    help: "status, start, stop, split, mark, standby, preset, events, quit or retire.",
    completion: .list(Action.names), transform: Action.argument)
  var action: Action

  @Argument(help: "The note of a mark, on or off, or the preset.")
  var value: [String] = []

  @Option(help: "start: the movie's name, with wildcards and without a folder.")
  var name: String?

  @Option(help: "start: the reel; otherwise the one before.")
  var reel: String?

  @Option(help: "start: the scene; otherwise the one before.")
  var scene: String?

  @Option(help: "start: the take's number.", transform: Int.argument(in: 0...999_999))
  var take: Int?

  @Option(help: "start: begin at a date, 2026-11-23T09:30:00Z, or a time of day, 09:30:00:12.")
  var at: String?

  @Flag(help: "Print what the recorder answers as JSON, one line each.")
  var json = false

  /// What can be asked for.
  enum Action: String, NamedValue {
    static let noun = "action"
    case status, start, stop, split, mark, standby, preset, events, quit, retire
  }

  func validate() throws {
    let takesValue = [.mark, .standby, .preset].contains(action)
    guard takesValue || value.isEmpty else {
      throw ValidationError("\(action.rawValue) takes no '\(value.joined(separator: " "))'")
    }
    if action != .start, name ?? reel ?? scene ?? at ?? take.map({ "\($0)" }) != nil {
      throw ValidationError(
        "--name, --reel, --scene, --take and --at are for start, not for \(action.rawValue)")
    }
    _ = try command()
  }

  private func command() throws -> RecorderCommand {
    switch action {
    case .status: return .status
    case .start:
      return .start(TakeSlate(name: name, reel: reel, scene: scene, take: take), try moment())
    case .stop: return .stop
    case .split: return .split
    case .mark: return .mark(value.joined(separator: " "))
    case .standby:
      guard value.count == 1, let isOn = ["on": true, "off": false][value[0]] else {
        throw ValidationError("standby takes on or off")
      }
      return .standBy(isOn)
    case .preset:
      guard value.count == 1 else { throw ValidationError("preset takes the name of one preset") }
      return .preset(value[0])
    case .events: return .events(true)
    case .quit: return .quit
    case .retire: return .retire
    }
  }

  private func moment() throws -> ArmedStart? {
    guard let at else { return nil }
    guard let moment = ArmedStart(at) else {
      throw ValidationError(
        "'\(at)' is not a time; write a date as 2026-11-23T09:30:00Z or a time of day as 09:30:00")
    }
    return moment
  }

  func run() async throws {
    let client = try ControlClient(path: socket)
    let reply = try await client.send(try command())
    try print(reply)
    guard reply.isDone else { throw ExitStatus.failure.exit }
    guard action == .events else { return client.close() }
    let interruption = Interruption { client.close() }
    for await event in client.events where event.event != .greeting {
      if json {
        try Console.print(JSONDocument(.recorderEvent, event), isOneLine: true)
      } else {
        Console.print(ControlText.line(event))
      }
    }
    withExtendedLifetime(interruption) {}
  }

  private func print(_ reply: RecorderReply) throws {
    if json {
      try Console.print(JSONDocument(.recorderReply, reply), isOneLine: true)
    } else if let error = reply.error {
      Console.note(Remedies.spoken(error.message))
    } else if action != .events {
      Console.print(ControlText.lines(reply))
    }
    if !json { for note in reply.notes ?? [] { Console.note(note) } }
  }
}
