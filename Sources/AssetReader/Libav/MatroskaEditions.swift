import MediaCore

#if canImport(Glibc)
import Glibc
#else
import Musl
#endif

/// The chapter editions of a Matroska file (RFC 9559). libavformat merges all editions, and drops
/// chapters that begin before an earlier one in the file.
struct MatroskaEditions {
  /// One way of dividing a file into chapters, or of playing its parts.
  struct Edition {
    /// Chapters in time order, without hidden and disabled ones.
    var chapters: [AssetChapter] = []
    /// The number of chapters within others.
    var nestedCount = 0
    /// True if players show only the parts that the chapters name, in the chapters' order.
    var isOrdered = false
    /// True if a part is from another file.
    var refersElsewhere = false
    fileprivate var isDefault = false
  }

  /// The edition that players choose.
  let chosen: Edition
  /// The number of editions in the file.
  let count: Int

  /// The most bytes of chapters that are read.
  private static let largest = 16 << 20
  /// The most elements examined before the first cluster.
  private static let elementLimit = 1000
  /// An offset, or time in nanoseconds, beyond any real file, small enough that sums do not
  /// overflow.
  private static let farthest = 1 << 60

  private enum Element {
    static let segment = 0x1853_8067
    static let seekHead = 0x114D_9B74
    static let cluster = 0x1F43_B675
    static let chapters = 0x1043_A770
  }

  /// Nil for other files, a file without chapters, and one that cannot be read twice.
  init?(_ path: String) {
    var facts = stat()
    guard stat(path, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG, let file = fopen(path, "re")
    else { return nil }
    defer { fclose(file) }
    guard let bytes = Self.chapters(of: file) else { return nil }
    let editions = EBML.children(bytes).filter { $0.id == 0x45B9 }.map { Self.edition($0.data) }
    guard let chosen = editions.first(where: \.isDefault) ?? editions.first else { return nil }
    (self.chosen, count) = (chosen, editions.count)
  }

  /// Remarks on what the movie does not carry over.
  var remarks: [AssetRemark] {
    func remark(_ message: String) -> AssetRemark {
      AssetRemark(subject: "chapters", isLoss: true, message: message)
    }
    var remarks: [AssetRemark] = []
    if chosen.isOrdered {
      let elsewhere = chosen.refersElsewhere ? ", some of them from other files" : ""
      remarks.append(
        remark(
          "the Matroska file's chapters are ordered: players show the parts they name, in their order\(elsewhere); "
            + "this is ignored, the movie shows the whole file in the file's order"))
    }
    if count > 1 { remarks.append(remark("\(count - 1) of \(count) editions of chapters dropped")) }
    if chosen.nestedCount > 0 {
      let isOne = chosen.nestedCount == 1
      remarks.append(
        remark("\(chosen.nestedCount) \(isOne ? "chapter" : "chapters") inside others dropped"))
    }
    return remarks
  }

  /// The contents of the file's Chapters element.
  private static func chapters(of file: UnsafeMutablePointer<FILE>) -> ArraySlice<UInt8>? {
    guard let header = EBML.head(in: file, at: 0), header.id == 0x1A45_DFA3, let size = header.size,
      let segment = EBML.head(in: file, at: header.data + size), segment.id == Element.segment
    else { return nil }
    var place = segment.data
    var stated: Int?
    for _ in 0..<elementLimit {
      guard let head = EBML.head(in: file, at: place), head.id != Element.cluster,
        let size = head.size
      else { break }
      if head.id == Element.chapters { return content(head, in: file) }
      if head.id == Element.seekHead, let seeks = content(head, in: file) {
        stated = stated ?? chaptersPlace(seeks).map { segment.data + $0 }
      }
      place = head.data + size
    }
    return stated.flatMap { EBML.head(in: file, at: $0) }
      .flatMap { $0.id == Element.chapters ? content($0, in: file) : nil }
  }

  private static func content(
    _ head: EBML.Head, in file: UnsafeMutablePointer<FILE>
  ) -> ArraySlice<UInt8>? {
    guard let size = head.size, size <= largest else { return nil }
    let bytes = EBML.bytes(of: file, from: head.data, count: size)
    return bytes.count == size ? bytes[...] : nil
  }

  /// The offset of the chapters, from the start of the segment's data.
  private static func chaptersPlace(_ seeks: ArraySlice<UInt8>) -> Int? {
    for seek in EBML.children(seeks) where seek.id == 0x4DBB {
      let parts = EBML.children(seek.data)
      let id = parts.first { $0.id == 0x53AB }.map { EBML.number($0.data) }
      if id == Element.chapters {
        return parts.first { $0.id == 0x53AC }.map { min(EBML.number($0.data), farthest) }
      }
    }
    return nil
  }

  private static func edition(_ bytes: ArraySlice<UInt8>) -> Edition {
    var edition = Edition()
    for part in EBML.children(bytes) {
      switch part.id {
      case 0x45DD: edition.isOrdered = EBML.number(part.data) == 1
      case 0x45DB: edition.isDefault = EBML.number(part.data) == 1
      case 0xB6: read(part.data, into: &edition)
      default: break
      }
    }
    edition.chapters.sort { $0.start < $1.start }
    return edition
  }

  private static func read(_ bytes: ArraySlice<UInt8>, into edition: inout Edition) {
    var chapter = AssetChapter(title: "", start: .zero)
    var isShown = true
    for part in EBML.children(bytes) {
      switch part.id {
      case 0x91:
        let time = Int64(min(EBML.number(part.data), farthest))
        chapter.start = MediaTime(value: time, timescale: 1_000_000_000)
      case 0x98: isShown = isShown && EBML.number(part.data) == 0
      case 0x4598: isShown = isShown && EBML.number(part.data) == 1
      case 0x6E67: edition.refersElsewhere = true
      case 0xB6: edition.nestedCount += 1
      case 0x80 where chapter.title.isEmpty:
        let title = EBML.children(part.data).first { $0.id == 0x85 }
        chapter.title = title.map { String(decoding: $0.data, as: UTF8.self) } ?? ""
      default: break
      }
    }
    if isShown { edition.chapters.append(chapter) }
  }
}
