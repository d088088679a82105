import AssetReader
import MediaCore
import QuickTime
import Testing

@testable import AssetWriter
@testable import MovieExport

/// An encode's note about captions that are missing from the movie.
@Suite struct LateCaptionTests {
  /// The note for captions of these frames, in their order of arrival.
  private func note(_ frames: [Int64]) throws -> ExportNote? {
    var queue = DataQueue(.captions)
    for frame in frames {
      try queue.append(
        CaptionSample(
          start: MediaTime(value: frame, timescale: 25), firstField: [65, 65], secondField: []))
    }
    return ExportFeed.lateCaptions(queue.account)
  }

  @Test func late_captions_are_reported_in_one_line() throws {
    #expect(try note([1, 2, 3]) == nil)
    let one = try note([1, 3, 2])
    #expect(one?.kind == .dropped && one?.subject == "captions")
    #expect(one?.message == "captions of 1 frame dropped: they arrived too late to be written")
    #expect(
      try note([4, 3, 2])?.message
        == "captions of 2 frames dropped: they arrived too late to be written")
  }

  /// The note for captions of these frames with a movie of ten frames.
  private func outsideNote(_ frames: [Int64]) throws -> ExportNote? {
    var queue = DataQueue(.captions)
    for frame in frames {
      try queue.append(
        CaptionSample(
          start: MediaTime(value: frame, timescale: 25), firstField: [65, 65], secondField: []))
    }
    let movies = [DataQueue.Movie(number: 1, start: .zero)]
    let end = MediaTime(value: 10, timescale: 25)
    while queue.next(before: nil, upTo: end, from: .zero, in: movies) != nil {}
    return ExportFeed.captionsOutside(queue.account)
  }

  @Test func captions_without_a_frame_are_reported_in_one_line() throws {
    #expect(try outsideNote([0, 9]) == nil)
    let one = try outsideNote([-1, 0, 9])
    #expect(one?.kind == .dropped && one?.subject == "captions")
    #expect(
      one?.message
        == "captions of 1 frame dropped: they are for times before the movie's first frame or after "
        + "its last one")
    #expect(
      try outsideNote([3, 10, 11])?.message.hasPrefix("captions of 2 frames dropped") == true)
  }

  @Test func captions_are_expected_from_the_codec_or_the_first_frame() {
    var captioned = FrameSideData()
    captioned.captions = FrameSideData.LineCaptions()
    for codec in ["h264", "hevc", "mpeg2video"] {
      #expect(ExportPlan.mayHaveCaptions(codec, FrameSideData()))
    }
    for codec in ["prores", "rawvideo", "v210", "png"] {
      #expect(!ExportPlan.mayHaveCaptions(codec, FrameSideData()))
      #expect(ExportPlan.mayHaveCaptions(codec, captioned))
    }
  }
}
