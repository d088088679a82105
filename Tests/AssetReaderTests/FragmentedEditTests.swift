import MediaCore
import QuickTime
import TestSupport
import Testing

@testable import AssetReader

/// Edit lists of fragmented files, of which libavformat applies only the start.
@Suite struct FragmentedEditTests {
  /// Makes ffmpeg write fragments, with an edit list.
  static let flags =
    "-movflags +frag_keyframe+empty_moov+delay_moov+default_base_moof+negative_cts_offsets"

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
  func edits_that_step_back_are_known_to_be_unapplied(isInFragments: Bool) throws {
    let folder = try TemporaryFolder()
    let path = folder.path("a.mp4")
    try Judges.ffmpeg(
      "-f lavfi -i anoisesrc=r=48000:d=2:seed=5 -c:a aac -movie_timescale 48000 "
        + (isInFragments ? "\(Self.flags) " : "") + path)
    #expect(try !AssetReader(path).leavesEditsUndone(of: 0))
    let edited = try EditList.replaced(
      in: try folder.bytes("a.mp4"), by: [(9600, 48_000, 1), (4800, -1, 1), (4800, 1024, 1)])
    try folder.write(edited, "b.mp4")
    let reader = try AssetReader(folder.path("b.mp4"))
    #expect(reader.leavesEditsUndone(of: 0) == isInFragments)
    #expect(reader.restAfterEdits(of: 0) == .zero)
  }

  /// Frames of 40 ms. Each edit is in frames: its length and its first frame, -1 for a gap; then
  /// the frames and the places at which they are shown.
  private static let cuts: [(edits: [[Int]], frames: [Int], places: [Int])] = [
    ([[10, 15]], Array(15..<25), Array(0..<10)),
    (
      [[3, -1], [5, 0], [2, -1], [4, 31]], [0, 1, 2, 3, 4, 31, 32, 33, 34],
      [3, 4, 5, 6, 7, 10, 11, 12, 13]
    ),
    ([[0, 47]], [47, 48, 49], [0, 1, 2]),
  ]

  @Test(
    .tags(.judges), .enabled(if: Judges.arePresent, Judges.absence), arguments: cuts.indices,
    ["-bf 0", "-bf 2"])
  func frames_are_shown_as_the_list_says(_ number: Int, frames: String) throws {
    let (folder, cut) = (try TemporaryFolder(), Self.cuts[number])
    try Judges.ffmpeg(
      "-f lavfi -i testsrc2=s=64x48:r=25:d=2 -c:v libx264 -g 10 \(frames) -pix_fmt yuv420p "
        + "-movie_timescale 25 -video_track_timescale 12800 \(Self.flags) "
        + folder.path("a.mp4"))
    let whole = try AssetReader(folder.path("a.mp4")).allSamples()
    // Frames whose offsets from their decode times are negative begin at 0 all the same.
    #expect(
      whole.map(\.sampleBuffer.presentationTimeStamp.seconds) == (0..<50).map { Double($0) / 25 })
    try folder.write(
      EditList.replaced(
        in: try folder.bytes("a.mp4"),
        by: cut.edits.map { (length: $0[0], first: $0[1] < 0 ? -1 : $0[1] * 512, rate: 1) }),
      "b.mp4")
    let reader = try AssetReader(folder.path("b.mp4"))
    #expect(!reader.leavesEditsUndone(of: 0))
    #expect(reader.tracks[0].startTime == MediaTime(value: Int64(cut.places[0]), timescale: 25))
    let shown = try reader.allSamples()
    #expect(
      shown.map { $0.sampleBuffer.presentationTimeStamp.converted(toTimescale: 25).value }
        == cut.places.map(Int64.init))
    let bytes = whole.map { $0.sampleBuffer.imageBuffer?.tightBytes }
    #expect(shown.map { $0.sampleBuffer.imageBuffer?.tightBytes } == cut.frames.map { bytes[$0] })
  }

  @Test(.tags(.judges), .enabled(if: Judges.arePresent, Judges.absence))
  func a_frame_in_which_an_edit_begins_is_shown_from_there() throws {
    let folder = try TemporaryFolder()
    try Judges.ffmpeg(
      "-f lavfi -i testsrc2=s=64x48:r=25:d=1 -c:v libx264 -g 10 -movie_timescale 12800 "
        + "-video_track_timescale 12800 \(Self.flags) " + folder.path("a.mp4"))
    // From a quarter, and from three quarters, of frame 5.
    for (first, times) in [(2688, [0, 384, 896]), (2944, [0, 640, 1152])] {
      try folder.write(
        EditList.replaced(in: try folder.bytes("a.mp4"), by: [(1408, first, 1)]), "b.mp4")
      let shown = try AssetReader(folder.path("b.mp4")).allSamples()
      #expect(
        shown.map { $0.sampleBuffer.presentationTimeStamp.converted(toTimescale: 12800).value }
          == times.map(Int64.init))
    }
  }
}
