import Foundation
import QuickTime
import TestSupport
import Testing

@testable import EncodeJobs

struct UncachedMovieFileTests {
  private let folder: TemporaryFolder
  private let bytes: [UInt8]

  init() throws {
    folder = try TemporaryFolder()
    var generator = SeededGenerator(seed: 3)
    // Two windows and an odd remainder.
    bytes = generator.bytes(9 << 20 | 5)
  }

  private func read(
    _ file: some MovieByteSource, _ offset: Int, _ count: Int
  ) throws -> ArraySlice<UInt8> {
    var room = [UInt8](repeating: 0, count: count)
    let read = try room.withUnsafeMutableBytes { try file.read(into: $0, at: UInt64(offset)) }
    return room[..<read]
  }

  /// Compares with `memcmp`: generic code takes seconds without optimization.
  private func isEqual(_ one: ArraySlice<UInt8>, _ other: ArraySlice<UInt8>) -> Bool {
    one.withUnsafeBytes { one in
      other.withUnsafeBytes { other in
        guard one.count == other.count, let first = one.baseAddress, let second = other.baseAddress
        else { return one.isEmpty && other.isEmpty }
        return memcmp(first, second, one.count) == 0
      }
    }
  }

  private func check(_ path: String) throws {
    let file = UncachedMovieFile(try PosixMovieFile(path: path, mode: .read), path: path)
    #expect(try file.size() == UInt64(bytes.count))
    let places = [
      (0, 10), (1, 5_000_000), (4_194_300, 9), (100, 4096), (bytes.count - 7, 20),
      (4096, bytes.count), (bytes.count, 5), (bytes.count + 10_000, 5), (0, 0),
    ]
    for (offset, count) in places {
      let wanted = bytes.dropFirst(offset).prefix(count)
      #expect(isEqual(try read(file, offset, count), wanted), "\(count) bytes at \(offset)")
    }
  }

  @Test func uncached_reads_equal_cached_reads_everywhere() throws {
    try check(try folder.write(bytes, "a.mov").path)
  }

  @Test func a_file_system_without_direct_io_is_read_anyway() throws {
    let path = try folder.write(bytes, "a.mov").path
    // A path that cannot be opened a second time simulates one.
    let file = UncachedMovieFile(
      try PosixMovieFile(path: path, mode: .read), path: folder.path("none"))
    #expect(isEqual(try read(file, 5, 4_194_310), bytes.dropFirst(5).prefix(4_194_310)))
    #expect(try read(file, bytes.count - 2, 9).elementsEqual(bytes.suffix(2)))
  }

  @Test func single_frames_and_the_whole_file_are_read_correctly() throws {
    let path = try folder.write(bytes, "a.mov").path
    for other in [path, folder.path("none")] {
      let file = UncachedMovieFile(try PosixMovieFile(path: path, mode: .read), path: other)
      let room = UnsafeMutableRawBufferPointer.allocate(byteCount: 24 << 10, alignment: 4096)
      defer { room.deallocate() }
      // Whole pages, pages with a remainder, an offset within a page, and the file's end.
      for (offset, count) in [
        (8192, 8192), (4096, 9000), (4096, 1), (77, 5000), (bytes.count / 4096 * 4096, 4096),
      ] {
        let wanted = bytes.dropFirst(offset).prefix(count)
        #expect(try file.read(count, into: room, at: UInt64(offset)) == wanted.count)
        #expect(room.prefix(wanted.count).elementsEqual(wanted), "\(count) bytes at \(offset)")
      }
      var all: [UInt8] = []
      try file.readAll { all += $0 }
      #expect(all == bytes)
    }
  }
}
