import FoundationEssentials
import MediaCore

/// A message as a line of JSON.
enum MessageLine {
  /// The largest length of a client's line in bytes, without its newline.
  static let commandLimit = 65_536
  /// The largest length of a recorder's line in bytes, without its newline. The queue of a client's messages
  /// has at least twice that.
  static let answerLimit = 524_288

  /// The document in one line, with its end.
  ///
  /// - Throws: ``ControlError/Code/invalidMessage`` for a number that JSON lacks.
  static func bytes(
    _ kind: DocumentKind, _ parts: any Encodable
  ) throws(ControlError) -> [UInt8] {
    do {
      return Array(try JSONDocument(kind, parts).data(isOneLine: true)) + [0x0A]
    } catch {
      throw ControlError(.invalidMessage, "a \(kind.rawValue) cannot be written: \(error)")
    }
  }
}

/// Splits received bytes into lines of limited length.
struct LineBuffer {
  private var bytes: [UInt8] = []
  private var searched = 0
  private let limit: Int

  /// - Parameter limit: The largest length of a line in bytes, without its newline.
  init(limit: Int) { self.limit = limit }

  /// The bytes in the buffer: those of a line that is still incomplete.
  var count: Int { bytes.count }

  mutating func append(_ more: some Collection<UInt8>) { bytes.append(contentsOf: more) }

  /// The next complete line without its newline; nil if there is none yet.
  ///
  /// - Throws: ``ControlError/Code/messageTooLong``.
  mutating func next() throws(ControlError) -> [UInt8]? {
    guard let end = bytes[searched...].firstIndex(of: 0x0A) else {
      searched = bytes.count
      guard bytes.count <= limit else { throw tooLong }
      return nil
    }
    guard end <= limit else { throw tooLong }
    var line = Array(bytes[..<end])
    bytes.removeSubrange(...end)
    searched = 0
    if line.last == 0x0D { line.removeLast() }
    return line
  }

  /// Takes bytes that follow a line.
  ///
  /// - Returns: At most `count` bytes of those in the buffer.
  mutating func take(_ count: Int) -> [UInt8] {
    let taken = Array(bytes.prefix(count))
    bytes.removeFirst(taken.count)
    searched = 0
    return taken
  }

  private var tooLong: ControlError {
    ControlError(.messageTooLong, "a message line is limited to \(limit) bytes")
  }
}
