import XMLSyntax

/// The namespaces in scope within an element. A scope holds only what one element declares and refers to the
/// surrounding scope, so nothing is copied, however many elements declare namespaces.
final class XMPScope: Sendable {
  /// The element's own declarations: namespaces by prefix.
  let declared: [String: String]
  private let outer: XMPScope?

  init(_ declared: [String: String] = [:], in outer: XMPScope? = nil) {
    self.declared = declared
    self.outer = outer
  }

  /// The scope within an element; this one if the element declares nothing.
  func within(_ element: XMLElement) -> XMPScope {
    var declared: [String: String] = [:]
    for attribute in element.attributes {
      if attribute.name.hasPrefix("xmlns:") {
        declared[String(attribute.name.dropFirst(6))] = attribute.value
      } else if attribute.name == "xmlns" {
        declared[""] = attribute.value
      }
    }
    return declared.isEmpty ? self : XMPScope(declared, in: self)
  }

  /// The namespace of a prefix, or of unprefixed names if it is empty; nil if not declared.
  subscript(prefix: String) -> String? {
    var scope: XMPScope? = self
    while let here = scope {
      if let uri = here.declared[prefix] { return uri }
      scope = here.outer
    }
    return nil
  }

  /// A name with its prefix replaced by the namespace.
  func expanded(_ name: String) -> String {
    guard let colon = name.utf8.firstIndex(of: UInt8(ascii: ":")) else {
      return (self[""] ?? "") + name
    }
    return (self[String(name[..<colon])] ?? "") + name[name.utf8.index(after: colon)...]
  }

  /// All prefixes and their namespaces.
  var all: [String: String] {
    (outer?.all ?? [:]).merging(declared) { _, inner in inner }
  }

  /// True if a prefix, or the default namespace, stands for the given namespace.
  func contains(_ uri: String) -> Bool { prefix(of: uri) { _ in true } != nil }

  /// A prefix for a namespace that is valid in names of elements and attributes; a declared prefix may be invalid.
  func prefix(of uri: String) -> String? {
    prefix(of: uri) { prefix in
      prefix.unicodeScalars.first.map { $0 == "_" || $0.properties.isAlphabetic } == true
    }
  }

  /// The innermost suitable prefix of a namespace that is not redeclared in an inner scope.
  private func prefix(of uri: String, where isFit: (String) -> Bool) -> String? {
    var scope: XMPScope? = self
    while let here = scope {
      for (prefix, namespace) in here.declared
      where namespace == uri && isFit(prefix) && self[prefix] == uri {
        return prefix
      }
      scope = here.outer
    }
    return nil
  }
}
