import Foundation
import MediaCore
import QuickTime
import TestSupport
import Testing

@testable import MovieTools
@testable import VideoRecorder

/// Movies whose index claims more than a file can hold.
@Suite struct HostileMovieTests {
  /// A finished movie of frames of different sizes, with modified tables.
  private func verify(
    changing change: (inout Data) throws -> Void
  ) throws -> VerificationReport {
    let folder = try TemporaryFolder()
    let url = folder.url("take.mov")
    let writer = try MovieWriter(
      file: PosixMovieFile(path: url.path, mode: .create), configuration: .init())
    let track = try writer.addVideoTrack(
      VideoTrackDescription(
        codec: .proRes422, dimensions: VideoDimensions(width: 160, height: 96), frameRate: .fps25))
    try writer.start()
    for frame in 0..<32 {
      let bytes = [UInt8](repeating: UInt8(frame), count: 100 + frame)
      try bytes.withUnsafeBytes { try writer.appendVideo($0, to: track, duration: 1000) }
    }
    _ = try writer.finish()
    var movie = try Data(contentsOf: url)
    try change(&movie)
    try movie.write(to: url)
    return try MovieVerifier(path: url.path).run()
  }

  /// Writes a 32-bit number at an offset after an atom's type.
  private func put(_ number: UInt32, _ place: Int, behind type: String, _ movie: inout Data) throws
  {
    // The last occurrence is in the index, which is at the end of the file.
    let found = try #require(movie.range(of: Data(type.utf8), options: .backwards))
    let start = found.upperBound + place
    movie.replaceSubrange(
      start..<start + 4, with: withUnsafeBytes(of: number.bigEndian) { Data($0) })
  }

  @Test func oversized_frame_sizes_are_refused_without_allocating() throws {
    let report = try verify { movie in
      for frame in 0..<32 { try put(0xFFFF_FFF0, 12 + 4 * frame, behind: "stsz", &movie) }
    }
    #expect(!report.isValid)
    #expect(report.findings.contains { $0.message.contains("more than the file can hold") })
    let one = try verify { try put(0xFFFF, 12 + 4 * 31, behind: "stsz", &$0) }
    #expect(one.findings.contains { $0.message == "the file ends within the frame" })
  }

  @Test func four_billion_claimed_frames_are_refused() throws {
    let report = try verify { movie in
      try put(1, 4, behind: "stsz", &movie)
      try put(0xFFFF_FFFF, 8, behind: "stsz", &movie)
      try put(0xFFFF_FFFF, 12, behind: "stsc", &movie)
      try put(0xFFFF_FFFF, 8, behind: "stts", &movie)
    }
    #expect(!report.isValid && report.framesDecoded == 0)
    #expect(report.findings.contains { $0.message.contains("4294967295 frames") })
  }
}
