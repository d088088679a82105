import FoundationEssentials
import Glibc
import MediaCore

/// A manifest with the hashes of a folder's files, in version 2 of the American Society of
/// Cinematographers' Media Hash List (namespace `urn:ASC:MHL:v2.0`).
package struct MHLManifest: Sendable {
  /// A file and its hashes.
  package struct File: Sendable, Hashable {
    /// The path relative to the folder.
    package var path: String
    package var size: Int64
    /// The modification time in seconds since 1970.
    package var modified: Double
    package var xxh64: ContentHash
    package var c4: C4Identifier?
    /// True if the file was compared with an earlier manifest.
    package var isVerified: Bool
    /// When the hashes were computed, in seconds since 1970.
    package var hashed: Double

    package init(
      path: String, size: Int64, modified: Double, xxh64: ContentHash, c4: C4Identifier?,
      isVerified: Bool, hashed: Double
    ) {
      self.path = path
      self.size = size
      self.modified = modified
      self.xxh64 = xxh64
      self.c4 = c4
      self.isVerified = isVerified
      self.hashed = hashed
    }
  }

  /// The name of the manifest folder, which is next to the files.
  package static let folderName = "ascmhl"
  /// The name of the chain file, which lists the manifests.
  package static let chainName = "ascmhl_chain.xml"
  /// The patterns that the manifests exclude.
  static let ignored = [".DS_Store", "ascmhl", "ascmhl/"]

  /// When the manifest was created, in seconds since 1970.
  var date: Double
  /// The version of the tool.
  var toolVersion: String
  var files: [File]
  /// True if the files are all files of the folder. Only then are folder hashes written.
  var isWhole: Bool
  /// All folders, including those without files.
  var folders: [String]

  package init(
    date: Double, toolVersion: String, files: [File], isWhole: Bool, folders: [String] = []
  ) {
    self.date = date
    self.toolVersion = toolVersion
    self.files = files
    self.isWhole = isWhole
    self.folders = folders
  }

  /// Checks that a manifest can hold a path: XML cannot represent most control characters, U+FFFE
  /// and U+FFFF, and any of them would make the whole manifest unreadable.
  ///
  /// - Throws: ``ASCMHLError/Code/invalidName``.
  package static func check(_ path: String) throws(ASCMHLError) {
    guard let scalar = path.unicodeScalars.first(where: { !isWritable($0) }) else { return }
    throw ASCMHLError(
      .invalidName,
      "the name contains \(scalar.codePoint), which no manifest can hold; rename the file")
  }

  private static func isWritable(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x9, 0xA, 0xD: true
    case 0..<0x20, 0xFFFE, 0xFFFF: false
    default: true
    }
  }

  /// The manifest's name: `0001_A002R2EC_2020-01-16_091500Z.mhl`.
  static func name(generation: Int, folder: String, date: Double) -> String {
    let style = Date.ISO8601FormatStyle(dateTimeSeparator: .standard, timeSeparator: .omitted)
    let stamp = Date(timeIntervalSince1970: date.rounded(.down)).formatted(style)
      .replacing("T", with: "_")
    // Leaves room for the number, the date and the suffix in a name of 255 bytes.
    var name = String(String.UnicodeScalarView(folder.unicodeScalars.filter(isWritable)))
    while name.utf8.count > 200 { name.removeLast() }
    return "\(digits(generation))_\(name)_\(stamp).mhl"
  }

  /// A manifest's number as in its name.
  static func digits(_ generation: Int) -> String {
    let digits = String(generation)
    return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
  }

  /// The manifest as XML.
  var xml: String {
    var lines = [
      #"<?xml version="1.0" encoding="UTF-8"?>"#,
      #"<hashlist version="2.0" xmlns="urn:ASC:MHL:v2.0">"#,
      "  <creatorinfo>",
      "    <creationdate>\(Self.time(date))</creationdate>",
      "    <hostname>\(Self.escaped(Self.hostName))</hostname>",
      #"    <tool version="\#(Self.escaped(toolVersion))">recordctl</tool>"#,
      "  </creatorinfo>",
      "  <processinfo>",
      "    <process>transfer</process>",
    ]
    let folders = isWhole ? MHLFolderHashes(files, folders: self.folders) : nil
    if let folders {
      lines.append("    <roothash>")
      lines += Self.hashes(folders.root, date: date, indent: "      ")
      lines.append("    </roothash>")
    }
    lines.append("    <ignore>")
    lines += Self.ignored.map { "      <pattern>\($0)</pattern>" }
    lines += ["    </ignore>", "  </processinfo>", "  <hashes>"]
    for file in files.sorted(by: { $0.path.isBefore($1.path) }) { lines += Self.lines(file) }
    for (path, folder) in folders?.folders ?? [] {
      lines += ["    <directoryhash>", "      <path>\(Self.escaped(path))</path>"]
      lines += Self.hashes(folder, date: date, indent: "      ")
      lines.append("    </directoryhash>")
    }
    lines += ["  </hashes>", "</hashlist>", ""]
    return lines.joined(separator: "\n")
  }

  private static func lines(_ file: File) -> [String] {
    let facts =
      #"size="\#(file.size)" lastmodificationdate="\#(time(file.modified))""#
    let how =
      #"action="\#(file.isVerified ? "verified" : "original")" hashdate="\#(time(file.hashed))""#
    var lines = ["    <hash>", "      <path \(facts)>\(escaped(file.path))</path>"]
    if let c4 = file.c4 { lines.append("      <c4 \(how)>\(c4)</c4>") }
    lines += ["      <xxh64 \(how)>\(file.xxh64)</xxh64>", "    </hash>"]
    return lines
  }

  private static func hashes(
    _ folder: MHLFolderHashes.Folder, date: Double, indent: String
  ) -> [String] {
    func line(_ hash: ContentHash) -> String {
      #"\#(indent)  <xxh64 hashdate="\#(time(date))">\#(hash)</xxh64>"#
    }
    return [
      "\(indent)<content>", line(folder.content), "\(indent)</content>",
      "\(indent)<structure>", line(folder.structure), "\(indent)</structure>",
    ]
  }

  /// A time as `xs:dateTime`.
  private static func time(_ seconds: Double) -> String {
    Date(timeIntervalSince1970: seconds.rounded(.down)).formatted(.iso8601)
      .replacing("Z", with: "+00:00")
  }

  private static var hostName: String {
    var name = [CChar](repeating: 0, count: 256)
    guard gethostname(&name, name.count - 1) == 0 else { return "localhost" }
    return String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// Escapes text for XML. Readers normalize line breaks, and tabs in attributes, unless they are
  /// written as character references. Text that XML cannot hold was refused before (``check(_:)``).
  static func escaped(_ text: String) -> String {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.utf8.count)
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "&"): bytes += "&amp;".utf8
      case UInt8(ascii: "<"): bytes += "&lt;".utf8
      case UInt8(ascii: ">"): bytes += "&gt;".utf8
      case UInt8(ascii: "\""): bytes += "&quot;".utf8
      case 0x9: bytes += "&#9;".utf8
      case 0xA: bytes += "&#10;".utf8
      case 0xD: bytes += "&#13;".utf8
      default: bytes.append(byte)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
