extension DeckState {
  /// The blocks whose changes clients can subscribe to.
  enum Topic: Sendable, Hashable, CaseIterable {
    case slot
    case transport
    case remote
    case configuration
    case displayTimecode
    case timelinePosition

    /// The key of `notify`.
    var key: String {
      switch self {
      case .slot: "slot"
      case .transport: "transport"
      case .remote: "remote"
      case .configuration: "configuration"
      case .displayTimecode: "display timecode"
      case .timelinePosition: "timeline position"
      }
    }

    /// The code of the notification.
    var code: DeckCode {
      switch self {
      case .slot: .slotChange
      case .transport: .transportChange
      case .remote: .remoteChange
      case .configuration: .configurationChange
      case .displayTimecode: .displayTimecodeChange
      case .timelinePosition: .timelinePositionChange
      }
    }
  }

  /// The transport's state. The clip's number is omitted if there is none, because pyperdeck parses any
  /// value as a number.
  var transportFields: DeckFields {
    var fields: DeckFields = [
      "status": transport.rawValue, "speed": "0", "slot id": "1",
    ]
    fields["clip id"] = clipID.map { "\($0)" }
    fields["single clip"] = "false"
    fields["display timecode"] = displayTimecode
    fields["timecode"] = timecode
    fields["video format"] = videoFormat
    fields["loop"] = "false"
    fields["input video format"] = inputVideoFormat
    return fields
  }

  /// The slot's fields. Slots of other decks that this one lacks are empty.
  func slotFields(_ slot: Int = 1) -> DeckFields {
    guard slot == 1 else { return ["slot id": "\(slot)", "status": SlotStatus.empty.rawValue] }
    var fields: DeckFields = [
      "slot id": "1", "status": slotStatus.rawValue, "volume name": volumeName,
    ]
    // A zero would mean that the disk is full.
    fields["recording time"] = recordingTime.map { "\($0)" }
    fields["video format"] = videoFormat
    return fields
  }

  func remoteFields(override isOverridden: Bool) -> DeckFields {
    ["enabled": "\(isRemoteEnabled)", "override": "\(isOverridden)"]
  }

  func configurationFields(_ identity: DeckIdentity) -> DeckFields {
    [
      "audio input": "embedded", "video input": identity.videoInput, "file format": fileFormat,
      "audio codec": "PCM", "record trigger": "none",
    ]
  }

  /// The fields of a topic, which are compared to find changes to send.
  func fields(of topic: Topic, _ identity: DeckIdentity, isOverridden: Bool) -> DeckFields {
    switch topic {
    case .slot:
      var fields = slotFields()
      // Companion requests everything again after each notification, so one in ten seconds is enough.
      if transport == .record {
        fields["recording time"] = recordingTime.map { "\($0 / 10 * 10)" }
      }
      return fields
    case .transport: return transportFields
    case .remote: return remoteFields(override: isOverridden)
    case .configuration: return configurationFields(identity)
    case .displayTimecode: return ["display timecode": displayTimecode]
    // Sofie reads one of the keys, pyperdeck the other.
    case .timelinePosition: return ["timeline position": "\(frame)", "timeline": "\(frame)"]
    }
  }
}
