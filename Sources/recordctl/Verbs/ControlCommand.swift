import ArgumentParser
import MediaCore
import RecorderControl
import Takes

/// `recordctl control`
struct ControlCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "control",
    abstract: "Controls a recorder through its socket and shows its status.",
    discussion: """
      The recorder is a `recordctl channel` or a `recordctl record --control`. Actions: status; \
      start; stop; split (continue in a new movie); mark NOTE (mark the current frame); standby on \
      or off; preset NAME (for the next takes); events (print events until interrupted); quit (end \
      the take and the recorder); retire (end the recorder unless a take is running).

      The exit status is 0 on success, 1 if the recorder refused or ended, and 2 if no recorder \
      answers or the arguments are wrong.
      """)

  @Argument(help: "Path of the recorder's socket.", completion: .file())
  var socket: String

  @Argument(
    help: "Action: status, start, stop, split, mark, standby, preset, events, quit or retire.",
    completion: .list(Action.names), transform: Action.argument)
  var action: Action

  @Argument(
    help: "Value for the action: the note for mark, on or off for standby, the name for preset.")
  var value: [String] = []

  @Option(help: "For start: movie name, which may have wildcards but no folder.")
  var name: String?

  @Option(help: "For start: reel (default: the previous one).")
  var reel: String?

  @Option(help: "For start: scene (default: the previous one).")
  var scene: String?

  @Option(help: "For start: take number.", transform: Int.argument(in: 0...999_999))
  var take: Int?

  @Option(
    help: """
      For start: start at a date, such as 2026-11-23T09:30:00Z, or at a time of day, such as \
      09:30:00:12.
      """)
  var at: String?

  @Flag(help: "Print the recorder's replies and events as JSON, one per line.")
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
        throw ValidationError("standby needs on or off")
      }
      return .standBy(isOn)
    case .preset:
      guard value.count == 1 else { throw ValidationError("preset needs the name of one preset") }
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
