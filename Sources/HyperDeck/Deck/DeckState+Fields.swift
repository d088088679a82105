extension DeckState {
  /// The blocks that clients are told of when they change.
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

  /// Where the transport stands. A clip's number is left out where there is none: pyperdeck takes it
  /// for a number whatever it is.
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

  /// The slot. Slots that a deck would have and this one has not are empty.
  func slotFields(_ slot: Int = 1) -> DeckFields {
    guard slot == 1 else { return ["slot id": "\(slot)", "status": SlotStatus.empty.rawValue] }
    var fields: DeckFields = [
      "slot id": "1", "status": slotStatus.rawValue, "volume name": volumeName,
    ]
    // A zero would say that the disk is full.
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

  /// What is compared to find out what a client is to be told.
  func fields(of topic: Topic, _ identity: DeckIdentity, isOverridden: Bool) -> DeckFields {
    switch topic {
    case .slot:
      var fields = slotFields()
      // Companion asks for everything anew at each notification: once in ten seconds is enough.
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
