import XMLSyntax

/// A property of XMP that has parts: a list, or properties of its own as attributes and elements.
struct XMPStructure {
  /// The property's element.
  let element: XMLElement
  /// The namespaces around it.
  let outer: XMPScope

  /// True for a single text.
  var isPlain: Bool {
    guard element.elements.isEmpty else { return false }
    return !element.text.allSatisfy(\.isWhitespace)
      || Self.facts(element.attributes, outer.within(element)).isEmpty
  }

  /// What it says, as `Name = value`, or the value alone in a list; empty for RDF's containers with nothing in
  /// them.
  var facts: [String] { Self.facts(element, outer, isProperty: true) }

  private static func facts(
    _ element: XMLElement, _ outer: XMPScope, isProperty: Bool = false
  ) -> [String] {
    let scope = outer.within(element)
    let name = isProperty ? nil : local(element.name, scope)
    var found = facts(element.attributes, scope)
    if element.elements.isEmpty {
      let text = element.text
      if !text.allSatisfy(\.isWhitespace) { found.append(name.map { "\($0) = \(text)" } ?? text) }
    } else {
      found += element.elements.flatMap { facts($0, scope) }
    }
    return found.isEmpty ? [name].compactMap(\.self) : found
  }

  /// Attributes with a value that are no part of RDF or of XML.
  private static func facts(
    _ attributes: [XMLAttribute], _ scope: XMPScope
  ) -> [String] {
    attributes.compactMap { attribute in
      guard !attribute.value.isEmpty, !attribute.name.hasPrefix("xml"),
        let name = local(attribute.name, scope)
      else { return nil }
      return "\(name) = \(attribute.value)"
    }
  }

  /// A name without its prefix; nil for one of RDF.
  private static func local(_ name: String, _ scope: XMPScope) -> String? {
    guard !scope.expanded(name).hasPrefix(XMPDocument.rdf) else { return nil }
    return name.split(separator: ":").last.map(String.init)
  }
}
