/// A message of Open Sound Control 1.0: an address, and arguments.
public struct OSCMessage: Sendable, Hashable {
  /// An argument, of the types of OSC 1.0 and those of its supplement that are in use.
  public enum Argument: Sendable, Hashable {
    case int(Int32)
    case float(Float)
    case string(String)
    case blob([UInt8])
    case long(Int64)
    case double(Double)
    case bool(Bool)
    /// `N`: nothing at all.
    case nothing
    /// `I`: a bang.
    case impulse
    /// `t`: NTP's time, seconds since 1900 in the upper half.
    case timeTag(UInt64)
  }

  /// Begins with a slash.
  public var address: String
  public var arguments: [Argument]

  /// A message.
  public init(_ address: String, _ arguments: Argument...) {
    self.address = address
    self.arguments = arguments
  }

  /// A message.
  public init(_ address: String, arguments: [Argument]) {
    self.address = address
    self.arguments = arguments
  }
}

/// A packet: a message, or a bundle of packets.
public enum OSCPacket: Sendable, Hashable {
  case message(OSCMessage)
  /// Packets that belong together; the time tag 1 means immediately.
  case bundle(timeTag: UInt64, [OSCPacket])

  /// The maximum number of bytes of a packet: those that fit into a datagram.
  public static let sizeLimit = 65_507
  /// The maximum depth of nested bundles.
  public static let depthLimit = 8
  /// The maximum number of arguments of a message.
  public static let argumentLimit = 256

  /// All messages in order, including those within bundles.
  public var messages: [OSCMessage] {
    switch self {
    case .message(let message): [message]
    case .bundle(_, let packets): packets.flatMap(\.messages)
    }
  }
}
