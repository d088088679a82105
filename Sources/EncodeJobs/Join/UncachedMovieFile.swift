import CLinux
import MediaCore
import QuickTime
import SystemPackage

#if canImport(Glibc)
import Glibc
#else
import Musl
#endif

/// A movie file that is read once, sequentially, bypassing the page cache: caching pages that are
/// never used again would cost more processor time than everything else in a join.
///
/// If the file system does not support this, the file is read normally.
final class UncachedMovieFile: MovieByteSource {
  private let file: PosixMovieFile
  /// The descriptor for direct reads; -1 if there is none.
  private var descriptor: Int32
  private let window: UnsafeMutableRawBufferPointer
  /// The range of the file that is in the window.
  private var held: Range<UInt64> = 0..<0

  /// A multiple of every block size.
  private static let windowSize = 4 << 20
  private static let alignment: UInt64 = 4096
  /// The large page size of x86: the kernel pins two pages instead of a thousand.
  private static let largePage = 2 << 20

  /// - Parameter file: The file, already opened.
  init(_ file: PosixMovieFile, path: String) {
    self.file = file
    descriptor = open(path, O_RDONLY | O_CLOEXEC | open_direct)
    window = .allocate(byteCount: Self.windowSize, alignment: Self.largePage)
    madvise(window.baseAddress, window.count, MADV_HUGEPAGE)
  }

  deinit {
    if descriptor >= 0 { close(descriptor) }
    window.deallocate()
  }

  var name: String { file.name }

  func size() throws(QuickTimeError) -> UInt64 { try file.size() }

  func read(
    into buffer: UnsafeMutableRawBufferPointer, at offset: UInt64
  ) throws(QuickTimeError) -> Int {
    var done = 0
    while done < buffer.count {
      let place = offset + UInt64(done)
      if !held.contains(place), !fill(at: place) {
        return try done
          + file.read(
            into: UnsafeMutableRawBufferPointer(rebasing: buffer[done...]), at: place)
      }
      guard held.contains(place) else { break }
      let count = min(buffer.count - done, Int(held.upperBound - place))
      UnsafeMutableRawBufferPointer(rebasing: buffer[done..<done + count]).copyMemory(
        from: UnsafeRawBufferPointer(
          rebasing: window[Int(place - held.lowerBound)...].prefix(count)))
      done += count
    }
    return done
  }

  /// Reads to the start of a buffer that may be longer than needed. A page-aligned read goes there
  /// directly, any other through the window.
  ///
  /// - Returns: The number of bytes read, at most `count`, as for ``read(into:at:)``.
  func read(
    _ count: Int, into room: UnsafeMutableRawBufferPointer, at offset: UInt64
  ) throws(QuickTimeError) -> Int {
    let page = Int(Self.alignment)
    let pages = (count + page - 1) / page * page
    guard descriptor >= 0, offset % Self.alignment == 0, pages <= room.count, count > 0,
      Int(bitPattern: room.baseAddress) % page == 0, let start = off_t(exactly: offset)
    else { return try read(into: .init(rebasing: room[..<min(count, room.count)]), at: offset) }
    let direct = try? Errno.retrying { () throws(Errno) in
      try Errno.check(pread(descriptor, room.baseAddress, pages, start))
    }
    let done = min(max(direct ?? 0, 0), count)
    guard done < count else { return count }
    return try done
      + read(into: .init(rebasing: room[done..<count]), at: offset + UInt64(done))
  }

  /// Reads the whole file, in order.
  func readAll(_ body: (UnsafeRawBufferPointer) -> Void) throws(QuickTimeError) {
    var place: UInt64 = 0
    while true {
      if !fill(at: place) {
        held = place..<place + UInt64(try file.read(into: window, at: place))
      }
      // A file system may stop within a page; skip what was already passed on.
      guard held.upperBound > place else { return }
      body(UnsafeRawBufferPointer(rebasing: window[Int(place - held.lowerBound)..<held.count]))
      place = held.upperBound
    }
  }

  /// Reads a position into the window; false if that fails and the file must be read normally.
  private func fill(at place: UInt64) -> Bool {
    guard descriptor >= 0 else { return false }
    let start = place - place % Self.alignment
    while true {
      let count = pread(descriptor, window.baseAddress, window.count, off_t(clamping: start))
      if count >= 0 {
        held = start..<start + UInt64(count)
        return true
      }
      guard errno != EINTR else { continue }
      // A normal read reports the error, or reads what cannot be read directly.
      close(descriptor)
      descriptor = -1
      return false
    }
  }
}
