import Foundation
import FoundationXML

/// What a manifest says of a file.
struct MHLEntry: Sendable, Hashable {
  var path = ""
  /// The path that it had in the manifests before, where it was renamed.
  var previousPath: String?
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

/// A manifest of a folder further in, which has manifests of its own.
struct MHLReference: Sendable, Hashable {
  /// The path from the folder of the manifest that refers to it.
  var path = ""
  /// The C4 identifier of the manifest.
  var c4 = ""
}

/// Reads the manifests and the list of manifests of ASC MHL.
final class MHLReader: NSObject, XMLParserDelegate {
  private var entries: [MHLEntry] = []
  private var references: [MHLReference] = []
  private var generations: [MHLGeneration] = []
  private var entry: MHLEntry?
  private var reference: MHLReference?
  private var generation: MHLGeneration?
  /// True for a hash that was found to be another one than it should be.
  private var isFailed = false
  private var text = ""

  /// The files of a manifest, and the manifests of folders further in.
  ///
  /// - Throws: ``MediaLibraryError/Code/invalidManifest``.
  static func manifest(
    _ bytes: [UInt8], path: String
  ) throws(MediaLibraryError) -> (entries: [MHLEntry], references: [MHLReference]) {
    let reader = try read(bytes, path: path)
    return (reader.entries, reader.references)
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
        .invalidManifest, "\(path): not a valid ASC MHL file (line \(parser.lineNumber))")
    }
    return reader
  }

  func parser(
    _ parser: XMLParser, didStartElement name: String, namespaceURI: String?,
    qualifiedName: String?, attributes: [String: String]
  ) {
    text = ""
    isFailed = attributes["action"] == "failed"
    switch name {
    case "hash": entry = MHLEntry()
    case "hashlistreference": reference = MHLReference()
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
      reference?.path = value
      generation?.name = value
    case "previousPath": entry?.previousPath = value
    case "c4", "md5", "sha1", "xxh128", "xxh3", "xxh64":
      if !isFailed { entry?.hashes[name] = value }
      if name == "c4" {
        reference?.c4 = value
        generation?.c4 = value
      }
    case "hash":
      if let entry { entries.append(entry) }
      entry = nil
    case "hashlistreference":
      if let reference { references.append(reference) }
      reference = nil
    case "hashlist":
      if let generation { generations.append(generation) }
      generation = nil
    default: break
    }
  }
}
