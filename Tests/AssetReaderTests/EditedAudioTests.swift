import Foundation
import MediaCore
import TestSupport
import Testing

@testable import AssetReader

/// Audio with edit lists whose edits begin and end within packets, compared with FFmpeg's decoding
/// of the whole track.
@Suite(.tags(.judges), .enabled(if: Judges.arePresent, Judges.absence))
struct EditedAudioTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  struct Case: Sendable, CustomTestStringConvertible {
    var codec: String
    var file = "a.mov"
    var rate = 48000
    /// The timescale of the edits' durations.
    var timescale = 48000
    /// Each edit's duration in that timescale and its first sample; -1 for a gap.
    var edits: [[Int]]
    var tolerance = 0
    var isFragmented = false
    var testDescription: String {
      "\(codec) in \(isFragmented ? "fragmented " : "")\(file), \(edits) of \(timescale)"
    }
  }

  private static let parts = [[9600, 73_000], [4800, -1], [5000, 100_000], [3000, 5000]]

  /// The second and third parts play from the same packets.
  private static let partsInOrder = [
    [2400, -1], [5000, 2000], [300, 7100], [4800, -1], [66_700, 50_000],
  ]

  static let cases: [Case] = [
    Case(codec: "pcm_s16le", edits: partsInOrder, isFragmented: true),
    Case(codec: "aac -aac_pns 0", edits: partsInOrder, tolerance: 1, isFragmented: true),
    Case(
      codec: "aac -aac_pns 0", file: "a.mp4", edits: [[50_001, 1500]], tolerance: 1,
      isFragmented: true),
    Case(
      codec: "aac -aac_pns 0", rate: 44100, timescale: 1000, edits: [[333, 2024], [777, 30_000]],
      tolerance: 1, isFragmented: true),
    Case(codec: "alac", edits: partsInOrder, isFragmented: true),
    Case(codec: "pcm_s16le", edits: parts),
    // Without PNS, because the decoder's noise differs each time.
    Case(codec: "aac -aac_pns 0", edits: parts, tolerance: 1),
    Case(codec: "aac -aac_pns 0", file: "a.mp4", edits: [[50_001, 1500]], tolerance: 1),
    Case(
      codec: "aac -aac_pns 0", edits: [[700, -1], [700, 3000], [300, 3700], [40_000, 4000]],
      tolerance: 1),
    // Its sample table counts decoded samples, 2036 in a packet.
    Case(codec: "adpcm_ms", edits: parts),
    Case(codec: "adpcm_ms", edits: [[50_001, 5000]]),
    Case(codec: "alac", edits: [[4096, 4096], [1, 20_000], [0, 7000], [8000, 20_001]]),
    // 73.5 samples a tick.
    Case(
      codec: "pcm_s24le", rate: 44100, timescale: 600,
      edits: [[101, 441], [33, -1], [7, 90_000], [55, 1]]),
    Case(
      codec: "aac -aac_pns 0", rate: 44100, timescale: 1000, edits: [[333, 2024], [777, 30_000]],
      tolerance: 1),
  ]

  /// A run's samples as 24-bit codes.
  private func codes(_ bytes: [UInt8], _ format: AudioFormat.SampleFormat) -> [Int] {
    let width = format.byteCount
    return [Int](unsafeUninitializedCapacity: bytes.count / width) { codes, count in
      // Loops without iterators, because tests are built without optimization.
      while count < bytes.count / width {
        var (code, byte) = (UInt32(0), 0)
        while byte < width {
          code |= UInt32(bytes[count * width + byte]) << UInt32(8 * (byte + 4 - width))
          byte += 1
        }
        codes[count] = Int(Int32(bitPattern: code) >> 8)
        count += 1
      }
    }
  }

  /// The samples that a list selects; nil in gaps.
  private func wanted(_ test: Case, of media: [Int]) -> [Int?] {
    var (wanted, ticks) = ([Int?](), 0)
    for edit in test.edits {
      ticks += edit[0]
      // Rounded to the nearest sample.
      let end = (ticks * test.rate * 2 + test.timescale) / (2 * test.timescale)
      let first = edit[1]
      wanted += (0..<end - wanted.count).map { first < 0 ? nil : media[first + $0] }
    }
    return wanted
  }

  @Test(arguments: cases) func each_edit_plays_exactly_its_own_samples(_ test: Case) throws {
    let (plain, input) = (folder.path("plain-\(test.file)"), folder.path(test.file))
    try Judges.ffmpeg(
      "-f lavfi -i anoisesrc=r=\(test.rate):d=3:seed=5:a=0.5 -c:a \(test.codec) "
        + "-movie_timescale \(test.timescale) "
        + (test.isFragmented ? "\(FragmentedEditTests.flags) " : "") + plain)
    let edits = test.edits.map { (length: $0[0], first: $0[1], rate: 1) }
    let file = [UInt8](try Data(contentsOf: URL(filePath: plain)))
    try folder.write(EditList.replaced(in: file, by: edits), test.file)
    // Debian's FFmpeg, whose libraries the reader uses: other versions round differently.
    let media = codes(
      try Judges.ffmpeg(
        "-ignore_editlist 1 -i \(plain) -f s24le -c:a pcm_s24le -", by: "ffmpeg"), .int24)
    let wanted = wanted(test, of: media)
    let reader = try AssetReader(input)
    #expect(reader.cutsAudio(of: 0))
    var heard = [Int?](repeating: nil, count: wanted.count)
    var count = 0
    for sample in try reader.allSamples() {
      let run = try #require(sample.sampleBuffer.audioBuffer)
      let time = sample.sampleBuffer.presentationTimeStamp
      #expect(time.timescale == test.rate && sample.index == Int64(count))
      let place = Int(time.value)
      try #require(place >= 0 && place + run.frameCount <= heard.count)
      let samples = codes(run.bytes, run.format.sampleFormat)
      let isFree = heard[place..<place + run.frameCount].allSatisfy { $0 == nil }
      #expect(isFree)
      heard.replaceSubrange(place..<place + run.frameCount, with: samples.map(Optional.some))
      count += run.frameCount
    }
    let wrong = heard.indices.filter { index in
      guard let here = heard[index], let there = wanted[index] else {
        return (heard[index] == nil) != (wanted[index] == nil)
      }
      return abs(here - there) > test.tolerance
    }
    #expect(wrong.isEmpty, "\(wrong.count) wrong, first at \(wrong.first ?? 0)")
  }

  @Test func audio_that_an_edit_list_leaves_whole_is_not_cut() throws {
    let input = folder.path("a.mov")
    try Judges.ffmpeg("-f lavfi -i anoisesrc=r=48000:d=0.2:seed=5 -c:a pcm_s16le \(input)")
    let reader = try AssetReader(input)
    #expect(!reader.cutsAudio(of: 0))
    #expect(
      try reader.allSamples().reduce(0) { $0 + ($1.sampleBuffer.audioBuffer?.frameCount ?? 0) }
        == 9600)
  }
}
