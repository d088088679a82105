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
  /// where there is one and not the other, or the other says that it is for a file with another ending.
  static func path(of photo: String) -> String {
    let (own, foreign) = present(beside: photo)
    return own ?? URL(filePath: photo).path(ofSidecar: foreign == nil ? .adobe : .whole)
  }

  /// What a sidecar is passed over for, in words, though it has a photo's name; nil where none is.
  static func remark(on photo: String, _ place: SidecarPlace = .beside) -> String? {
    guard place == .beside, let foreign = present(beside: photo).foreign else { return nil }
    return
      "\(foreign.path) is for the file ending with .\(foreign.ending), as it says, and left alone"
  }

  /// The sidecar of a photo that is there, and the one in front of it that is another file's: cameras name a raw
  /// photo and its DNG file alike.
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

  /// The ending of the file that a sidecar says it is for; nil where it says none, and where it cannot be read,
  /// which whoever reads it is told.
  private static func ending(in sidecar: String) -> String? {
    guard let bytes = try? read(sidecar), let packet = try? XMPDocument(bytes) else { return nil }
    return packet[.photoshop, endingName].flatMap { $0.isEmpty ? nil : $0 }
  }

  private static let endingName = "SidecarForExtension"

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
    try RegularFile.bytes(of: path, byteLimit: byteLimit) { message, errno in
      PhotoDevelopmentError(.invalidSidecar, "\(message); sidecars can be left out", errno: errno)
    }
  }

  /// Writes a packet as a photo's sidecar, over one that is there: what it had is in the packet. A new one says
  /// which file it is for. A symbolic link stays, and what it leads to is written.
  ///
  /// - Returns: The sidecar's path.
  /// - Throws: `PictureFileError.Code.fileFailed`.
  static func write(
    _ packet: XMPDocument, of photo: String
  ) throws(PictureFileError) -> String {
    let path = path(of: photo)
    let isThere = FileManager.default.fileExists(atPath: path)
    let place = isThere ? URL(filePath: path).resolvingSymlinksInPath().path : path
    var packet = packet
    let ending = URL(filePath: photo).pathExtension
    if !isThere, !ending.isEmpty { packet[.photoshop, endingName] = ending }
    let text = packet.text
    _ = try WholeFile.write(to: place, replacing: true) { (output) throws(PictureFileError) in
      try output.append(Array(text.utf8))
    }
    return path
  }
}

/// How sidecars are named, in the order that they are looked for in.
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
