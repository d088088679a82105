import CaptureDevices
import Foundation
import MediaCore
import QuickTime
import TestSupport
import Testing

@testable import AssetWriter
@testable import TakeReports

/// The text of a sidecar.
@Suite struct SidecarTextTests {
  /// Random checksums of a take, the smallest and the largest number among them.
  private func checksums(frames: Int, runs: [Int]) -> MovieChecksums {
    var random = SystemRandomNumberGenerator()
    var sums = MovieChecksums(
      file: 0, head: .init(offset: 0, byteCount: 36, value: 1),
      index: .init(offset: .max, byteCount: 7, value: .max), rest: 2, tracks: [])
    var video = MovieChecksums.Track(id: TrackID(rawValue: 1))
    video.frames = (0..<frames).map { _ in .random(in: 0 ... .max, using: &random) }
    sums.tracks = [video]
    for (number, count) in runs.enumerated() {
      var audio = MovieChecksums.Track(id: TrackID(rawValue: UInt32(number + 3)))
      audio.runs = (0..<count).map { .init(sampleCount: $0, value: UInt64($0) << 32) }
      sums.tracks.append(audio)
    }
    return sums
  }

  @Test(arguments: [(0, []), (1, [1]), (1023, [1024]), (1024, [2, 1]), (5000, [1025, 0, 3000])])
  func sidecar_text_equals_the_encoders_and_reads_back_unchanged(frames: Int, runs: [Int]) throws {
    var sidecar = TakeSidecar(of: "/a/b \"c\".mov", request: TakeRequest())
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    var variants: [TakeSidecar.Checksums?] = [nil, .init(checksums(frames: frames, runs: runs))]
    var recovered = variants[1]
    recovered?.file = nil
    recovered?.head = nil
    recovered?.index = nil
    variants.append(recovered)
    for sums in variants {
      sidecar.checksums = sums
      let text = Data(try SidecarText(sidecar).joined())
      #expect(try JSONDecoder().decode(TakeSidecar.self, from: text) == sidecar)
      let plain = { (data: Data) throws in
        try JSONSerialization.data(
          withJSONObject: try JSONSerialization.jsonObject(with: data), options: [.sortedKeys])
      }
      #expect(try plain(text) == plain(try encoder.encode(sidecar)))
      #expect(text.last == UInt8(ascii: "\n"))
    }
  }

  @Test func sidecar_text_of_long_takes_is_made_in_small_pieces() throws {
    var sidecar = TakeSidecar(of: "/a.mov", request: TakeRequest())
    sidecar.checksums = .init(checksums(frames: 50_000, runs: [10_000]))
    var largest = 0
    var total = 0
    for piece in try SidecarText(sidecar) {
      largest = max(largest, piece.count)
      total += piece.count
    }
    #expect(largest < 200_000 && total > 2_000_000)
  }

  @Test func an_invalid_checksum_is_reported_with_its_path() throws {
    let folder = try TemporaryFolder()
    let file = SidecarFile(ofMovie: folder.path("a.mov"))
    var sidecar = TakeSidecar(of: folder.path("a.mov"), request: TakeRequest())
    sidecar.checksums = .init(checksums(frames: 3, runs: [1]))
    let third = try #require(sidecar.checksums?.frames.last?.description)
    try file.write(sidecar)
    #expect(try file.read() == sidecar)
    for bad in ["", "123456789abcdef01", "no checksum here"] {
      let text = try String(contentsOfFile: file.path, encoding: .utf8)
      try text.replacingOccurrences(of: third, with: bad)
        .write(toFile: file.path, atomically: true, encoding: .utf8)
      let error = #expect(throws: CaptureError.self) { try file.read() }
      #expect(error?.message.contains("'checksums.frames.2'") == true, "\(error?.message ?? "")")
      try text.write(toFile: file.path, atomically: true, encoding: .utf8)
    }
  }
}
