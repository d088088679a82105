import Foundation
import Glibc
import MediaCore
import SystemPackage
import TestSupport
import Testing

@testable import QuickTime

/// Large writes that bypass the page cache, and what happens if they cannot.
@Suite struct DirectOutputTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// A block of aligned memory in which each byte's value depends on its place.
  private final class Memory {
    let bytes: UnsafeMutableRawBufferPointer

    init(count: Int, alignment: Int = 4096) {
      bytes = .allocate(byteCount: count, alignment: alignment)
      for index in 0..<count { bytes[index] = UInt8(truncatingIfNeeded: index &* 31 &+ index >> 9) }
    }

    deinit { bytes.deallocate() }
  }

  private static let absence: Comment =
    "the temporary folder's file system does not support direct output"

  /// File calls in the folder, if its file system supports direct output.
  private func file(
    _ calls: FailingFileCalls, _ name: String = "a.mov"
  ) throws -> PosixMovieFile {
    try PosixMovieFile(path: folder.path(name), mode: .create, calls: calls)
  }

  @Test func only_large_aligned_blocks_bypass_the_page_cache() throws {
    let calls = FailingFileCalls()
    let file = try file(calls)
    let memory = Memory(count: 256 << 10)
    let bytes = UnsafeRawBufferPointer(memory.bytes)
    try file.write([bytes], at: 4096)
    guard file.usesDirectOutput else { try Test.cancel(Self.absence) }
    #expect(calls.counts[.writeDirect] == 1 && calls.counts[.write] == nil)
    // An unaligned offset, unaligned memory, an odd length, and a small write.
    try file.write([bytes], at: 4096 * 200 + 512)
    try file.write([UnsafeRawBufferPointer(rebasing: bytes[8..<(128 << 10 + 8)])], at: 4096 * 400)
    try file.write([UnsafeRawBufferPointer(rebasing: bytes[..<100_000])], at: 4096 * 500)
    try file.write([UnsafeRawBufferPointer(rebasing: bytes[..<4096])], at: 0)
    #expect(calls.counts[.writeDirect] == 1 && calls.counts[.write] == 4)
    try file.synchronize()
    #expect(try file.bytes(at: 4096, count: bytes.count) == Array(bytes))
    #expect(try file.bytes(at: 0, count: 4096) == Array(bytes[..<4096]))
    try file.close()
    #expect(calls.counts[.close] == 2)
  }

  @Test(arguments: [EINVAL, EOPNOTSUPP, EMFILE])
  func writes_are_buffered_if_a_file_cannot_be_opened_for_direct_output(code: Int32) throws {
    let calls = FailingFileCalls()
    calls.failure = { call, _ in call == .openDirect ? code : nil }
    let file = try file(calls)
    let memory = Memory(count: 256 << 10)
    for block in 0..<3 {
      try file.write([UnsafeRawBufferPointer(memory.bytes)], at: UInt64(block * memory.bytes.count))
    }
    #expect(!file.usesDirectOutput)
    #expect(calls.counts[.openDirect] == 1, "opening is not tried again")
    #expect(try file.bytes(at: 512 << 10, count: 256 << 10) == Array(memory.bytes))
  }

  @Test(arguments: [EINVAL, EOPNOTSUPP])
  func a_refused_direct_write_is_repeated_through_the_page_cache(code: Int32) throws {
    let calls = FailingFileCalls()
    calls.failure = { call, number in call == .writeDirect && number == 1 ? code : nil }
    let file = try file(calls)
    let memory = Memory(count: 256 << 10)
    try file.write([UnsafeRawBufferPointer(memory.bytes)], at: 0)
    guard file.usesDirectOutput else { try Test.cancel(Self.absence) }
    try file.write([UnsafeRawBufferPointer(memory.bytes)], at: 256 << 10)
    #expect(!file.usesDirectOutput)
    try file.write([UnsafeRawBufferPointer(memory.bytes)], at: 512 << 10)
    #expect(calls.counts[.writeDirect] == 2 && calls.counts[.write] == 2)
    for block in 0..<3 {
      #expect(
        try file.bytes(at: UInt64(block * 256 << 10), count: 256 << 10) == Array(memory.bytes))
    }
  }

  @Test(arguments: [(ENOSPC, QuickTimeError.Code.diskFull), (EDQUOT, .diskFull), (EIO, .ioFailed)])
  func disk_errors_are_reported_without_a_buffered_retry(
    code: Int32, expected: QuickTimeError.Code
  ) throws {
    let calls = FailingFileCalls()
    calls.failure = { call, _ in call == .writeDirect || call == .write ? code : nil }
    let file = try file(calls)
    let memory = Memory(count: 256 << 10)
    let error = #expect(throws: QuickTimeError.self) {
      try file.write([UnsafeRawBufferPointer(memory.bytes)], at: 0)
    }
    #expect(error?.code == expected && error?.errno == Errno(rawValue: code))
    #expect(calls.counts[.writeDirect, default: 0] + calls.counts[.write, default: 0] == 1)
  }

  /// A short write may end between blocks; the rest is written through the page cache.
  @Test(arguments: [4096, 5000, 70_000])
  func a_short_direct_write_continues_where_it_stopped(longest: Int) throws {
    let calls = FailingFileCalls()
    calls.longestWrite = longest
    let file = try file(calls)
    let memory = Memory(count: 256 << 10)
    try file.write([UnsafeRawBufferPointer(memory.bytes)], at: 0)
    #expect(try file.bytes(at: 0, count: 256 << 10) == Array(memory.bytes))
  }

  /// The same take, written with direct output and through the page cache, gives the same file,
  /// which every judge accepts.
  @Test(.tags(.judges)) func direct_and_buffered_output_give_the_same_file() throws {
    let packets = try Packets(
      codec: ["-profile:v", "3", "-pix_fmt", "yuv422p10le"], size: "1920x1080", count: 6)
    var made: [[UInt8]] = []
    for isDirect in [true, false] {
      let calls = FailingFileCalls()
      if !isDirect { calls.failure = { call, _ in call == .openDirect ? EINVAL : nil } }
      let path = folder.path(isDirect ? "direct.mov" : "buffered.mov")
      let file = try PosixMovieFile(path: path, mode: .create, calls: calls)
      var take = Take(frameCount: 20)
      take.configuration.placedFrameSize = 1
      let (writer, ids) = try take.begin(file)
      for frame in 0..<20 {
        let bytes = packets.frames[frame % 6]
        let memory = Memory(count: bytes.count)
        memory.bytes.copyBytes(from: bytes)
        try writer.appendVideo(UnsafeRawBufferPointer(memory.bytes), to: ids[0])
        // Every other frame comes from unaligned memory.
        if frame % 2 == 1 { try writer.append(bytes, to: ids[0]) }
        let audio = pcm(frames: 1600, from: frame * 1600, channels: 2, bytes: 3)
        try writer.appendAudio(audio, frames: 1600, to: ids[1])
      }
      if isDirect, !file.usesDirectOutput { try Test.cancel(Self.absence) }
      #expect(isDirect == ((calls.counts[.writeDirect] ?? 0) > 0))
      #expect(try writer.finish().tracks[0].sampleCount == 30)
      #expect(try Judges.videoFrameCount(path) == 30)
      #expect(try Judges.strictDecode(path) == "")
      #expect(try Judges.mediaInfo(path, "General", "%IsTruncated%") == "")
      made.append(Array(try Data(contentsOf: URL(fileURLWithPath: path))))
    }
    #expect(made[0] == made[1])
  }
}
