import XMLSyntax

/// An XML response, as a tree.
final class StorageDocument {
  /// An element.
  struct Element {
    let name: String
    var text = ""
    var children: [Element] = []

    /// The text of the first child with a name; empty if there is none.
    subscript(_ name: String) -> String { children.first { $0.name == name }?.text ?? "" }

    func all(_ name: String) -> [Element] { children.filter { $0.name == name } }
  }

  /// Deeper than any response.
  private static let depthLimit = 16
  /// Longer than any key.
  private static let longestText = 1 << 16

  private var open: [Element] = []
  private var root: Element?

  /// The root element; nil if the bytes are not XML.
  static func root(of bytes: [UInt8]) -> Element? {
    let document = StorageDocument()
    guard let stream = XMLStream(document, longestText: longestText) else { return nil }
    return (try? stream.read(bytes)).flatMap { document.root }
  }
}

extension StorageDocument: XMLStream.Handler {
  func began(_ name: XMLName, _ attributes: [XMLAttribute], after text: [UInt8]) -> String? {
    guard open.count < Self.depthLimit else { return "it is too deep" }
    open.append(Element(name: name.local))
    return nil
  }

  func ended(_ name: XMLName, after text: [UInt8]) -> String? {
    guard var element = open.popLast() else { return nil }
    element.text = String(decoding: text, as: UTF8.self)
    if open.isEmpty { root = element } else { open[open.count - 1].children.append(element) }
    return nil
  }
}
