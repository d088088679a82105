import FoundationEssentials
import Glibc

/// The library's history, a line for each change block: what the catalogue can be made from again.
///
/// A line is the xxHash64 of an entry, a space, the entry as JSON, and a newline. A line that is not
/// whole at the end was never decided; the next writer takes it away. Whoever writes holds the
/// library's lock.
struct Journal: Sendable {
  let path: String
  let files: LibraryFiles

  /// What a journal holds from a place on.
  struct Reading: Sendable {
    /// The entries, each with the place where it ends.
    var entries: [(entry: JournalEntry, end: Int64)] = []
    /// Where the last whole line ends.
    var end: Int64 = 0
    /// Bytes after it.
    var tornBytes: Int64 = 0
    /// Lines between others that could not be read.
    var damagedLines = 0
    /// Whole lines after the last one that could be read. A write that was cut short leaves none.
    var tornLines = 0

    /// True where lines were lost that may have been decided.
    var isDamaged: Bool { damagedLines > 0 || tornLines > 0 }
    /// The number of the last entry; 0 for none.
    var lastSequence: Int64 { entries.map(\.entry.sequence).max() ?? 0 }
  }

  /// The bytes of the journal; 0 where there is none.
  func size() throws(MediaLibraryError) -> Int64 { try files.status(path)?.size ?? 0 }

  /// Reads the journal from a place on, which must be the begin of a line.
  ///
  /// - Throws: ``MediaLibraryError/Code/catalogueTooNew`` for entries of a later version.
  func read(from start: Int64 = 0) throws(MediaLibraryError) -> Reading {
    var reading = Reading(end: start)
    guard try files.status(path) != nil else { return reading }
    let file = try files.open(path, O_RDONLY)
    let size = try file.status().size
    guard start < size else { return reading }
    var pending: [UInt8] = []
    var place = start
    var damagedSinceGood = 0
    var offset = start
    while true {
      let chunk = try file.bytes(at: offset, count: 4 << 20)
      if chunk.isEmpty { break }
      offset += Int64(chunk.count)
      pending += chunk
      var lineStart = 0
      while let newline = pending[lineStart...].firstIndex(of: 10) {
        let end = place + Int64(newline - lineStart) + 1
        if let entry = try Self.entry(pending[lineStart..<newline]) {
          reading.entries.append((entry, end))
          reading.damagedLines += damagedSinceGood
          damagedSinceGood = 0
          reading.end = end
        } else {
          damagedSinceGood += 1
        }
        place = end
        lineStart = newline + 1
      }
      pending.removeFirst(lineStart)
    }
    // Lines at the end that cannot be read were torn by a power cut, like the rest after them.
    reading.tornBytes = size - reading.end
    reading.tornLines = damagedSinceGood
    return reading
  }

  /// Adds the line of an entry and brings it to the disk.
  ///
  /// - Returns: Where the journal ended before, and ends now.
  func append(line: [UInt8]) throws(MediaLibraryError) -> (before: Int64, after: Int64) {
    let file = try files.open(path, O_WRONLY | O_CREAT | O_APPEND)
    let before = try file.status().size
    do throws(MediaLibraryError) {
      try file.write(line)
      try file.synchronize()
    } catch {
      try? file.truncate(to: before)
      throw error
    }
    return (before, before + Int64(line.count))
  }

  /// Takes what stands after a place away.
  func truncate(to size: Int64) throws(MediaLibraryError) {
    let file = try files.open(path, O_WRONLY)
    try file.truncate(to: size)
    try file.synchronize()
  }

  /// Puts a new journal in the place of the present one.
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

  /// The entry of a line; nil where the line is not whole.
  private static func entry(_ line: ArraySlice<UInt8>) throws(MediaLibraryError) -> JournalEntry? {
    guard line.count > 17, line[line.startIndex + 16] == 32 else { return nil }
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
