import Foundation
import MediaCore
import RecorderControl
import TestSupport
import Testing

@testable import RecorderService

/// Takes with open gaps have fewer frames than slots; markers and images are counted in slots.
struct TakeTimelineTests {
  /// A take at 30000/1001 fps, as reported by a recorder.
  private func take(
    movies: [String], _ more: String, frames: Int64 = 121, duration: Double = 5.5388666666666664
  ) throws -> RecorderEvent.FinishedTake {
    let names = movies.map { "\"/m/\($0)\"" }.joined(separator: ",")
    let text = """
      {"number":1,"path":"/m/\(movies[0])","outcome":"imperfect","movies":[\(names)],\
      "frameCount":\(frames),"dropped":45,"repeated":0,"damaged":0,"duration":\(duration),\
      "frameRate":"30000/1001","startTimecode":"00:00:00;00"\(more)}
      """
    return try JSONDecoder().decode(RecorderEvent.FinishedTake.self, from: Data(text.utf8))
  }

  private func markers(at frames: Int64...) -> String {
    let list = frames.map { #"{"frame":\#($0),"seconds":0,"note":"m\#($0)"}"# }
    return ",\"markers\":[\(list.joined(separator: ","))]"
  }

  /// The clips of a take: each clip's attributes, and the slots and notes of its markers.
  private func clips(
    _ take: RecorderEvent.FinishedTake
  ) -> [(tag: String, markers: [String])] {
    TakeMarkers(take).text(as: .fcpxml).components(separatedBy: "<asset-clip").dropFirst().map {
      let clip = $0.components(separatedBy: "</asset-clip>")[0]
      let markers = clip.matches(of: /<marker start="([0-9]+)\/30000s".* value="(.*)"\/>/)
      return (
        String(clip.prefix { $0 != ">" }), markers.map { "\((Int($0.1) ?? 0) / 1001) \($0.2)" }
      )
    }
  }

  /// Without `movieSlots`, as sent by recorders of an earlier version, the length of the only movie is still
  /// known.
  @Test(arguments: [#","movieSlots":[166]"#, ""])
  func a_marker_after_gaps_is_within_the_clip(slots: String) throws {
    let take = try take(
      movies: ["a.mov"], #","movieFrames":[121]"# + slots + markers(at: 10, 151))
    let clips = clips(take)
    #expect(clips.count == 1 && clips[0].markers == ["10 m10", "151 m151"], "\(clips)")
    #expect(clips[0].tag.contains("duration=\"\(166 * 1001)/30000s\""), "\(clips)")
    let record = TakeRecord(take, of: nil)
    #expect(record.timeline.slotCount == 166)
    #expect(record.movie(ofFrame: 151)?.path == "/m/a.mov" && record.movie(ofFrame: 166) == nil)
    #expect(TakeImages.frame(ofStrip: TakeImages.stripCount - 1, of: record) == 165)
    let document = JSONText.string(TakeRecord.Document(record: record))
    #expect(document.contains("\"slotCount\":166"), "\(document)")
  }

  @Test func markers_of_a_split_take_are_in_the_movie_with_their_slot() throws {
    let take = try take(
      movies: ["a.mov", "a-002.mov"],
      #","movieFrames":[130,60],"movieSlots":[182,80]"# + markers(at: 157, 181, 182, 221, 400),
      frames: 190)
    let clips = clips(take)
    #expect(
      clips.map(\.markers) == [["157 m157", "181 m181"], ["182 m182", "221 m221", "261 m400"]])
    #expect(clips.last?.tag.contains("offset=\"\(182 * 1001)/30000s\"") == true, "\(clips)")
    let record = TakeRecord(take, of: nil)
    #expect(record.movie(ofFrame: 181)?.path == "/m/a.mov")
    #expect(record.movie(ofFrame: 182)?.path == "/m/a-002.mov")
    #expect(record.movie(ofFrame: 261)?.path == "/m/a-002.mov" && record.movie(ofFrame: 262) == nil)
    // The middle of its slot, whatever the movie's time scale.
    let time = try #require(record.movie(ofFrame: 184)?.time)
    #expect((time.seconds - 2.5 * 1001 / 30000).magnitude < 1e-5)
  }

  /// A file between two others was lost; the slots after it keep their numbers.
  @Test func markers_in_a_lost_file_move_to_the_preceding_frame() throws {
    let take = try take(
      movies: ["a.mov", "a-003.mov"],
      #","movieSlots":[50,50],"movieStarts":[0,100],"movieFrames":[50,50]"#
        + markers(at: 49, 70, 100, 149), frames: 100)
    #expect(clips(take).map(\.markers) == [["49 m49", "49 m70"], ["100 m100", "149 m149"]])
    let timeline = TakeTimeline(take)
    #expect(timeline.slotCount == 150)
    #expect(timeline.place(of: 99) == .init(movie: 0, slot: 49))
    #expect(timeline.place(of: 100) == .init(movie: 1, slot: 0))
    #expect(timeline.place(of: 150) == nil && timeline.place(of: -1) == nil)
  }

  @Test func every_slot_of_random_movies_is_found_in_its_movie() throws {
    var random = SeededGenerator(seed: 7)
    for _ in 0..<50 {
      let lengths = (0..<Int.random(in: 1...6, using: &random)).map { _ in
        Int64.random(in: 0...9, using: &random)
      }
      let take = try take(
        movies: lengths.indices.map { "\($0).mov" },
        ",\"movieSlots\":[\(lengths.map(String.init).joined(separator: ","))]")
      let timeline = TakeTimeline(take)
      let expected = lengths.enumerated().flatMap { movie, length in
        (0..<length).map { TakeTimeline.Place(movie: movie, slot: $0) }
      }
      #expect(timeline.slotCount == Int64(expected.count))
      #expect((0..<timeline.slotCount).map { timeline.place(of: $0) } == expected, "\(lengths)")
      #expect(timeline.nearestPlace(to: .max) == expected.last)
      #expect(timeline.nearestPlace(to: .min) == expected.first)
    }
  }

  @Test func absurd_slot_numbers_are_harmless() throws {
    let take = try take(
      movies: ["a.mov", "b.mov"],
      ",\"movieSlots\":[\(Int64.max),\(Int64.max)],\"movieStarts\":[\(Int64.min),\(Int64.max)]"
        + markers(at: .max))
    #expect(clips(take).count == 2)
    let record = TakeRecord(take, of: nil)
    #expect(TakeImages.frame(ofStrip: 9, of: record) == record.timeline.slotCount - 1)
    let negative = try self.take(movies: ["a.mov"], #","movieSlots":[-5]"#)
    #expect(TakeTimeline(negative).slotCount == 0 && TakeTimeline(negative).place(of: 0) == nil)
  }

  @Test func assets_have_their_audio_and_the_format_its_size() throws {
    let text = TakeMarkers(
      try take(
        movies: ["a.mov", "b.mov"],
        #","movieSlots":[100,66],"width":1920,"height":1080,"audioChannels":2,"audioRate":48000"#)
    ).text(as: .fcpxml)
    let audio = #"hasAudio="1" audioSources="1" audioChannels="2" audioRate="48000""#
    #expect(text.components(separatedBy: audio).count == 3, "\(text)")
    #expect(
      text.contains(#"<format id="r1" frameDuration="1001/30000s" width="1920" height="1080"/>"#))
    let silent = TakeMarkers(try take(movies: ["a.mov"], "")).text(as: .fcpxml)
    #expect(!silent.contains("audio") && !silent.contains("hasAudio") && !silent.contains("width"))
  }

  /// A movie recorded with gaps, cut every 23 slots: in a gap, the previous frame stays visible.
  @Test func gaps_show_the_preceding_frame() async throws {
    let folder = try TemporaryFolder()
    let run = try Command.run(
      ServeProcess.programs.appending(path: "recordctl").path,
      [
        "record", "--device", "pattern:bars?pace=none&drop=0.3&seed=3", "--size", "640x360",
        "--rate", "29.97", "--codec", "proxy", "--variable", "--audio", "none", "--duration", "50f",
        "--segment", "23f", "-o", folder.path("g.mov"), "--json",
      ],
      environment: ProcessInfo.processInfo.environment.merging(
        ["XDG_CONFIG_HOME": "/nonexistent"]) { $1 })
    let report = try #require(
      try JSONSerialization.jsonObject(with: run.data) as? [String: Any], "\(run.errors)")
    let incidents = try #require(report["incidents"] as? [[String: Any]])
    let dropped = Set(
      incidents.filter { $0["kind"] as? String == "dropped" }.flatMap { incident in
        let frame = incident["frame"] as? Int ?? 0
        return frame..<(frame + (incident["count"] as? Int ?? 0))
      })
    try #require(dropped.count > 5 && !dropped.contains(0))
    var reported = try take(
      movies: ["g-001.mov", "g-002.mov", "g-003.mov"], #","movieSlots":[23,23,4]"#,
      frames: Int64(50 - dropped.count), duration: 50 * 1001 / 30000)
    reported.movies = reported.movies.map { folder.path(String($0.dropFirst(3))) }
    let (record, frames) = (TakeRecord(reported, of: nil), TakeImages())
    var before: [UInt8] = []
    for slot in 0..<50 {
      let image = try await frames.frame(Int64(slot), of: record, side: 320)
      #expect((image == before) == dropped.contains(slot), "\(slot)")
      before = image
    }
  }
}
