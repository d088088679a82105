import Foundation
import TestSupport
import Testing

@testable import ASCMHL

/// Folders with manifests as other programs could write them.
extension TemporaryFolder {
  /// A file's entry in a manifest.
  static func entry(_ path: String, _ content: String, was previous: String? = nil) -> String {
    "<hash><path size=\"\(content.utf8.count)\">\(MHLManifest.escaped(path))</path>"
      + "<xxh64>\(ContentHash(of: [UInt8](content.utf8)))</xxh64>"
      + (previous.map { "<previousPath>\(MHLManifest.escaped($0))</previousPath>" } ?? "")
      + "</hash>"
  }

  static func manifest(_ entries: String) -> String {
    #"<hashlist version="2.0" xmlns="urn:ASC:MHL:v2.0"><hashes>"# + entries + "</hashes></hashlist>"
  }

  static func chain(_ manifests: [(name: String, bytes: [UInt8])]) throws -> String {
    var chain = #"<ascmhldirectory xmlns="urn:ASC:MHL:DIRECTORY:v2.0">"#
    for (index, manifest) in manifests.enumerated() {
      let c4 = try #require(C4Identifier(of: manifest.bytes))
      chain +=
        "<hashlist sequencenr=\"\(index + 1)\"><path>\(manifest.name)</path><c4>\(c4)</c4></hashlist>"
    }
    return chain + "</ascmhldirectory>"
  }

  /// Writes a manifest for each generation of entries, and their chain.
  func writeManifests(_ generations: [String], in folder: String = "") throws {
    let home = (folder.isEmpty ? "" : folder + "/") + "ascmhl/"
    var manifests: [(name: String, bytes: [UInt8])] = []
    for (index, entries) in generations.enumerated() {
      let bytes = [UInt8](Self.manifest(entries).utf8)
      manifests.append(("000\(index + 1).mhl", bytes))
      try write(bytes, home + "000\(index + 1).mhl")
    }
    try write(Self.chain(manifests), home + "ascmhl_chain.xml")
  }

  /// Writes files and a manifest for them.
  func writeCopy(_ files: [String: String]) throws {
    for (path, content) in files { try write(content, path) }
    try writeManifests([files.map { Self.entry($0.key, $0.value) }.joined()])
  }

  func verify() throws(ASCMHLError) -> CopyVerification {
    try CopyVerification.verify(folder: url)
  }
}
