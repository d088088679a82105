import CExpat

/// An element of XML with all that is in it, as it was written.
struct XMLElement: Sendable, Hashable {
  /// What stands between the tags.
  enum Node: Sendable, Hashable {
    case element(XMLElement)
    case text(String)
  }

  struct Attribute: Sendable, Hashable {
    var name: String
    var value: String
  }

  /// The name with its prefix.
  var name: String
  var attributes: [Attribute] = []
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
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      case _ where controls.contains(scalar): result += "&#\(scalar.value);"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }
}

/// Reads XML through expat into a tree.
final class XMLTreeReader {
  /// Deeper nesting is an attack on the stack.
  static let deepest = 64

  private let parser: XML_Parser
  private var open: [XMLElement] = []
  /// Text since the last tag; expat hands over each line by itself.
  private var text: [UInt8] = []
  private var root: XMLElement?
  private var refusal: String?

  private init?() {
    guard let parser = XML_ParserCreate("UTF-8") else { return nil }
    self.parser = parser
    XML_SetUserData(parser, Unmanaged.passUnretained(self).toOpaque())
    XML_SetElementHandler(
      parser,
      { context, name, attributes in XMLTreeReader.of(context)?.begin(name, attributes) },
      { context, _ in XMLTreeReader.of(context)?.end() })
    XML_SetCharacterDataHandler(parser) { context, bytes, count in
      XMLTreeReader.of(context)?.add(bytes, Int(count))
    }
    // Entities of a file's own are a way to make a small file large; XMP has none.
    XML_SetStartDoctypeDeclHandler(parser) { context, _, _, _, _ in
      XMLTreeReader.of(context)?.refuse("it has a document type")
    }
  }

  deinit { XML_ParserFree(parser) }

  /// The outermost element; or why there is none, in words.
  static func read(_ bytes: [UInt8]) -> Result<XMLElement, XMLFault> {
    guard let reader = XMLTreeReader() else { return .failure(XMLFault(reason: "no memory")) }
    guard let length = Int32(exactly: bytes.count) else {
      return .failure(XMLFault(reason: "it is larger than 2 GiB"))
    }
    let status = bytes.withUnsafeBytes { buffer in
      XML_Parse(
        reader.parser, buffer.baseAddress?.assumingMemoryBound(to: CChar.self), length, 1)
    }
    if status == XML_STATUS_OK, let root = reader.root { return .success(root) }
    let words = XML_ErrorString(XML_GetErrorCode(reader.parser)).map { String(cString: $0) }
    let line = cexpat_line(reader.parser)
    return .failure(XMLFault(reason: "line \(line): \(reader.refusal ?? words ?? "not XML")"))
  }

  private static func of(_ context: UnsafeMutableRawPointer?) -> XMLTreeReader? {
    context.map { Unmanaged<XMLTreeReader>.fromOpaque($0).takeUnretainedValue() }
  }

  private func refuse(_ reason: String) {
    guard refusal == nil else { return }
    refusal = reason
    XML_StopParser(parser, 0)
  }

  private func begin(
    _ name: UnsafePointer<XML_Char>?,
    _ attributes: UnsafeMutablePointer<UnsafePointer<XML_Char>?>?
  ) {
    guard refusal == nil, let name else { return }
    closeText()
    guard open.count < Self.deepest else { return refuse("elements are nested too deeply") }
    var element = XMLElement(name: String(cString: name))
    var index = 0
    while let key = attributes?[index], let value = attributes?[index + 1] {
      element.attributes.append(.init(name: String(cString: key), value: String(cString: value)))
      index += 2
    }
    open.append(element)
  }

  private func end() {
    closeText()
    guard refusal == nil, let element = open.popLast() else { return }
    if open.isEmpty {
      root = element
    } else {
      open[open.count - 1].children.append(.element(element))
    }
  }

  private func add(_ bytes: UnsafePointer<XML_Char>?, _ count: Int) {
    guard refusal == nil, !open.isEmpty, let bytes else { return }
    text.append(contentsOf: UnsafeRawBufferPointer(start: bytes, count: count))
  }

  /// Makes a node of the text up to a tag.
  private func closeText() {
    guard !text.isEmpty, !open.isEmpty else { return }
    open[open.count - 1].children.append(.text(String(decoding: text, as: UTF8.self)))
    text.removeAll(keepingCapacity: true)
  }
}

/// Why a text cannot be read as XML.
struct XMLFault: Error {
  let reason: String
}
