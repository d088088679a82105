import CaptureDevices
import Logging
import MediaCore
import RecorderControl
import TakeReports
import Takes

/// A command for a channel over the network.
enum Action: String, Sendable, CaseIterable {
  case start
  case stop
  case split
  case marker
  case standby
  case preset

  /// The keys of its body, for one channel.
  var keys: [String] {
    switch self {
    case .start: ["name", "reel", "scene", "take", "at"]
    case .stop: ["ofTake"]
    case .split: []
    case .marker: ["note"]
    case .standby: ["isOn"]
    case .preset: ["preset"]
    }
  }

  /// The keys of its body, for all channels together.
  var keysForAll: [String] {
    switch self {
    case .start: keys + ["together"]
    // The number of a take belongs to one channel.
    case .stop: []
    default: keys
    }
  }
}

/// A command with the values of its body.
struct Order: Sendable {
  /// Every key that some action has.
  private struct Fields: Decodable {
    var name: String?
    var reel: String?
    var scene: String?
    var take: Int?
    var ofTake: Int?
    var at: String?
    var note: String?
    var isOn: Bool?
    var preset: String?
    var together: Bool?
  }

  let action: Action
  private let command: @Sendable (RecorderChannel) async throws(ServiceError) -> RecorderReply
  /// The slate for a common start of all channels; nil if each starts on its own.
  private let common: TakeSlate?

  /// Reads the body of a request.
  ///
  /// - Throws: ``ServiceError/Code/invalidRequest``.
  init(_ action: Action, _ call: Route.Call) throws(ServiceError) {
    let fields: Fields = try GatewayHandler.body(call)
    self.action = action
    common =
      action == .start && fields.at == nil && fields.together ?? true ? Self.slate(fields) : nil
    switch action {
    case .start: command = try Self.start(fields)
    case .stop:
      let number = fields.ofTake
      command = { channel async throws(ServiceError) -> RecorderReply in
        try await channel.stop(ofTake: number)
      }
    case .split:
      command = { channel async throws(ServiceError) -> RecorderReply in try await channel.split() }
    case .marker:
      let note = fields.note ?? ""
      guard note.utf8.count <= 1000 else {
        throw ServiceError(.tooLong, "a note has at most 1000 bytes")
      }
      if let character = RecordingReport.hiddenCharacter(inNote: note) {
        throw ServiceError(.invalidRequest, "the note has \(character); leave it out")
      }
      command = { channel async throws(ServiceError) -> RecorderReply in
        try await channel.mark(note)
      }
    case .standby:
      guard let isOn = fields.isOn else {
        throw ServiceError(.invalidRequest, "\"isOn\" is missing: true or false")
      }
      command = { channel async throws(ServiceError) -> RecorderReply in
        try await channel.standBy(isOn)
      }
    case .preset:
      guard let preset = fields.preset, !preset.hasSlash, !preset.hasSuffix(".toml") else {
        throw ServiceError(.invalidRequest, "\"preset\" is the name of a preset, not a path")
      }
      command = { channel async throws(ServiceError) -> RecorderReply in
        try await channel.choosePreset(preset)
      }
    }
  }

  private static func start(
    _ fields: Fields
  ) throws(ServiceError) -> @Sendable (RecorderChannel) async throws(ServiceError) -> RecorderReply
  {
    if let name = fields.name {
      guard !name.hasSlash else {
        throw ServiceError(.invalidRequest, "\"name\" is a movie's name without a folder")
      }
    }
    let slate = slate(fields)
    do throws(CaptureError) { try slate.check() } catch {
      throw ServiceError(.invalidRequest, error.message)
    }
    if let take = fields.take, !(0...999_999).contains(take) {
      throw ServiceError(.invalidRequest, "\"take\" is 0 to 999999")
    }
    var moment: ArmedStart?
    if let at = fields.at {
      guard let parsed = ArmedStart(at) else {
        throw ServiceError(
          .invalidRequest,
          "\"at\" is a date, 2026-11-23T09:30:00Z, or a time of day, 09:30:00")
      }
      moment = parsed
    }
    return { [moment] channel async throws(ServiceError) -> RecorderReply in
      try await channel.start(slate, at: moment)
    }
  }

  private static func slate(_ fields: Fields) -> TakeSlate {
    TakeSlate(name: fields.name, reel: fields.reel, scene: fields.scene, take: fields.take)
  }

  /// Tells one channel.
  func outcome(on channel: RecorderChannel) async -> Result<RecorderReply, ServiceError> {
    do throws(ServiceError) { return .success(try await command(channel)) } catch {
      return .failure(error)
    }
  }

  /// The answers of all channels.
  struct Outcomes: Encodable {
    struct Outcome: Encodable {
      var channel: String
      /// Why the command failed; missing if it succeeded.
      var error: ErrorSummary?
      var notes: [String]?
      var take: RecorderStatus.Take?
      var status: RecorderStatus?
      /// How its take began, in a common start.
      var start: CommonStart.Start?
    }

    /// The moment of a common start, by ISO 8601 in UTC; missing if there was none.
    var at: String?
    var results: [Outcome]
  }

  /// Sends the order to all channels at the same time.
  func onAll(of gateway: Gateway, for client: AccessPolicy.Client) async -> Outcomes {
    let channels = gateway.channels
    guard let common, channels.count > 1 else {
      let outcomes = await withTaskGroup(of: (Int, CommonStart.Outcome).self) { group in
        for (index, channel) in channels.enumerated() {
          group.addTask { (index, CommonStart.Outcome(result: await outcome(on: channel))) }
        }
        var all: [Int: CommonStart.Outcome] = [:]
        for await (index, outcome) in group { all[index] = outcome }
        return channels.indices.compactMap { all[$0] }
      }
      return self.outcomes(outcomes, on: channels, of: gateway, for: client)
    }
    let (moment, outcomes) = await CommonStart(channels: channels, slate: common).run()
    return self.outcomes(outcomes, at: moment, on: channels, of: gateway, for: client)
  }

  private func outcomes(
    _ outcomes: [CommonStart.Outcome], at moment: CommonStart.Moment? = nil,
    on channels: [RecorderChannel], of gateway: Gateway, for client: AccessPolicy.Client
  ) -> Outcomes {
    Outcomes(
      at: moment?.date,
      results: zip(channels, outcomes).map { channel, outcome in
        gateway.log(client, self, channel, outcome.result)
        switch outcome.result {
        case .success(let reply):
          return .init(
            channel: channel.name, error: reply.error?.withoutFolders, notes: reply.notes,
            take: reply.take?.withoutFolder, status: reply.status?.withoutFolders,
            start: outcome.start)
        case .failure(let error): return .init(channel: channel.name, error: ErrorSummary(error))
        }
      })
  }
}

extension RecorderReply {
  /// The reply as the network gets it.
  var document: JSONDocument {
    var reply = self
    reply.id = nil
    reply.error = error?.withoutFolders
    reply.take = take?.withoutFolder
    reply.status = status?.withoutFolders
    return JSONDocument(.recorderReply, reply)
  }
}

extension Gateway {
  /// Logs a client's action.
  func log(_ client: AccessPolicy.Client, _ what: String) {
    logger.info(
      "\(what)",
      metadata: ["client": "\(client.name)", "role": "\(client.role)", "from": "\(client.address)"])
  }

  func log(
    _ client: AccessPolicy.Client, _ order: Order, _ channel: RecorderChannel,
    _ outcome: Result<RecorderReply, ServiceError>
  ) {
    let result =
      switch outcome {
      case .success(let reply): reply.error?.message ?? reply.take?.path ?? "done"
      case .failure(let error): error.message
      }
    logger.notice(
      "\(order.action.rawValue) on \(channel.name): \(result)",
      metadata: ["client": "\(client.name)", "role": "\(client.role)", "from": "\(client.address)"])
  }
}
