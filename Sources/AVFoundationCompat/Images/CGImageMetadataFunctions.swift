// swift-format-ignore-file: AlwaysUseLowerCamelCase

public import Foundation
import PhotoDevelopment
import PictureFiles
import RawDevelop
import Synchronization
import TIFF

/// What the file's XMP says, and its camera, program, turn and time. A turn that a DNG file tells of is taken as done, as
/// ``CGImageSourceCreateImageAtIndex(_:_:_:)`` does it. Nil if there is no picture of the index.
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
    guard file.pictures.indices.contains(index) else { return nil }
    let facts = file.pictures[index]
    if let packet = facts.xmp {
      if let document = try? XMPDocument(packet) {
        state.document = document
      } else {
        isrc.note(["the XMP of picture \(index) is damaged: left out"])
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
  /// Adds texts that the packet lacks.
  fileprivate mutating func complete(
    _ texts: [(name: String, text: String?)], in namespace: XMPDocument.Namespace
  ) {
    for case (let name, let text?) in texts where document[namespace, name] == nil {
      document[namespace, name] = text
    }
  }

  /// EXIF's time as XMP writes it; nil for blanks.
  fileprivate static func time(_ text: String) -> String? {
    let parts = text.split(separator: " ")
    guard parts.count == 2, parts[0].count == 10, parts[1].count == 8 else { return nil }
    return parts[0].replacing(":", with: "-") + "T" + parts[1]
  }
}

/// Nothing yet, to be changed.
public func CGImageMetadataCreateMutable() -> CGMutableImageMetadata {
  CGMutableImageMetadata(CGImageMetadata.State())
}

/// A copy, to be changed.
public func CGImageMetadataCreateMutableCopy(
  _ metadata: CGImageMetadata
) -> CGMutableImageMetadata? { CGMutableImageMetadata(metadata.state.withLock { $0 }) }

/// What a packet of XMP says; nil for what is none.
public func CGImageMetadataCreateFromXMPData(_ data: CFData) -> CGImageMetadata? {
  guard let document = try? XMPDocument([UInt8](data)) else { return nil }
  return CGImageMetadata(CGImageMetadata.State(document: document))
}

/// The packet of XMP, in UTF-8.
public func CGImageMetadataCreateXMPData(
  _ metadata: CGImageMetadata, _ options: CFDictionary?
) -> CFData? { Data(metadata.packet.utf8) }

/// All properties of the namespaces that have a prefix; nil if there is none.
public func CGImageMetadataCopyTags(_ metadata: CGImageMetadata) -> CFArray? {
  let tags = metadata.tags
  return tags.isEmpty ? nil : tags
}

/// A property by its path: `tiff:Make`, `dc:creator[0]`, `dc:title[x-default]`.
///
/// - Returns: Nil if there is none, for parts of a structure, and with a parent.
public func CGImageMetadataCopyTagWithPath(
  _ metadata: CGImageMetadata, _ parent: CGImageMetadataTag?, _ path: CFString
) -> CGImageMetadataTag? { parent == nil ? metadata.tag(path) : nil }

/// The text of a property by its path: of one in several languages the default one.
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

/// Sets a property by its path to a text, a number or texts. A text of a property that is a list by XMP's specification
/// becomes the list's only one.
///
/// - Returns: False for a path that leads nowhere, a value of another type, and with a parent; nothing has changed then.
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

/// Sets a property by its path to the value of a tag; otherwise as
/// ``CGImageMetadataSetValueWithPath(_:_:_:_:)``.
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

/// Takes a property away; false if there is none.
public func CGImageMetadataRemoveTagWithPath(
  _ metadata: CGMutableImageMetadata, _ parent: CGImageMetadataTag?, _ path: CFString
) -> Bool {
  guard parent == nil else { return false }
  return metadata.state.withLock { state in
    guard let path = MetadataPath(path, state.namespaces) else { return false }
    return state.remove(path)
  }
}

/// Has a prefix stand for a namespace in paths; false, and an error, where it stands for another one.
public func CGImageMetadataRegisterNamespaceForPrefix(
  _ metadata: CGMutableImageMetadata, _ xmlns: CFString, _ prefix: CFString,
  _ err: UnsafeMutablePointer<NSError?>?
) -> Bool {
  metadata.state.withLock { state in
    let known = state.namespaces[prefix]
    guard known == nil || known == xmlns else {
      err?.pointee =
        AVError(.operationNotAllowed, "\(prefix) stands for \(known ?? "")") as NSError
      return false
    }
    state.namespaces[prefix] = xmlns
    return true
  }
}
