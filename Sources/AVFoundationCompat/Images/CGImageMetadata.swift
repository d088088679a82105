import PhotoDevelopment
import Synchronization

/// The XMP metadata of an image.
///
/// Unchecked: the compiler does not check a class that is not final. Its only stored property is a `Mutex`.
public class CGImageMetadata: @unchecked Sendable {
  struct State: Sendable {
    var document = XMPDocument()
    /// Namespaces by their prefixes in paths.
    var namespaces = CGImageMetadata.known
  }

  let state: Mutex<State>

  init(_ state: State) { self.state = Mutex(state) }

  /// The packet as text: the `x:xmpmeta` element.
  var packet: String { state.withLock { $0.document.text } }

  private static let known: [String: String] = [
    kCGImageMetadataPrefixDublinCore: kCGImageMetadataNamespaceDublinCore,
    kCGImageMetadataPrefixExif: kCGImageMetadataNamespaceExif,
    kCGImageMetadataPrefixExifAux: kCGImageMetadataNamespaceExifAux,
    kCGImageMetadataPrefixExifEX: kCGImageMetadataNamespaceExifEX,
    kCGImageMetadataPrefixIPTCCore: kCGImageMetadataNamespaceIPTCCore,
    kCGImageMetadataPrefixPhotoshop: kCGImageMetadataNamespacePhotoshop,
    kCGImageMetadataPrefixTIFF: kCGImageMetadataNamespaceTIFF,
    kCGImageMetadataPrefixXMPBasic: kCGImageMetadataNamespaceXMPBasic,
    kCGImageMetadataPrefixXMPRights: kCGImageMetadataNamespaceXMPRights,
  ]

  /// The property at a path; nil if there is none.
  func tag(_ path: CFString) -> CGImageMetadataTag? {
    state.withLock { state in
      guard let path = MetadataPath(path, state.namespaces) else { return nil }
      return state.tag(path)
    }
  }

  /// All properties in namespaces with a prefix.
  var tags: [CGImageMetadataTag] {
    state.withLock { state in
      state.namespaces.sorted { $0.key < $1.key }.flatMap { prefix, uri in
        let namespace = XMPDocument.Namespace(uri: uri, prefix: prefix)
        // One namespace's URI may be a prefix of another's.
        return state.document.properties(in: namespace).filter { !$0.name.contains("/") }
          .compactMap { state.tag(MetadataPath(namespace: namespace, name: $0.name)) }
      }
    }
  }
}

extension CGImageMetadata.State {
  func tag(_ path: MetadataPath) -> CGImageMetadataTag? {
    if let text = document[path.namespace, path.name] {
      return path.item ?? 0 == 0 ? CGImageMetadataTag(path, .text(text)) : nil
    }
    let texts = document.parts(path.namespace, path.name)
    guard let item = path.item else {
      return texts.isEmpty ? nil : CGImageMetadataTag(path, .texts(texts))
    }
    return texts.indices.contains(item) ? CGImageMetadataTag(path, .text(texts[item])) : nil
  }

  /// Sets a property to a string or a list of strings; false for an item beyond the end of a list.
  mutating func set(_ path: MetadataPath, to value: CGImageMetadataTag.Content) -> Bool {
    let (namespace, name) = (path.namespace, path.name)
    var texts: [String]
    switch (value, path.item) {
    case (.texts(let list), nil): texts = list
    case (.texts, .some): return false
    case (.text(let text), nil):
      guard path.list != nil else {
        document[namespace, name] = text
        return true
      }
      texts = [text]
    case (.text(let text), let item?):
      texts = document.parts(namespace, name)
      guard item <= texts.count else { return false }
      if item == texts.count { texts.append(text) } else { texts[item] = text }
    }
    document.setParts(namespace, name, texts, as: path.list ?? .ordered)
    return true
  }

  /// Removes a property or a list item; false if there is none.
  mutating func remove(_ path: MetadataPath) -> Bool {
    guard tag(path) != nil else { return false }
    guard let item = path.item, document[path.namespace, path.name] == nil else {
      document[path.namespace, path.name] = nil
      document.setParts(path.namespace, path.name, [])
      return true
    }
    var texts = document.parts(path.namespace, path.name)
    texts.remove(at: item)
    document.setParts(path.namespace, path.name, texts, as: path.list ?? .ordered)
    return true
  }
}

/// The mutable XMP metadata of an image.
///
/// Unchecked: the compiler cannot check a class with a superclass. It adds no stored property.
public final class CGMutableImageMetadata: CGImageMetadata, @unchecked Sendable {}
