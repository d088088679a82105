import Foundation
import FoundationXML

/// What a manifest says of a file.
struct MHLEntry: Sendable, Hashable {
  var path = ""
  var size: Int64?
  /// Hashes by their formats' names: `xxh64`, `c4`, `md5`.
  var hashes: [String: String] = [:]
}

/// A manifest in the list of manifests.
struct MHLGeneration: Sendable, Hashable {
  var number: Int
  var name: String
  /// The C4 identifier of the manifest.
  var c4: String
}

/// Reads the manifests and the list of manifests of ASC MHL.
final class MHLReader: NSObject, XMLParserDelegate {
  private var entries: [MHLEntry] = []
  private var generations: [MHLGeneration] = []
  private var entry: MHLEntry?
  private var generation: MHLGeneration?
  private var text = ""

  /// The files of a manifest.
  ///
  /// - Throws: ``MediaLibraryError/Code/invalidManifest``.
  static func entries(_ bytes: [UInt8], path: String) throws(MediaLibraryError) -> [MHLEntry] {
    try read(bytes, path: path).entries
  }

  /// The manifests of a list, in its order.
  ///
  /// - Throws: ``MediaLibraryError/Code/invalidManifest``.
  static func generations(
    _ bytes: [UInt8], path: String
  ) throws(MediaLibraryError) -> [MHLGeneration] {
    try read(bytes, path: path).generations
  }

  private static func read(
    _ bytes: [UInt8], path: String
  ) throws(MediaLibraryError) -> MHLReader {
    let reader = MHLReader()
    let parser = XMLParser(data: Data(bytes))
    parser.shouldResolveExternalEntities = false
    parser.delegate = reader
    guard parser.parse() else {
      throw MediaLibraryError(
        .invalidManifest, "\(path): is no ASC MHL file (line \(parser.lineNumber))")
    }
    return reader
  }

  func parser(
    _ parser: XMLParser, didStartElement name: String, namespaceURI: String?,
    qualifiedName: String?, attributes: [String: String]
  ) {
    text = ""
    switch name {
    case "hash": entry = MHLEntry()
    case "path": entry?.size = attributes["size"].flatMap { Int64($0) }
    case "hashlist":
      if let number = attributes["sequencenr"].flatMap({ Int($0) }) {
        generation = MHLGeneration(number: number, name: "", c4: "")
      }
    default: break
    }
  }

  func parser(_ parser: XMLParser, foundCharacters characters: String) { text += characters }

  func parser(
    _ parser: XMLParser, didEndElement name: String, namespaceURI: String?, qualifiedName: String?
  ) {
    let value = text.trimmingCharacters(in: .whitespacesAndNewlines)
    switch name {
    case "path":
      entry?.path = value
      generation?.name = value
    case "c4", "md5", "sha1", "xxh128", "xxh3", "xxh64":
      entry?.hashes[name] = value
      if name == "c4" { generation?.c4 = value }
    case "hash":
      if let entry { entries.append(entry) }
      entry = nil
    case "hashlist":
      if let generation { generations.append(generation) }
      generation = nil
    default: break
    }
  }
}
