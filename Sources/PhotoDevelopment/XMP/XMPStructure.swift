import XMLSyntax

/// A structured XMP property: a list, or a property with properties of its own as attributes and elements.
struct XMPStructure {
  /// The property's element.
  let element: XMLElement
  /// The namespaces around it.
  let outer: XMPScope

  /// True for a simple text.
  var isPlain: Bool {
    guard element.elements.isEmpty else { return false }
    return !element.text.allSatisfy(\.isWhitespace)
      || Self.facts(element.attributes, outer.within(element)).isEmpty
  }

  /// The contents as `Name = value`, or only the value in a list; empty for empty RDF containers.
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

  /// Attributes with values, except those of RDF and XML.
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

  /// A name without its prefix; nil for RDF's names.
  private static func local(_ name: String, _ scope: XMPScope) -> String? {
    guard !scope.expanded(name).hasPrefix(XMPDocument.rdf) else { return nil }
    return name.split(separator: ":").last.map(String.init)
  }
}
