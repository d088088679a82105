import MediaCore
import SystemPackage

#if canImport(Glibc)
import Glibc
#else
import Musl
#endif

/// A file or pipe that is read sequentially, with a look ahead at its first bytes. Cancelling the
/// task ends a wait for a pipe.
final class ByteInput {
  /// The system calls used, which tests replace. A failure throws its `errno`.
  struct Calls: Sendable {
    /// `read(2)`: returns the bytes read, 0 at the end.
    var read: @Sendable (Int32, UnsafeMutableRawBufferPointer) throws(Errno) -> Int = {
      (descriptor, target) throws(Errno) in
      try Errno.check(Glibc.read(descriptor, target.baseAddress, target.count))
    }
    /// `open(2)` for reading.
    var open: @Sendable (String) throws(Errno) -> Int32 = { (path) throws(Errno) in
      // Do not wait for a pipe's writer on opening, only on reading.
      try Errno.check(Glibc.open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK))
    }
    /// `poll(2)` with a timeout in milliseconds: true if there is something to read, including the
    /// end.
    var waitUntilReadable: @Sendable (Int32, Int32) -> Bool = {
      var state = pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
      return poll(&state, 1, $1) != 0
    }
  }

  /// The name for messages.
  let name: String
  /// The size of a regular file in bytes; nil for pipes.
  let fileSize: Int64?
  /// Milliseconds between checks for cancellation.
  private static let cancellationInterval: Int32 = 100
  private let descriptor: Int32
  private let closes: Bool
  private let calls: Calls
  private var buffer: [UInt8]
  private var start = 0
  private var end = 0

  /// Opens a file, or uses standard input, which is never closed.
  init(location: AssetLocation, calls: Calls = Calls()) throws(AssetReaderError) {
    name = location.displayName
    self.calls = calls
    buffer = [UInt8](repeating: 0, count: 4096)
    if location.isStandardInput {
      descriptor = STDIN_FILENO
      closes = false
    } else {
      do throws(Errno) { descriptor = try calls.open(location.path) } catch {
        throw Self.openError(name, error)
      }
      closes = true
    }
    var status = stat()
    let known = fstat(descriptor, &status) == 0
    let kind = status.st_mode & S_IFMT
    if known, kind == S_IFDIR {
      // Closed here because `deinit` does not run while a property is unset.
      if closes { close(descriptor) }
      throw AssetReaderError(.notAMovie, "\(name) is a folder; name a file in it", errno: EISDIR)
    }
    fileSize = known && kind == S_IFREG ? Int64(status.st_size) : nil
  }

  deinit { if closes { close(descriptor) } }

  static func openError(_ name: String, _ number: Errno) -> AssetReaderError {
    switch number {
    case .noSuchFileOrDirectory, .notDirectory:
      AssetReaderError(.fileNotFound, "\(name): no such file; check the path", errno: number)
    case .permissionDenied, .notPermitted:
      AssetReaderError(
        .permissionDenied, "\(name): not allowed to read it; check its permissions", errno: number)
    default:
      AssetReaderError(
        .readFailed, "\(name) cannot be opened: \(number)", errno: number)
    }
  }

  /// True if the file begins with these bytes. Only valid before the first read.
  func starts(with bytes: [UInt8]) throws(AssetReaderError) -> Bool {
    while end - start < bytes.count, try refill() {}
    return buffer[start..<end].starts(with: bytes)
  }

  /// True if the bytes seen so far, at least one, are all text.
  var looksLikeText: Bool {
    let seen = buffer[start..<end]
    return !seen.isEmpty && seen.allSatisfy { $0 >= 0x20 && $0 != 0x7F || (9...13).contains($0) }
  }

  /// Fills `target` from the file. Fewer bytes mean the end of the file.
  func read(into target: UnsafeMutableRawBufferPointer) throws(AssetReaderError) -> Int {
    var done = min(end - start, target.count)
    if done > 0 {
      let from = start
      buffer.withUnsafeBytes { bytes in
        target.copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[from..<from + done]))
      }
      start += done
    }
    while done < target.count, let base = target.baseAddress {
      let count = try readOnce(base + done, target.count - done)
      if count == 0 { break }
      done += count
    }
    return done
  }

  /// The bytes up to a line feed, without it; nil at the end of the file.
  ///
  /// - Throws: ``AssetReaderError/Code/corrupt`` if the line is longer than `limit`, and
  ///   ``AssetReaderError/Code/truncated`` if the file ends within it.
  func line(limit: Int, what: String) throws(AssetReaderError) -> [UInt8]? {
    var line: [UInt8] = []
    while true {
      if start == end, try !refill() {
        if line.isEmpty { return nil }
        throw AssetReaderError(.truncated, "\(name) ends within \(what)")
      }
      let chunk = buffer[start..<end]
      let stop = chunk.firstIndex(of: 0x0A)
      line += chunk[..<(stop ?? chunk.endIndex)]
      start = stop.map { $0 + 1 } ?? end
      guard line.count <= limit else {
        throw AssetReaderError(
          .corrupt, "\(name): \(what) is longer than \(limit) bytes; the file is damaged")
      }
      if stop != nil { return line }
    }
  }

  /// Appends more bytes to the buffer; false at the end of the file.
  private func refill() throws(AssetReaderError) -> Bool {
    if start == end {
      start = 0
      end = 0
    }
    let room = buffer.count - end
    guard room > 0 else { return false }
    var count = 0
    var failure: AssetReaderError?
    let from = end
    buffer.withUnsafeMutableBytes { bytes in
      guard let base = bytes.baseAddress else { return }
      do throws(AssetReaderError) { count = try readOnce(base + from, room) } catch {
        failure = error
      }
    }
    if let failure { throw failure }
    end += count
    return count > 0
  }

  private func readOnce(
    _ target: UnsafeMutableRawPointer, _ count: Int
  ) throws(AssetReaderError) -> Int {
    while true {
      if fileSize == nil { try awaitBytes() }
      do throws(Errno) {
        return try calls.read(
          descriptor, UnsafeMutableRawBufferPointer(start: target, count: count))
      } catch {
        if error == .interrupted || error == .resourceTemporarilyUnavailable { continue }
        throw AssetReaderError(
          .readFailed, "\(name) cannot be read: \(error)", errno: error)
      }
    }
  }

  private func awaitBytes() throws(AssetReaderError) {
    while !calls.waitUntilReadable(descriptor, Self.cancellationInterval) {
      guard !Task.isCancelled else {
        throw AssetReaderError(.cancelled, "reading \(name) was cancelled before it ended")
      }
    }
  }
}
