import MediaCore
import XMLSyntax

/// Reads ASC MHL manifests and chains.
///
/// The files may be truncated, altered or forged. A file is accepted as a whole or refused: an
/// incomplete element is an error and never skipped.
final class MHLReader: XMLStream.Handler {
  /// The kinds of file; the raw values are their root elements.
  private enum Kind: String {
    case manifest = "hashlist"
    case chain = "ascmhldirectory"
  }

  private let kind: Kind
  private var elements: [String] = []
  private var entry: MHLEntry?
  private var reference: MHLReference?
  private var generation: MHLGeneration?
  /// True inside an element with `action="failed"`: such a hash does not describe the intended
  /// bytes.
  private var isFailed = false

  private(set) var entries: [MHLEntry] = []
  private(set) var references: [MHLReference] = []
  private(set) var generations: [MHLGeneration] = []

  /// More generations than any folder has; leaves room for the next number.
  private static let highestNumber = 1_000_000_000
  /// Longer than any path can be.
  private static let longestText = 1 << 16
  private static let formats: Set<String> = ["c4", "md5", "sha1", "xxh128", "xxh3", "xxh64"]

  private init(_ kind: Kind) { self.kind = kind }

  /// The files that a manifest lists, its references to nested manifests, and the C4 identifier of
  /// the bytes that were read.
  ///
  /// - Throws: ``ASCMHLError/Code/invalidManifest``.
  static func manifest(
    _ file: consuming FileInFolder
  ) throws(ASCMHLError) -> (entries: [MHLEntry], references: [MHLReference], c4: C4Identifier?) {
    let reader = MHLReader(.manifest)
    let c4 = try reader.read(file)
    return (reader.entries, reader.references, c4)
  }

  /// The manifests that a chain lists, in its order.
  ///
  /// - Throws: ``ASCMHLError/Code/invalidManifest``.
  static func generations(_ file: consuming FileInFolder) throws(ASCMHLError) -> [MHLGeneration] {
    let reader = MHLReader(.chain)
    _ = try reader.read(file)
    return reader.generations
  }

  private func read(_ file: borrowing FileInFolder) throws(ASCMHLError) -> C4Identifier? {
    let path = file.path
    guard try file.facts().isRegularFile else {
      throw ASCMHLError(.invalidManifest, "\(path): is not a file")
    }
    guard let stream = XMLStream(self, longestText: Self.longestText) else {
      throw ASCMHLError(.ioFailed, "no memory to read \(path)")
    }
    let c4 = C4Identifier.Stream()
    func take(_ bytes: UnsafeRawBufferPointer, isLast: Bool) throws(ASCMHLError) {
      do throws(XMLStream.Failure) { try stream.read(bytes, isLast: isLast) } catch {
        throw ASCMHLError(
          .invalidManifest,
          "\(path): is not a valid ASC MHL file: \(error.reason) (line \(error.line)); take the "
            + "file from another copy")
      }
    }
    try file.forEachChunk { bytes throws(ASCMHLError) in
      c4.add(bytes)
      try take(bytes, isLast: false)
    }
    try take(UnsafeRawBufferPointer(start: nil, count: 0), isLast: true)
    return c4.identifier()
  }

  // MARK: Elements

  func began(_ name: XMLName, _ attributes: [XMLAttribute], after text: [UInt8]) -> String? {
    let name = name.local
    defer { elements.append(name) }
    guard let parent = elements.last else {
      return name == kind.rawValue ? nil : "it begins with <\(name)> instead of <\(kind.rawValue)>"
    }
    isFailed = attributes["action"] == "failed"
    switch (parent, name) {
    case ("hashes", "hash") where kind == .manifest:
      entry = MHLEntry()
    case ("references", "hashlistreference") where kind == .manifest:
      reference = MHLReference()
    case ("hash", "path"):
      guard let text = attributes["size"] else { return nil }
      guard let size = Int64(text), size >= 0 else { return "a size is not a number: \(text)" }
      entry?.size = size
    case ("ascmhldirectory", "hashlist") where kind == .chain:
      return begin(generation: attributes["sequencenr"])
    case ("ascmhldirectory", _) where kind == .chain: return "<\(name)> is unknown in a chain"
    default: break
    }
    return nil
  }

  private func begin(generation text: String?) -> String? {
    guard let number = text.flatMap({ Int($0) }), (1...Self.highestNumber).contains(number) else {
      return "a sequence number is out of range: \(text ?? "none")"
    }
    guard number > generations.last?.number ?? 0 else {
      return "sequence number \(number) is out of order"
    }
    generation = MHLGeneration(number: number, name: "", c4: "")
    return nil
  }

  func ended(_ name: XMLName, after text: [UInt8]) -> String? {
    let name = name.local
    elements.removeLast()
    switch (elements.last, name) {
    case ("hash", "path"): entry?.path = String(decoding: text, as: UTF8.self)
    case ("hash", "previousPath"): entry?.previousPath = String(decoding: text, as: UTF8.self)
    case ("hashlistreference", "path"): reference?.path = String(decoding: text, as: UTF8.self)
    case ("hashlist", "path"): generation?.name = String(decoding: text, as: UTF8.self)
    case ("hash", _) where Self.formats.contains(name):
      if !isFailed, let entry, entry.hashes[name] == nil {
        self.entry?.hashes[name] = Self.word(text)
      }
    case ("hashlistreference", "c4"): reference?.c4 = Self.word(text)
    case ("hashlist", "c4"): generation?.c4 = Self.word(text)
    case ("hashes", "hash"): return endEntry()
    case ("references", "hashlistreference"): return endReference()
    case ("ascmhldirectory", "hashlist"): return endGeneration()
    default: break
    }
    return nil
  }

  private func endEntry() -> String? {
    guard let entry else { return nil }
    guard !entry.path.isEmpty else { return "a file has no path" }
    entries.append(entry)
    self.entry = nil
    return nil
  }

  private func endReference() -> String? {
    guard let reference else { return nil }
    guard !reference.path.isEmpty else { return "a reference has no path" }
    references.append(reference)
    self.reference = nil
    return nil
  }

  private func endGeneration() -> String? {
    guard let generation else { return nil }
    guard !generation.name.isEmpty, !generation.c4.isEmpty else {
      return "manifest \(generation.number) has no name or no C4 identifier"
    }
    generations.append(generation)
    self.generation = nil
    return nil
  }

  /// The text without surrounding white space.
  private static func word(_ text: [UInt8]) -> String {
    func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }
    let start = text.firstIndex { !isSpace($0) } ?? text.endIndex
    let end = text.lastIndex { !isSpace($0) } ?? start
    return start < text.endIndex ? String(decoding: text[start...end], as: UTF8.self) : ""
  }
}
