import Glibc
import MediaCore
import SystemPackage

/// An image sequence, with one file per frame: `img_%04d.dpx`, `frame%d.exr?rate=24&start=86400`.
///
/// | key | values | default |
/// |---|---|---|
/// | `rate` | `24`, `23.976`, `30000/1001` | 24, with a remark |
/// | `start` | the first file's number | the lowest number |
struct ImageSequence: Sendable, Hashable {
  /// The frame rate.
  let frameRate: FrameRate
  /// True if the location gives the rate.
  let isRateGiven: Bool
  /// The first file's number.
  let first: Int
  /// The number of files.
  let count: Int
  /// The total size of all files in bytes.
  let byteCount: Int64
  private let pattern: Pattern

  /// True for a path whose last component contains one `%d`, `%04d` or similar, and is not an
  /// existing file.
  static func isPattern(_ path: String) -> Bool {
    Pattern(path) != nil && access(path, F_OK) != 0
  }

  /// The sequence at a location; nil if it is a single file.
  ///
  /// - Throws: ``AssetReaderError`` if no file is found, one is missing, empty or unreadable, or
  ///   the rate is invalid.
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

  /// The path in libavformat's syntax, in which a percent sign in a folder's name is doubled.
  var libavPath: String { pattern.folder.replacing("%", with: "%%") + pattern.name }

  /// The file of a frame, counted from 0.
  func path(ofFrame place: Int) -> String { pattern.path(first + place) }

  /// Checks each file. libavformat takes a missing, empty or unreadable file for the end of the
  /// sequence rather than an error, and blocks on a pipe.
  ///
  /// - Parameter numbers: The files' numbers, in order.
  /// - Returns: Their total size in bytes.
  private static func check(
    _ numbers: [Int], of pattern: Pattern
  ) throws(AssetReaderError) -> Int64 {
    var bytes: Int64 = 0
    var faults: [(number: Int, fault: Fault)] = []
    // The number from which the sequence has no fault.
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
      more == 0 ? "" : ", and after it \(more) more such \(more == 1 ? "fault" : "faults")"
    let remedy =
      beginning.map { ", or give the number to start at, such as ?start=\($0)" }
      ?? (faults.count == 1 ? ", or remove it to end the sequence before it" : "")
    throw AssetReaderError(
      worst.fault.code,
      worst.fault == .missing
        ? "\(path) is missing, and \(pattern.path(last)) exists\(others); restore the missing files"
          + remedy
        : "\(path) \(worst.fault.text)\(others); restore it\(remedy)")
  }

  /// Why a file cannot be part of the sequence.
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
      case .dangling: "is a symbolic link to a missing file"
      case .irregular: "is not a regular file, but a folder, a pipe or a device"
      case .unreadable(let error): "cannot be read (\(error))"
      }
    }
  }

  /// The size in bytes of a usable file.
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

  /// A path with a placeholder for a number.
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

    /// The numbers of the existing files, in order.
    func numbers() throws(AssetReaderError) -> [Int] {
      let names: [String]
      do throws(Errno) { names = try ListedFolder.names(in: folder) } catch {
        throw ByteInput.openError(folder.isEmpty ? "." : folder, error)
      }
      var numbers: [Int] = []
      for name in names {
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
