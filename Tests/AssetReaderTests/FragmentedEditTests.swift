import MediaCore
import QuickTime
import TestSupport
import Testing

@testable import AssetReader

/// Edit lists of fragmented files, of which libavformat applies only the start.
@Suite struct FragmentedEditTests {
  /// Whether these edits leave out part of a track of four seconds at 48000 ticks.
  private func asksForMore(_ edits: [(seconds: Double?, first: Int64?, rate: Double)]) -> Bool {
    PacketEdits.leaveSomethingOut(
      edits.map { edit in
        MovieEdit(
          mediaTime: edit.first,
          duration: edit.seconds.map { MediaTime(seconds: $0, preferredTimescale: 1000) },
          rate: edit.rate)
      }, mediaDuration: MediaTime(value: 192_000, timescale: 48000), timescale: 48000)
  }

  @Test func an_edit_list_that_only_sets_the_start_asks_for_nothing_more() {
    #expect(!asksForMore([]))
    #expect(!asksForMore([(nil, 1024, 1)]))
    #expect(!asksForMore([(0.5, nil, 1), (nil, 1024, 1)]))
    #expect(!asksForMore([(0.5, nil, 1), (3.979, 1024, 1)]))
    #expect(!asksForMore([(4, 0, 1)]))
  }

  @Test func several_edits_gaps_an_earlier_end_and_rates_ask_for_more() {
    #expect(asksForMore([(1, 0, 1), (1, 96_000, 1)]))
    #expect(asksForMore([(1, 0, 1), (1, nil, 1), (nil, 48_000, 1)]))
    #expect(asksForMore([(3, 0, 1)]))
    #expect(asksForMore([(4, 0, 0.5)]))
  }

  @Test(
    .tags(.judges), .enabled(if: Judges.arePresent, Judges.absence),
    arguments: [true, false])
  func edits_of_fragmented_files_are_known_to_be_unapplied(isInFragments: Bool) throws {
    let folder = try TemporaryFolder()
    let path = folder.path("a.mp4")
    try Judges.ffmpeg(
      "-f lavfi -i anoisesrc=r=48000:d=2:seed=5 -c:a aac -movie_timescale 48000 "
        + (isInFragments
          ? "-movflags +frag_keyframe+empty_moov+delay_moov+default_base_moof " : "") + path)
    #expect(try !AssetReader(path).leavesEditsUndone(of: 0))
    let edited = try EditList.replaced(
      in: try folder.bytes("a.mp4"), by: [(9600, 1024, 1), (4800, -1, 1), (4800, 48_000, 1)])
    try folder.write(edited, "b.mp4")
    let reader = try AssetReader(folder.path("b.mp4"))
    #expect(reader.leavesEditsUndone(of: 0) == isInFragments)
    let count = try reader.allSamples().reduce(0) {
      $0 + ($1.sampleBuffer.audioBuffer?.frameCount ?? 0)
    }
    // If the list is not applied, no gap is cut out.
    #expect(isInFragments ? count >= 95_000 : count == 14_400)
  }
}
