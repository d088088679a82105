import DNG
import Foundation
import ImageFiles
import MediaCore

/// A photo's XMP: its sidecar, or else the XMP embedded in its file.
struct PhotoSidecar {
  /// Settings with long masks take several hundred kilobytes.
  private static let byteLimit = 16 << 20

  /// The packet's source: the sidecar, or the photo itself.
  let path: String
  let packet: XMPDocument

  /// The path of a photo's sidecar, existing or not: `photo.xmp` as Adobe's programs name it, or `photo.dng.xmp` if
  /// only that exists, or if `photo.xmp` says that it is for a file with another extension.
  static func path(of photo: String) -> String {
    let (own, foreign) = present(beside: photo)
    return own ?? URL(filePath: photo).path(ofSidecar: foreign == nil ? .adobe : .whole)
  }

  /// Why a sidecar with the photo's name is ignored, in words; nil if none is.
  static func remark(on photo: String, _ place: SidecarPlace = .beside) -> String? {
    guard place == .beside, let foreign = present(beside: photo).foreign else { return nil }
    return
      "\(foreign.path) says that it belongs to the file ending in .\(foreign.ending), so it is ignored"
  }

  /// A photo's existing sidecar, and a preceding one that belongs to another file: cameras give a raw photo and its
  /// DNG file the same name.
  private static func present(
    beside photo: String
  ) -> (own: String?, foreign: (path: String, ending: String)?) {
    let url = URL(filePath: photo)
    var foreign: (path: String, ending: String)?
    for form in SidecarForm.allCases {
      let path = url.path(ofSidecar: form)
      guard FileManager.default.fileExists(atPath: path) else { continue }
      guard form != .whole, let ending = ending(in: path),
        ending.lowercased() != url.pathExtension.lowercased()
      else { return (path, foreign) }
      foreign = foreign ?? (path, ending)
    }
    return (nil, foreign)
  }

  /// The extension of the file that a sidecar says it is for; nil if it does not say, or cannot be read, which is
  /// reported when it is used.
  private static func ending(in sidecar: String) -> String? {
    guard let bytes = try? read(sidecar), let packet = try? XMPDocument(bytes) else { return nil }
    return packet[.photoshop, endingName].flatMap { $0.isEmpty ? nil : $0 }
  }

  private static let endingName = "SidecarForExtension"

  /// Reads a photo's XMP; nil if there is none.
  ///
  /// - Throws: ``PhotoDevelopmentError/Code/invalidSidecar`` for an unusable sidecar.
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
    try RegularFile.bytes(of: path, byteLimit: byteLimit) { message, errno in
      PhotoDevelopmentError(.invalidSidecar, "\(message); sidecars can be left out", errno: errno)
    }
  }

  /// Writes a packet as a photo's sidecar, replacing an existing one, whose contents the packet includes. A new one
  /// states which file it is for. A symbolic link is kept, and its target is written.
  ///
  /// - Returns: The sidecar's path.
  /// - Throws: `ImageFileError.Code.fileFailed`.
  static func write(
    _ packet: XMPDocument, of photo: String
  ) throws(ImageFileError) -> String {
    let path = path(of: photo)
    let isThere = FileManager.default.fileExists(atPath: path)
    let place = isThere ? URL(filePath: path).resolvingSymlinksInPath().path : path
    var packet = packet
    let ending = URL(filePath: photo).pathExtension
    if !isThere, !ending.isEmpty { packet[.photoshop, endingName] = ending }
    let text = packet.text
    _ = try WholeFile.write(to: place, replacing: true) { (output) throws(ImageFileError) in
      try output.append(Array(text.utf8))
    }
    return path
  }
}

/// Forms of sidecar names, in search order.
private enum SidecarForm: CaseIterable {
  /// `photo.xmp`.
  case adobe
  /// `photo.XMP`.
  case capital
  /// `photo.dng.xmp`.
  case whole
}

extension URL {
  /// The path of a photo's sidecar.
  fileprivate func path(ofSidecar form: SidecarForm) -> String {
    switch form {
    case .adobe: deletingPathExtension().path + ".xmp"
    case .capital: deletingPathExtension().path + ".XMP"
    case .whole: path + ".xmp"
    }
  }
}
