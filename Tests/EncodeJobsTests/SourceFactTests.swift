import AssetReader
import AssetWriter
import Foundation
import MediaCore
import TestSupport
import Testing

@testable import EncodeJobs
@testable import MovieExport

/// What a source contains besides video and audio, converted in one piece and in parts.
@Suite(.tags(.judges), .enabled(if: Judges.arePresent, Judges.absence)) struct SourceFactTests {
  private let folder: TemporaryFolder
  private var rig: PartsRig { PartsRig(folder: folder) }

  init() throws { folder = try TemporaryFolder() }

  @Test func audio_of_another_program_is_dropped_unless_chosen() async throws {
    let input = folder.path("programs.ts")
    try Judges.ffmpeg(
      "-f lavfi -i testsrc2=s=192x128:r=25:d=1 -f lavfi -i sine=440:d=1 "
        + "-f lavfi -i testsrc2=s=320x192:r=25:d=1 -f lavfi -i sine=880:d=1 "
        + "-map 0 -map 1 -map 2 -map 3 -c:v mpeg2video -c:a mp2 -program st=0:st=1 "
        + "-program st=2:st=3 \(input)")
    let words =
      "audio track 1 of the source (mp2) dropped: it belongs to program 1, the video to program 2; "
      + "choose audio tracks by number to keep it"
    let whole = try await rig.encode(input)
    #expect(whole.report.audio.count == 1)
    #expect(whole.notes.map(\.message).contains(words), "\(whole.notes)")
    let reader = try AssetReader(folder.path("whole.mov"))
    #expect(reader.videoTrack?.video?.dimensions == VideoDimensions(width: 320, height: 192))
    let chosen = try await rig.encode(input) { $0.edit.audio = AudioSelection("1,2") ?? .all }
    #expect(chosen.report.audio.count == 2)
    #expect(!chosen.notes.map(\.message).contains(words))
    let joined = try await rig.complete(try rig.plan(input, "job", parts: 1))
    #expect(joined.notes.map(\.message).contains(words), "\(joined.notes)")
  }

  @Test(arguments: ["24c:s=48000", "stereo:s=384000"])
  func audio_that_fits_no_track_is_refused_with_alternatives(form: String) async throws {
    let input = folder.path("sound.mkv")
    try Judges.ffmpeg(
      "-f lavfi -i testsrc2=s=64x64:r=25:d=0.2 -f lavfi -i aevalsrc=0:d=0.2:c=\(form) "
        + "-c:v ffv1 -c:a pcm_s16le \(input)")
    let error = await #expect(throws: AssetReaderError.self) { try await rig.encode(input) }
    #expect(
      error?.message.hasSuffix("choose audio tracks, or channels of them, by number, or none")
        == true, "\(error?.message ?? "")")
    #expect(try await rig.encode(input) { $0.edit.audio = .none }.report.audio.isEmpty)
  }

  @Test func latin_1_tags_keep_their_letters_and_are_reported() async throws {
    let input = folder.path("latin.avi")
    try Judges.ffmpeg(
      "-f lavfi -i testsrc2=s=64x64:r=25:d=0.2 -c:v ffv1 -metadata title=cafXY "
        + folder.path("tags.avi"))
    var bytes = try folder.bytes("tags.avi")
    let ascii = Array("cafXY".utf8)
    let place = try #require(
      bytes.indices.first { bytes[$0...].starts(with: ascii) })
    bytes.replaceSubrange(place..<place + ascii.count, with: ascii.prefix(3) + [0xE9, 0x21])
    try folder.write(bytes, "latin.avi")
    let reader = try AssetReader(input)
    #expect(reader.metadata["title"] == "caf\u{E9}!" && reader.contents.latinTags == ["title"])
    let notes = try await rig.encode(input).notes.map(\.message)
    #expect(notes.contains("tags that are not UTF-8 read as Latin-1: title"), "\(notes)")
    let movie = try AssetReader(folder.path("whole.mov"))
    #expect(movie.metadata["com.apple.quicktime.title"] == "caf\u{E9}!")
    #expect(movie.contents.latinTags.isEmpty)
  }

  @Test func chapters_after_the_last_frame_are_reported() async throws {
    let chapters = [("A", 0, 200), ("B", 200, 400), ("C", 5000, 6000)].map {
      "[CHAPTER]\nTIMEBASE=1/1000\nSTART=\($0.1)\nEND=\($0.2)\ntitle=\($0.0)\n"
    }
    let facts = try folder.write(";FFMETADATA1\n" + chapters.joined(), "facts.txt")
    let input = folder.path("chapters.mkv")
    try Judges.ffmpeg(
      "-f lavfi -i testsrc2=s=64x64:r=25:d=0.4 -i \(facts.path) -map_chapters 1 -c:v ffv1 \(input)")
    let words = "chapters after the last frame dropped: C at 5 s"
    #expect(try await rig.encode(input).notes.map(\.message).contains(words))
    let movie = try AssetReader(folder.path("whole.mov"))
    #expect(movie.contents.chapters.map(\.title) == ["A", "B"])
    // What an out point cuts off was left out by choice, so it is not reported.
    let cut = try await rig.encode(input) { $0.edit.end = .frame(5) }
    #expect(!cut.notes.contains { $0.subject == "chapters" }, "\(cut.notes)")
  }

  @Test func a_container_color_that_differs_from_the_stream_is_reported() async throws {
    try Judges.ffmpeg(
      "-f lavfi -i testsrc2=s=64x64:r=25:d=0.2 "
        + "-vf setparams=colorspace=bt2020nc:color_primaries=bt2020:color_trc=smpte2084 "
        + "-pix_fmt yuv420p10le -colorspace bt2020nc -color_primaries bt2020 -color_trc smpte2084 "
        + "-c:v libx264 \(folder.path("pq.mp4"))")
    var bytes = try folder.bytes("pq.mp4")
    let name = Array("colrnclx".utf8)
    let place = try #require(bytes.indices.last { bytes[$0...].starts(with: name) }) + name.count
    #expect(bytes[place..<place + 6] == [0, 9, 0, 16, 0, 9])
    func words(_ input: String, as color: ColorDescription? = nil) async throws -> [String] {
      try await rig.encode(input) { $0.edit.color = color }.notes.map(\.message)
        .filter { $0.hasPrefix("the container says color") }
    }
    #expect(try await words(folder.path("pq.mp4")).isEmpty)
    bytes.replaceSubrange(place..<place + 6, with: [0, 1, 0, 1, 0, 1])
    let input = try folder.write(bytes, "other.mp4").path
    let reported = try await words(input)
    #expect(
      reported == [
        "the container says color 1-1-1, its frames 9-16-9: the latter is used, but players may use the "
          + "former; name the color if you know better"
      ])
    #expect(try AssetReader(folder.path("whole.mov")).videoTrack?.video?.color == .bt2100PQ)
    #expect(try await words(input, as: .bt709).isEmpty)
  }

  @Test func a_matroska_color_that_differs_from_the_stream_is_reported() async throws {
    try Judges.ffmpeg(
      "-f lavfi -i testsrc2=s=64x64:r=25:d=0.2 -pix_fmt yuv420p -c:v libx264 -x264-params "
        + "colorprim=bt709:transfer=bt709:colormatrix=bt709 \(folder.path("same.mkv"))")
    try Judges.ffmpeg(
      "-i \(folder.path("same.mkv")) -c copy -color_primaries bt2020 -color_trc smpte2084 "
        + "-colorspace bt2020nc \(folder.path("other.mkv"))")
    func words(_ name: String) async throws -> [String] {
      try await rig.encode(folder.path(name)).notes.map(\.message)
        .filter { $0.hasPrefix("the container says color") }
    }
    #expect(try await words("same.mkv").isEmpty)
    #expect(
      try await words("other.mkv") == [
        "the container says color 9-16-9, its frames 1-1-1: the latter is used, but players may use the "
          + "former; name the color if you know better"
      ])
    #expect(try AssetReader(folder.path("whole.mov")).videoTrack?.video?.color == .bt709)
  }

  @Test(arguments: ["mkv", "mp4"])
  func a_container_range_that_differs_from_the_stream_is_reported(kind: String) async throws {
    let (full, other) = (folder.path("full.\(kind)"), folder.path("other.\(kind)"))
    let options = kind == "mp4" ? "-movflags +write_colr " : ""
    try Judges.ffmpeg(
      "-f lavfi -i testsrc2=s=64x64:r=25:d=0.2 -pix_fmt yuvj420p -colorspace bt709 "
        + "-color_primaries bt709 -color_trc bt709 -c:v libx264 \(options)\(full)")
    try Judges.ffmpeg(
      "-i \(full) -c copy -bsf:v h264_metadata=video_full_range_flag=0 \(options)\(other)")
    if kind == "mp4" {
      // FFmpeg 7 writes the filter's range to the container, so its full-range bit is set again.
      var bytes = try folder.bytes("other.mp4")
      let color = try #require(bytes.firstRange(of: Array("colrnclx".utf8)))
      bytes[color.upperBound + 6] = 0x80
      try folder.write(bytes, "other.mp4")
    }
    func words(_ input: String) async throws -> [String] {
      try await rig.encode(input).notes.map(\.message)
        .filter { $0.hasPrefix("the container says") }
    }
    #expect(try await words(full).isEmpty)
    #expect(
      try await words(other) == [
        "the container says full range, its frames video range: the latter is used, but players may use "
          + "the former"
      ])
  }

  @Test(arguments: ["mkv", "mp4"])
  func a_container_pixel_aspect_that_differs_from_the_stream_is_reported(
    kind: String
  ) async throws {
    let (same, other) = (folder.path("same.\(kind)"), folder.path("other.\(kind)"))
    try Judges.ffmpeg(
      "-f lavfi -i testsrc2=s=64x64:r=25:d=0.2 -vf setsar=4/3 -pix_fmt yuv420p -c:v libx264 \(same)"
    )
    if kind == "mp4" {
      var bytes = try folder.bytes("same.mp4")
      let shape = try #require(bytes.firstRange(of: Array("pasp".utf8))).upperBound
      bytes.replaceSubrange(shape..<shape + 8, with: [0, 0, 0, 1, 0, 0, 0, 1])
      try folder.write(bytes, "other.mp4")
    } else {
      try Judges.ffmpeg("-i \(same) -c copy -aspect 1:1 \(other)")
    }
    func words(_ input: String, as shape: PixelAspectRatio? = nil) async throws -> [String] {
      try await rig.encode(input) { $0.edit.pixelAspectRatio = shape }.notes.map(\.message)
        .filter { $0.hasPrefix("the container says") }
    }
    #expect(try await words(same).isEmpty)
    #expect(try await words(other, as: PixelAspectRatio(4, 3)).isEmpty)
    #expect(
      try await words(other) == [
        "the container says a pixel aspect ratio of 1:1, its frames 4:3: the former is used, as players "
          + "do; name the pixel aspect ratio if you know better"
      ])
    #expect(
      try AssetReader(folder.path("whole.mov")).videoTrack?.video?.pixelAspectRatio == .square)
  }

  @Test func loss_of_ambisonic_information_is_reported() async throws {
    let audioOptions = "-f lavfi -i aevalsrc=0.1|0.2|0.1|0.1:d=0.2 -c:a libopus -mapping_family 255"
    try Judges.ffmpeg(
      "-f lavfi -i testsrc2=s=64x64:r=25:d=0.2 \(audioOptions) -c:v ffv1 \(folder.path("plain.mkv"))"
    )
    var bytes = try folder.bytes("plain.mkv")
    // The ambisonics mapping family has a header of the same form.
    let family = try #require(bytes.firstRange(of: Array("OpusHead".utf8))).upperBound + 10
    #expect(bytes[family] == 255)
    bytes[family] = 2
    let input = try folder.write(bytes, "field.mkv").path
    func words(_ input: String, _ audio: AudioSelection = .all) async throws -> [String] {
      try await rig.encode(input) { $0.edit.audio = audio }.notes.map(\.message)
        .filter { $0.contains("sound field") }
    }
    #expect(try await words(folder.path("plain.mkv")).isEmpty)
    let reported = "audio track 1 is a sound field (ambisonic 1), which the movie cannot state; "
    #expect(try await words(input) == [reported + "its channels are kept in their order"])
    let chosen = try await words(input, AudioSelection("1:1+2") ?? .all)
    #expect(chosen == [reported + "its channels are those that were chosen"])
  }

  @Test func a_dropped_video_track_is_reported_by_its_number() async throws {
    let input = folder.path("two.mkv")
    try Judges.ffmpeg(
      "-f lavfi -i testsrc2=s=96x64:r=25:d=0.2 -f lavfi -i testsrc2=s=64x64:r=25:d=0.2 "
        + "-map 0 -map 1 -c:v ffv1 \(input)")
    let notes = try await rig.encode(input).notes.map(\.message)
    #expect(
      notes.contains("video track 2 of the source (ffv1) dropped: one is encoded"), "\(notes)")
  }

  @Test func titles_of_dropped_tracks_are_reported() async throws {
    let text = try folder.write("1\n00:00:00,000 --> 00:00:00,100\nHello\n\n", "words.srt").path
    let font = try folder.write("no font", "font.ttf").path
    let input = folder.path("titles.mkv")
    try Judges.ffmpeg(
      "-f lavfi -i testsrc2=s=96x64:r=25:d=0.2 -f lavfi -i testsrc2=s=64x64:r=25:d=0.2 "
        + "-i \(text) -i \(text) -map 0 -map 1 -map 2 -map 3 -c:v ffv1 -c:s srt "
        + "-metadata:s:v:1 title=Angle -metadata:s:s:0 language=ger -metadata:s:s:0 title=Forced "
        + "-metadata:s:s:1 language=fre -attach \(font) "
        + "-metadata:s:t:0 mimetype=application/x-truetype-font \(input)")
    let notes = try await rig.encode(input).notes.map(\.message)
    #expect(
      notes.filter { $0.contains(" dropped") } == [
        "video track 2 of the source (ffv1, 'Angle') dropped: one is encoded",
        "subtitle track (subrip, ger, 'Forced') dropped", "subtitle track (subrip, fre) dropped",
        "attachment track (ttf, 'font.ttf') dropped",
      ], "\(notes)")
  }

  @Test func titles_in_reports_are_single_line_and_limited() {
    #expect(ExportDifferences.words(["srt", nil], title: "") == "(srt)")
    #expect(ExportDifferences.words([nil], title: "\n") == "")
    #expect(ExportDifferences.words([nil], title: "Two\nlines") == "('Two lines')")
    let long = String(repeating: "x", count: 1_000_000)
    #expect(ExportDifferences.words([], title: long).count == ExportDifferences.titleLimit + 5)
  }

  @Test func color_remarks_of_images_are_omitted_if_the_color_is_given() async throws {
    let input = folder.path("linear.exr")
    try Judges.ffmpeg(
      "-f lavfi -i testsrc2=s=64x64:r=25:d=0.04 -pix_fmt gbrpf32le -frames:v 1 \(input)")
    for color in [nil, ColorDescription.bt709] {
      let notes = try await rig.encode(input) { $0.edit.color = color }.notes.map(\.message)
      #expect(notes.contains { $0.contains("name the color") } == (color == nil), "\(notes)")
    }
  }

  @Test func the_gamma_of_a_sample_entry_is_reported_unless_a_color_is_given() async throws {
    let input = folder.path("gamma.mov")
    try Judges.ffmpeg(
      "-f lavfi -i testsrc2=s=64x64:r=25:d=0.2 -pix_fmt yuv422p10le -c:v v210 "
        + "-movflags write_gama -mov_gamma 2.2 \(input)")
    for color in [nil, ColorDescription.bt709] {
      let notes = try await rig.encode(input) { $0.edit.color = color }.notes.map(\.message)
      #expect(
        notes.contains { $0.hasPrefix("gamma 2.2 of the sample entry dropped") } == (color == nil),
        "\(notes)")
    }
  }

  @Test func gxf_frames_keep_their_rate_and_decode_times_are_reported() async throws {
    let input = folder.path("a.gxf")
    try Judges.ffmpeg(
      "-f lavfi -i testsrc2=s=720x576:r=25:d=0.6 -f lavfi -i sine=d=0.6:r=48000 -pix_fmt yuv420p "
        + "-c:v mpeg2video -g 12 -bf 2 -c:a pcm_s16le -ac 1 \(input)")
    let result = try await rig.encode(input)
    let reader = try AssetReader(folder.path("whole.mov"))
    #expect(reader.videoTrack?.frameRate == .fps25)
    #expect(result.report.video.first?.framesWritten == 15)
    let words = "the container gives decoding times, not presentation times"
    #expect(result.notes.contains { $0.message.hasPrefix(words) }, "\(result.notes)")
    #expect(result.notes.allSatisfy { $0.kind != .repaired }, "\(result.notes)")
  }

  @Test(arguments: ["a.gxf", "a.avi"])
  func frames_without_reordering_are_shown_at_their_decode_times(name: String) async throws {
    let input = folder.path(name)
    try Judges.ffmpeg(
      "-f lavfi -i testsrc2=s=720x576:r=25:d=0.4 -f lavfi -i sine=d=0.4:r=48000 -pix_fmt yuv420p "
        + "-c:v mpeg2video -g 6 -bf 0 -c:a pcm_s16le -ac 1 \(input)")
    let reader = try AssetReader(input)
    let track = try #require(reader.videoTrack)
    var times: [Double] = []
    while let sample = try reader.nextSample() {
      guard sample.trackID == track.id else { continue }
      times.append((sample.sampleBuffer.presentationTimeStamp - track.startTime).seconds)
    }
    #expect(times.count == 10)
    for (number, time) in times.enumerated() { #expect(abs(time - Double(number) / 25) < 0.001) }
    let notes = try await rig.encode(input).notes
    #expect(notes.allSatisfy { $0.subject != "timestamps" }, "\(notes)")
  }

  @Test func dropped_flags_of_audio_tracks_are_reported() async throws {
    let input = folder.path("marks.mkv")
    func words(_ marks: String) async throws -> [String] {
      try Judges.ffmpeg(
        "-f lavfi -i testsrc2=s=64x64:r=25:d=0.2 -f lavfi -i sine=d=0.2 -f lavfi -i sine=880:d=0.2 "
          + "-map 0 -map 1 -map 2 -c:v ffv1 -c:a flac \(marks) \(input)")
      return try await rig.encode(input).notes.filter { $0.subject == "audio" }.map(\.message)
    }
    #expect(try await words("-disposition:a:0 default -disposition:a:1 default").isEmpty)
    let reported = try await words("-disposition:a:0 default -disposition:a:1 comment")
    #expect(
      reported == [
        "audio track 2 is marked as commentary, which the movie cannot state",
        "audio track 2 is off by default in the source; all tracks of the movie are on",
      ], "\(reported)")
  }
}
