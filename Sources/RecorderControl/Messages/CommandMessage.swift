import CaptureDevices
import FoundationEssentials
import MediaCore
import Monitor
import Takes

/// A command with the number that its reply names: a line of JSON.
public struct CommandMessage: Sendable, Hashable {
  /// The client's number; the reply repeats it. Nil for none.
  public var id: Int?
  public var command: RecorderCommand
  /// What was ignored in the line, as sentences.
  public internal(set) var notes: [String] = []

  /// A message of a command.
  public init(_ command: RecorderCommand, id: Int? = nil) {
    self.command = command
    self.id = id
  }
}

extension CommandMessage {
  /// Every key that some command has.
  private struct Fields: Codable {
    var schema: String?
    var version: Int?
    var id: Int?
    var command: String?
    var name: String?
    var reel: String?
    var scene: String?
    var take: Int?
    var at: String?
    var timecode: String?
    var note: String?
    var preset: String?
    var isOn: Bool?
    var pictureRate: Double?
    var region: FrameRegion?
    var scopes: [String]?
    var levels: Bool?
    var alarms: Bool?
    var number: Int?
  }

  /// The keys that each command takes besides `schema`, `version`, `id` and `command`.
  private static let keys: [String: [String]] = [
    "start": ["name", "reel", "scene", "take", "at", "timecode"], "mark": ["note"],
    "standby": ["isOn"], "preset": ["preset"], "events": ["isOn"],
    "monitor": ["pictureRate", "region", "scopes", "levels", "alarms"], "acknowledge": ["number"],
  ]

  /// Any key of a JSON object.
  private struct AnyKey: CodingKey {
    var stringValue: String
    var intValue: Int? { nil }
    init?(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }

  /// A line, decoded in one pass, because there is one for each frame shown.
  private struct Line: Decodable {
    let fields: Fields
    let names: [String]
    init(from decoder: any Decoder) throws {
      fields = try Fields(from: decoder)
      names = try decoder.container(keyedBy: AnyKey.self).allKeys.map(\.stringValue).sorted()
    }
  }

  /// The command number in a line that may not be a valid message, for the reply that refuses it.
  static func id(in line: [UInt8]) -> Int? {
    struct Number: Decodable { var id: Int? }
    return (try? JSONDecoder().decode(Number.self, from: Data(line)))?.id
  }

  /// Reads a line.
  ///
  /// - Throws: ``ControlError/Code/invalidMessage``, ``ControlError/Code/unsupportedVersion`` or
  ///   ``ControlError/Code/unknownCommand``.
  public init(line: [UInt8]) throws(ControlError) {
    if let number = Self.acknowledged(in: line) {
      command = .acknowledge(number)
      return
    }
    let read: Line
    do { read = try JSONDecoder().decode(Line.self, from: Data(line)) } catch {
      throw ControlError(.invalidMessage, "no command: \(Self.fault(error))")
    }
    let (fields, names) = (read.fields, read.names)
    guard fields.version ?? DocumentKind.version <= DocumentKind.version else {
      throw ControlError(
        .unsupportedVersion,
        "a message of version \(fields.version ?? 0); this recorder speaks version "
          + "\(DocumentKind.version)")
    }
    guard let name = fields.command else {
      throw ControlError(.invalidMessage, "the message has no 'command'")
    }
    guard RecorderCommand.names.contains(name) else {
      throw ControlError(
        .unknownCommand,
        "unknown command '\(name.prefix(40))'"
          + Suggestion.remark(on: String(name.prefix(40)), among: RecorderCommand.names)
          + "; known are " + RecorderCommand.names.joined(separator: ", "))
    }
    id = fields.id
    command = try Self.command(name, fields)
    let known = ["schema", "version", "id", "command"] + (Self.keys[name] ?? [])
    notes = names.filter { !known.contains($0) }.prefix(8).map {
      "'\($0.prefix(40))' is not a key of \(name) and was ignored"
    }
  }

  /// The text before and after the number of an acknowledgement, as ``line()`` writes it.
  private static let acknowledgement = (
    before: Array(#"{"command":"acknowledge","number":"#.utf8),
    behind: Array(
      #","schema":"\#(DocumentKind.recorderCommand.schema)","version":\#(DocumentKind.version)}"#
        .utf8)
  )

  /// The number of the frame that a line acknowledges; nil for any other line, or one in another notation.
  /// There is such a line for each frame shown, and this avoids a JSON decoder for it.
  static func acknowledged(in line: [UInt8]) -> Int? {
    let (before, behind) = acknowledgement
    guard line.count > before.count + behind.count, line.starts(with: before),
      line.suffix(behind.count).elementsEqual(behind)
    else { return nil }
    let digits = line[before.count..<line.count - behind.count]
    // A JSON number has no leading zero, and one of 18 digits fits into `Int`.
    guard digits.count <= 18, digits.first != UInt8(ascii: "0"),
      digits.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) })
    else { return nil }
    return digits.reduce(0) { 10 * $0 + Int($1 - UInt8(ascii: "0")) }
  }

  private static func fault(_ error: any Error) -> String {
    guard let error = error as? DecodingError else { return "it is not JSON" }
    switch error {
    case .typeMismatch(_, let context), .valueNotFound(_, let context),
      .keyNotFound(_, let context):
      let key = context.codingPath.map(\.stringValue).joined(separator: ".")
      return key.isEmpty ? "it is not a JSON object" : "'\(key)' has a value of another type"
    default: return "it is not a JSON object on one line"
    }
  }

  private static func command(
    _ name: String, _ fields: Fields
  ) throws(ControlError) -> RecorderCommand {
    func needed<Value>(_ value: Value?, _ key: String) throws(ControlError) -> Value {
      guard let value else {
        throw ControlError(.invalidMessage, "the command '\(name)' needs '\(key)'")
      }
      return value
    }
    switch name {
    case "start": return .start(try slate(fields), try moment(fields))
    case "stop": return .stop
    case "split": return .split
    case "mark": return .mark(fields.note ?? "")
    case "standby": return .standBy(try needed(fields.isOn, "isOn"))
    case "preset": return .preset(try needed(fields.preset, "preset"))
    case "events": return .events(try needed(fields.isOn, "isOn"))
    case "monitor": return .monitor(try subscription(fields))
    case "acknowledge": return .acknowledge(try needed(fields.number, "number"))
    case "quit": return .quit
    case "retire": return .retire
    default: return .status
    }
  }

  private static func slate(_ fields: Fields) throws(ControlError) -> TakeSlate {
    if let take = fields.take, !(0...999_999).contains(take) {
      throw ControlError(.invalidMessage, "take \(take); takes range from 0 to 999999")
    }
    return TakeSlate(
      name: fields.name, reel: fields.reel, scene: fields.scene, take: fields.take)
  }

  private static func moment(_ fields: Fields) throws(ControlError) -> ArmedStart? {
    switch (fields.at, fields.timecode) {
    case (nil, nil): return nil
    case (let date?, nil):
      guard let unixTime = ISOMoment.unixTime(date) else {
        throw ControlError(
          .invalidMessage, "'\(date.prefix(40))' is not a date; write 2026-11-23T09:30:00Z")
      }
      return .date(unixTime: unixTime)
    case (nil, let text?):
      guard let time = StartTime(text) else {
        throw ControlError(
          .invalidMessage, "'\(text.prefix(40))' is not a time of day; use 09:30:00 or 09:30:00:12")
      }
      return .timeOfDay(time, text: text)
    case (_?, _?):
      throw ControlError(.invalidMessage, "a start has 'at' or 'timecode', not both")
    }
  }

  private static func region(_ fields: Fields) throws(ControlError) -> FrameRegion? {
    guard let region = fields.region else { return nil }
    let (limit, places) = (FrameRegion.limit, 0...65_535)
    guard places.contains(region.x), places.contains(region.y),
      (2...limit.width).contains(region.width), (1...limit.height).contains(region.height)
    else {
      throw ControlError(
        .invalidMessage,
        "region \(region.width)x\(region.height) at \(region.x), \(region.y); it has at least 2x1 and "
          + "at most \(limit) pixels, and its position is not negative")
    }
    return region
  }

  private static func subscription(_ fields: Fields) throws(ControlError) -> MonitorSubscription {
    let rate = fields.pictureRate ?? 0
    guard MonitorSubscription.isPictureRate(rate) else {
      throw ControlError(
        .invalidMessage,
        "pictureRate \(rate); it is 0, or from \(MonitorSubscription.slowestRate) to "
          + "\(Int(MonitorSubscription.rateLimit))")
    }
    var scopes: VideoScopes.Selection = []
    for name in fields.scopes ?? [] {
      guard let known = VideoScopes.Selection.named.first(where: { $0.name == name }) else {
        throw ControlError(
          .invalidMessage,
          "unknown scope '\(name.prefix(40))'; known are "
            + VideoScopes.Selection.named.map(\.name).joined(separator: ", "))
      }
      scopes.insert(known.selection)
    }
    return MonitorSubscription(
      pictureRate: rate, region: try region(fields), scopes: scopes,
      levels: fields.levels ?? false, alarms: fields.alarms ?? false)
  }
}

extension CommandMessage {
  /// The message as a line, with its end.
  ///
  /// - Throws: ``ControlError/Code/invalidMessage`` for a number that JSON lacks.
  public func line() throws(ControlError) -> [UInt8] {
    var fields = Fields()
    fields.id = id
    fields.command = command.name
    switch command {
    case .status, .stop, .split, .quit, .retire: break
    case .start(let slate, let moment):
      (fields.name, fields.reel, fields.scene) = (slate.name, slate.reel, slate.scene)
      fields.take = slate.take
      switch moment {
      case .date(let unixTime)?:
        fields.at = ISOMoment.text(unixTime)
      case .timeOfDay(_, let text)?: fields.timecode = text
      case nil: break
      }
    case .mark(let note): fields.note = note
    case .standBy(let isOn), .events(let isOn): fields.isOn = isOn
    case .preset(let name): fields.preset = name
    case .monitor(let subscription):
      fields.pictureRate = subscription.pictureRate
      fields.region = subscription.region
      fields.scopes = subscription.scopes.names
      fields.levels = subscription.levels
      fields.alarms = subscription.alarms
    case .acknowledge(let number): fields.number = number
    }
    return try MessageLine.bytes(.recorderCommand, fields)
  }
}
