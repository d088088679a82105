/// Bytes of a file at any place; none where they cannot be read, and then it says why.
final class HeaderReader {
  private(set) var failure: MediaLibraryError?
  /// The file, before anything was read.
  let status: FileStatus
  private let file: OpenFile
  /// What was read last: headers are read in small pieces, one after the other.
  private var window: [UInt8] = []
  private var windowStart: Int64 = 0
  private static let windowSize = 4096

  /// The whole file, where one read gave all of it.
  var wholeContent: [UInt8]? {
    windowStart == 0 && !window.isEmpty && Int64(window.count) == status.size ? window : nil
  }

  init(_ path: String, _ files: LibraryFiles) throws(MediaLibraryError) {
    file = try files.open(path, 0)
    status = try file.status()
  }

  func bytes(at offset: Int64, count: Int) -> [UInt8] {
    guard offset >= 0, count > 0, count <= 1 << 20, offset < status.size else { return [] }
    let end = min(offset + Int64(count), status.size)
    if offset < windowStart || end > windowStart + Int64(window.count) {
      do throws(MediaLibraryError) {
        // No more than there is: a read that comes back short is followed by another one.
        let rest = Int(clamping: status.size - offset)
        window = try file.bytes(at: offset, count: min(max(count, Self.windowSize), rest))
        windowStart = offset
      } catch {
        failure = error
        return []
      }
    }
    let start = Int(offset - windowStart)
    return [UInt8](window[start...].prefix(count))
  }
}
