// swift-format-ignore-file: AlwaysUseLowerCamelCase

public import Foundation
import PhotoDevelopment
import PictureFiles
import RawDevelop

/// Among the options of a copy: the ``CGImageMetadata`` that the file is to have.
public let kCGImageDestinationMetadata: CFString = "kCGImageDestinationMetadata"
/// Among the options of a copy: true for metadata that are added to what the file says, false to take its place.
public let kCGImageDestinationMergeMetadata: CFString = "kCGImageDestinationMergeMetadata"
/// Among the options of a copy: EXIF's number of how the picture is to be turned.
public let kCGImageDestinationOrientation: CFString = "kCGImageDestinationOrientation"
/// Among the options of a copy: the time, a text as XMP writes it, or a `Date`, for XMP.
public let kCGImageDestinationDateTime: CFString = "kCGImageDestinationDateTime"

/// Writes a source's file with other metadata at once, its pixels as they are: XMP and the orientation of JPEG files of one
/// picture. EXIF keeps what it says besides. The destination needs no ``CGImageDestinationFinalize(_:)``.
///
/// - Parameters:
///   - isrc: A source of the destination's own kind.
///   - options: The metadata, whether they are merged, the orientation, the time, and
///     ``kCGImageMetadataShouldExcludeXMP``. Without any the file is copied.
///   - err: Set to what went wrong, which the caller releases.
/// - Returns: False where nothing was written: for another kind than JPEG that is not just copied, too.
@discardableResult
public func CGImageDestinationCopyImageSource(
  _ idst: CGImageDestination, _ isrc: CGImageSource, _ options: CFDictionary?,
  _ err: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> Bool {
  do {
    let bytes = try idst.copied(isrc, options ?? [:])
    switch idst.target {
    case .file(let url): try Data(bytes).write(to: url, options: .atomic)
    case .memory(let data): data.append(Data(bytes))
    }
    return true
  } catch {
    idst.error = error
    err?.pointee = Unmanaged.passRetained(error as NSError)
    return false
  }
}

extension CGImageDestination {
  fileprivate func copied(
    _ source: CGImageSource, _ options: [String: Any]
  ) throws -> [UInt8] {
    guard case .file(let file) = source.content,
      Self.formats[file.kind.uniformType] == settings.format
    else {
      throw AVError(
        .operationNotAllowed, "a copy is of the source's kind; the picture is not made anew")
    }
    let unknown = options.keys.filter { !Self.copyOptions.contains($0) }
    guard unknown.isEmpty else {
      throw AVError(
        .operationNotAllowed, "a copy does not know \(unknown.sorted().joined(separator: ", "))")
    }
    guard !options.isEmpty else { return file.bytes }
    guard file.kind == .jpeg else {
      throw AVError(
        .operationNotSupportedForAsset,
        "what a \(file.kind.uniformType) file says is not changed in place: JPEG alone")
    }
    let turn = options[kCGImageDestinationOrientation] as? Int
    guard turn.map({ (1...8).contains($0) }) ?? (options[kCGImageDestinationOrientation] == nil)
    else { throw AVError(.operationNotAllowed, "an orientation is a number from 1 to 8") }
    if options[kCGImageMetadataShouldExcludeXMP] as? Bool == true {
      return try JPEGMetadata.changed(file.bytes, xmp: "", orientation: turn)
    }
    let packet = try packet(file, options, turn)
    return try JPEGMetadata.changed(file.bytes, xmp: packet, orientation: turn)
  }

  private static let copyOptions: Set<String> = [
    kCGImageDestinationMetadata, kCGImageDestinationMergeMetadata, kCGImageDestinationOrientation,
    kCGImageDestinationDateTime, kCGImageMetadataShouldExcludeXMP,
  ]

  /// The XMP that a copy is to have; nil to keep that of the file.
  private func packet(
    _ file: PictureFile, _ options: [String: Any], _ turn: Int?
  ) throws -> String? {
    let old = file.pictures[0].xmp
    let given = options[kCGImageDestinationMetadata] as? CGImageMetadata
    guard given != nil || options[kCGImageDestinationDateTime] != nil || old != nil else {
      return nil
    }
    var state = CGImageMetadata.State()
    if let old, given == nil || options[kCGImageDestinationMergeMetadata] as? Bool == true {
      state.document = try XMPDocument(old)
    }
    if let given {
      for tag in given.tags { _ = state.set(tag.path, to: tag.content) }
    }
    if let turn { state.document[.tiff, "Orientation"] = "\(turn)" }
    if let time = options[kCGImageDestinationDateTime] {
      let text = time as? String ?? (time as? Date).map { $0.ISO8601Format() }
      guard let text else { throw AVError(.operationNotAllowed, "a time is a text or a Date") }
      state.document[.basic, "ModifyDate"] = text
      state.document[.basic, "CreateDate"] = text
    }
    return state.document.text
  }
}
