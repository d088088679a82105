package import DNG
import Foundation
import MediaCore

extension CameraProfile {
  /// Profiles with large tables take several megabytes.
  private static var byteLimit: Int { 64 << 20 }

  /// Reads a `.dcp` file; a profile without a name is named after the file.
  ///
  /// - Throws: ``PhotoDevelopmentError/Code/fileFailed`` for a file that cannot be read,
  ///   ``PhotoDevelopmentError/Code/invalidFile`` for one that is not a profile.
  package init(contentsOf path: String) throws(PhotoDevelopmentError) {
    let bytes = try RegularFile.bytes(of: path, byteLimit: Self.byteLimit) { message, errno in
      PhotoDevelopmentError(.fileFailed, message, errno: errno)
    }
    do throws(DNGError) { try self.init(dcp: bytes) } catch {
      throw PhotoDevelopmentError(
        .invalidFile, "\(path): \(error.message); name an intact .dcp file")
    }
    if name.isEmpty { name = URL(filePath: path).deletingPathExtension().lastPathComponent }
  }
}
