import ASCMHL
import MediaCore

/// A file that is being fetched, under a name of its own until it is whole. What an earlier run fetched of
/// the same object is kept, and read once for its checksums.
///
/// Unchecked: it has no lock. Bytes come on the thread that waits for the transfer, and all else is called when
/// none runs.
final class PartialFile: @unchecked Sendable {
  let path: String
  private let folder: CopyFolder
  private let file: FileInFolder
  private let hash = ContentHash.Stream()
  private(set) var crc = CRC64NVME()
  /// Bytes that are there.
  private(set) var count: Int64 = 0
  /// Bytes that were there when it was opened.
  private(set) var keptCount: Int64 = 0
  /// Why bytes could not be taken.
  private(set) var failure: ObjectStorageError?

  /// Opens it, or makes it.
  ///
  /// - Parameters:
  ///   - path: The path that the file will have.
  ///   - identity: What tells an object's content from another one's.
  init(
    _ path: String, in folder: CopyFolder, of identity: String, size: Int64
  ) throws(ObjectStorageError) {
    let (parent, name) = CopyFolder.split(path)
    let token = "\(ContentHash(of: [UInt8](identity.utf8)))"
    // 255 bytes are what a name may have.
    let begin = name.utf8.count <= 220 ? "." + name : ""
    self.path = parent + begin + "." + token + ".part"
    self.folder = folder
    do throws(ASCMHLError) {
      var file = try folder.extend(self.path)
      if try file.facts().size > size {
        try folder.remove(self.path)
        file = try folder.extend(self.path)
      }
      self.file = file
    } catch { throw Self.failed(error) }
    guard file.lock() else {
      throw ObjectStorageError(
        .busy, "\(folder.path(of: path)): another process fetches it; let it finish")
    }
    do throws(ASCMHLError) { try file.forEachChunk { note($0) } } catch { throw Self.failed(error) }
    keptCount = count
  }

  deinit { file.unlock() }

  private func note(_ bytes: UnsafeRawBufferPointer) {
    hash.add(bytes)
    crc.add(bytes)
    count += Int64(bytes.count)
  }

  /// sixteen hexadecimal digits; nil where there was no memory.
  var xxh64: String? { hash.hash.map { "\($0)" } }

  /// Takes the next bytes; false where it cannot.
  func take(_ bytes: UnsafeRawBufferPointer) -> Bool {
    guard failure == nil else { return false }
    do throws(ASCMHLError) { try file.write(bytes) } catch {
      failure = Self.failed(error)
      return false
    }
    note(bytes)
    return true
  }

  /// Gives it its name.
  ///
  /// - Returns: False where that is taken.
  func publish(as name: String) throws(ObjectStorageError) -> Bool {
    do throws(ASCMHLError) {
      try file.synchronize()
      return try folder.rename(path, to: name)
    } catch { throw Self.failed(error) }
  }

  /// Takes it away.
  func discard() { try? folder.remove(path) }

  static func failed(_ error: ASCMHLError) -> ObjectStorageError {
    ObjectStorageError(.destinationFailed, from: error)
  }
}
