import Foundation
import Glibc
import MediaCore
import SystemPackage
import TestSupport
import Testing

@testable import QuickTime

/// The real file; each of its system calls fails once.
@Suite struct SystemFaultTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Frames large enough for direct output: noise with a ProRes header.
  private final class Frames {
    let memory: [UnsafeMutableRawBufferPointer]

    init() {
      var random = SeededGenerator(seed: 7)
      memory = [130_000, 131_072, 90_001].map { count in
        let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: count, alignment: 4096)
        for index in bytes.indices { bytes[index] = UInt8.random(in: 1...255, using: &random) }
        bytes.storeBytes(of: UInt32(count).bigEndian, as: UInt32.self)
        for (index, letter) in "icpf".utf8.enumerated() { bytes[4 + index] = letter }
        return bytes
      }
    }

    deinit { for bytes in memory { bytes.deallocate() } }

    subscript(number: Int) -> UnsafeRawBufferPointer {
      UnsafeRawBufferPointer(memory[number % memory.count])
    }

    /// The first frame of a movie that differs from the appended one; nil if there is none.
    func firstFault(in movie: MovieIndex, _ path: String) throws -> Int? {
      let file = try PosixMovieFile(path: path, mode: .read)
      return try movie.videoTrack?.samples.enumerated().first { number, sample in
        let stored = try file.bytes(at: sample.offset, count: Int(sample.size))
        return !stored.isSame(as: self[number])
      }?.offset
    }
  }

  private enum End {
    case noFile(QuickTimeError)
    case finished
    /// A call failed; with what was saved, if anything.
    case failed(QuickTimeError, MovieSummary?)
  }

  /// Records thirty frames with audio. After an error it saves whatever is whole and removes a file
  /// without content, as the asset writer does.
  private func record(_ path: String, _ calls: FailingFileCalls, _ frames: Frames) -> End {
    var take = Take()
    take.configuration.placedFrameSize = 65_536
    take.configuration.preallocation = 2 << 20
    take.configuration.ballast = 64 << 10
    let writer: MovieWriter
    do throws(QuickTimeError) {
      let file = try PosixMovieFile(path: path, mode: .create, calls: calls)
      writer = try MovieWriter(file: file, configuration: take.configuration)
    } catch {
      return .noFile(error)
    }
    do throws(QuickTimeError) {
      let ids = try take.begin(writer)
      for frame in 0..<30 {
        try writer.appendVideo(frames[frame], to: ids[0])
        let audio = pcm(frames: 1600, from: frame * 1600, channels: 2, bytes: 3)
        try writer.appendAudio(audio, frames: 1600, to: ids[1])
      }
      _ = try writer.finish()
      return .finished
    } catch {
      let saved = try? writer.finishAfterFailure()
      if saved == nil, writer.fragmentStarts.isEmpty { writer.cancel() }
      return .failed(error, saved)
    }
  }

  @Test(
    arguments: [(ENOSPC, QuickTimeError.Code.diskFull), (EDQUOT, .diskFull), (EIO, .ioFailed)])
  func any_single_failed_call_leaves_a_valid_file_or_none(
    code: Int32, expected: QuickTimeError.Code
  ) throws {
    let frames = Frames()
    let clean = FailingFileCalls()
    guard case .finished = record(folder.path("clean.mov"), clean, frames) else {
      Issue.record("a take without a fault did not finish")
      return
    }
    #expect(clean.counts[.synchronizeFolder] == 1, "the folder with the file's name is synced once")
    #expect((clean.counts[.synchronizeData] ?? 0) > 5 && (clean.counts[.reserve] ?? 0) > 1)
    var saved = 0
    for call in FailingFileCalls.Call.allCases {
      for number in 0..<(clean.counts[call] ?? 0) {
        let calls = FailingFileCalls()
        calls.failure = { $0 == call && $1 == number ? code : nil }
        let path = folder.path("\(call)-\(number)-\(code).mov")
        let end = record(path, calls, frames)
        let there = FileManager.default.fileExists(atPath: path)
        let what = Comment("\(call) \(number)")
        switch end {
        case .noFile(let error):
          #expect(error.code == expected && error.errno == Errno(rawValue: code), what)
          #expect(!there, what)
          continue
        case .finished:
          // A lock, direct output, a reservation that was too large, or a close.
          #expect(![.write, .writeDirect, .synchronizeData].contains(call), what)
        case .failed(let error, let summary):
          #expect(error.code == expected && error.errno == Errno(rawValue: code), what)
          if summary != nil { saved += 1 }
          if !there { continue }
        }
        var movie = try MovieIndex(path: path)
        #expect(try frames.firstFault(in: movie, path) == nil, what)
        if movie.completion != .finished {
          try MovieRecovery.recover(path: path)
          movie = try MovieIndex(path: path)
        }
        #expect(movie.completion == .finished && !movie.isTruncated, what)
        #expect((movie.videoTrack?.samples.count ?? 0) > 0, what)
        #expect(try frames.firstFault(in: movie, path) == nil, what)
        try FileManager.default.removeItem(atPath: path)
      }
    }
    #expect(saved > 20)
  }
}
