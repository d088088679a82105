import MediaCore
import XMLSyntax

/// An XMP packet: properties that can be read and set. What is not touched is written again as it was
/// read.
public struct XMPDocument: Sendable, Hashable {
  /// A namespace with the prefix that it usually has.
  public struct Namespace: Sendable, Hashable {
    package let uri: String
    package let prefix: String

    /// A namespace.
    ///
    /// - Parameters:
    ///   - uri: Its name, with the mark at its end that names follow.
    ///   - prefix: What stands for it unless a packet says otherwise.
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
    /// What this program adds: settings that Camera Raw has none of.
    public static let development = Namespace(
      uri: "https://prores-recorder.example/ns/development/1.0/", prefix: "prd")
    /// XMP's own.
    public static let basic = Namespace(uri: "http://ns.adobe.com/xap/1.0/", prefix: "xmp")
  }

  static let rdf = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"

  /// `rdf:RDF`.
  private var root: XMLElement
  /// Prefixes that elements around `rdf:RDF` declare.
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

  /// Reads a packet: a sidecar's content, or what a file has embedded.
  ///
  /// - Throws: ``PhotoDevelopmentError/Code/invalidSidecar`` for what is no XMP.
  public init(_ bytes: [UInt8]) throws(PhotoDevelopmentError) {
    // Packets may be padded with zeros; the last one of UTF-16 may be half a character.
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

  /// The places of `rdf:Description` elements in the root, and their namespaces.
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

  /// The properties of a namespace in their order: a text, or nil for what has parts.
  public func properties(
    in namespace: Namespace
  ) -> [(name: String, value: String?)] {
    contents(in: namespace).map { name, content in
      if case .text(let text) = content { (name, text) } else { (name, nil) }
    }
  }

  /// What a property holds.
  enum Content {
    case text(String)
    case structure(XMPStructure)
  }

  /// The properties of a namespace in their order, with all that is in them.
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

  /// The texts in a property with parts, such as the points of a curve; empty where there is none.
  package func parts(_ namespace: Namespace, _ name: String) -> [String] {
    for (index, scope) in descriptions {
      for child in description(index)?.elements ?? []
      where scope.within(child).expanded(child.name) == namespace.uri + name {
        return child.texts
      }
    }
    return []
  }

  /// The text of a property; nil where there is none, or one with parts. Setting nil takes the property
  /// away.
  public subscript(namespace: Namespace, name: String) -> String? {
    get { properties(in: namespace).first { $0.name == name }?.value }
    set {
      guard self[namespace, name] != newValue else { return }
      remove(namespace.uri + name)
      if let newValue { add(namespace, name, newValue) }
    }
  }

  /// RDF's kinds of lists.
  package enum List: String, Sendable {
    case ordered = "Seq"
    case unordered = "Bag"
    /// One text in several languages: ours are the default ones.
    case languages = "Alt"
  }

  /// Sets a property to a list of texts; an empty one takes the property away.
  package mutating func setParts(
    _ namespace: Namespace, _ name: String, _ texts: [String], as list: List = .ordered
  ) {
    guard parts(namespace, name) != texts else { return }
    remove(namespace.uri + name)
    guard !texts.isEmpty else { return }
    // An attribute first: it brings the place and the prefix.
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

  /// Takes all properties of a namespace away.
  package mutating func removeAll(in namespace: Namespace) {
    remove { $0.hasPrefix(namespace.uri) }
  }

  /// Takes the properties away whose names, with their namespaces, are so.
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
    // Beside its own kind where there is one: attributes of one namespace share a description.
    let places = descriptions
    let place = places.first { $0.scope.contains(namespace.uri) } ?? places.first
    guard let place, var element = description(place.index) else { return }
    var prefix = place.scope.prefix(of: namespace.uri)
    if prefix == nil {
      var free = namespace.prefix
      // A prefix may be in use without being declared.
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
