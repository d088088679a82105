package import ASCMHL
import MediaCore

/// What is sent: bytes that can be read again from any place on. Read from several threads.
package protocol ObjectSource: AnyObject, Sendable {
  /// As messages name it.
  var name: String { get }
  /// What tells that it is still the same content: size, time of change, identity.
  func facts() throws(ObjectStorageError) -> FileFacts
  /// Fills the buffer as far as there are bytes; 0 at the end.
  func read(
    _ buffer: UnsafeMutableRawBufferPointer, at place: Int64
  ) throws(ObjectStorageError) -> Int
}

/// A file of a folder.
final class FileSource: ObjectSource {
  let name: String
  private let file: FileInFolder

  init(_ path: String, in folder: CopyFolder) throws(ObjectStorageError) {
    name = folder.path(of: path)
    do throws(ASCMHLError) { file = try folder.open(path) } catch {
      throw ObjectStorageError(error)
    }
  }

  func facts() throws(ObjectStorageError) -> FileFacts {
    do throws(ASCMHLError) { return try file.facts() } catch { throw ObjectStorageError(error) }
  }

  func read(
    _ buffer: UnsafeMutableRawBufferPointer, at place: Int64
  ) throws(ObjectStorageError) -> Int {
    do throws(ASCMHLError) { return try file.read(into: buffer, at: place) } catch {
      throw ObjectStorageError(error)
    }
  }
}

extension ObjectStorageError {
  /// The failure of a local file.
  init(_ error: ASCMHLError) { self.init(.sourceFailed, from: error) }
}
