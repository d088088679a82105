extension HyperDeckSession {
  /// The highest slot number of a real deck.
  static let slotLimit = 3

  /// Sends the information that a client asks for, or the reason for a refusal.
  mutating func tell(_ command: DeckCommand) {
    switch command.name {
    case "device info": send(deviceInfo)
    case "transport info": send(DeckReply(.transportInfo, fields: deck.transportFields))
    case "slot info": tellSlot(command)
    case "slot select": selectSlot(command)
    case "configuration": configure(command)
    case "preview": preview(command)
    case "clips count":
      send(DeckReply(.clipsCount, fields: ["clip count": "\(deck.clips.count)"]))
    case "clips get": tellClips(command)
    case "disk list": tellDisk(command)
    default: send(DeckReply(.unsupported))
    }
  }

  private var deviceInfo: DeckReply {
    DeckReply(
      .deviceInfo,
      fields: [
        "protocol version": identity.protocolVersion, "model": identity.model,
        "unique id": identity.uniqueID, "slot count": "1",
        "software version": identity.softwareVersion, "name": deck.name ?? identity.name,
      ])
  }

  /// A slot's number, by default the first; a failure for one that a deck lacks.
  private func slot(_ command: DeckCommand) -> Result<Int, Refusal> {
    guard let text = command["slot id"] else { return .success(1) }
    guard let slot = Int(text) else { return .failure(Refusal(code: .invalidValue)) }
    guard (1...Self.slotLimit).contains(slot) else { return .failure(Refusal(code: .outOfRange)) }
    return .success(slot)
  }

  private struct Refusal: Error { let code: DeckCode }

  /// An empty slot is described like a full one, because Companion reconnects endlessly if it gets an
  /// error before its list of clips.
  private mutating func tellSlot(_ command: DeckCommand) {
    switch slot(command) {
    case .success(let slot): send(DeckReply(.slotInfo, fields: deck.slotFields(slot)))
    case .failure(let refusal): send(DeckReply(refusal.code))
    }
  }

  private mutating func selectSlot(_ command: DeckCommand) {
    if command["slot id"] == nil, command["video format"] == nil {
      return send(DeckReply(.syntaxError))
    }
    guard command["video format"] ?? deck.videoFormat == deck.videoFormat else {
      return send(DeckReply(.unsupported))
    }
    switch slot(command) {
    case .success(1): send(DeckReply(deck.slotStatus == .empty ? .noDisk : .ok))
    case .success: send(DeckReply(.noDisk))
    case .failure(let refusal): send(DeckReply(refusal.code))
    }
  }

  /// The recorder's preset determines these settings, so only the present values are accepted.
  private mutating func configure(_ command: DeckCommand) {
    let present = deck.configurationFields(identity)
    guard !command.parameters.pairs.isEmpty else {
      return send(DeckReply(.configuration, fields: present))
    }
    for pair in command.parameters.pairs {
      guard let value = present[pair.key] else { return send(DeckReply(.unsupportedParameter)) }
      guard value == pair.value else { return send(DeckReply(.unsupported)) }
    }
    send(DeckReply(.ok))
  }

  /// The input is always shown.
  private mutating func preview(_ command: DeckCommand) {
    switch command["enable"] {
    case "true"?: send(DeckReply(.ok))
    case "false"?: send(DeckReply(.unsupported))
    case nil: send(DeckReply(.syntaxError))
    default: send(DeckReply(.invalidValue))
    }
  }

  // MARK: Clips

  private mutating func tellClips(_ command: DeckCommand) {
    guard let first = Int(command["clip id"] ?? "1"),
      let count = Int(command["count"] ?? "\(Int32.max)"), first > 0, count >= 0
    else { return send(DeckReply(.invalidValue)) }
    let version = command["version"] ?? "1"
    // The third version lists folders, which clients should not see.
    guard version == "1" || version == "2" else { return send(DeckReply(.invalidValue)) }
    guard command["clip id"] == nil || first <= deck.clips.count else {
      return send(DeckReply(.clipNotFound))
    }
    var lines = [DeckReply.Line.field("clip count", "\(deck.clips.count)")]
    for (index, clip) in deck.clips.enumerated().dropFirst(first - 1).prefix(count) {
      let text =
        version == "1"
        ? "\(clip.name) \(clip.start) \(clip.duration)"
        : "\(clip.start) \(clip.duration) \(DeckTimecode.zero) \(clip.duration) \(clip.name)"
      lines.append(.field("\(index + 1)", text))
    }
    send(DeckReply(.clipsInfo, lines))
  }

  private mutating func tellDisk(_ command: DeckCommand) {
    switch slot(command) {
    case .failure(let refusal): return send(DeckReply(refusal.code))
    case .success(1) where deck.slotStatus != .empty: break
    case .success: return send(DeckReply(.noDisk))
    }
    var lines = [DeckReply.Line.field("slot id", "1")]
    for (index, clip) in deck.clips.enumerated() {
      lines.append(
        .field(
          "\(index + 1)",
          "\(clip.name) \(clip.fileFormat) \(clip.videoFormat) \(clip.duration)"))
    }
    send(DeckReply(.diskList, lines))
  }

  // MARK: Help

  static let help = DeckReply(
    .help, DeckCommand.offered.map { .text(usage($0)) } + [.text("quit ends the connection")])

  private static func usage(_ name: String) -> String {
    let keys = DeckCommand.keys[name] ?? []
    return keys.isEmpty ? name : "\(name): [\(keys.joined(separator: "] ["))]"
  }

  static let commands: DeckReply = {
    var lines = ["<commands>"]
    for name in DeckCommand.offered {
      let keys = DeckCommand.keys[name] ?? []
      if keys.isEmpty {
        lines.append("  <command name=\"\(name)\"/>")
      } else {
        lines.append("  <command name=\"\(name)\">")
        lines += keys.map { "    <parameter name=\"\($0)\"/>" }
        lines.append("  </command>")
      }
    }
    return DeckReply(.commands, (lines + ["</commands>"]).map { .text($0) })
  }()
}
