/// Parses a client's input into commands. It holds at most a line of ``lineLimit`` bytes and
/// ``parameterLimit`` lines of a block, whatever the input.
public struct RequestParser: Sendable {
  /// A parsed item.
  public enum Item: Sendable, Hashable {
    case command(DeckCommand)
    case fault(DeckCommand.Fault)
    /// The first line is of another protocol: a browser's, or the start of an encrypted connection.
    case stranger
  }

  private enum Phase: Sendable {
    /// Nothing has been read.
    case first
    case between
    /// In a block of lines; nil for a block with too many lines.
    case block(name: String, lines: [String]?)
    /// After an item that ends the connection.
    case ended
  }

  /// The maximum number of bytes of a line, without its end.
  public static let lineLimit = 4096
  /// The maximum number of keys of a command.
  public static let parameterLimit = 32

  private var bytes: [UInt8] = []
  /// Bytes that were consumed.
  private var taken = 0
  /// Bytes that were searched for the end of a line.
  private var searched = 0
  private var phase = Phase.first

  /// Starts with the first line of a connection.
  public init() {}

  /// Bytes that are held.
  public var count: Int { bytes.count - taken }

  /// Adds received bytes.
  public mutating func append(_ more: some Collection<UInt8>) {
    if case .ended = phase { return }
    if taken > 0 {
      bytes.removeFirst(taken)
      searched -= taken
      taken = 0
    }
    bytes.append(contentsOf: more)
  }

  /// The next command; nil until one is complete. Nothing follows ``Item/stranger`` or a line that is
  /// too long.
  public mutating func next() -> Item? {
    if case .ended = phase { return nil }
    while let line = nextLine() {
      guard line.count <= Self.lineLimit else { return end(.fault(.tooLong)) }
      if case .first = phase {
        if Self.isStrange(line) { return end(.stranger) }
        phase = .between
      }
      if let item = take(String(validating: line, as: UTF8.self)) { return item }
    }
    if count > Self.lineLimit + 1 { return end(.fault(.tooLong)) }
    // A handshake has no lines.
    if case .first = phase, count > 0, bytes[taken] == 0x16 { return end(.stranger) }
    return nil
  }

  private mutating func nextLine() -> ArraySlice<UInt8>? {
    guard let end = bytes[searched...].firstIndex(of: 0x0A) else {
      searched = bytes.count
      return nil
    }
    var line = bytes[taken..<end]
    if line.last == 0x0D { line.removeLast() }
    taken = end + 1
    searched = taken
    return line
  }

  private mutating func end(_ item: Item) -> Item {
    phase = .ended
    bytes = []
    (taken, searched) = (0, 0)
    return item
  }

  /// Processes a line, nil for one that is not UTF-8, and returns the command that it completes.
  private mutating func take(_ line: String?) -> Item? {
    if case .block(let name, let lines) = phase { return take(line, inBlock: name, lines) }
    guard let line else { return .fault(.syntax) }
    guard !line.allSatisfy({ $0 == " " || $0 == "\t" }) else { return nil }
    if let colon = line.firstIndex(of: ":"),
      line[line.index(after: colon)...].allSatisfy({ $0 == " " || $0 == "\t" })
    {
      phase = .block(name: DeckCommand.trimmed(line[..<colon]), lines: [])
      return nil
    }
    return Self.item(DeckCommand.parse(line[...]))
  }

  private mutating func take(_ line: String?, inBlock name: String, _ lines: [String]?) -> Item? {
    // A line that is not UTF-8 has no colon for the parser.
    let line = line ?? "?"
    guard line.isEmpty else {
      let isFull = (lines?.count ?? .max) >= Self.parameterLimit
      phase = .block(name: name, lines: isFull ? nil : (lines ?? []) + [line])
      return nil
    }
    phase = .between
    guard let lines else { return .fault(.syntax) }
    return Self.item(DeckCommand.parse(name, lines: lines.map { $0[...] }))
  }

  private static func item(_ result: Result<DeckCommand, DeckCommand.Failure>) -> Item {
    switch result {
    case .success(let command): .command(command)
    case .failure(let failure): .fault(failure.fault)
    }
  }

  /// True for a request of HTTP, which a page in a browser can send to any port, and for the start of
  /// TLS.
  private static func isStrange(_ line: ArraySlice<UInt8>) -> Bool {
    if line.first == 0x16 { return true }
    let text = String(decoding: line, as: UTF8.self)
    if text.contains(" HTTP/") { return true }
    let methods = ["GET", "POST", "PUT", "HEAD", "DELETE", "OPTIONS", "PATCH", "CONNECT", "TRACE"]
    return methods.contains { text.hasPrefix($0 + " ") }
  }
}
