package import DNG
import Foundation
import MediaCore

extension CameraProfile {
  /// Profiles with large tables take some megabytes.
  private static var byteLimit: Int { 64 << 20 }

  /// Reads a `.dcp` file; a profile without a name gets the file's.
  ///
  /// - Throws: ``PhotoDevelopmentError/Code/fileFailed`` for a file that cannot be read,
  ///   ``PhotoDevelopmentError/Code/invalidFile`` for one that is no profile.
  package init(contentsOf path: String) throws(PhotoDevelopmentError) {
    let bytes: [UInt8]
    do {
      let facts = try FileManager.default.attributesOfItem(
        atPath: URL(filePath: path).resolvingSymlinksInPath().path)
      guard facts[.type] as? FileAttributeType == .typeRegular,
        (facts[.size] as? Int ?? .max) <= Self.byteLimit
      else {
        throw PhotoDevelopmentError(
          .fileFailed, "\(path) is no regular file of at most 64 MiB; name a .dcp file")
      }
      bytes = [UInt8](try Data(contentsOf: URL(filePath: path)))
    } catch let error as PhotoDevelopmentError {
      throw error
    } catch {
      throw PhotoDevelopmentError(
        .fileFailed, "\(path) cannot be read: \(error.localizedDescription)")
    }
    do throws(DNGError) { try self.init(dcp: bytes) } catch {
      throw PhotoDevelopmentError(.invalidFile, "\(path): \(error.message)")
    }
    if name.isEmpty { name = URL(filePath: path).deletingPathExtension().lastPathComponent }
  }
}
