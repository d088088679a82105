// swift-format-ignore-file: AlwaysUseLowerCamelCase

public import Foundation
import ImageFiles
import PhotoDevelopment
import RawDevelop

/// Copy option: the file's new ``CGImageMetadata``.
public let kCGImageDestinationMetadata: CFString = "kCGImageDestinationMetadata"
/// Copy option: true to merge the metadata into the file's, false to replace it.
public let kCGImageDestinationMergeMetadata: CFString = "kCGImageDestinationMergeMetadata"
/// Copy option: the EXIF orientation of the image.
public let kCGImageDestinationOrientation: CFString = "kCGImageDestinationOrientation"
/// Copy option: the time for XMP, as an XMP string or a `Date`.
public let kCGImageDestinationDateTime: CFString = "kCGImageDestinationDateTime"

/// Writes a source's file immediately with new metadata and unchanged pixels: XMP and orientation, for JPEG files with
/// one image. Other EXIF data is kept. ``CGImageDestinationFinalize(_:)`` is not needed.
///
/// - Parameters:
///   - isrc: A source with the destination's file type.
///   - options: The metadata, whether to merge it, the orientation, the time, and ``kCGImageMetadataShouldExcludeXMP``.
///     Without options the file is copied.
///   - err: Set to the error, which the caller releases.
/// - Returns: False if nothing was written, also for a file other than JPEG with options.
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
        .operationNotAllowed, "a copy must have the source's file type; images are not re-encoded")
    }
    let unknown = options.keys.filter { !Self.copyOptions.contains($0) }
    guard unknown.isEmpty else {
      throw AVError(
        .operationNotAllowed, "unknown copy options: \(unknown.sorted().joined(separator: ", "))")
    }
    guard !options.isEmpty else { return file.bytes }
    guard file.kind == .jpeg else {
      throw AVError(
        .operationNotSupportedForAsset,
        "metadata can be changed in place only in JPEG files, not \(file.kind.uniformType)")
    }
    let turn = options[kCGImageDestinationOrientation] as? Int
    guard turn.map({ (1...8).contains($0) }) ?? (options[kCGImageDestinationOrientation] == nil)
    else { throw AVError(.operationNotAllowed, "an orientation must be a number from 1 to 8") }
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

  /// The XMP of the copy; nil to keep the file's.
  private func packet(
    _ file: ImageFile, _ options: [String: Any], _ turn: Int?
  ) throws -> String? {
    let old = file.images[0].xmp
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
      guard let text else {
        throw AVError(.operationNotAllowed, "a time must be a string or a Date")
      }
      state.document[.basic, "ModifyDate"] = text
      state.document[.basic, "CreateDate"] = text
    }
    return state.document.text
  }
}
