import XMLSyntax

/// The namespaces that prefixes stand for within an element. Each scope holds what one element declares, and
/// knows that of the elements around it: however many elements declare something, nothing is copied.
final class XMPScope: Sendable {
  /// What the element itself declares: namespaces by their prefixes.
  let declared: [String: String]
  private let outer: XMPScope?

  init(_ declared: [String: String] = [:], in outer: XMPScope? = nil) {
    self.declared = declared
    self.outer = outer
  }

  /// The scope within an element: this one itself where the element declares nothing.
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

  /// The namespace of a prefix, the empty one being that of names without a prefix; nil where none is declared.
  subscript(prefix: String) -> String? {
    var scope: XMPScope? = self
    while let here = scope {
      if let uri = here.declared[prefix] { return uri }
      scope = here.outer
    }
    return nil
  }

  /// A name with its namespace in the place of its prefix.
  func expanded(_ name: String) -> String {
    let parts = name.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2 else { return (self[""] ?? "") + name }
    return (self[String(parts[0])] ?? "") + parts[1]
  }

  /// All prefixes and their namespaces.
  var all: [String: String] {
    (outer?.all ?? [:]).merging(declared) { _, inner in inner }
  }

  /// True where a prefix stands for a namespace, or names without a prefix are of it.
  func contains(_ uri: String) -> Bool { prefix(of: uri) { _ in true } != nil }

  /// A prefix of a namespace that elements and attributes can have: a declaration may have one that they
  /// cannot.
  func prefix(of uri: String) -> String? {
    prefix(of: uri) { prefix in
      prefix.unicodeScalars.first.map { $0 == "_" || $0.properties.isAlphabetic } == true
    }
  }

  /// The innermost prefix of a namespace that is fit, and that no element within gives to another one.
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
