import MediaCore
import XMLSyntax

/// An XML element with its contents, as written.
struct XMLElement: Sendable, Hashable {
  /// The contents between the tags.
  enum Node: Sendable, Hashable {
    case element(XMLElement)
    case text(String)
  }

  /// The name, including its prefix.
  var name: String
  var attributes: [XMLAttribute] = []
  var children: [Node] = []

  /// The child elements.
  var elements: [XMLElement] {
    children.compactMap { if case .element(let element) = $0 { element } else { nil } }
  }

  /// The element's own text, without that of child elements.
  var text: String {
    children.map { if case .text(let text) = $0 { text } else { "" } }.joined()
  }

  /// The texts of the innermost elements.
  var texts: [String] { elements.isEmpty ? [text] : elements.flatMap(\.texts) }

  /// True if the element, its attributes or anything in it has a name with the prefix.
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

  /// An escaped attribute value: parsers turn unescaped tabs and line breaks into spaces.
  static func escaped(attribute value: String) -> String {
    escaped(value, and: ["\t", "\n", "\r"])
  }

  /// Escaped text: parsers turn unescaped carriage returns into line feeds.
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

/// Builds a tree from XML.
final class XMLTreeReader {
  /// Deeper nesting would exhaust the stack.
  static let deepest = 64

  private var open: [XMLElement] = []
  private var root: XMLElement?

  private init() {}

  /// Parses a document and returns its root element.
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

  /// Adds the text before a tag as a node.
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
