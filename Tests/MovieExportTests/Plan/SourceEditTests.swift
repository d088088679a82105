import AssetReader
import AssetWriter
import Foundation
import MediaCore
import QuickTime
import TestSupport
import Testing

@testable import MovieExport

/// A source's edit lists, and what it states about its alpha and its orientation.
@Suite(.tags(.judges), .enabled(if: Judges.arePresent, Judges.absence)) struct SourceEditTests {
  private let folder: TemporaryFolder
  private var rig: ExportRig { ExportRig(folder: folder) }

  init() throws { folder = try TemporaryFolder() }

  /// A movie of fifty frames whose video edits are replaced.
  private func movie(
    _ name: String, _ edits: [(frames: Int, first: Int, rate: Int)],
    codec: String = "-pix_fmt yuv422p10le -c:v v210"
  ) throws -> String {
    try Judges.ffmpeg(
      "-f lavfi -i testsrc2=s=64x64:r=25:d=2 \(codec) "
        + "-video_track_timescale 25 -movie_timescale 25 \(folder.path("plain.mov"))")
    let edits = edits.map { (length: $0.frames, first: $0.first, rate: $0.rate) }
    let bytes = try EditList.replaced(in: folder.bytes("plain.mov"), by: edits)
    return try folder.write(bytes, name).path
  }

  /// Half a second of audio whose samples count from 1000, with edits in samples.
  private func audio(_ name: String, _ edits: [(length: Int, first: Int)]) throws -> String {
    try Judges.ffmpeg(
      "-f lavfi -i testsrc2=s=64x64:r=25:d=0.4 -f lavfi -i aevalsrc=(1000+n)/32768:s=48000:d=0.5 "
        + "-c:v mpeg4 -bf 0 -c:a pcm_s16le -movie_timescale 48000 \(folder.path("plain.mov"))")
    let edits = edits.map { (length: $0.length, first: $0.first, rate: 1) }
    let bytes = try EditList.replaced(in: folder.bytes("plain.mov"), by: edits)
    return try folder.write(bytes, name).path
  }

  @Test func audio_edits_are_sample_accurate_in_the_movie() async throws {
    let edits = [(4801, 3001), (2400, -1), (3333, 9000), (2000, 77)]
    let input = try audio("sound.mov", edits.map { (length: $0.0, first: $0.1) })
    let result = try await rig.encode(input)
    #expect(
      result.notes.filter { $0.subject == "edit list" }.map(\.message) == [
        "audio track 1 shows nothing for 0.05 s at 0.1 s: silence"
      ])
    let bytes = try Judges.ffmpeg("-i \(folder.path("whole.mov")) -map 0:a -f s16le -")
    let samples = stride(from: 0, to: bytes.count - 1, by: 2).map {
      Int(Int16(truncatingIfNeeded: Int(bytes[$0]) | Int(bytes[$0 + 1]) << 8))
    }
    let expected = edits.flatMap { length, first in
      (0..<length).map { first < 0 ? 0 : 1000 + first + $0 }
    }
    let isSame = Array(samples.prefix(expected.count)) == expected
    #expect(isSame && samples.dropFirst(expected.count).allSatisfy { $0 == 0 })
  }

  @Test func a_gap_in_an_edit_list_repeats_the_frame_before_and_is_reported() async throws {
    let input = try movie("gap.mov", [(10, 0, 1), (10, -1, 1), (10, 20, 1)])
    let whole = try await rig.encode(input)
    let words = "video track 1 shows nothing for 0.4 s at 0.4 s: the frame before is repeated"
    #expect(whole.notes.map(\.message).contains(words), "\(whole.notes)")
    #expect(whole.report.video.first?.framesWritten == 30)
    let reader = try AssetReader(input)
    var times: [Double] = []
    while let sample = try reader.nextSample() {
      times.append(sample.sampleBuffer.presentationTimeStamp.seconds)
    }
    #expect(times.count == 20 && !times.contains { (0.39..<0.79).contains($0) }, "\(times)")
  }

  /// Edits that begin and end within groups of reordered frames. The media's first frame is two frames after its
  /// zero.
  @Test(arguments: [
    ([(10, 15, 1), (5, -1, 1), (10, 32, 1)], Array(0..<10) + Array(15..<25)),
    ([(10, 5, 1), (10, 15, 1), (5, 15, 1)], Array(0..<25)),
    ([(27, 2, 1), (10, 29, 1)], Array(0..<37)),
    ([(3, -1, 1), (7, 33, 1), (7, 12, 1), (7, 40, 1)], Array(3..<24)),
  ]) func edits_keep_their_places_among_reordered_frames(
    edits: [(Int, Int, Int)], shown: [Int]
  ) async throws {
    let input = try movie(
      "parts.mov", edits.map { (frames: $0.0, first: $0.1, rate: $0.2) },
      codec: "-pix_fmt yuv420p -c:v libx264 -bf 3 -g 25")
    let reader = try AssetReader(input)
    var times: [Int] = []
    while let sample = try reader.nextSample() {
      times.append(Int((sample.sampleBuffer.presentationTimeStamp.seconds * 25).rounded()))
    }
    #expect(times == shown)
    let result = try await rig.encode(input)
    let length = (shown.last ?? 0) - (shown.first ?? 0) + 1
    #expect(result.report.video.first?.framesWritten == length)
    #expect(result.notes.allSatisfy { $0.kind != .repaired }, "\(result.notes)")
  }

  @Test func timecode_starts_at_the_first_frame_of_the_edit_list() throws {
    let input = folder.path("timecode.mov")
    try Judges.ffmpeg(
      "-f lavfi -i testsrc2=s=64x64:r=25:d=2 -pix_fmt yuv422p10le -c:v v210 -timecode 10:00:00:00 "
        + "-video_track_timescale 25 -movie_timescale 25 \(input)")
    #expect(try AssetReader(input).videoTrack?.timecode?.description == "10:00:00:00")
    var bytes = try folder.bytes("timecode.mov")
    let name = Array("elst".utf8)
    let lists = bytes.indices.filter { bytes[$0...].starts(with: name) }
    try #require(lists.count == 2)
    // After version, flags and count: one second from frame 20 on, for both tracks.
    for place in lists {
      bytes.replaceSubrange(place + 12..<place + 20, with: [0, 0, 0, 25, 0, 0, 0, 20])
    }
    try folder.write(bytes, "timecode.mov")
    #expect(try AssetReader(input).videoTrack?.timecode?.description == "10:00:00:20")
  }

  @Test func timecode_jumps_are_reported() async throws {
    let input = folder.path("timecode.mov")
    try Judges.ffmpeg(
      "-f lavfi -i testsrc2=s=64x64:r=25:d=1 -pix_fmt yuv422p10le -c:v v210 -timecode 10:00:00:00 "
        + "-video_track_timescale 25 -movie_timescale 25 \(input)")
    func reported(_ edits: [EditList.Entry]) async throws -> [String] {
      // The timecode track is the last one.
      let bytes = try EditList.replaced(in: folder.bytes("timecode.mov"), by: edits)
      try folder.write(bytes, "edited.mov")
      let result = try await rig.encode(folder.path("edited.mov"))
      return result.notes.filter { $0.subject == "timecode" }.map(\.message)
    }
    #expect(try await reported([(length: 10, first: 0, rate: 1), (15, 10, 1)]).isEmpty)
    #expect(
      try await reported([(length: 10, first: 5, rate: 1), (10, 2, 1), (5, 20, 1)]) == [
        "the source's timecode jumps at 0.4 s, the first of 2 such places: the movie's counts without jumps from its first frame"
      ])
    let movie = try AssetReader(folder.path("whole.mov"))
    #expect(movie.videoTrack?.timecode?.description == "10:00:00:05")
  }

  @Test func a_cover_image_before_the_tracks_shifts_no_edit_list() throws {
    // Audio has an edit for its encoder delay; video without reordering has none.
    try Judges.ffmpeg(
      "-f lavfi -i testsrc2=s=64x64:r=25:d=0.4 -f lavfi -i sine=d=0.4 "
        + "-f lavfi -i testsrc2=s=32x32:d=0.04 -map 0 -map 1 -map 2 -c:v:0 libx264 -bf 0 "
        + "-pix_fmt yuv420p -c:a aac -c:v:1 mjpeg -frames:v:1 1 -disposition:v:1 attached_pic "
        + folder.path("cover.m4v"))
    let bytes = try folder.bytes("cover.m4v")
    func size(_ place: Int) -> Int { bytes[place..<place + 4].reduce(0) { $0 << 8 | Int($1) } }
    func place(_ name: String) throws -> Int {
      let code = Array(name.utf8)
      return try #require(bytes.indices.last { bytes[$0...].starts(with: code) }) - 4
    }
    // The index follows the media and begins with its header.
    let (data, header) = (try place("udta"), try place("mvhd"))
    let tracks = header + size(header)
    let moved =
      bytes[..<tracks] + bytes[data..<data + size(data)] + bytes[tracks..<data]
      + bytes[(data + size(data))...]
    for (name, content) in [("cover.m4v", bytes), ("first.m4v", Array(moved))] {
      let reader = try AssetReader(folder.write(content, name).path)
      let times = reader.tracks.map { reader.edits(of: $0.id).map(\.mediaTime) }
      #expect(reader.tracks.map(\.mediaType) == [.video, .audio])
      #expect(reader.tracks.map(\.movieTrackNumber) == [1, 2])
      #expect(times == [[0], [1024]], "\(name)")
    }
  }

  @Test(arguments: [0, 2]) func a_rate_change_in_an_edit_list_is_reported(rate: Int) async throws {
    let notes = try await rig.encode(movie("rate.mov", [(10, 0, 1), (10, 10, rate)])).notes
    let words = "video track 1 plays at \(rate) times its rate at 0.4 s"
    #expect(notes.contains { $0.message.hasPrefix(words) }, "\(notes)")
    #expect(
      try await rig.encode(movie("once.mov", [(20, 5, 1)])).notes.allSatisfy {
        $0.subject != "edit list"
      })
  }

  @Test func orientation_within_the_video_stream_is_reported() async throws {
    let words = "orientation of the frames dropped"
    for (name, turn) in [("none.h264", ""), ("turned.h264", ":rotate=90")] {
      try Judges.ffmpeg(
        "-f lavfi -i testsrc2=s=64x64:r=25:d=0.2 -pix_fmt yuv420p -c:v libx264 \(folder.path("plain.h264"))"
      )
      try Judges.ffmpeg(
        "-i \(folder.path("plain.h264")) -c copy -bsf:v "
          + "h264_metadata=display_orientation=\(turn.isEmpty ? "remove" : "insert")\(turn) "
          + folder.path(name))
      let notes = try await rig.encode(folder.path(name)).notes.map(\.message)
      #expect(notes.contains(words) == !turn.isEmpty, "\(name): \(notes)")
    }
  }

  @Test func premultiplied_alpha_of_a_movie_is_reported() async throws {
    let input = folder.path("alpha.mov")
    try Judges.ffmpeg(
      "-f lavfi -i testsrc2=s=64x64:r=25:d=0.2 -pix_fmt rgba -c:v png \(input)")
    func reported() async throws -> [String] {
      try await rig.encode(input) { $0.codec = nil }.notes.filter { $0.subject == "alpha" }
        .map(\.message)
    }
    #expect(try await reported().isEmpty)
    var bytes = try folder.bytes("alpha.mov")
    let code = Array("vmhd".utf8)
    let place = try #require(bytes.indices.last { bytes[$0...].starts(with: code) })
    // After version and flags: premultiplied over black.
    bytes.replaceSubrange(place + 8..<place + 10, with: [1, 2])
    try folder.write(bytes, "alpha.mov")
    let words = try await reported()
    #expect(
      words.count == 1 && words[0].hasPrefix("the source's colors are multiplied by its alpha"),
      "\(words)")
  }
}
