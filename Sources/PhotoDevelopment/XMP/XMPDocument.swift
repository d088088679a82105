import MediaCore
import XMLSyntax

/// An XMP packet whose properties can be read and set. Everything else is written as it was read.
public struct XMPDocument: Sendable, Hashable {
  /// A namespace and its usual prefix.
  public struct Namespace: Sendable, Hashable {
    package let uri: String
    package let prefix: String

    ///
    /// - Parameters:
    ///   - uri: The namespace's URI, including the delimiter that precedes names.
    ///   - prefix: The prefix to use unless a packet declares another.
    package init(uri: String, prefix: String) {
      self.uri = uri
      self.prefix = prefix
    }

    /// Camera Raw's settings.
    public static let cameraRaw = Namespace(
      uri: "http://ns.adobe.com/camera-raw-settings/1.0/", prefix: "crs")
    /// TIFF's properties.
    public static let tiff = Namespace(uri: "http://ns.adobe.com/tiff/1.0/", prefix: "tiff")
    /// Photoshop's properties.
    static let photoshop = Namespace(uri: "http://ns.adobe.com/photoshop/1.0/", prefix: "photoshop")
    /// This program's namespace, for settings that Camera Raw does not have.
    public static let development = Namespace(
      uri: "https://prores-recorder.example/ns/development/1.0/", prefix: "prd")
    /// XMP's basic namespace.
    public static let basic = Namespace(uri: "http://ns.adobe.com/xap/1.0/", prefix: "xmp")
  }

  static let rdf = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"

  /// `rdf:RDF`.
  private var root: XMLElement
  /// Prefixes declared by elements around `rdf:RDF`.
  private let outer: [String: String]

  /// A packet without properties.
  public init() {
    let about = XMLAttribute(name: "rdf:about", value: "")
    let description = XMLElement(name: "rdf:Description", attributes: [about])
    root = XMLElement(
      name: "rdf:RDF", attributes: [.init(name: "xmlns:rdf", value: Self.rdf)],
      children: [.element(description)])
    outer = [:]
  }

  /// Parses a packet, from a sidecar or embedded in a file.
  ///
  /// - Throws: ``PhotoDevelopmentError/Code/invalidSidecar`` if it is not XMP.
  public init(_ bytes: [UInt8]) throws(PhotoDevelopmentError) {
    // Packets may be padded with zeros, of which the first may belong to the last UTF-16 character.
    var padding = bytes.reversed().prefix { $0 == 0 }.count
    let isLittleUTF16 = bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0x3C, 0])
    if isLittleUTF16, padding > 0, !(bytes.count - padding).isMultiple(of: 2) { padding -= 1 }
    let top: XMLElement
    do throws(XMLStream.Failure) {
      top = try XMLTreeReader.read(Array(bytes.dropLast(padding)))
    } catch {
      throw PhotoDevelopmentError(
        .invalidSidecar, "it is not XMP: line \(error.line): \(error.reason)")
    }
    guard let (root, scope) = Self.findRoot(top, XMPScope()) else {
      throw PhotoDevelopmentError(.invalidSidecar, "it is not XMP: there is no rdf:RDF")
    }
    (self.root, outer) = (root, scope.all)
  }

  private static func findRoot(
    _ element: XMLElement, _ outer: XMPScope
  ) -> (XMLElement, XMPScope)? {
    let scope = outer.within(element)
    if scope.expanded(element.name) == rdf + "RDF" { return (element, outer) }
    for child in element.elements {
      if let found = findRoot(child, scope) { return found }
    }
    return nil
  }

  // MARK: Names

  /// The namespaces within the root.
  private var scope: XMPScope { XMPScope(outer).within(root) }

  /// The indices of `rdf:Description` elements in the root, and their namespaces.
  private var descriptions: [(index: Int, scope: XMPScope)] {
    let outer = scope
    return root.children.indices.compactMap { index in
      guard case .element(let element) = root.children[index] else { return nil }
      let scope = outer.within(element)
      return scope.expanded(element.name) == Self.rdf + "Description" ? (index, scope) : nil
    }
  }

  private func description(_ index: Int) -> XMLElement? {
    if case .element(let element) = root.children[index] { element } else { nil }
  }

  // MARK: Properties

  /// The properties of a namespace, in order: a text, or nil for a structured property.
  public func properties(
    in namespace: Namespace
  ) -> [(name: String, value: String?)] {
    contents(in: namespace).map { name, content in
      if case .text(let text) = content { (name, text) } else { (name, nil) }
    }
  }

  /// The value of a property.
  enum Content {
    case text(String)
    case structure(XMPStructure)
  }

  /// The properties of a namespace, in order, with their full contents.
  func contents(in namespace: Namespace) -> [(name: String, content: Content)] {
    var found: [(name: String, content: Content)] = []
    for (index, scope) in descriptions {
      guard let element = description(index) else { continue }
      for attribute in element.attributes {
        let name = scope.expanded(attribute.name)
        guard name.hasPrefix(namespace.uri) else { continue }
        found.append((String(name.dropFirst(namespace.uri.count)), .text(attribute.value)))
      }
      for child in element.elements {
        let name = scope.within(child).expanded(child.name)
        guard name.hasPrefix(namespace.uri) else { continue }
        let structure = XMPStructure(element: child, outer: scope)
        found.append(
          (
            String(name.dropFirst(namespace.uri.count)),
            structure.isPlain ? .text(child.text) : .structure(structure)
          ))
      }
    }
    return found
  }

  /// The texts in a structured property, such as a curve's points; empty if there is none.
  package func parts(_ namespace: Namespace, _ name: String) -> [String] {
    for (index, scope) in descriptions {
      for child in description(index)?.elements ?? []
      where scope.within(child).expanded(child.name) == namespace.uri + name {
        return child.texts
      }
    }
    return []
  }

  /// The text of a property; nil if there is none or it is structured. Setting nil removes the property.
  public subscript(namespace: Namespace, name: String) -> String? {
    get { properties(in: namespace).first { $0.name == name }?.value }
    set {
      guard self[namespace, name] != newValue else { return }
      remove(namespace.uri + name)
      if let newValue { add(namespace, name, newValue) }
    }
  }

  /// RDF's kinds of containers.
  package enum List: String, Sendable {
    case ordered = "Seq"
    case unordered = "Bag"
    /// A text in several languages; only the default one is set.
    case languages = "Alt"
  }

  /// Sets a property to a list of texts; an empty list removes it.
  package mutating func setParts(
    _ namespace: Namespace, _ name: String, _ texts: [String], as list: List = .ordered
  ) {
    guard parts(namespace, name) != texts else { return }
    remove(namespace.uri + name)
    guard !texts.isEmpty else { return }
    // Adding an attribute first finds the place and the prefix.
    add(namespace, name, "")
    for (index, scope) in descriptions {
      guard var element = description(index),
        let place = element.attributes.firstIndex(where: {
          scope.expanded($0.name) == namespace.uri + name
        })
      else { continue }
      let attribute = element.attributes.remove(at: place)
      let rdf = scope.prefix(of: Self.rdf) ?? "rdf"
      let language = XMLAttribute(name: "xml:lang", value: "x-default")
      let items = texts.map { text in
        XMLElement.Node.element(
          XMLElement(
            name: rdf + ":li", attributes: list == .languages ? [language] : [],
            children: [.text(text)]))
      }
      let parts = XMLElement(name: "\(rdf):\(list.rawValue)", children: items)
      element.children.append(
        .element(XMLElement(name: attribute.name, children: [.element(parts)])))
      root.children[index] = .element(element)
      return
    }
  }

  private mutating func remove(_ name: String) { remove { $0 == name } }

  /// Removes all properties of a namespace.
  package mutating func removeAll(in namespace: Namespace) {
    remove { $0.hasPrefix(namespace.uri) }
  }

  /// Removes properties by their expanded names.
  private mutating func remove(where isGone: (String) -> Bool) {
    for (index, scope) in descriptions {
      guard var element = description(index) else { continue }
      element.attributes.removeAll { attribute in
        !Self.isDeclaration(attribute.name) && isGone(scope.expanded(attribute.name))
      }
      element.children.removeAll { node in
        guard case .element(let child) = node else { return false }
        return isGone(scope.within(child).expanded(child.name))
      }
      root.children[index] = .element(element)
    }
  }

  private static func isDeclaration(_ name: String) -> Bool {
    name == "xmlns" || name.hasPrefix("xmlns:")
  }

  private mutating func add(_ namespace: Namespace, _ name: String, _ value: String) {
    if descriptions.isEmpty {
      let prefix = scope.prefix(of: Self.rdf) ?? "rdf"
      root.children.append(
        .element(
          XMLElement(
            name: prefix + ":Description",
            attributes: [
              .init(name: "xmlns:" + prefix, value: Self.rdf),
              .init(name: prefix + ":about", value: ""),
            ])))
    }
    // Next to properties of the same namespace if there are any: they share a description.
    let places = descriptions
    let place = places.first { $0.scope.contains(namespace.uri) } ?? places.first
    guard let place, var element = description(place.index) else { return }
    var prefix = place.scope.prefix(of: namespace.uri)
    if prefix == nil {
      var free = namespace.prefix
      // A prefix may be used without being declared.
      while place.scope[free] != nil || element.uses(prefix: free) { free += "_" }
      element.attributes.append(.init(name: "xmlns:" + free, value: namespace.uri))
      prefix = free
    }
    element.attributes.append(
      .init(name: (prefix ?? namespace.prefix) + ":" + name, value: value))
    root.children[place.index] = .element(element)
  }

  /// The packet as XML: the `x:xmpmeta` element.
  public var text: String {
    let names = outer.sorted { $0.key < $1.key }.filter { $0.key != "x" }.map { name, uri in
      " xmlns\(name.isEmpty ? "" : ":" + name)=\"\(XMLElement.escaped(attribute: uri))\""
    }
    return "<x:xmpmeta xmlns:x=\"adobe:ns:meta/\"\(names.joined())>\n\(root.xml)\n</x:xmpmeta>\n"
  }
}
