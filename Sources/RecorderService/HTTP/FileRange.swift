import Dispatch
import MediaCore
import SystemPackage

#if canImport(Glibc)
import Glibc
#else
import Musl
#endif

/// A file to send, or a range of it.
struct FileRange: Sendable {
  /// A file that is open for as long as somebody sends it.
  final class OpenFile: Sendable {
    let descriptor: FileDescriptor
    let size: Int64
    /// Changes with the file: its number, size and time of change.
    let tag: String

    /// Opens a file.
    ///
    /// - Throws: ``ServiceError/Code/notFound``.
    init(_ path: String) throws(ServiceError) {
      let gone = ServiceError(.notFound, "\(path.lastPathPart) no longer exists")
      let file: FileDescriptor
      do {
        // Opening a pipe must not wait for a writer.
        file = try FileDescriptor.open(
          FilePath(path), .readOnly, options: [.closeOnExec, .nonBlocking])
      } catch {
        guard let errno = error as? Errno, errno != .noSuchFileOrDirectory, errno != .notDirectory
        else { throw gone }
        throw ServiceError(
          .notFound, "\(path.lastPathPart) cannot be read: \(errno)", errno: errno)
      }
      var facts = stat()
      guard fstat(file.rawValue, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG else {
        try? file.close()
        throw gone
      }
      descriptor = file
      size = Int64(facts.st_size)
      tag = [
        UInt64(facts.st_ino), UInt64(facts.st_size),
        UInt64(bitPattern: Int64(facts.st_mtim.tv_sec)),
        UInt64(bitPattern: Int64(facts.st_mtim.tv_nsec)),
      ]
      .map { String($0, radix: 36) }.joined(separator: "-")
    }

    deinit { try? descriptor.close() }

    /// Opens a file on another thread, because its disk may hang, and the threads of tasks are needed to
    /// control recorders.
    ///
    /// - Throws: ``ServiceError/Code/notFound``.
    static func open(_ path: String) async throws(ServiceError) -> OpenFile {
      let result = await withCheckedContinuation { continuation in
        DispatchQueue.global(qos: .utility).async {
          continuation.resume(
            returning: Result { () throws(ServiceError) in try OpenFile(path) })
        }
      }
      return try result.get()
    }
  }

  let file: OpenFile
  /// The bytes to send.
  let bytes: Range<Int64>

  /// The part of a file that a request asks for (RFC 9110): all of it, or one range. A request for several
  /// ranges gets all of the file, and so does one for a range of a file that has changed since the client got
  /// its beginning.
  enum Selection: Sendable, Hashable {
    case whole
    case part(Range<Int64>)
    /// The client has it.
    case unchanged
    /// The range is beyond the end of the file.
    case unsatisfiable
    /// The file is not the one that the client requires (`If-Match`).
    case changed

    init(_ headers: HTTPRequestHeaders, size: Int64, tag: String) {
      let own = "\"\(tag)\""
      let wanted = Self.tags(headers["if-match"])
      guard wanted.isEmpty || wanted == ["*"] || wanted.contains(own) else {
        self = .changed
        return
      }
      let tags = Self.tags(headers["if-none-match"])
      if !tags.isEmpty {
        if tags.contains(own) || tags.contains("W/" + own) || tags == ["*"] {
          self = .unchanged
          return
        }
      }
      let isSame = headers["if-range"].allSatisfy { $0.trimming(" \t") == own }
      guard isSame, let text = headers.first("range"), let range = Self.range(text, size) else {
        self = .whole
        return
      }
      self = range.isEmpty ? .unsatisfiable : .part(range)
    }

    private static func tags(_ headers: [String]) -> [String] {
      headers.flatMap { $0.split(separator: ",") }.map { $0.trimming(" \t") }
    }

    /// The range in a header; empty if it is beyond the end, nil if there is not exactly one.
    private static func range(_ text: String, _ size: Int64) -> Range<Int64>? {
      let parts = text.split(separator: "=", maxSplits: 1)
      guard parts.count == 2, parts[0].trimming(" ").lowercased() == "bytes" else { return nil }
      let ends = parts[1].trimming(" ").split(separator: "-", omittingEmptySubsequences: false)
      guard ends.count == 2, ends.allSatisfy({ $0.allSatisfy { $0.isASCII && $0.isNumber } }) else {
        return nil
      }
      switch (Int64(ends[0]), Int64(ends[1])) {
      case (let first?, let last?) where first <= last:
        return first < size ? first..<(min(last, size - 1) + 1) : 0..<0
      case (let first?, nil) where ends[1].isEmpty: return first < size ? first..<size : 0..<0
      case (nil, let count?) where ends[0].isEmpty:
        return count > 0 && size > 0 ? max(0, size - count)..<size : 0..<0
      default: return nil
      }
    }
  }
}

extension StringProtocol {
  /// The text without these characters at its ends.
  fileprivate func trimming(_ characters: String) -> String {
    var text = String(self)
    while let first = text.first, characters.contains(first) { text.removeFirst() }
    while let last = text.last, characters.contains(last) { text.removeLast() }
    return text
  }
}

extension HTTPResponse {
  /// A file, or the part that a request asks for.
  ///
  /// - Parameter name: The name under which a browser saves it; nil to show it.
  /// - Throws: ``ServiceError/Code/notFound``.
  static func file(
    _ path: String, type: String, for request: HTTPRequest, savedAs name: String? = nil
  ) async throws(ServiceError) -> HTTPResponse {
    let file = try await FileRange.OpenFile.open(path)
    var headers = [
      ("ETag", "\"\(file.tag)\""), ("Accept-Ranges", "bytes"),
      ("Cache-Control", "private, no-cache"),
    ]
    if let name { headers.append(("Content-Disposition", disposition(name))) }
    var response = HTTPResponse(type: type, [])
    var asked = request.headers
    // Ranges are of a GET alone.
    if request.method != "GET" { asked.remove("range") }
    switch FileRange.Selection(asked, size: file.size, tag: file.tag) {
    case .whole: response.file = FileRange(file: file, bytes: 0..<file.size)
    case .part(let range):
      response.status = 206
      headers.append(
        ("Content-Range", "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(file.size)"))
      response.file = FileRange(file: file, bytes: range)
    case .unchanged: response.status = 304
    case .changed: response.status = 412
    case .unsatisfiable:
      response.status = 416
      headers.append(("Content-Range", "bytes */\(file.size)"))
    }
    response.headers = [("Content-Type", type)] + headers
    return response
  }

  /// The header that makes a browser save a file (RFC 6266), with its name in ASCII, and unchanged.
  static func disposition(_ name: String) -> String {
    let plain = name.unicodeScalars.map { scalar in
      scalar.isASCII && scalar.value >= 32 && scalar.value != 127 && scalar != "\""
        && scalar != "\\"
        ? String(scalar) : "_"
    }.joined()
    return "attachment; filename=\"\(plain)\"; filename*=UTF-8''\(PercentEncoding.encode(name))"
  }
}
