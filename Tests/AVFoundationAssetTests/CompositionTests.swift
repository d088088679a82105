import AVFoundationCompat
import TestSupport
import Testing

/// Exports of cuts and joins.
@Suite(.tags(.judges)) struct CompositionTests: CompositionRig {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test func joining_cuts_copies_every_frame_and_sample() async throws {
    let (one, two) = (try makeMovie("one.mov"), try makeMovie("two.mov", number: 1))
    let composition = AVMutableComposition()
    let video = try #require(
      composition.addMutableTrack(
        withMediaType: .video, preferredTrackID: kCMPersistentTrackID_Invalid))
    let audio = try #require(
      composition.addMutableTrack(withMediaType: .audio, preferredTrackID: 7))
    #expect(audio.trackID == 7 && composition.track(withTrackID: 7) === audio)
    for (asset, range, start) in [(two, frames(3, 9), at(0)), (one, frames(10, 5), at(9))] {
      let source = try #require(try await asset.loadTracks(withMediaType: .video).first)
      let audioTrack = try #require(try await asset.loadTracks(withMediaType: .audio).first)
      try video.insertTimeRange(range, of: source, at: start)
      try audio.insertTimeRange(range, of: audioTrack, at: start)
    }
    #expect(composition.duration == at(14) && composition.naturalSize.width == 320)
    let session = try await export(composition, to: "joined.mov")
    try verify("joined.mov")
    let (first, second) = (
      try Judges.packetBytes(folder.path("two.mov")), try Judges.packetBytes(folder.path("one.mov"))
    )
    #expect(
      try Judges.packetBytes(folder.path("joined.mov"))
        == Array(first[3..<12] + second[10..<15]))
    let audioSamples = try Judges.decodeAudio(folder.path("joined.mov"))
    let (left, right) = (
      try Judges.decodeAudio(folder.path("two.mov")), try Judges.decodeAudio(folder.path("one.mov"))
    )
    // Two interleaved channels, 1920 samples a frame.
    let step = 1920 * 2
    let joined = left[3 * step..<12 * step] + right[10 * step..<15 * step]
    #expect(audioSamples == Array(joined))
    let stream = try Judges.videoStream(folder.path("joined.mov"))
    #expect(stream["r_frame_rate"] == "25/1" && stream["nb_frames"] == "14")
    #expect(try Judges.timecode(folder.path("joined.mov")) == "01:00:01:03")
    #expect(session.notes.contains { $0.hasPrefix("timecode continues from 01:00:01:03") })
  }

  @Test func a_trimmed_movie_keeps_frames_timecode_and_metadata() async throws {
    let asset = try makeMovie("made.mov")
    let writer = AVMutableMetadataItem()
    writer.identifier = .commonIdentifierTitle
    writer.value = "Scene 1" as NSString
    let session = try #require(
      AVAssetExportSession(asset: asset, presetName: AVAssetExportPresetPassthrough))
    session.timeRange = frames(5, 6)
    session.metadata = [writer]
    try await session.export(to: folder.url("short.mov"), as: .mov)
    let frames = try Judges.packetBytes(folder.path("made.mov"))
    #expect(try Judges.packetBytes(folder.path("short.mov")) == Array(frames[5..<11]))
    #expect(try Judges.timecode(folder.path("short.mov")) == "01:00:00:05")
    #expect(session.notes.isEmpty)
    let chaptered = try #require(
      AVAssetExportSession(
        asset: try withChapters(asset), presetName: AVAssetExportPresetAppleProRes422LPCM))
    chaptered.metadata = [writer]
    try await chaptered.export(to: folder.url("encoded.mov"), as: .mov)
    #expect(
      chaptered.notes.contains { $0.contains("(text) dropped") }, "\(chaptered.notes)")
    #expect(
      AVURLAsset(url: folder.url("short.mov")).commonMetadata.contains {
        $0.stringValue == "Scene 1"
      })
  }

  @Test func a_cut_within_frames_shortens_the_outer_frames() async throws {
    let asset = try makeMovie("made.mov")
    let quarter = CMTime(value: 1, timescale: 100)
    // From a quarter of frame 2 to three quarters of frame 4.
    let session = try await export(
      asset, to: "cut.mov",
      range: CMTimeRange(start: at(2) + quarter, end: at(4) + quarter + quarter + quarter))
    try verify("cut.mov")
    let frames = try Judges.packetBytes(folder.path("made.mov"))
    #expect(try Judges.packetBytes(folder.path("cut.mov")) == Array(frames[2..<5]))
    let times = try shown("cut.mov")
    #expect(times == ["0.000000", "0.030000", "0.070000"])
    #expect(try await AVURLAsset(url: folder.url("cut.mov")).load(.duration).seconds == 0.1)
    #expect(try Judges.decodeAudio(folder.path("cut.mov")).count == 4800 * 2)
    #expect(session.notes.contains { $0.hasPrefix("timecode dropped") })
  }

  @Test func the_last_frame_stays_through_a_silent_gap_with_a_note() async throws {
    let asset = try makeMovie("made.mov")
    let composition = AVMutableComposition()
    try composition.insertTimeRange(frames(0, 4), of: asset, at: .zero)
    try composition.insertTimeRange(frames(4, 4), of: asset, at: .invalid)
    composition.insertEmptyTimeRange(frames(4, 10))
    #expect(composition.duration == at(18))
    let video: AVMutableCompositionTrack = try #require(
      composition.tracks(withMediaType: .video).first)
    #expect(video.segments.map(\.isEmpty) == [false, true, false])
    let session = try await export(composition, to: "gap.mov")
    #expect(
      session.notes.contains { $0.hasPrefix("from 0.16 s to 0.56 s the timeline is empty") })
    let times = try shown("gap.mov")
    let expected = [
      "0.000000", "0.040000", "0.080000", "0.120000", "0.560000", "0.600000", "0.640000",
      "0.680000",
    ]
    #expect(times == expected, "\(times)")
    let audio = try Judges.decodeAudio(folder.path("gap.mov"))
    let source = try Judges.decodeAudio(folder.path("made.mov"))
    // Two channels of 1920 samples a frame.
    let (gap, second) = (audio[15_360..<53_760], Array(audio[53_760...]))
    #expect(audio.count == 69_120 && gap.allSatisfy { $0 == 0 })
    #expect(second == Array(source[15_360..<30_720]))
    // The movie reads like its composition.
    let (own, movies) = (
      try self.times(of: composition),
      try self.times(of: AVURLAsset(url: folder.url("gap.mov")))
    )
    #expect(own == movies, "\(own.map(\.seconds)), \(movies.map(\.seconds))")
  }

  @Test func a_track_that_starts_later_is_shown_later() async throws {
    let asset = try makeMovie("made.mov")
    let composition = AVMutableComposition()
    let video = try #require(
      composition.addMutableTrack(withMediaType: .video, preferredTrackID: 0))
    try video.insertTimeRange(frames(4, 3), of: asset.tracks[0], at: at(5))
    let audio = try #require(
      composition.addMutableTrack(withMediaType: .audio, preferredTrackID: 0))
    try audio.insertTimeRange(frames(0, 8), of: asset.tracks[1], at: .zero)
    try await export(composition, to: "late.mov")
    #expect(try shown("late.mov") == ["0.200000", "0.240000", "0.280000"])
    #expect(try times(of: composition) == times(of: AVURLAsset(url: folder.url("late.mov"))))
  }

  @Test func slow_motion_lengthens_frames_and_is_refused_with_audio() async throws {
    let asset = try makeMovie("made.mov")
    let composition = AVMutableComposition()
    try composition.insertTimeRange(frames(0, 6), of: asset, at: .zero)
    composition.scaleTimeRange(frames(2, 2), toDuration: at(4))
    #expect(composition.duration == at(8))
    await #expect(throws: AVError.self) {
      try await export(composition, to: "slow.mov")
    }
    let audio: AVCompositionTrack = try #require(
      composition.mutableTrack(compatibleWith: asset.tracks[1]))
    composition.removeTrack(audio)
    try await export(composition, to: "slow.mov")
    let times = try shown("slow.mov")
    #expect(times == ["0.000000", "0.040000", "0.080000", "0.160000", "0.240000", "0.280000"])
  }

  @Test func a_composition_exports_its_track_transform_and_language() async throws {
    let composition = AVMutableComposition()
    try composition.insertTimeRange(frames(0, 2), of: try makeMovie("made.mov"), at: .zero)
    let video = try #require(composition.tracks(withMediaType: .video).first)
    video.preferredTransform = CGAffineTransform(rotationAngle: .pi / 2)
    video.languageCode = "deu"
    video.isEnabled = false
    let session = try await export(composition, to: "turned.mov")
    #expect(session.notes.contains("track 1 is off, and on in the movie"))
    let turned = try #require(AVURLAsset(url: folder.url("turned.mov")).tracks.first)
    #expect(turned.preferredTransform.b == 1 && turned.languageCode == "deu")
  }

  // MARK: What cannot be copied

  @Test func unlike_or_dependent_frames_are_refused_with_a_reason() async throws {
    let asset = try makeMovie("made.mov")
    let composition = AVMutableComposition()
    try composition.insertTimeRange(frames(0, 2), of: asset, at: .zero)
    try composition.insertTimeRange(
      frames(0, 2), of: try makeMovie("small.mov", size: (160, 90)), at: .invalid)
    await #expect {
      try await export(composition, to: "out.mov")
    } throws: {
      "\($0)".contains("160x90") && "\($0)".contains("320x180")
    }
    let other = try makeMovie("other.mov", codec: "mpeg4", audio: false)
    #expect(
      !AVAssetExportSession.exportPresets(compatibleWith: other).contains(
        AVAssetExportPresetPassthrough))
    await #expect { try await export(other, to: "out.mov") } throws: { "\($0)".contains("mpeg4") }
    // An existing file is not replaced, and a canceled export leaves no file.
    await #expect { try await export(asset, to: "made.mov") } throws: {
      ($0 as? AVError)?.code == .fileAlreadyExists
    }
    let session = try #require(
      AVAssetExportSession(asset: asset, presetName: AVAssetExportPresetPassthrough))
    session.outputURL = folder.url("cancelled.mov")
    let task = Task { await session.export() }
    task.cancel()
    await task.value
    #expect([.cancelled, .completed].contains(session.status))
    #expect(folder.contents.contains("cancelled.mov") == (session.status == .completed))
    #expect(!folder.contents.contains("out.mov"))
  }

  @Test func clips_of_different_codecs_are_joined_by_encoding() async throws {
    let composition = AVMutableComposition()
    try composition.insertTimeRange(
      frames(2, 5), of: try makeMovie("a.mov", codec: "mpeg4"), at: .zero)
    try composition.insertTimeRange(
      frames(1, 4), of: try makeMovie("b.mov", number: 1), at: .invalid)
    try await export(composition, to: "joined.mov", AVAssetExportPresetAppleProRes422LPCM)
    try verify("joined.mov")
    let stream = try Judges.videoStream(folder.path("joined.mov"))
    #expect(stream["codec_tag_string"] == "apcn" && stream["nb_frames"] == "9")
    let luma = try gray(of: AVURLAsset(url: folder.url("joined.mov")))
    let wanted = [2, 3, 4, 5, 6, 21, 22, 23, 24].map { 100 + $0 * 8 }
    #expect(zip(luma, wanted).allSatisfy { abs(Int($0) - $1) <= 4 } && luma.count == wanted.count)
    #expect(
      try Judges.decodeAudio(folder.path("joined.mov")).count == 9 * 3840)
  }
}
