package import ASCMHL
import MediaCore

/// The bytes to send, which can be read repeatedly from any offset. Read from several threads.
package protocol ObjectSource: AnyObject, Sendable {
  /// The name in messages.
  var name: String { get }
  /// Identifies the content: size, modification time, file identity.
  func facts() throws(ObjectStorageError) -> FileFacts
  /// Fills the buffer as far as bytes are available; 0 at the end.
  func read(
    _ buffer: UnsafeMutableRawBufferPointer, at place: Int64
  ) throws(ObjectStorageError) -> Int
}

/// A file in a folder.
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
