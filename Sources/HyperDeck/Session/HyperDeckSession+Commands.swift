import Takes

extension HyperDeckSession {
  /// Answers a command or has it carried out.
  mutating func answer(_ command: DeckCommand, at now: Int64) {
    switch command.name {
    case "ping": send(DeckReply(.ok))
    case "quit":
      send(DeckReply(.ok))
      close(.quit)
    case "help", "?": send(Self.help)
    case "commands": send(Self.commands)
    case "uptime":
      send(DeckReply(.uptime, fields: ["uptime": "\(max(now - start, 0) / 1_000_000_000)"]))
    case "watchdog": setWatchdog(command)
    case "notify": setNotifications(command)
    case "remote": setRemote(command)
    case "record", "record spill", "stop": steer(command)
    default: tell(command)
    }
  }

  // MARK: Steering

  private var isRemoteOff: Bool { !deck.isRemoteEnabled && !isOverridden }

  private mutating func steer(_ command: DeckCommand) {
    guard !isRemoteOff else { return send(DeckReply(.remoteControlDisabled)) }
    if command.name == "stop" { return perform(.stop) }
    let spills = command.name == "record spill" || command["spill"] != nil
    if let slot = command["slot id"], slot != "1" {
      return send(DeckReply(Int(slot) == nil ? .invalidValue : .noDisk))
    }
    guard deck.slotStatus != .empty else { return send(DeckReply(.noDisk)) }
    if spills { return perform(.split) }
    if let name = command["name"] {
      guard Self.isMovieName(name) else { return send(DeckReply(.invalidValue)) }
      return perform(.record(name: name))
    }
    perform(.record(name: nil))
  }

  /// The rules for names are the command line's; paths are refused.
  static func isMovieName(_ name: String) -> Bool {
    guard !name.isEmpty, !name.unicodeScalars.contains(where: { $0.value < 0x20 }) else {
      return false
    }
    return (try? MovieName(presetName: name)) != nil
  }

  private mutating func setRemote(_ command: DeckCommand) {
    guard !command.parameters.pairs.isEmpty else {
      return send(DeckReply(.remoteInfo, fields: deck.remoteFields(override: isOverridden)))
    }
    let (enable, override) = (Self.flag(command["enable"]), Self.flag(command["override"]))
    guard enable != .some(nil), override != .some(nil) else {
      return send(DeckReply(.invalidValue))
    }
    if case .some(.some(let isOn)) = override { isOverridden = isOn }
    if case .some(.some(let isOn)) = enable { return perform(.enableRemote(isOn)) }
    send(DeckReply(.ok))
    notify()
  }

  /// The value of a key as a flag: nil if missing, `.some(nil)` if it is not a flag.
  private static func flag(_ text: String?) -> Bool?? {
    switch text {
    case nil: .none
    case "true"?: true
    case "false"?: false
    case _?: .some(nil)
    }
  }

  private mutating func setWatchdog(_ command: DeckCommand) {
    guard let text = command["period"] else { return send(DeckReply(.syntaxError)) }
    guard let seconds = Int(text), (0...86_400).contains(seconds) else {
      return send(DeckReply(.invalidValue))
    }
    watchdog = seconds == 0 ? nil : Int64(seconds) * 1_000_000_000
    send(DeckReply(.ok))
  }

  // MARK: Notifications

  /// Keys of notifications about values that never change here.
  private static let constant: Set = ["playrange", "cache", "dynamic range"]

  private mutating func setNotifications(_ command: DeckCommand) {
    guard !command.parameters.pairs.isEmpty else { return send(notifications) }
    var wanted: [(key: String, isOn: Bool)] = []
    for pair in command.parameters.pairs {
      guard case .some(.some(let isOn)) = Self.flag(pair.value) else {
        return send(DeckReply(.invalidValue))
      }
      let isKnown = DeckState.Topic.allCases.contains { $0.key == pair.key }
      // A refusal is better than a broken promise: a client would take silence for no dropped frames.
      guard isKnown || Self.constant.contains(pair.key) || !isOn else {
        return send(DeckReply(.unsupportedParameter))
      }
      wanted.append((pair.key, isOn))
    }
    for (key, isOn) in wanted {
      if let topic = DeckState.Topic.allCases.first(where: { $0.key == key }) {
        reported[topic] = isOn ? deck.fields(of: topic, identity, isOverridden: isOverridden) : nil
      } else if isOn {
        silentTopics.insert(key)
      } else {
        silentTopics.remove(key)
      }
    }
    send(DeckReply(.ok))
  }

  private var notifications: DeckReply {
    var fields: DeckFields = [:]
    for key in ["transport", "slot", "remote", "configuration", "dropped frames"] {
      fields[key] = "false"
    }
    for key in ["display timecode", "timeline position", "playrange", "cache", "dynamic range"] {
      fields[key] = "\(silentTopics.contains(key))"
    }
    for topic in DeckState.Topic.allCases { fields[topic.key] = "\(reported[topic] != nil)" }
    return DeckReply(.notify, fields: fields)
  }
}
