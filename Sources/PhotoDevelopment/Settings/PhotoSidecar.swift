import DNG
import Foundation
import MediaCore
import PictureFiles

/// XMP of a photo: the sidecar beside it, or else what its file has embedded.
struct PhotoSidecar {
  /// Settings with long masks take some hundred kilobytes.
  private static let byteLimit = 16 << 20

  /// Where the packet came from: the sidecar, or the photo itself.
  let path: String
  let packet: XMPDocument

  /// Where a photo's sidecar is, or would be: `photo.xmp` as Adobe's programs name it, or `photo.dng.xmp`
  /// where there is one and not the other.
  static func path(of photo: String) -> String {
    let url = URL(filePath: photo)
    let adobe = url.deletingPathExtension().path + ".xmp"
    guard !FileManager.default.fileExists(atPath: adobe) else { return adobe }
    let capital = url.deletingPathExtension().path + ".XMP"
    if FileManager.default.fileExists(atPath: capital) { return capital }
    let whole = url.path + ".xmp"
    return FileManager.default.fileExists(atPath: whole) ? whole : adobe
  }

  /// Reads a photo's XMP; nil where it has none.
  ///
  /// - Throws: ``PhotoDevelopmentError/Code/invalidSidecar`` for a sidecar that cannot be used.
  init?(
    of photo: String, _ file: DNGFile, _ place: SidecarPlace = .beside
  ) throws(PhotoDevelopmentError) {
    let sidecar: String? =
      switch place {
      case .beside: Self.path(of: photo)
      case .file(let path): path
      case .none: nil
      }
    let bytes: [UInt8]
    if let sidecar, FileManager.default.fileExists(atPath: sidecar) {
      path = sidecar
      bytes = try Self.read(sidecar)
    } else if let embedded = file.xmpPacket {
      guard embedded.count <= Self.byteLimit else {
        throw PhotoDevelopmentError(
          .invalidSidecar, "\(photo): its XMP is larger than 16 MiB; leave sidecars out")
      }
      path = photo
      bytes = embedded
    } else {
      return nil
    }
    do throws(PhotoDevelopmentError) { packet = try XMPDocument(bytes) } catch {
      throw PhotoDevelopmentError(
        .invalidSidecar, "\(path): \(error.message); repair it, or leave sidecars out")
    }
  }

  private static func read(_ path: String) throws(PhotoDevelopmentError) -> [UInt8] {
    do {
      let facts = try FileManager.default.attributesOfItem(
        atPath: URL(filePath: path).resolvingSymlinksInPath().path)
      guard facts[.type] as? FileAttributeType == .typeRegular,
        (facts[.size] as? Int ?? .max) <= byteLimit
      else {
        throw PhotoDevelopmentError(
          .invalidSidecar, "\(path) is no regular file of at most 16 MiB; leave sidecars out")
      }
      return [UInt8](try Data(contentsOf: URL(filePath: path)))
    } catch let error as PhotoDevelopmentError {
      throw error
    } catch {
      throw PhotoDevelopmentError(
        .invalidSidecar, "\(path) cannot be read: \(error.localizedDescription)")
    }
  }

  /// Writes a packet as a photo's sidecar, over one that is there: what it had is in the packet. A symbolic
  /// link stays, and what it leads to is written.
  ///
  /// - Throws: `PictureFileError.Code.fileFailed`.
  static func write(_ packet: XMPDocument, to path: String) throws(PictureFileError) {
    let isThere = FileManager.default.fileExists(atPath: path)
    let place = isThere ? URL(filePath: path).resolvingSymlinksInPath().path : path
    _ = try WholeFile.write(to: place, replacing: true) { (output) throws(PictureFileError) in
      try output.append(Array(packet.text.utf8))
    }
  }
}
