// swift-format-ignore-file: AlwaysUseLowerCamelCase

public import Foundation
import ImageFiles
import PhotoDevelopment
import RawDevelop
import Synchronization
import TIFF

/// The file's XMP metadata, completed with camera, software, orientation and time. A DNG file's orientation is reported
/// as upright because ``CGImageSourceCreateImageAtIndex(_:_:_:)`` applies it. Nil if there is no image with the index.
public func CGImageSourceCopyMetadataAtIndex(
  _ isrc: CGImageSource, _ index: Int, _ options: CFDictionary?
) -> CGImageMetadata? {
  var state = CGImageMetadata.State()
  switch isrc.content {
  case .none: return nil
  case .negative(let negative):
    guard index == 0 else { return nil }
    if let packet = negative.xmp, let document = try? XMPDocument(packet) {
      state.document = document
    }
    let facts = negative.filter.properties
    state.complete([("Make", facts.make), ("Model", facts.model)], in: .tiff)
    if state.document[.tiff, "Orientation"] != nil { state.document[.tiff, "Orientation"] = "1" }
  case .file(let file):
    guard file.images.indices.contains(index) else { return nil }
    let facts = file.images[index]
    if let packet = facts.xmp {
      if let document = try? XMPDocument(packet) {
        state.document = document
      } else {
        isrc.note(["the XMP of image \(index) is damaged and was left out"])
      }
    }
    let directory = facts.directory
    state.complete(
      [
        ("Make", directory?[.make]?.text), ("Model", directory?[.model]?.text),
        ("Software", directory?[.software]?.text),
      ], in: .tiff)
    state.document[.tiff, "Orientation"] = "\(facts.orientation)"
    let time = directory?.linked[.exifIFD]?[.dateTimeOriginal]?.text
    let exif = XMPDocument.Namespace(
      uri: kCGImageMetadataNamespaceExif, prefix: kCGImageMetadataPrefixExif)
    state.complete([("DateTimeOriginal", time.flatMap(CGImageMetadata.State.time))], in: exif)
  }
  return CGImageMetadata(state)
}

extension CGImageMetadata.State {
  /// Adds properties that the packet lacks.
  fileprivate mutating func complete(
    _ texts: [(name: String, text: String?)], in namespace: XMPDocument.Namespace
  ) {
    for case (let name, let text?) in texts where document[namespace, name] == nil {
      document[namespace, name] = text
    }
  }

  /// Converts an EXIF time to XMP form; nil if it is blank.
  fileprivate static func time(_ text: String) -> String? {
    let parts = text.split(separator: " ")
    guard parts.count == 2, parts[0].count == 10, parts[1].count == 8 else { return nil }
    return parts[0].replacing(":", with: "-") + "T" + parts[1]
  }
}

/// Creates empty mutable metadata.
public func CGImageMetadataCreateMutable() -> CGMutableImageMetadata {
  CGMutableImageMetadata(CGImageMetadata.State())
}

/// Creates a mutable copy.
public func CGImageMetadataCreateMutableCopy(
  _ metadata: CGImageMetadata
) -> CGMutableImageMetadata? { CGMutableImageMetadata(metadata.state.withLock { $0 }) }

/// Parses an XMP packet; nil if it is not valid.
public func CGImageMetadataCreateFromXMPData(_ data: CFData) -> CGImageMetadata? {
  guard let document = try? XMPDocument([UInt8](data)) else { return nil }
  return CGImageMetadata(CGImageMetadata.State(document: document))
}

/// The XMP packet, in UTF-8.
public func CGImageMetadataCreateXMPData(
  _ metadata: CGImageMetadata, _ options: CFDictionary?
) -> CFData? { Data(metadata.packet.utf8) }

/// All properties in namespaces with a prefix; nil if there are none.
public func CGImageMetadataCopyTags(_ metadata: CGImageMetadata) -> CFArray? {
  let tags = metadata.tags
  return tags.isEmpty ? nil : tags
}

/// The property at a path such as `tiff:Make`, `dc:creator[0]`, `dc:title[x-default]`.
///
/// - Returns: Nil if there is none, for parts of a structure, or if `parent` is given.
public func CGImageMetadataCopyTagWithPath(
  _ metadata: CGImageMetadata, _ parent: CGImageMetadataTag?, _ path: CFString
) -> CGImageMetadataTag? { parent == nil ? metadata.tag(path) : nil }

/// The string of the property at a path; the default one if it has several languages.
///
/// - Returns: Nil as for ``CGImageMetadataCopyTagWithPath(_:_:_:)``, and for a list.
public func CGImageMetadataCopyStringValueWithPath(
  _ metadata: CGImageMetadata, _ parent: CGImageMetadataTag?, _ path: CFString
) -> CFString? {
  guard parent == nil, let tag = metadata.tag(path) else { return nil }
  return switch tag.content {
  case .text(let text): text
  case .texts(let texts): tag.path.list == .languages ? texts.first : nil
  }
}

/// Sets the property at a path to a string, a number or a list of strings. If the XMP specification defines the
/// property as a list, a string becomes its only item.
///
/// - Returns: False for an invalid path, another value type, or if `parent` is given; the metadata is then unchanged.
public func CGImageMetadataSetValueWithPath(
  _ metadata: CGMutableImageMetadata, _ parent: CGImageMetadataTag?, _ path: CFString,
  _ value: CFTypeRef
) -> Bool {
  guard parent == nil, let content = CGImageMetadataTag.Content(value) else { return false }
  return metadata.state.withLock { state in
    guard let path = MetadataPath(path, state.namespaces) else { return false }
    return state.set(path, to: content)
  }
}

/// Sets the property at a path to the value of a tag; otherwise as ``CGImageMetadataSetValueWithPath(_:_:_:_:)``.
public func CGImageMetadataSetTagWithPath(
  _ metadata: CGMutableImageMetadata, _ parent: CGImageMetadataTag?, _ path: CFString,
  _ tag: CGImageMetadataTag
) -> Bool {
  guard parent == nil else { return false }
  return metadata.state.withLock { state in
    let namespace = tag.path.namespace
    if state.namespaces[namespace.prefix] == nil {
      state.namespaces[namespace.prefix] = namespace.uri
    }
    guard let path = MetadataPath(path, state.namespaces) else { return false }
    return state.set(path, to: tag.content)
  }
}

/// Removes a property; false if there is none.
public func CGImageMetadataRemoveTagWithPath(
  _ metadata: CGMutableImageMetadata, _ parent: CGImageMetadataTag?, _ path: CFString
) -> Bool {
  guard parent == nil else { return false }
  return metadata.state.withLock { state in
    guard let path = MetadataPath(path, state.namespaces) else { return false }
    return state.remove(path)
  }
}

/// Registers a prefix for a namespace in paths; false with an error if the prefix is registered for another one.
public func CGImageMetadataRegisterNamespaceForPrefix(
  _ metadata: CGMutableImageMetadata, _ xmlns: CFString, _ prefix: CFString,
  _ err: UnsafeMutablePointer<NSError?>?
) -> Bool {
  metadata.state.withLock { state in
    let known = state.namespaces[prefix]
    guard known == nil || known == xmlns else {
      err?.pointee =
        AVError(
          .operationNotAllowed, "the prefix \(prefix) is already registered for \(known ?? "")")
        as NSError
      return false
    }
    state.namespaces[prefix] = xmlns
    return true
  }
}
