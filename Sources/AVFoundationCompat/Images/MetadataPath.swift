import PhotoDevelopment

/// The path of a property: `dc:creator[0]`, `tiff:Make`.
struct MetadataPath: Sendable {
  let namespace: XMPDocument.Namespace
  let name: String
  /// The index in a list, from 0; nil for the whole property.
  var item: Int?

  init(namespace: XMPDocument.Namespace, name: String) {
    (self.namespace, self.name) = (namespace, name)
  }

  /// Nil for an unknown prefix, and for parts of a structure.
  ///
  /// - Parameter namespaces: The namespaces by prefix.
  init?(_ path: String, _ namespaces: [String: String]) {
    let halves = path.split(separator: ":", maxSplits: 1).map(String.init)
    guard halves.count == 2, let uri = namespaces[halves[0]] else { return nil }
    namespace = XMPDocument.Namespace(uri: uri, prefix: halves[0])
    guard let bracket = halves[1].firstIndex(of: "[") else {
      guard Self.isName(halves[1]) else { return nil }
      name = halves[1]
      return
    }
    name = String(halves[1][..<bracket])
    let place = halves[1][bracket...].dropFirst().dropLast()
    // Only the default language, which comes first, is supported.
    guard Self.isName(name), halves[1].hasSuffix("]"),
      let item = place == "x-default" ? 0 : Int(place), item >= 0
    else { return nil }
    self.item = item
  }

  private static func isName(_ text: String) -> Bool {
    !text.isEmpty && text.allSatisfy { $0.isLetter || $0.isNumber || "_-".contains($0) }
  }

  /// The property's list type by the XMP specification, parts 1 and 2; nil for a string.
  var list: XMPDocument.List? { Self.lists[namespace.uri]?[name] }

  private static let lists: [String: [String: XMPDocument.List]] = [
    kCGImageMetadataNamespaceDublinCore: [
      "title": .languages, "description": .languages, "rights": .languages, "creator": .ordered,
      "date": .ordered, "subject": .unordered, "contributor": .unordered, "publisher": .unordered,
      "language": .unordered, "relation": .unordered, "type": .unordered,
    ],
    kCGImageMetadataNamespaceXMPRights: ["UsageTerms": .languages, "Owner": .unordered],
    kCGImageMetadataNamespaceExif: ["UserComment": .languages, "ISOSpeedRatings": .ordered],
  ]
}
