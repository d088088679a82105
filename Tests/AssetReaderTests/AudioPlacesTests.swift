import Foundation
import MediaCore
import TestSupport
import Testing

@testable import AssetReader

/// The times of audio in a container that counts milliseconds.
@Suite(.tags(.judges), .enabled(if: Judges.arePresent, Judges.absence))
struct AudioPlacesTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private struct Run {
    var time: MediaTime
    var frames: Int64
    /// Samples in all earlier runs.
    var place: Int64
  }

  private func runs(_ path: String) throws -> [Run] {
    let reader = try AssetReader(path)
    try reader.select(reader.audioTracks.map(\.id))
    var runs: [Run] = []
    while let sample = try reader.nextSample() {
      runs.append(
        Run(
          time: sample.sampleBuffer.presentationTimeStamp,
          frames: Int64(sample.sampleBuffer.audioBuffer?.frameCount ?? 0), place: sample.index))
    }
    return runs
  }

  @Test(arguments: [
    ("a.mkv", "pcm_s24le", 48000), ("b.mkv", "pcm_s16le", 44100), ("c.mkv", "flac", 96000),
    ("d.mkv", "aac", 44100), ("e.flv", "aac", 44100),
  ])
  func without_gaps_each_run_starts_where_the_previous_one_ends(
    name: String, codec: String, rate: Int
  ) throws {
    try Judges.ffmpeg(
      "-f lavfi -i aevalsrc=mod(n\\,30000)/32768:s=\(rate):d=3 -c:a \(codec) \(folder.path(name))")
    let runs = try runs(folder.path(name))
    let first = try #require(runs.first)
    #expect(runs.count > 20 && runs.reduce(0) { $0 + $1.frames } >= 3 * Int64(rate))
    for run in runs {
      let exact = first.time + MediaTime(value: run.place, timescale: Int32(rate))
      #expect(run.time == exact, "\(run.place): \(run.time) for \(exact)")
    }
  }

  @Test func a_gap_has_the_length_given_by_the_container() throws {
    // 1.75 s without the part from 0.25 s to 0.5 s.
    try Judges.ffmpeg(
      "-f lavfi -i aevalsrc=mod(n\\,30000)/32768:s=48000:d=1.75 -af "
        + "asetnsamples=1024,aselect='not(between(t\\,0.25\\,0.5))' -c:a pcm_s16le "
        + folder.path("a.mkv"))
    let runs = try runs(folder.path("a.mkv"))
    let late = try #require(runs.last)
    let exact = MediaTime(value: late.place, timescale: 48000)
    let gap = (late.time - exact).seconds
    #expect(gap > 0.2 && gap < 0.3, "\(gap)")
    for (run, next) in zip(runs, runs.dropFirst()) where (next.time - run.time).seconds < 0.1 {
      #expect(next.time == run.time + MediaTime(value: run.frames, timescale: 48000))
    }
  }
}
