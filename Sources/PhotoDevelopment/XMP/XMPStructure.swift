/// A property of XMP that has parts: a list, or properties of its own as attributes and elements.
struct XMPStructure {
  /// The property's element.
  let element: XMLElement
  /// Namespaces by their prefixes around it.
  let known: [String: String]

  /// True for a single text.
  var isPlain: Bool {
    guard element.elements.isEmpty else { return false }
    let names = XMPDocument.declared(element, known)
    return !element.text.allSatisfy(\.isWhitespace) || Self.facts(element.attributes, names).isEmpty
  }

  /// What it says, as `Name = value`, or the value alone in a list; empty for RDF's containers with nothing in
  /// them.
  var facts: [String] { Self.facts(element, known, isProperty: true) }

  private static func facts(
    _ element: XMLElement, _ known: [String: String], isProperty: Bool = false
  ) -> [String] {
    let names = XMPDocument.declared(element, known)
    let name = isProperty ? nil : local(element.name, names)
    var found = facts(element.attributes, names)
    if element.elements.isEmpty {
      let text = element.text
      if !text.allSatisfy(\.isWhitespace) { found.append(name.map { "\($0) = \(text)" } ?? text) }
    } else {
      found += element.elements.flatMap { facts($0, names) }
    }
    return found.isEmpty ? [name].compactMap(\.self) : found
  }

  /// Attributes with a value that are no part of RDF or of XML.
  private static func facts(
    _ attributes: [XMLElement.Attribute], _ names: [String: String]
  ) -> [String] {
    attributes.compactMap { attribute in
      guard !attribute.value.isEmpty, !attribute.name.hasPrefix("xml"),
        let name = local(attribute.name, names)
      else { return nil }
      return "\(name) = \(attribute.value)"
    }
  }

  /// A name without its prefix; nil for one of RDF.
  private static func local(_ name: String, _ names: [String: String]) -> String? {
    guard !XMPDocument.expanded(name, names).hasPrefix(XMPDocument.rdf) else { return nil }
    return name.split(separator: ":").last.map(String.init)
  }
}
