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
  /// Bytes of all files together.
  let byteCount: Int64
  private let pattern: Pattern

  /// True for a path whose last component has one `%d`, `%04d` or the like, and is no file's name.
  static func isPattern(_ path: String) -> Bool {
    Pattern(path) != nil && access(path, F_OK) != 0
  }

  /// The sequence that a location names; nil for one that names a file.
  ///
  /// - Throws: ``AssetReaderError``: files not found, a gap between them, one that is empty or cannot be read,
  ///   an invalid rate.
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
    self.frameRate = frameRate
    self.isRateGiven = rate != nil
    self.first = first
    self.count = used.count
    self.pattern = pattern
    byteCount = try Self.check(used, of: pattern)
  }

  /// The path as libavformat reads it, to which a percent sign in a folder's name is two.
  var libavPath: String { pattern.folder.replacing("%", with: "%%") + pattern.name }

  /// The file of a picture, from 0.
  func path(ofPicture place: Int) -> String { pattern.path(first + place) }

  /// Looks at each file. To libavformat one that is missing, empty or not to be read is the end of the
  /// sequence and no error, and it waits for a pipe.
  ///
  /// - Parameter numbers: Those of the files, in order.
  /// - Returns: Their bytes.
  private static func check(
    _ numbers: [Int], of pattern: Pattern
  ) throws(AssetReaderError) -> Int64 {
    var bytes: Int64 = 0
    var faults: [(number: Int, fault: Fault)] = []
    // Where a sequence could begin that has no fault.
    var beginning: Int?
    var last: Int?
    for number in numbers {
      if let last, number != last + 1 {
        faults.append((last + 1, .missing))
        beginning = nil
      }
      last = number
      do throws(Fault) {
        bytes = bytes.addingSaturating(try size(pattern.path(number)))
        beginning = beginning ?? number
      } catch {
        faults.append((number, error))
        beginning = nil
      }
    }
    guard let worst = faults.first, let last else { return bytes }
    let path = pattern.path(worst.number)
    let more = faults.count - 1
    let others =
      more == 0 ? "" : ", and behind it \(more) more such \(more == 1 ? "fault" : "faults")"
    let remedy =
      beginning.map { ", or give the number to begin with, such as ?start=\($0)" }
      ?? (faults.count == 1 ? ", or remove it, and the sequence ends before it" : "")
    throw AssetReaderError(
      worst.fault.code,
      worst.fault == .missing
        ? "\(path) is missing, and \(pattern.path(last)) is there\(others); bring the missing files "
          + "back\(remedy)"
        : "\(path) \(worst.fault.text)\(others); bring it back whole\(remedy)")
  }

  /// Why a file is no picture of a sequence.
  private enum Fault: Error, Equatable {
    case missing
    case empty
    /// A broken symbolic link.
    case dangling
    /// A folder, a pipe, a device.
    case irregular
    case unreadable(Errno)

    var code: AssetReaderError.Code {
      switch self {
      case .missing, .empty: .truncated
      case .dangling: .fileNotFound
      case .irregular: .notAMovie
      case .unreadable(.permissionDenied): .permissionDenied
      case .unreadable: .readFailed
      }
    }

    var text: String {
      switch self {
      case .missing: "is missing"
      case .empty: "is empty"
      case .dangling: "is a symbolic link to a file that is not there"
      case .irregular: "is not a regular file, but a folder, a pipe or a device"
      case .unreadable(let error): "cannot be read (\(error))"
      }
    }
  }

  /// The bytes of a file of which there are some.
  private static func size(_ path: String) throws(Fault) -> Int64 {
    var facts = stat()
    guard stat(path, &facts) == 0 else {
      let error = Errno(rawValue: errno)
      throw error == .noSuchFileOrDirectory ? .dangling : .unreadable(error)
    }
    guard facts.st_mode & S_IFMT == S_IFREG else { throw .irregular }
    guard access(path, R_OK) == 0 else { throw .unreadable(Errno(rawValue: errno)) }
    guard facts.st_size > 0 else { throw .empty }
    return Int64(facts.st_size)
  }

  /// A path with a place for a number.
  private struct Pattern: Sendable, Hashable {
    let folder: String
    /// The last component.
    let name: String
    let head: String
    let tail: String
    let digits: Int

    init?(_ path: String) {
      folder = String(path[..<path.nameStart])
      let name = path[path.nameStart...]
      guard let mark = name.firstIndex(of: "%") else { return nil }
      let rest = name[name.index(after: mark)...]
      let number = rest.prefix { $0.isASCII && $0.isNumber }
      let behind = rest[number.endIndex...]
      guard behind.first == "d", !behind.contains("%"), number.count <= 3 else { return nil }
      head = String(name[..<mark])
      tail = String(behind.dropFirst())
      self.name = String(name)
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
