import ASCMHL
import FoundationEssentials
import Glibc
import MediaCore
import SystemPackage

/// Movies that wait to be sent to an address: a folder with a small file for each.
///
/// Who records adds to it, and another process works it off; neither waits for the other, and either may
/// be killed. What is verified leaves the queue and a receipt, what fails stays in it with the reason.
public struct UploadQueue: Sendable {
  /// A movie that waits.
  struct Entry: Codable, Sendable, Hashable {
    var version = 2
    /// The movie's absolute path.
    var path: String
    /// True to remove the movie and its sidecar once both are verified.
    var removesVerified: Bool
    /// What the recorder asked for; nil in entries of version 1.
    var terms: UploadTerms?
    /// True from before the movie is removed.
    var isVerified = false
    /// Why it was not sent; nil before an attempt has failed.
    var failure: ErrorSummary?
  }

  /// What the objects' names begin with.
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

  /// True where nothing waits.
  ///
  /// - Throws: ``ObjectStorageError/Code/stateFailed``.
  public var isEmpty: Bool { get throws(ObjectStorageError) { try names().isEmpty } }

  /// Adds a movie, behind those that wait.
  ///
  /// - Returns: The name of its entry.
  /// - Throws: ``ObjectStorageError/Code/stateFailed`` where that cannot be kept.
  @discardableResult
  public func add(
    _ path: String, removesVerified: Bool = false, terms: UploadTerms = UploadTerms()
  ) throws(ObjectStorageError) -> String {
    let full = URL(filePath: path).absoluteURL.standardizedFileURL.path
    let name = Self.stamp() + "-\(ContentHash(of: [UInt8](full.utf8))).json"
    try write(Entry(path: full, removesVerified: removesVerified, terms: terms), name)
    return name
  }

  /// Entries in the order in which they were added.
  private static func stamp() -> String {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    let number = String(Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
    return String(repeating: "0", count: max(20 - number.count, 0)) + number
  }

  /// The names of what waits, in order.
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

  /// What waits under a name; nil where it waits no more.
  ///
  /// - Throws: ``ObjectStorageError/Code/stateFailed`` where that cannot be told.
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
  /// Receipts of recorders that have ended, which nobody asks for, go by and by.
  static let mostReceipts = 1000

  /// Lets go of a movie that is verified, and leaves a receipt for who added it.
  ///
  /// - Throws: ``ObjectStorageError/Code/stateFailed``.
  func complete(_ name: String) throws(ObjectStorageError) {
    do throws(ASCMHLError) {
      let folder = try CopyFolder(folder)
      // In this order: an entry that is gone without a receipt was removed by somebody else.
      try folder.replace(name + Self.receipt, with: [])
      try folder.remove(name)
      // The new receipt stays, even where a wrong clock gave it the oldest name.
      let others = try folder.names(in: "").filter {
        $0.hasSuffix(Self.receipt) && $0 != name + Self.receipt
      }
      for old in others.dropLast(Self.mostReceipts - 1) { try folder.remove(old) }
    } catch {
      throw ObjectStorageError(.stateFailed, from: error)
    }
  }

  /// True where a movie that waits no more was verified; its receipt is gone then.
  ///
  /// - Throws: ``ObjectStorageError/Code/stateFailed`` where that cannot be told.
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
