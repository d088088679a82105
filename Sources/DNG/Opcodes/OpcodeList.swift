/// A list of DNG opcodes: operations on the samples of a raw image, in order.
public struct OpcodeList: Sendable, Hashable {
  /// An opcode of the list.
  public struct Opcode: Sendable, Hashable {
    /// DNG's number of the opcode.
    public var identifier: Int
    /// The version of DNG that introduced it. An opcode from a version that is not supported counts as unknown,
    /// whatever its number.
    public var version: [UInt8]
    /// True if a reader that does not know it may skip it.
    public var isOptional: Bool
    /// True if it may be skipped for a preview.
    public var isSkippedInPreviews: Bool
    public var operation: OpcodeOperation
  }

  public var opcodes: [Opcode] = []

  /// An empty list.
  public init() {}

  /// The most opcodes accepted in a list.
  static let limit = 1024

  /// Reads OpcodeList1, 2 or 3, which are big-endian in every file.
  ///
  /// - Throws: ``DNGError/Code/invalidFile`` for a truncated list, or an opcode with malformed data.
  public init(_ bytes: [UInt8]) throws(DNGError) {
    guard !bytes.isEmpty else { return }
    var reader = OpcodeReader(bytes[...])
    let count = try reader.integer()
    guard count <= Self.limit else { throw .damaged("a list of \(count) opcodes") }
    for _ in 0..<count {
      let identifier = try reader.integer()
      let version = try reader.bytes(4)
      let flags = try reader.integer()
      let data = Array(try reader.bytes(try reader.integer()))
      let isNewer = DNGMetadata.newestVersion.lexicographicallyPrecedes(version.map { Int($0) })
      opcodes.append(
        Opcode(
          identifier: identifier, version: Array(version), isOptional: flags & 1 != 0,
          isSkippedInPreviews: flags & 2 != 0,
          operation: isNewer ? .unknown(data) : try OpcodeOperation(identifier, data)))
    }
  }
}

/// Reads big-endian numbers with bounds checks.
struct OpcodeReader {
  private var rest: ArraySlice<UInt8>

  init(_ bytes: ArraySlice<UInt8>) { rest = bytes }

  var isAtEnd: Bool { rest.isEmpty }
  var count: Int { rest.count }

  mutating func bytes(_ count: Int) throws(DNGError) -> ArraySlice<UInt8> {
    guard count >= 0, count <= rest.count else { throw .damaged("an opcode ends too soon") }
    defer { rest = rest.dropFirst(count) }
    return rest.prefix(count)
  }

  mutating func word<Number: FixedWidthInteger & UnsignedInteger>(
    _: Number.Type
  ) throws(DNGError) -> Number {
    try bytes(MemoryLayout<Number>.size).reduce(0) { $0 << 8 | Number($1) }
  }

  mutating func integer() throws(DNGError) -> Int { Int(try word(UInt32.self)) }

  mutating func double() throws(DNGError) -> Double {
    let value = Double(bitPattern: try word(UInt64.self))
    guard value.isFinite else { throw .damaged("an opcode has a number that is not finite") }
    return value
  }

  mutating func doubles(_ count: Int) throws(DNGError) -> [Double] {
    guard count <= rest.count / 8 else { throw .damaged("an opcode ends too soon") }
    var values: [Double] = []
    for _ in 0..<count { values.append(try double()) }
    return values
  }

  mutating func floats(_ count: Int) throws(DNGError) -> [Float] {
    guard count <= rest.count / 4 else { throw .damaged("an opcode ends too soon") }
    var values: [Float] = []
    values.reserveCapacity(count)
    for _ in 0..<count {
      let value = Float(bitPattern: try word(UInt32.self))
      guard value.isFinite else { throw .damaged("an opcode has a number that is not finite") }
      values.append(value)
    }
    return values
  }
}
