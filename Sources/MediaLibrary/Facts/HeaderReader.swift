/// Reads bytes of a file at any offset. If that fails, it returns none, and sets ``failure``.
final class HeaderReader {
  private(set) var failure: MediaLibraryError?
  /// The file's status before anything was read.
  let status: FileStatus
  private let file: OpenFile
  /// The bytes read last: headers are read in small consecutive pieces.
  private var window: [UInt8] = []
  private var windowStart: Int64 = 0
  private static let windowSize = 4096

  /// The whole file, if a single read returned all of it.
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
        // Request no more than there is: a short read would be followed by another one.
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
