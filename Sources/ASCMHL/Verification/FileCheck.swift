import MediaCore
import Synchronization

/// Checks whether a file has the bytes that a manifest lists.
package enum FileCheck {
  /// The result of checking a file.
  package enum Outcome {
    case whole
    case mismatch(Mismatch)
    case missing(String)
    /// None of its hashes has a known format.
    case unknownFormats
    /// It was not compared: its path leads out of the folder or through a symbolic link, or it
    /// cannot be read.
    case refused(String)
  }

  /// A file with other bytes than listed.
  package struct Mismatch {
    var entry: MHLEntry
    /// The hashes of the file's bytes, by format.
    var found: [String: String]
    var message: String

    /// True if the file has the bytes of another entry.
    func holds(_ other: MHLEntry) -> Bool {
      let common = found.filter { other.hashes[$0.key] != nil }
      return !common.isEmpty
        && common.allSatisfy { format, hash in
          FileCheck.folded(other.hashes[format] ?? "", format) == FileCheck.folded(hash, format)
        }
    }
  }

  /// Reads a file and compares it with all listed hashes.
  static func run(_ entry: MHLEntry, in copy: CopyFolder) -> Outcome {
    do throws(ASCMHLError) {
      guard let facts = try copy.facts(entry.path) else { return .missing("is missing") }
      guard facts.isRegularFile else {
        return .refused(
          facts.isSymbolicLink ? "is a link, which is not followed" : "is not a file")
      }
      guard let found = try hashes(entry, of: copy.open(entry.path)) else { return .unknownFormats }
      return judge(entry, found)
    } catch {
      return .refused(error.message)
    }
  }

  /// The hashes of a file in the formats of its entry; nil if no format is known.
  private static func hashes(
    _ entry: MHLEntry, of file: consuming FileInFolder
  ) throws(ASCMHLError) -> [(format: String, hash: String)]? {
    guard entry.isComparable else { return nil }
    guard let stream = Stream(entry) else {
      throw ASCMHLError(.ioFailed, "no memory to hash \(entry.path)")
    }
    file.dropCache()
    try file.forEachChunk { stream.add($0) }
    guard let found = stream.hashes() else {
      throw ASCMHLError(.ioFailed, "no memory to hash \(entry.path)")
    }
    return found
  }

  /// Incrementally computes the hashes that an entry lists.
  ///
  /// Unchecked because the hash states are not `Sendable`. Only ``add(_:)`` and ``hashes()`` use
  /// them, under the lock.
  package final class Stream: @unchecked Sendable {
    private let entry: MHLEntry
    private let xxh64 = ContentHash.Stream()
    private let c4: C4Identifier.Stream
    private let others: ForeignHashes
    private let lock = Mutex(())

    /// Returns nil if no format is known, or if memory runs out.
    package init?(_ entry: MHLEntry) {
      let foreign = ForeignHashes.Format.allCases.filter { entry.hashes[$0.rawValue] != nil }
      guard entry.isComparable, let others = ForeignHashes(foreign) else { return nil }
      (self.entry, self.others) = (entry, others)
      c4 = C4Identifier.Stream(isWanted: entry.hashes["c4"] != nil)
    }

    package func add(_ bytes: UnsafeRawBufferPointer) {
      lock.withLock { _ in
        xxh64.add(bytes)
        c4.add(bytes)
        others.add(bytes)
      }
    }

    /// The hashes; may be called only once. nil if there was no memory.
    fileprivate func hashes() -> [(format: String, hash: String)]? {
      lock.withLock { _ in
        guard let hash = xxh64.hash else { return nil }
        var found = others.hashes().map { (format: $0.rawValue, hash: $1) }
        found.append(("xxh64", "\(hash)"))
        if entry.hashes["c4"] != nil {
          found.append(("c4", c4.identifier().map { "\($0)" } ?? "unknown"))
        }
        return found
      }
    }

    /// The result for the bytes added; may be called only once.
    package func judge() -> Outcome {
      guard let found = hashes() else { return .refused("no memory to hash it") }
      return FileCheck.judge(entry, found)
    }

    /// How the bytes added differ from the entry, nil if they do not; may be called only once.
    package func objection() -> String? {
      switch judge() {
      case .mismatch(let mismatch): mismatch.message
      case .missing(let message), .refused(let message): message
      case .whole, .unknownFormats: nil
      }
    }
  }

  private static func judge(
    _ entry: MHLEntry, _ found: [(format: String, hash: String)]
  ) -> Outcome {
    let other = found.first { format, hash in
      entry.hashes[format].map { folded($0, format) != folded(hash, format) } ?? false
    }
    guard let (format, hash) = other else { return .whole }
    let title = ["xxh64": "xxHash64", "c4": "C4 identifier"][format] ?? format
    return .mismatch(
      Mismatch(
        entry: entry, found: Dictionary(found.map { ($0.format, $0.hash) }) { first, _ in first },
        message: "its \(title) is \(hash), not \(entry.hashes[format] ?? "")"))
  }

  /// Dictionary keys for hashes, including their formats.
  static func keys(_ hashes: [String: String]) -> [String] {
    hashes.map { format, hash in format + " " + folded(hash, format) }
  }

  /// A hash normalized for comparison: only C4 identifiers are case-sensitive.
  private static func folded(_ hash: String, _ format: String) -> String {
    format == "c4" ? hash : hash.lowercased()
  }
}
