import ASCMHL
import FoundationEssentials
import Glibc
import MediaCore
import SystemPackage

/// The movies waiting to be sent to an address: a folder with a small file for each.
///
/// A recorder adds to it, and another process processes it. Neither waits for the other, and either
/// may be killed. A verified movie leaves the queue and a receipt is written; a failed one stays in
/// the queue with the error.
public struct UploadQueue: Sendable {
  /// A waiting movie.
  struct Entry: Codable, Sendable, Hashable {
    var version = 2
    /// The movie's absolute path.
    var path: String
    /// True to remove the movie and its sidecar once both are verified.
    var removesVerified: Bool
    /// The upload options; nil in entries of version 1.
    var terms: UploadTerms?
    /// True once verified, set before the movie is removed.
    var isVerified = false
    /// Why it was not sent; nil until an attempt fails.
    var failure: ErrorSummary?
  }

  /// The address under which the objects are.
  public let address: ObjectAddress
  let folder: String

  /// The queue of an address.
  public init(of address: ObjectAddress) {
    self.init(of: address, in: UploadJournal.userFolder)
  }

  package init(of address: ObjectAddress, in stateFolder: String) {
    self.address = address
    folder = "\(stateFolder)/queue/\(ContentHash(of: [UInt8](address.description.utf8)))"
  }

  /// True if nothing waits.
  ///
  /// - Throws: ``ObjectStorageError/Code/stateFailed``.
  public var isEmpty: Bool { get throws(ObjectStorageError) { try names().isEmpty } }

  /// Adds a movie at the end of the queue.
  ///
  /// - Returns: The name of its entry.
  /// - Throws: ``ObjectStorageError/Code/stateFailed`` if the entry cannot be written.
  @discardableResult
  public func add(
    _ path: String, removesVerified: Bool = false, terms: UploadTerms = UploadTerms()
  ) throws(ObjectStorageError) -> String {
    let full = URL(filePath: path).absoluteURL.standardizedFileURL.path
    let name = Self.stamp() + "-\(ContentHash(of: [UInt8](full.utf8))).json"
    try write(Entry(path: full, removesVerified: removesVerified, terms: terms), name)
    return name
  }

  /// A name prefix that keeps entries in the order in which they were added.
  private static func stamp() -> String {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    let number = String(Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
    return String(repeating: "0", count: max(20 - number.count, 0)) + number
  }

  /// The names of the entries, in order.
  ///
  /// - Throws: ``ObjectStorageError/Code/stateFailed``.
  func names() throws(ObjectStorageError) -> [String] {
    guard access(folder, F_OK) == 0 else { return [] }
    do throws(ASCMHLError) {
      return try CopyFolder(folder).names(in: "").filter {
        $0.hasSuffix(".json") && !$0.hasPrefix(".")
      }
    } catch { throw ObjectStorageError(.stateFailed, from: error) }
  }

  /// The entry of a name; nil if it is no longer in the queue.
  ///
  /// - Throws: ``ObjectStorageError/Code/stateFailed`` if that cannot be determined.
  func entry(_ name: String) throws(ObjectStorageError) -> Entry? {
    var bytes: [UInt8] = []
    do throws(ASCMHLError) {
      let folder = try CopyFolder(folder)
      guard try folder.facts(name) != nil else { return nil }
      try folder.open(name).forEachChunk { bytes.append(contentsOf: $0) }
    } catch {
      if error.errno == .noSuchFileOrDirectory { return nil }
      throw ObjectStorageError(.stateFailed, from: error)
    }
    do { return try JSONDecoder().decode(Entry.self, from: Data(bytes)) } catch {
      throw ObjectStorageError(
        .stateFailed, "\(folder)/\(name): is damaged; remove it, and send its movie by hand")
    }
  }

  func write(_ entry: Entry, _ name: String) throws(ObjectStorageError) {
    try UploadJournal.makeFolder(folder)
    do {
      try CopyFolder(folder).replace(name, with: [UInt8](JSONEncoder().encode(entry)))
    } catch let error as ASCMHLError {
      throw ObjectStorageError(.stateFailed, from: error)
    } catch {
      throw ObjectStorageError(.stateFailed, "\(name): cannot be encoded: \(error)")
    }
  }

  // MARK: What is verified

  private static let receipt = ".verified"
  /// The most receipts kept: those of recorders that have ended are never collected.
  static let mostReceipts = 1000

  /// Removes a verified movie from the queue, and leaves a receipt for the process that added it.
  ///
  /// - Throws: ``ObjectStorageError/Code/stateFailed``.
  func complete(_ name: String) throws(ObjectStorageError) {
    do throws(ASCMHLError) {
      let folder = try CopyFolder(folder)
      // In this order, because an entry gone without a receipt counts as removed by someone else.
      try folder.replace(name + Self.receipt, with: [])
      try folder.remove(name)
      // The new receipt stays, even if a wrong clock gave it the oldest name.
      let others = try folder.names(in: "").filter {
        $0.hasSuffix(Self.receipt) && $0 != name + Self.receipt
      }
      for old in others.dropLast(Self.mostReceipts - 1) { try folder.remove(old) }
    } catch {
      throw ObjectStorageError(.stateFailed, from: error)
    }
  }

  /// True if a movie no longer in the queue was verified. Removes its receipt.
  ///
  /// - Throws: ``ObjectStorageError/Code/stateFailed`` if that cannot be determined.
  func takeReceipt(_ name: String) throws(ObjectStorageError) -> Bool {
    do throws(ASCMHLError) {
      let folder = try CopyFolder(folder)
      guard try folder.facts(name + Self.receipt) != nil else { return false }
      try folder.remove(name + Self.receipt)
      return true
    } catch {
      if error.errno == .noSuchFileOrDirectory { return false }
      throw ObjectStorageError(.stateFailed, from: error)
    }
  }
}
