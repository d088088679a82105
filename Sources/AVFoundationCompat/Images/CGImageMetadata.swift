import PhotoDevelopment
import Synchronization

/// What a picture's XMP says.
///
/// Unchecked: the compiler checks no class that has a subclass. What it keeps is behind a lock.
public class CGImageMetadata: @unchecked Sendable {
  struct State: Sendable {
    var document = XMPDocument()
    /// Namespaces by the prefixes that stand for them in paths.
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

  /// A property with its texts; nil for a path that leads to none.
  func tag(_ path: CFString) -> CGImageMetadataTag? {
    state.withLock { state in
      guard let path = MetadataPath(path, state.namespaces) else { return nil }
      return state.tag(path)
    }
  }

  /// All properties of the namespaces that have a prefix.
  var tags: [CGImageMetadataTag] {
    state.withLock { state in
      state.namespaces.sorted { $0.key < $1.key }.flatMap { prefix, uri in
        let namespace = XMPDocument.Namespace(uri: uri, prefix: prefix)
        // A namespace may begin with another one's name.
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

  /// Sets a property to a text or to texts; false for an item beyond the end of a list.
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

  /// Takes a property away, or an item of one; false where there is none.
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

/// What a picture's XMP says, to be changed.
///
/// Unchecked: the compiler checks no class with a superclass. It adds no stored property.
public final class CGMutableImageMetadata: CGImageMetadata, @unchecked Sendable {}
