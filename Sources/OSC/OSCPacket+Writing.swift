extension OSCPacket {
  /// The packet's bytes in a datagram. A zero within a text ends the text.
  public var bytes: [UInt8] {
    switch self {
    case .message(let message): return message.bytes
    case .bundle(let time, let packets):
      var bytes = OSCMessage.padded("#bundle") + OSCMessage.bigEndian(time)
      for packet in packets {
        let element = packet.bytes
        bytes += OSCMessage.bigEndian(UInt32(truncatingIfNeeded: element.count)) + element
      }
      return bytes
    }
  }
}

extension OSCMessage {
  /// The message's bytes in a datagram.
  public var bytes: [UInt8] {
    var types = ","
    var values: [UInt8] = []
    for argument in arguments {
      let (type, bytes) = Self.encoded(argument)
      types.append(type)
      values += bytes
    }
    return Self.padded(address) + Self.padded(types) + values
  }

  private static func encoded(_ argument: Argument) -> (type: Character, bytes: [UInt8]) {
    switch argument {
    case .int(let number): ("i", bigEndian(UInt32(bitPattern: number)))
    case .float(let number): ("f", bigEndian(number.bitPattern))
    case .string(let text): ("s", padded(text))
    case .blob(let bytes):
      (
        "b",
        bigEndian(UInt32(truncatingIfNeeded: bytes.count)) + bytes
          + [UInt8](repeating: 0, count: (4 - bytes.count % 4) % 4)
      )
    case .long(let number): ("h", bigEndian(UInt64(bitPattern: number)))
    case .timeTag(let time): ("t", bigEndian(time))
    case .double(let number): ("d", bigEndian(number.bitPattern))
    case .bool(let isTrue): (isTrue ? "T" : "F", [])
    case .nothing: ("N", [])
    case .impulse: ("I", [])
    }
  }

  fileprivate static func bigEndian(_ number: some FixedWidthInteger) -> [UInt8] {
    (0..<number.bitWidth / 8).map {
      UInt8(truncatingIfNeeded: number >> (number.bitWidth - 8 - 8 * $0))
    }
  }

  /// A text with its terminating zeros.
  fileprivate static func padded(_ text: String) -> [UInt8] {
    let bytes = text.utf8.prefix { $0 != 0 }
    return bytes + [UInt8](repeating: 0, count: 4 - bytes.count % 4)
  }
}
