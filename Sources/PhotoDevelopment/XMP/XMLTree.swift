import MediaCore
import XMLSyntax

/// An element of XML with all that is in it, as it was written.
struct XMLElement: Sendable, Hashable {
  /// What stands between the tags.
  enum Node: Sendable, Hashable {
    case element(XMLElement)
    case text(String)
  }

  /// The name with its prefix.
  var name: String
  var attributes: [XMLAttribute] = []
  var children: [Node] = []

  /// The elements in it.
  var elements: [XMLElement] {
    children.compactMap { if case .element(let element) = $0 { element } else { nil } }
  }

  /// The text in it, without that of its elements.
  var text: String {
    children.map { if case .text(let text) = $0 { text } else { "" } }.joined()
  }

  /// The texts of the innermost elements.
  var texts: [String] { elements.isEmpty ? [text] : elements.flatMap(\.texts) }

  /// True where a name of the element, its attributes or what is in it has a prefix.
  func uses(prefix: String) -> Bool {
    let start = prefix + ":"
    return name.hasPrefix(start) || attributes.contains { $0.name.hasPrefix(start) }
      || elements.contains { $0.uses(prefix: prefix) }
  }

  /// The element as XML.
  var xml: String {
    let list = attributes.map { " \($0.name)=\"\(Self.escaped(attribute: $0.value))\"" }.joined()
    guard !children.isEmpty else { return "<\(name)\(list)/>" }
    let inside = children.map { node in
      switch node {
      case .element(let element): element.xml
      case .text(let text): Self.escaped(text)
      }
    }
    return "<\(name)\(list)>\(inside.joined())</\(name)>"
  }

  /// A value between quotes: readers make spaces of tabs and line breaks that are not escaped.
  static func escaped(attribute value: String) -> String {
    escaped(value, and: ["\t", "\n", "\r"])
  }

  /// Text between tags: readers make line feeds of carriage returns that are not escaped.
  static func escaped(_ text: String, and controls: [Unicode.Scalar] = ["\r"]) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      if let entity = XMLText.entity(scalar) {
        result += entity
      } else if controls.contains(scalar) {
        result += "&#\(scalar.value);"
      } else {
        result.unicodeScalars.append(scalar)
      }
    }
    return result
  }
}

/// Makes a tree of XML.
final class XMLTreeReader {
  /// Deeper nesting is an attack on the stack.
  static let deepest = 64

  private var open: [XMLElement] = []
  private var root: XMLElement?

  private init() {}

  /// The outermost element.
  static func read(_ bytes: [UInt8]) throws(XMLStream.Failure) -> XMLElement {
    let reader = XMLTreeReader()
    guard let stream = XMLStream(reader) else {
      throw XMLStream.Failure(reason: "no memory to read it", line: 1)
    }
    try stream.read(bytes)
    guard let root = reader.root else {
      throw XMLStream.Failure(reason: "it is not XML", line: 1)
    }
    return root
  }

  /// Makes a node of the text up to a tag.
  private func close(_ text: [UInt8]) {
    guard !text.isEmpty, !open.isEmpty else { return }
    open[open.count - 1].children.append(.text(String(decoding: text, as: UTF8.self)))
  }
}

extension XMLTreeReader: XMLStream.Handler {
  func began(_ name: XMLName, _ attributes: [XMLAttribute], after text: [UInt8]) -> String? {
    close(text)
    guard open.count < Self.deepest else { return "elements are nested too deeply" }
    open.append(XMLElement(name: name.qualified, attributes: attributes))
    return nil
  }

  func ended(_ name: XMLName, after text: [UInt8]) -> String? {
    close(text)
    guard let element = open.popLast() else { return nil }
    if open.isEmpty {
      root = element
    } else {
      open[open.count - 1].children.append(.element(element))
    }
    return nil
  }
}
