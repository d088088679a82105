import Foundation
import MediaCore
import TestSupport
import Testing

@testable import AssetReader
@testable import EncodeJobs
@testable import MovieExport

/// Sources whose tracks, video or audio change midway.
@Suite(.tags(.judges), .enabled(if: Judges.arePresent, Judges.absence)) struct ChangingSourceTests {
  private let folder: TemporaryFolder
  private var rig: PartsRig { PartsRig(folder: folder) }

  init() throws { folder = try TemporaryFolder() }

  /// A stream of pieces, each with its FFmpeg arguments, that begin at successive whole seconds.
  private func stream(_ pieces: [(seconds: Int, arguments: String)]) throws -> String {
    var bytes: [UInt8] = []
    var offset = 0
    for (seconds, arguments) in pieces {
      let name = "\(offset).ts"
      try Judges.ffmpeg("\(arguments) -output_ts_offset \(offset) \(folder.path(name))")
      bytes += try folder.bytes(name)
      offset += seconds
    }
    try folder.write(bytes, "joined.ts")
    return folder.path("joined.ts")
  }

  /// Video, and audio from any number of lavfi sources.
  private func media(
    _ seconds: Int = 1, size: String = "192x128", format: String = "yuv420p",
    audio: [String] = [], codec: String = "mp2"
  ) -> (Int, String) {
    let inputs = ["testsrc2=s=\(size):r=25:d=\(seconds)"] + audio.map { "\($0):d=\(seconds)" }
    return (
      seconds,
      inputs.map { "-f lavfi -i \($0)" }.joined(separator: " ")
        + inputs.indices.map { " -map \($0)" }.joined()
        + " -pix_fmt \(format) -c:v libx264 -preset ultrafast -bf 0 -g 10 -c:a \(codec)"
    )
  }

  /// The message of an encode that fails.
  private func failure(
    _ input: String, editing edit: (inout AssetExportSession) -> Void = { _ in }
  ) async throws -> String {
    let error = await #expect(throws: AssetReaderError.self) {
      _ = try await rig.encode(input, editing: edit)
    }
    return error?.message ?? ""
  }

  @Test func late_audio_is_reported_with_and_without_parts() async throws {
    let input = try stream([
      media(8, audio: ["sine=440"]), media(2, audio: ["sine=440", "sine=880"]),
    ])
    let words = "audio track 2 (mp2) begins at "
    let whole = try await rig.encode(input)
    let note = try #require(whole.notes.first { $0.subject == "late track" })
    #expect(note.kind == .dropped && note.message.hasPrefix(words), "\(note)")
    #expect(whole.wasRepaired)
    #expect(!whole.notes.contains { $0.subject == "track" }, "\(whole.notes)")
    let silent = try await rig.encode(input) { $0.edit.audio = .none }
    #expect(!silent.notes.contains { $0.subject == "late track" }, "\(silent.notes)")
    let joined = try await rig.complete(try rig.plan(input, "job", parts: 2, restart: 25))
    let notes = joined.notes.filter { $0.subject == "late track" }
    #expect(notes.count == 1 && notes[0].message.hasPrefix(words), "\(joined.notes)")
    #expect(joined.wasRepaired)
  }

  @Test func late_tracks_without_wanted_media_lose_no_media() {
    var late = LateTracks()
    let tracks = [
      AssetLateTrack(id: 2, kind: "data", codecName: nil, startTime: .zero),
      AssetLateTrack(id: 3, kind: "audio", codecName: "aac", startTime: .zero),
    ]
    late.take(Array(tracks.prefix(1)), audio: .all) { $0.startTime }
    #expect(late.notes.count == 1 && !LateTracks.lackMedia(late.notes))
    late.take(tracks, audio: .none) { $0.startTime }
    #expect(late.notes.count == 1)
    var wanted = LateTracks()
    for _ in 0..<2 { wanted.take(tracks, audio: .all) { $0.startTime } }
    #expect(wanted.notes.count == 2 && LateTracks.lackMedia(wanted.notes))
    // Its number counts tracks of the same kind.
    #expect(wanted.notes[1].message.hasPrefix("audio track 1 (aac) begins"))
    #expect(LateTracks.notes(among: wanted.notes) == wanted.notes)
    // A clock that restarts does not give the position.
    let last = MediaTime(value: 60, timescale: 1)
    #expect(LateTracks.place(.zero, near: last) == last)
    #expect(LateTracks.place(MediaTime(value: 61, timescale: 1), near: last).seconds == 61)
  }

  @Test func a_change_of_size_or_layout_is_refused_with_its_time_at_any_speed() async throws {
    let changes = [
      (media(format: "yuv422p"), "change from the layout yuv420p to yuv422p at "),
      (media(size: "320x192"), "change from 192x128 to 320x192 pixels at "),
    ]
    for (later, words) in changes {
      let input = try stream([media(), later])
      for rate in [nil, FrameRate.fps50] {
        let message = try await failure(input) { $0.edit.conformRate = rate }
        #expect(message.contains(words), "\(message)")
      }
    }
  }

  @Test func frames_of_another_size_are_scaled_to_the_chosen_size() async throws {
    let input = try stream([media(), media(size: "320x192")])
    let outcome = try await rig.encode(input) {
      $0.edit.processing.scaling = .init(VideoDimensions(width: 96, height: 64))
    }
    let note = try #require(outcome.notes.first { $0.subject == "size" })
    #expect(
      note.kind == .changed && note.message.contains("size changes to 320x192 at "), "\(note)")
    let movie = try #require(try AssetReader(folder.path("whole.mov")).videoTrack)
    #expect(movie.video?.dimensions == VideoDimensions(width: 96, height: 64))
    #expect(movie.sampleCount == 50)
  }

  @Test func a_change_of_channel_count_is_refused_with_time_and_track() async throws {
    let input = try stream(
      ["stereo", "5.1"].map { media(audio: ["anullsrc=r=48000:cl=\($0)"], codec: "ac3") })
    let message = try await failure(input)
    #expect(
      message.contains("the samples of audio track 1 at ")
        && message.contains("channels at 48000 Hz, and elsewhere "), "\(message)")
    _ = try await rig.encode(input) { $0.edit.audio = .none }
  }

  @Test func a_change_of_channel_layout_within_the_range_is_reported() async throws {
    let input = try stream(
      ["4.0", "quad"].map { media(audio: ["anullsrc=r=48000:cl=\($0)"], codec: "ac3") })
    let words = "audio track 1: the layout of the channels changes from 4.0 to quad(side) at "
    func reported(_ edit: (inout AssetExportSession) -> Void = { _ in }) async throws -> [String] {
      let outcome = try await rig.encode(input, editing: edit)
      return outcome.notes.map(\.message).filter { $0.hasPrefix(words) }
    }
    let notes = try await reported()
    #expect(notes.count == 1 && notes[0].contains(" s; the movie names them as before"))
    #expect(try await reported { $0.edit.end = ExportPoint("10f") }.isEmpty)
    // The selected range has the new layout from its beginning.
    let rest = try await reported { $0.edit.start = ExportPoint("40f") }
    #expect(rest.count == 1 && rest[0].contains(" at 0 s;"), "\(rest)")
  }

  @Test func alpha_that_only_later_frames_have_is_reported() async throws {
    for (first, format) in [(1, "rgb24"), (4, "rgba")] {
      try Judges.ffmpeg(
        "-f lavfi -i testsrc2=s=64x48:r=25:d=0.12 -start_number \(first) -pix_fmt \(format) "
          + folder.path("picture_%02d.png"))
    }
    let outcome = try await rig.encode(folder.path("picture_%02d.png?rate=25"))
    #expect(outcome.notes.map(\.message).contains("alpha channel dropped"), "\(outcome.notes)")
  }
}
