import ASCMHL
import MediaCore

/// A file that is being fetched, under a temporary name until it is complete. What an earlier run
/// fetched of the same object is kept, and read once for its checksums.
///
/// Unchecked because it has no lock: bytes arrive on the thread that waits for the transfer, and
/// everything else is called while no transfer runs.
final class PartialFile: @unchecked Sendable {
  let path: String
  private let folder: CopyFolder
  private let file: FileInFolder
  private let hash = ContentHash.Stream()
  private(set) var crc = CRC64NVME()
  /// The number of bytes in the file.
  private(set) var count: Int64 = 0
  /// The number of bytes in the file when it was opened.
  private(set) var keptCount: Int64 = 0
  /// Why bytes could not be written.
  private(set) var failure: ObjectStorageError?

  /// Opens or creates the file.
  ///
  /// - Parameters:
  ///   - path: The final path.
  ///   - identity: Text that identifies the object's content.
  init(
    _ path: String, in folder: CopyFolder, of identity: String, size: Int64
  ) throws(ObjectStorageError) {
    let (parent, name) = CopyFolder.split(path)
    let token = "\(ContentHash(of: [UInt8](identity.utf8)))"
    // A file name may have 255 bytes.
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

  /// The xxHash64 as sixteen hexadecimal digits; nil if memory ran out.
  var xxh64: String? { hash.hash.map { "\($0)" } }

  /// Writes the next bytes; false on failure.
  func take(_ bytes: UnsafeRawBufferPointer) -> Bool {
    guard failure == nil else { return false }
    do throws(ASCMHLError) { try file.write(bytes) } catch {
      failure = Self.failed(error)
      return false
    }
    note(bytes)
    return true
  }

  /// Renames the file to its final name.
  ///
  /// - Returns: False if that name is taken.
  func publish(as name: String) throws(ObjectStorageError) -> Bool {
    do throws(ASCMHLError) {
      try file.synchronize()
      return try folder.rename(path, to: name)
    } catch { throw Self.failed(error) }
  }

  /// Removes the file.
  func discard() { try? folder.remove(path) }

  static func failed(_ error: ASCMHLError) -> ObjectStorageError {
    ObjectStorageError(.destinationFailed, from: error)
  }
}
