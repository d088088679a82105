// swift-format-ignore-file: AlwaysUseLowerCamelCase

import Foundation
import PhotoDevelopment

/// A property of an image's XMP, with its value.
public final class CGImageMetadataTag: Sendable {
  enum Content: Sendable, Hashable {
    case text(String)
    case texts([String])
  }

  let path: MetadataPath
  let content: Content

  init(_ path: MetadataPath, _ content: Content) { (self.path, self.content) = (path, content) }
}

/// The type of a property's value, with Apple's numbers.
public enum CGImageMetadataType: Int32, Sendable, Hashable {
  case invalid = -1
  case `default` = 0
  case string = 1
  case arrayUnordered = 2
  case arrayOrdered = 3
  case alternateArray = 4
  case alternateText = 5
  case structure = 6
}

/// Creates a property to set; nil for a value that is not a string, a number or a list of strings.
///
/// - Parameters:
///   - xmlns: The namespace.
///   - prefix: The namespace's prefix; nil for `ns`.
///   - name: The property's name.
///   - type: Ignored: the XMP specification defines a property's type.
///   - value: A string, a number, or a list of strings.
public func CGImageMetadataTagCreate(
  _ xmlns: CFString, _ prefix: CFString?, _ name: CFString, _ type: CGImageMetadataType,
  _ value: CFTypeRef
) -> CGImageMetadataTag? {
  guard let content = CGImageMetadataTag.Content(value) else { return nil }
  let namespace = XMPDocument.Namespace(uri: xmlns, prefix: prefix ?? "ns")
  return CGImageMetadataTag(MetadataPath(namespace: namespace, name: name), content)
}

/// The property's name without a prefix.
public func CGImageMetadataTagCopyName(_ tag: CGImageMetadataTag) -> CFString? { tag.path.name }
/// The namespace.
public func CGImageMetadataTagCopyNamespace(_ tag: CGImageMetadataTag) -> CFString? {
  tag.path.namespace.uri
}
/// The namespace's prefix.
public func CGImageMetadataTagCopyPrefix(_ tag: CGImageMetadataTag) -> CFString? {
  tag.path.namespace.prefix
}
/// A `String` or a `[String]`.
public func CGImageMetadataTagCopyValue(_ tag: CGImageMetadataTag) -> CFTypeRef? {
  switch tag.content {
  case .text(let text): text
  case .texts(let texts): texts
  }
}
/// The type of the value.
public func CGImageMetadataTagGetType(_ tag: CGImageMetadataTag) -> CGImageMetadataType {
  guard case .texts = tag.content else { return .string }
  return switch tag.path.list {
  case .unordered: .arrayUnordered
  case .languages: .alternateText
  case .ordered, nil: .arrayOrdered
  }
}

extension CGImageMetadataTag.Content {
  /// Nil for a value that is not a string, a number or a list of strings.
  init?(_ value: CFTypeRef) {
    switch value {
    case let text as String: self = .text(text)
    case let texts as [String]: self = .texts(texts)
    // An NSNumber of 0 or 1 would also cast to Bool.
    case let isTrue as Bool where type(of: value) == Bool.self:
      self = .text(isTrue ? "True" : "False")
    case let number as any BinaryInteger: self = .text("\(number)")
    case let number as any BinaryFloatingPoint: self = .text("\(number)")
    case let number as NSNumber: self = .text(number.stringValue)
    default: return nil
    }
  }
}
