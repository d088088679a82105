import MediaCore
import RecorderControl
import Synchronization
import SystemPackage

#if canImport(Glibc)
import Glibc
#else
import Musl
#endif

/// The takes of a channel, the oldest first. The list is kept in a file, so that the next gateway has it, too.
final class TakeShelf: Sendable {
  private let takes: Mutex<[TakeRecord]>
  private let path: String?
  private let changes = Broadcast<TakeRecord>(depth: 64)
  /// Why the list cannot be written or was not read, until that is reported.
  private let failure = Mutex<(text: String?, isReported: Bool)>((nil, false))

  /// Takes that are remembered.
  static let limit = 200
  /// Bytes of the file at most; a longer one is not read.
  private static let sizeLimit = 64 << 20

  /// A list that is kept in a file; nil to keep it in memory only.
  init(path: String?) {
    self.path = path
    var known: [TakeRecord] = []
    var failure: String?
    if let path {
      do throws(ServiceError) { known = try Self.read(path) } catch {
        failure = Self.setAside(path, because: error)
      }
    }
    for index in known.indices { known[index].forgetJobs() }
    takes = Mutex(known)
    self.failure.withLock { $0.text = failure }
  }

  private static func read(_ path: String) throws(ServiceError) -> [TakeRecord] {
    guard let bytes = try GatewayFile.read(path, limit: sizeLimit) else { return [] }
    guard let takes = JSONText.value([TakeRecord].self, bytes) else {
      throw ServiceError(.runtimeFolderFailed, "\(path) is not a list of takes")
    }
    return takes
  }

  /// Renames a list that cannot be read, because the next take would be written over it.
  ///
  /// - Returns: The report of that.
  private static func setAside(_ path: String, because error: ServiceError) -> String {
    let failure = "the list of takes cannot be read and starts empty: \(error.message)"
    guard rename(path, path + ".damaged") == 0 else {
      return "\(failure); the next take replaces it: \(Errno(rawValue: errno))"
    }
    return "\(failure); the old one is \(path).damaged"
  }

  /// All of them, the oldest first.
  var all: [TakeRecord] { takes.withLock { $0 } }

  /// The take with an ID; nil for none.
  subscript(id: String) -> TakeRecord? { takes.withLock { $0.first { $0.id == id } } }

  /// Takes that are added or changed from now on.
  var updates: AsyncStream<TakeRecord> { changes.listen() }

  /// Adds a take, and removes the oldest ones beyond the limit.
  ///
  /// - Returns: The removed takes.
  @discardableResult
  func add(_ record: TakeRecord) -> [TakeRecord] {
    let gone = takes.withLock { takes in
      takes.removeAll { $0.id == record.id }
      takes.append(record)
      let gone = Array(takes.prefix(max(0, takes.count - Self.limit)))
      takes.removeFirst(gone.count)
      return gone
    }
    keep()
    changes.send(record)
    return gone
  }

  /// Changes a take.
  ///
  /// - Returns: The changed take; nil if there is no such take.
  @discardableResult
  func change(_ id: String, _ body: (inout TakeRecord) -> Void) -> TakeRecord? {
    let changed = takes.withLock { takes -> TakeRecord? in
      guard let index = takes.firstIndex(where: { $0.id == id }) else { return nil }
      body(&takes[index])
      return takes[index]
    }
    guard let changed else { return nil }
    keep()
    changes.send(changed)
    return changed
  }

  /// Removes and returns all takes, and deletes the file.
  func release() -> [TakeRecord] {
    takes.withLock { takes in
      defer { takes = [] }
      if let path { unlink(path) }
      return takes
    }
  }

  /// Adds the takes of another list before its own.
  ///
  /// - Returns: False if the file does not have them, because it cannot be written.
  func inherit(_ records: [TakeRecord]) -> Bool {
    let new = takes.withLock { takes in
      let known = Set(takes.map(\.id))
      var new = records.filter { !known.contains($0.id) }
      for index in new.indices { new[index].forgetJobs() }
      takes = Array((new + takes).suffix(Self.limit))
      return new
    }
    let isKept = keep()
    for record in new { changes.send(record) }
    return isKept
  }

  /// Why the list cannot be written, or was not read. Returned once.
  func takeFailure() -> String? { failure.withLock { $0.text.take() } }

  /// Writes the file. This happens under the lock, so that the last state is the one in the file. A failure
  /// must not affect a take.
  ///
  /// - Returns: False if it cannot be written; true also if there is no file.
  @discardableResult
  private func keep() -> Bool {
    guard let path else { return true }
    return takes.withLock { takes in
      do throws(ServiceError) {
        try GatewayFile.write(JSONText.contents(takes), path)
        failure.withLock { $0.isReported = false }
        return true
      } catch {
        failure.withLock { failure in
          if !failure.isReported {
            failure.text = "the list of takes will be lost when the gateway ends: \(error.message)"
          }
          failure.isReported = true
        }
        return false
      }
    }
  }
}
