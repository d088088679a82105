import FoundationEssentials
import Glibc
import MediaCore

/// The library's history, one line for each change block. The catalogue can be rebuilt from it.
///
/// A line is the xxHash64 of an entry, a space, the entry as JSON, and a newline. An incomplete
/// last line never took effect; the next writer removes it. Writers hold the library's lock.
struct Journal: Sendable {
  let path: String
  let files: LibraryFiles

  /// The result of reading the journal, besides its entries.
  struct Reading: Sendable {
    /// Where the last readable line ends.
    var end: Int64 = 0
    /// Bytes after it.
    var tornBytes: Int64 = 0
    /// Unreadable lines between readable ones.
    var damagedLines = 0
    /// Complete lines after the last readable one. An interrupted write leaves none.
    var tornLines = 0
    /// The number of the last entry; 0 if there is none.
    var lastSequence: Int64 = 0
    /// How far the journal was read: to its end, or to the maximum length of a line without an end.
    var scannedEnd: Int64 = 0
    /// Intact lines with content that this program never writes.
    var problems: [String] = []

    /// Unreadable lines, wherever they are.
    var lostLines: Int { damagedLines + tornLines }
    /// True if lines were lost that may have taken effect.
    var isDamaged: Bool { lostLines > 0 }
  }

  /// The longest line: a change of some fifty thousand assets. It bounds the memory used for
  /// reading, and the search for the end of a line.
  static let longestLine = 64 << 20
  /// The longest journal that is read, enough for millions of assets.
  static let longest = Int64(4) << 30
  /// The longest journal from which an in-memory catalogue is built.
  static let longestInMemory = Int64(512) << 20

  /// The journal's size in bytes; 0 if there is none.
  func size() throws(MediaLibraryError) -> Int64 { try files.status(path)?.size ?? 0 }

  /// Reads the journal from the start of a line, and passes each entry and the offset of its end to
  /// `body`, until that returns false.
  ///
  /// - Throws: ``MediaLibraryError/Code/catalogueTooNew`` for entries of a later version,
  ///   ``MediaLibraryError/Code/catalogueFailed`` for an impossibly large journal, and the errors
  ///   of `body`.
  func read(
    from start: Int64 = 0, limit: Int64 = Journal.longest,
    _ body: (JournalEntry, Int64) throws(MediaLibraryError) -> Bool
  ) throws(MediaLibraryError) -> Reading {
    var reading = Reading(end: start)
    guard try files.status(path) != nil else { return reading }
    let file = try files.openOwn(path, O_RDONLY)
    let size = try file.status().size
    guard start < size else { return reading }
    var line = PendingLine()
    var offset = start
    var damagedSinceGood = 0
    scan: while !line.isEndless {
      let chunk = try file.bytes(at: offset, count: 4 << 20)
      if chunk.isEmpty { break }
      var rest = chunk[...]
      while line.takeToEnd(of: &rest) {
        let end = offset + Int64(rest.startIndex)
        if let entry = try Self.entry(line.bytes) {
          if let flaw = entry.flaw {
            reading.problems.append("\(path): invalid line ending at byte \(end): \(flaw)")
            damagedSinceGood += 1
          } else {
            guard end <= limit else { throw tooLarge(size, limit) }
            reading.end = end
            reading.damagedLines += damagedSinceGood
            damagedSinceGood = 0
            reading.lastSequence = max(reading.lastSequence, entry.sequence)
            guard try body(entry, end) else { break scan }
          }
        } else {
          damagedSinceGood += 1
        }
        line = PendingLine()
      }
      offset += Int64(chunk.count)
    }
    reading.scannedEnd = offset
    reading.tornLines = damagedSinceGood
    // Unreadable lines at the end were torn by a power cut, like the rest after them.
    reading.tornBytes = size - reading.end
    return reading
  }

  /// The number of the first entry from an offset on; nil if there is none.
  func firstSequence(from start: Int64) throws(MediaLibraryError) -> Int64? {
    var found: Int64?
    _ = try read(from: start) { entry, _ in
      found = entry.sequence
      return false
    }
    return found
  }

  private func tooLarge(_ size: Int64, _ limit: Int64) -> MediaLibraryError {
    guard limit == Self.longest else {
      return MediaLibraryError(
        .catalogueFailed,
        "\(path): has \(size) bytes; without a usable catalogue, a library is read from a journal of "
          + "at most \(limit); open it once as a user with write access"
      )
    }
    return MediaLibraryError(
      .catalogueFailed,
      "\(path): has \(size) bytes, more than any library needs; replace it by that of a copy")
  }

  /// The line being read. Bytes that cannot begin an entry are not kept.
  private struct PendingLine {
    private(set) var bytes: [UInt8] = []
    private var length = 0
    private var isUnreadable = false

    /// True if the line is too long to look further for its end.
    var isEndless: Bool { length > Journal.longestLine }

    /// Takes the line's part from the start of `rest`, with the newline.
    ///
    /// - Returns: False if the line continues after it.
    mutating func takeToEnd(of rest: inout ArraySlice<UInt8>) -> Bool {
      let newline = rest.withUnsafeBytes { buffer -> Int? in
        guard let start = buffer.baseAddress, let found = memchr(start, 10, buffer.count) else {
          return nil
        }
        return start.distance(to: UnsafeRawPointer(found))
      }
      let part = rest.prefix(newline ?? rest.count)
      length += part.count
      if !isUnreadable { bytes += part }
      if length > Journal.longestLine || !Journal.mayBegin(bytes) {
        isUnreadable = true
        bytes = []
      }
      rest = rest.dropFirst(part.count + (newline == nil ? 0 : 1))
      return newline != nil
    }
  }

  /// False for bytes that cannot begin a line, which are sixteen digits and a space.
  private static func mayBegin(_ bytes: [UInt8]) -> Bool {
    for (place, byte) in bytes.prefix(17).enumerated() {
      let isDigit = (0x30...0x39).contains(byte) || (0x61...0x66).contains(byte)
      if place < 16 ? !isDigit : byte != 32 { return false }
    }
    return true
  }

  /// Appends the line of an entry and flushes it to the disk.
  ///
  /// - Returns: The journal's end before and after.
  func append(line: [UInt8]) throws(MediaLibraryError) -> (before: Int64, after: Int64) {
    guard line.count <= Self.longestLine else {
      throw MediaLibraryError(
        .invalidArgument,
        "a change of \(line.count >> 20) MiB is too large for the journal; split it into several changes"
      )
    }
    let file = try files.openOwn(path, O_WRONLY | O_CREAT | O_APPEND)
    let before = try file.status().size
    do throws(MediaLibraryError) {
      try file.write(line)
      try file.synchronize()
    } catch {
      // Readers skip a torn line that remains.
      try? file.truncate(to: before)
      throw error
    }
    return (before, before + Int64(line.count))
  }

  /// Removes everything after an offset.
  func truncate(to size: Int64) throws(MediaLibraryError) {
    let file = try files.openOwn(path, O_WRONLY)
    try file.truncate(to: size)
    try file.synchronize()
  }

  /// Replaces the journal with a new one.
  func replace(with entries: [JournalEntry]) throws(MediaLibraryError) {
    let temporary = path + ".new"
    try files.remove(temporary)
    do {
      let file = try files.open(temporary, O_WRONLY | O_CREAT | O_EXCL)
      for entry in entries { try file.write(Self.line(entry)) }
      try file.synchronize()
    }
    try files.replace(path, withFileAt: temporary)
  }

  // MARK: Lines

  /// The line of an entry.
  static func line(_ entry: JournalEntry) throws(MediaLibraryError) -> [UInt8] {
    let json = try JSONText.bytes(entry)
    return [UInt8]("\(ContentHash(of: json)) ".utf8) + json + [10]
  }

  /// The entry of a line; nil if the line is damaged.
  private static func entry(_ line: [UInt8]) throws(MediaLibraryError) -> JournalEntry? {
    guard line.count > 17, line[16] == 32 else { return nil }
    let json = [UInt8](line.dropFirst(17))
    guard
      ContentHash(of: json) == ContentHash(String(decoding: line.prefix(16), as: UTF8.self))
    else { return nil }
    struct Header: Decodable { let version: Int }
    let decoder = JSONDecoder()
    let version = (try? decoder.decode(Header.self, from: Data(json)))?.version ?? 0
    guard version <= JournalEntry.version else {
      throw MediaLibraryError(
        .catalogueTooNew,
        "the library was changed by a newer version of this program (journal version \(version)); "
          + "use that version")
    }
    return try? decoder.decode(JournalEntry.self, from: Data(json))
  }
}
