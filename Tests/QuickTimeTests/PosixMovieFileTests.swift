import Foundation
import Glibc
import MediaCore
import SystemPackage
import TestSupport
import Testing

@testable import QuickTime

/// The real file behind the protocol.
@Suite struct PosixMovieFileTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func code(
    _ path: String, _ mode: PosixMovieFile.Mode
  ) -> QuickTimeError.Code? {
    do {
      _ = try PosixMovieFile(path: path, mode: mode)
      return nil
    } catch {
      return error.code
    }
  }

  @Test func an_existing_file_is_not_overwritten_unless_requested() throws {
    let path = folder.path("there.mov")
    try Data("content".utf8).write(to: URL(fileURLWithPath: path))
    #expect(code(path, .create) == .fileExists)
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == Data("content".utf8))
    let file = try PosixMovieFile(path: path, mode: .overwrite)
    #expect(try file.size() == 0 && !file.hasName)
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == Data("content".utf8))
    try file.adoptName()
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)).isEmpty)
  }

  @Test func missing_paths_folders_and_special_files_are_refused() throws {
    #expect(code(folder.path("none/take.mov"), .create) == .notFound)
    #expect(code(folder.path("none.mov"), .read) == .notFound)
    #expect(code(folder.path, .overwrite) == .invalidArgument)
    #expect(code("/dev/null", .overwrite) == .invalidArgument)
    mkfifo(folder.path("pipe"), 0o600)
    #expect(code(folder.path("pipe"), .read) == .invalidArgument)
    let error = #expect(throws: QuickTimeError.self) {
      _ = try PosixMovieFile(path: folder.path("none/take.mov"), mode: .create)
    }
    #expect(
      error?.errno == .noSuchFileOrDirectory
        && error?.message.contains(folder.path("none/take.mov")) == true)
  }

  @Test func a_file_being_written_cannot_be_opened_for_writing() throws {
    let path = folder.path("take.mov")
    let first = try PosixMovieFile(path: path, mode: .create)
    #expect(code(path, .update) == .busy)
    #expect(code(path, .overwrite) == .busy)
    #expect(code(path, .read) == nil)
    try first.close()
    #expect(code(path, .update) == nil)
  }

  @Test func buffers_are_written_one_after_another() throws {
    let file = try PosixMovieFile(path: folder.path("take.mov"), mode: .create)
    // More buffers than one system call takes.
    let bytes = (0..<5000).map { UInt8(truncatingIfNeeded: $0) }
    var failure: QuickTimeError?
    bytes.withUnsafeBytes { all in
      let pieces = (0..<2500).map { UnsafeRawBufferPointer(rebasing: all[($0 * 2)..<($0 * 2 + 2)]) }
      do throws(QuickTimeError) { try file.write(pieces, at: 100) } catch { failure = error }
    }
    #expect(failure == nil)
    #expect(try file.size() == 5100)
    #expect(try file.bytes(at: 100, count: 6000) == bytes)
    #expect(try file.bytes(at: 6000, count: 10) == [])
  }

  @Test func a_short_write_continues_where_it_stopped() {
    var vectors = [3, 0, 5, 2].map {
      iovec(iov_base: UnsafeMutableRawPointer(bitPattern: 4096), iov_len: $0)
    }
    var first = 0
    PosixMovieFile.consume(4, of: &vectors, from: &first)
    #expect(first == 2 && vectors[2].iov_len == 4)
    #expect(vectors[2].iov_base == UnsafeMutableRawPointer(bitPattern: 4097))
    PosixMovieFile.consume(4, of: &vectors, from: &first)
    #expect(first == 3 && vectors[3].iov_len == 2)
    PosixMovieFile.consume(2, of: &vectors, from: &first)
    #expect(first == 4)
  }

  @Test func reserved_space_is_released() throws {
    let path = folder.path("take.mov")
    let file = try PosixMovieFile(path: path, mode: .create)
    try file.write([1, 2, 3], at: 0)
    guard try file.preallocate(offset: 0, count: 8 << 20) else {
      try Test.cancel("the temporary folder's file system does not reserve space")
    }
    var status = stat()
    stat(path, &status)
    #expect(status.st_size == 3 && status.st_blocks * 512 >= 8 << 20)
    try file.truncate(to: 3)
    stat(path, &status)
    #expect(status.st_size == 3 && status.st_blocks * 512 < 1 << 20)
    try file.synchronize()
    try file.synchronizeParentDirectory()
  }

  @Test func every_way_to_end_a_file_closes_its_descriptor() throws {
    func open() throws -> Int {
      try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").filter {
        (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/" + $0))?
          .hasPrefix(folder.path) == true
      }.count
    }
    var kept: PosixMovieFile? = try PosixMovieFile(path: folder.path("a.mov"), mode: .create)
    #expect(try open() == 1, "the counter works")
    #expect(try kept?.size() == 0)
    kept = nil
    #expect(try open() == 0)
    #expect(code(folder.path("a.mov"), .create) == .fileExists)
    try PosixMovieFile(path: folder.path("a.mov"), mode: .update).close()
    #expect(try open() == 0)
  }
}
