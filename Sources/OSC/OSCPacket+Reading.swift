import MediaCore

extension OSCPacket {
  /// Reads a datagram.
  ///
  /// - Throws: ``OSCError/Code/invalidPacket``.
  public init(_ bytes: some Collection<UInt8>) throws(OSCError) {
    let bytes = Array(bytes)
    guard bytes.count <= Self.sizeLimit else {
      throw OSCError(.invalidPacket, "a packet of \(bytes.count) bytes")
    }
    var reader = OSCReader(bytes[...])
    self = try reader.packet(depth: 0)
    guard reader.rest.isEmpty else {
      throw OSCError(.invalidPacket, "\(reader.rest.count) bytes after the packet's end")
    }
  }
}

/// Parses a packet.
private struct OSCReader {
  private(set) var rest: ArraySlice<UInt8>

  init(_ bytes: ArraySlice<UInt8>) { rest = bytes }

  mutating func packet(depth: Int) throws(OSCError) -> OSCPacket {
    guard depth < OSCPacket.depthLimit else {
      throw OSCError(.invalidPacket, "bundles in more than \(OSCPacket.depthLimit) bundles")
    }
    guard rest.first == UInt8(ascii: "#") else { return .message(try message()) }
    guard try text() == "#bundle" else {
      throw OSCError(.invalidPacket, "neither a message nor a bundle")
    }
    let time = UInt64(bitPattern: try integer(bytes: 8))
    var packets: [OSCPacket] = []
    while !rest.isEmpty {
      let size = try integer(bytes: 4)
      guard size > 0, size % 4 == 0, size <= rest.count else {
        throw OSCError(.invalidPacket, "an element of \(size) bytes, but \(rest.count) are left")
      }
      var element = OSCReader(rest.prefix(Int(size)))
      packets.append(try element.packet(depth: depth + 1))
      guard element.rest.isEmpty else {
        throw OSCError(.invalidPacket, "an element longer than its content")
      }
      rest = rest.dropFirst(Int(size))
    }
    return .bundle(timeTag: time, packets)
  }

  private mutating func message() throws(OSCError) -> OSCMessage {
    let address = try text()
    guard address.hasPrefix("/") else {
      throw OSCError(.invalidPacket, "an address without a slash in front")
    }
    // Very old senders omit the types, and then have no arguments.
    guard !rest.isEmpty else { return OSCMessage(address) }
    let types = try text()
    guard types.hasPrefix(",") else { throw OSCError(.invalidPacket, "no types of arguments") }
    guard types.utf8.count - 1 <= OSCPacket.argumentLimit else {
      throw OSCError(.invalidPacket, "\(types.utf8.count - 1) arguments")
    }
    var arguments: [OSCMessage.Argument] = []
    for type in types.utf8.dropFirst() { arguments.append(try argument(type)) }
    return OSCMessage(address, arguments: arguments)
  }

  private mutating func argument(_ type: UInt8) throws(OSCError) -> OSCMessage.Argument {
    switch type {
    case UInt8(ascii: "i"): .int(Int32(truncatingIfNeeded: try integer(bytes: 4)))
    case UInt8(ascii: "f"):
      .float(Float(bitPattern: UInt32(truncatingIfNeeded: try integer(bytes: 4))))
    case UInt8(ascii: "s"), UInt8(ascii: "S"): .string(try text())
    case UInt8(ascii: "b"): .blob(try blob())
    case UInt8(ascii: "h"): .long(try integer(bytes: 8))
    case UInt8(ascii: "t"): .timeTag(UInt64(bitPattern: try integer(bytes: 8)))
    case UInt8(ascii: "d"): .double(Double(bitPattern: UInt64(bitPattern: try integer(bytes: 8))))
    case UInt8(ascii: "T"): .bool(true)
    case UInt8(ascii: "F"): .bool(false)
    case UInt8(ascii: "N"): .nothing
    case UInt8(ascii: "I"): .impulse
    default:
      throw OSCError(
        .invalidPacket, "an argument of the type '\(Character(Unicode.Scalar(type)))'")
    }
  }

  /// A big-endian number; four bytes keep their sign.
  private mutating func integer(bytes count: Int) throws(OSCError) -> Int64 {
    guard rest.count >= count else { throw OSCError(.invalidPacket, "the packet is cut") }
    let bits = rest.prefix(count).reduce(0 as UInt64) { $0 << 8 | UInt64($1) }
    rest = rest.dropFirst(count)
    return count == 4
      ? Int64(Int32(truncatingIfNeeded: bits)) : Int64(bitPattern: bits)
  }

  /// A text, which ends with a zero and fills multiples of four bytes.
  private mutating func text() throws(OSCError) -> String {
    guard let end = rest.firstIndex(of: 0),
      let text = String(validating: rest[..<end], as: UTF8.self)
    else { throw OSCError(.invalidPacket, "a text without an end, or not in UTF-8") }
    let size = (end - rest.startIndex) / 4 * 4 + 4
    guard size <= rest.count else { throw OSCError(.invalidPacket, "the packet is cut") }
    rest = rest.dropFirst(size)
    return text
  }

  private mutating func blob() throws(OSCError) -> [UInt8] {
    let count = Int(try integer(bytes: 4))
    guard count >= 0, count <= rest.count, (count + 3) / 4 * 4 <= rest.count else {
      throw OSCError(.invalidPacket, "a blob of \(count) bytes, but \(rest.count) are left")
    }
    let bytes = Array(rest.prefix(count))
    rest = rest.dropFirst((count + 3) / 4 * 4)
    return bytes
  }
}
