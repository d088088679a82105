import AssetWriter
import Foundation
import MediaCore
import QuickTime
import TakeReports
import TestSupport
import Testing

@testable import RecorderControl
@testable import Takes

/// The event for a completed take.
@Suite(.timeLimit(.minutes(5))) struct FinishedTakeTests {
  /// If gaps stay open, markers and movie lengths are counted in slots.
  @Test func movies_with_gaps_report_their_length_in_slots() async throws {
    let folder = try TemporaryFolder()
    let rig = try await RecorderRig("pattern:bars?drop=0.3&seed=3", in: folder) { request in
      request.preset.video.fillsGaps = false
    }
    _ = try await rig.client.send(.start(TakeSlate(), nil))
    try await rig.waitForFrames(20)
    #expect(try await rig.client.send(.split).isDone)
    try await rig.waitForFrames(30)
    let marker = try #require(try await rig.client.send(.mark("late")).marker)
    try await rig.waitForFrames(40)
    let outcome = try await rig.end()
    let take = try #require(outcome.takes.first)
    let reported = RecorderEvent.FinishedTake(number: 1, take.report, take.outcome)
    let (slots, frames) = (try #require(reported.movieSlots), try #require(reported.movieFrames))
    #expect(slots.count == 2 && reported.movieStarts == nil)
    #expect(zip(slots, frames).allSatisfy { $0 >= $1 })
    #expect(slots.reduce(0, +) == Int64((reported.duration * 25).rounded()))
    #expect(slots.reduce(0, +) > frames.reduce(0, +), "\(slots) \(frames)")
    #expect(reported.markers?.map(\.frame) == [marker.frame])
    #expect((slots[0]..<slots[0] + slots[1]).contains(marker.frame), "\(slots) \(marker)")
    // The total size of the files.
    let sizes = try reported.movies.map {
      try FileManager.default.attributesOfItem(atPath: $0)[.size] as? Int64 ?? 0
    }
    #expect(reported.fileSize == sizes.reduce(0, +) && reported.fileSize != 0)
    #expect(reported.width == 640 && reported.height == 360)
    let audio = take.report.audio
    #expect(!audio.isEmpty && reported.audioChannels == audio.reduce(0) { $0 + $1.channelCount })
    #expect(reported.audioRate == audio.first?.sampleRate)

    // A movie's sidecar includes the marker of its last slot; there are more slots than frames.
    var report = take.report
    var last = marker
    last.frame = slots[0] + slots[1] - 1
    report.markers = [last]
    let narrowed = report.narrowed(to: report.segments[1])
    #expect(narrowed.markers?.map(\.frame) == [slots[1] - 1])

    // After a lost movie, the next one keeps its slot.
    report = take.report
    report.segments.removeFirst()
    let rest = RecorderEvent.FinishedTake(number: 1, report, take.outcome)
    #expect(rest.movieStarts == [slots[0]] && rest.movieSlots == [slots[1]])
    // After an interruption, the take continues after all slots, not after the number of frames.
    report = take.report
    report.continuations = [take.report]
    let series = RecorderEvent.FinishedTake(number: 1, report, take.outcome)
    let length = slots[0] + slots[1]
    #expect(series.markers?.map(\.frame) == [marker.frame, length + marker.frame])
    #expect(series.movieSlots == slots + slots && series.movieStarts == nil)
    #expect(series.movies.count == 4 && series.audioChannels == reported.audioChannels)
    #expect(series.message == "the source was lost once, and its frames from then are missing")
    report.continuations.append(take.report)
    let often = RecorderEvent.FinishedTake(number: 1, report, take.outcome)
    #expect(often.message?.hasPrefix("the source was lost 2 times") == true)
    // A lost copy.
    report = take.report
    #expect(reported.message == nil)
    report.segments[0].copies = [MovieFileCopy(path: "/b/a.mov", isWhole: false)]
    let single = RecorderEvent.FinishedTake(number: 1, report, report.outcome)
    #expect(single.message == "1 of 2 movies are in one place only: their copies were lost")
  }

  @Test func takes_from_earlier_recorder_versions_can_be_read() throws {
    let text = """
      {"number":1,"path":"/m/a.mov","outcome":"complete","movies":["/m/a.mov"],"frameCount":50,\
      "dropped":0,"repeated":0,"damaged":0,"duration":2,"movieFrames":[50],"later":[1]}
      """
    let take = try JSONDecoder().decode(RecorderEvent.FinishedTake.self, from: Data(text.utf8))
    #expect(take.movieFrames == [50] && take.movieSlots == nil && take.movieStarts == nil)
    #expect(take.width == nil && take.audioChannels == nil && take.audioRate == nil)
    var cut = take
    cut.movies = (0..<4).map { "/m/\($0).mov" }
    (cut.movieSlots, cut.movieStarts) = ([1, 2, 3, 4], [0, 1, 4, 7])
    cut.shorten(to: 250)
    #expect(cut.movies.count == 2 && cut.movieSlots == [1, 2] && cut.movieStarts == [0, 1])
  }
}
