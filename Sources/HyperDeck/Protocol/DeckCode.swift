/// The codes of replies, with the words that decks add to them.
public enum DeckCode: Int, Sendable, Hashable {
  case syntaxError = 100
  case unsupportedParameter = 101
  case invalidValue = 102
  case unsupported = 103
  case diskFull = 104
  case noDisk = 105
  case diskError = 106
  case timelineEmpty = 107
  case internalError = 108
  case outOfRange = 109
  case noInput = 110
  case remoteControlDisabled = 111
  case clipNotFound = 112
  case connectionRejected = 120
  case invalidState = 150
  case ok = 200
  case help = 201
  case slotInfo = 202
  case deviceInfo = 204
  case clipsInfo = 205
  case diskList = 206
  case transportInfo = 208
  case notify = 209
  case remoteInfo = 210
  case configuration = 211
  case commands = 212
  case clipsCount = 214
  case uptime = 215
  case connectionInfo = 500
  case slotChange = 502
  case transportChange = 508
  case remoteChange = 510
  case configurationChange = 511
  case displayTimecodeChange = 513
  case timelinePositionChange = 514

  /// The words after the number. They have no colon: Sofie's parser takes a first line with one for
  /// the start of a block.
  public var text: String {
    switch self {
    case .syntaxError: "syntax error"
    case .unsupportedParameter: "unsupported parameter"
    case .invalidValue: "invalid value"
    case .unsupported: "unsupported"
    case .diskFull: "disk full"
    case .noDisk: "no disk"
    case .diskError: "disk error"
    case .timelineEmpty: "timeline empty"
    case .internalError: "internal error"
    case .outOfRange: "out of range"
    case .noInput: "no input"
    case .remoteControlDisabled: "remote control disabled"
    case .clipNotFound: "clip not found"
    case .connectionRejected: "connection rejected"
    case .invalidState: "invalid state"
    case .ok: "ok"
    case .help: "help"
    case .slotInfo, .slotChange: "slot info"
    case .deviceInfo: "device info"
    case .clipsInfo: "clips info"
    case .diskList: "disk list"
    case .transportInfo, .transportChange: "transport info"
    case .notify: "notify"
    case .remoteInfo, .remoteChange: "remote info"
    case .configuration, .configurationChange: "configuration"
    case .commands: "commands"
    case .clipsCount: "clips count"
    case .uptime: "uptime"
    case .connectionInfo: "connection info"
    case .displayTimecodeChange: "display timecode"
    case .timelinePositionChange: "timeline position"
    }
  }
}
