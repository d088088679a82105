import Glibc
import MediaCore
import SystemPackage

/// Pictures in files of their own: `img_%04d.dpx`, `frame%d.exr?rate=24&start=86400`.
///
/// | key | values | default |
/// |---|---|---|
/// | `rate` | `24`, `23.976`, `30000/1001` | 24, which is told |
/// | `start` | the first file's number | the lowest there is |
struct ImageSequence: Sendable, Hashable {
  /// The rate at which they are shown.
  let frameRate: FrameRate
  /// True where somebody said the rate.
  let isRateGiven: Bool
  /// The first file's number.
  let first: Int
  /// Files.
  let count: Int
  /// What the first file says of its transfer function and is to be told; nil for nothing.
  let transferRemark: String?

  /// True for a path whose last component has one `%d`, `%04d` or the like, and is no file's name.
  static func isPattern(_ path: String) -> Bool {
    Pattern(path) != nil && access(path, F_OK) != 0
  }

  /// The sequence that a location names; nil for one that names a file.
  ///
  /// - Throws: ``AssetReaderError``: files not found, a gap between them, an invalid rate.
  init?(_ location: AssetLocation) throws(AssetReaderError) {
    guard Self.isPattern(location.path), let pattern = Pattern(location.path) else { return nil }
    let numbers = try pattern.numbers()
    let rate = location.options["rate"]
    guard let frameRate = rate.map({ FrameRate($0) }) ?? .fps24 else {
      throw AssetReaderError(
        .invalidArgument,
        "\(location.path): invalid frame rate '\(rate ?? "")'; write 25, 23.976 or 24000/1001")
    }
    let start = location.options["start"]
    guard let first = start.map({ Int($0) }) ?? numbers.first, numbers.contains(first) else {
      throw AssetReaderError(
        start == nil ? .fileNotFound : .invalidArgument,
        start.map { "\(location.path): no file has the number \($0)" }
          ?? "no file of the name \(location.path)")
    }
    let used = numbers.filter { $0 >= first }
    guard let last = used.last, last - first + 1 == used.count else {
      let missing = zip(used, used.dropFirst()).first { $1 != $0 + 1 }.map { $0.0 + 1 } ?? first
      throw AssetReaderError(
        .truncated,
        "\(pattern.path(missing)) is missing, and \(pattern.path(used.last ?? first)) is there; bring "
          + "the missing files back, or give the number to begin with, such as ?start=\(missing + 1)"
      )
    }
    self.frameRate = frameRate
    self.isRateGiven = rate != nil
    self.first = first
    self.count = used.count
    transferRemark = DPXTransfer(path: pattern.path(first))?.remark
  }

  /// A path with a place for a number.
  private struct Pattern {
    let folder: String
    let head: String
    let tail: String
    let digits: Int

    init?(_ path: String) {
      let slash = path.lastIndex(of: "/")
      folder = slash.map { String(path[...$0]) } ?? ""
      let name = slash.map { path[path.index(after: $0)...] } ?? path[...]
      guard let mark = name.firstIndex(of: "%"), !folder.contains("%") else { return nil }
      let rest = name[name.index(after: mark)...]
      let number = rest.prefix { $0.isASCII && $0.isNumber }
      let behind = rest[number.endIndex...]
      guard behind.first == "d", !behind.contains("%"), number.count <= 3 else { return nil }
      head = String(name[..<mark])
      tail = String(behind.dropFirst())
      digits = Int(number) ?? 1
    }

    func path(_ number: Int) -> String {
      let text = "\(number)"
      return folder + head + String(repeating: "0", count: max(digits - text.utf8.count, 0)) + text
        + tail
    }

    /// The numbers of the files that are there, in order.
    func numbers() throws(AssetReaderError) -> [Int] {
      guard let directory = opendir(folder.isEmpty ? "." : folder) else {
        throw ByteInput.openError(folder.isEmpty ? "." : folder, Errno(rawValue: errno))
      }
      defer { closedir(directory) }
      var numbers: [Int] = []
      while let entry = readdir(directory) {
        let name = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
          String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        }
        guard name.hasPrefix(head), name.hasSuffix(tail),
          name.utf8.count > head.utf8.count + tail.utf8.count
        else { continue }
        let text = name.dropFirst(head.count).dropLast(tail.count)
        guard let number = Int(text), number >= 0, path(number) == folder + name else { continue }
        numbers.append(number)
      }
      return numbers.sorted()
    }
  }
}

/// What a DPX file says of its transfer function (SMPTE ST 268-1, byte 801).
struct DPXTransfer {
  /// What is to be told of it; nil where libavcodec tags it.
  let remark: String?

  /// Nil for a file that is no DPX.
  init?(path: String) {
    guard let file = fopen(path, "r") else { return nil }
    defer { fclose(file) }
    var header = [UInt8](repeating: 0, count: 820)
    guard fread(&header, 1, header.count, file) == header.count,
      header.starts(with: Array("SDPX".utf8)) || header.starts(with: Array("XPDS".utf8))
    else { return nil }
    let creator = String(decoding: header[160..<164], as: UTF8.self)
    switch header[801] {
    case 1: remark = "the DPX files say printing density, which QuickTime has no code for"
    case 2:
      remark =
        creator == "Lavc" || creator == "Lavf"
        ? "the DPX files say linear, as FFmpeg's writer says of all; name the color if they are not"
        : nil
    case 3: remark = "the DPX files say logarithmic, which QuickTime has no code for"
    default: remark = nil
    }
  }
}
