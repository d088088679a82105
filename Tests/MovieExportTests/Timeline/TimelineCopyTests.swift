import AssetReader
import Foundation
import MediaCore
import MovieExport
import QuickTime
import Synchronization
import TestSupport
import Testing

/// Copies of timelines that go wrong. Successful ones are tested in AVFoundationAssetTests.
@Suite(.tags(.judges)) struct TimelineCopyTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// A movie of one second, with shorter audio on request.
  private func makeMovie(_ name: String = "made.mov", audio: Double = 1) throws -> String {
    _ = try Judges.ffmpeg(
      ["-f", "lavfi", "-i", "testsrc2=s=320x180:r=25:d=1", "-f", "lavfi", "-i"]
        + ["sine=r=48000:d=\(audio)", "-c:v", "prores_ks", "-pix_fmt", "yuv422p10le"]
        + ["-c:a", "pcm_s16le", folder.path(name)])
    return folder.path(name)
  }

  /// All of a movie's tracks.
  private func timeline(_ path: String) throws -> MovieTimeline {
    let location = AssetLocation(path: path)
    let range = MediaTimeRange(start: .zero, duration: MediaTime(value: 1, timescale: 1))
    return MovieTimeline(
      tracks: try AssetReader(location).tracks.map { track in
        .init(
          mediaType: track.mediaType,
          clips: [.init(location: location, track: track, source: range, target: range)])
      })
  }

  @Test func a_cancelled_copy_leaves_no_file() throws {
    var copy = TimelineCopy(try timeline(makeMovie()), outputPath: folder.path("out.mov"))
    let calls = Mutex(0)
    copy.onProgress = { part in
      calls.withLock { calls in
        calls += 1
        return calls < 10
      }
    }
    #expect { try copy.run() } throws: { ($0 as? AssetReaderError)?.code == .cancelled }
    #expect(calls.withLock { $0 } == 10 && folder.contents == ["made.mov"])
  }

  @Test func audio_shorter_than_its_clip_is_padded_with_silence_and_reported() throws {
    let copy = TimelineCopy(
      try timeline(makeMovie(audio: 0.5)), outputPath: folder.path("out.mov"))
    let outcome = try copy.run()
    #expect(outcome.frameCount == 25 && outcome.notes.map(\.subject) == ["audio"])
    #expect(outcome.notes.first?.message.contains("24000 samples of silence") == true)
    let samples = try Judges.decodeAudio(folder.path("out.mov"))
    #expect(samples.count == 48_000 && samples[24_000...].allSatisfy { $0 == 0 })
  }

  /// A movie of audio alone; its first half is at 1.5 times full scale.
  private func makeLoudMovie(_ codec: String) throws -> String {
    let path = folder.path("\(codec).mov")
    try Judges.ffmpeg([
      "-f", "lavfi", "-i", "aevalsrc='if(lt(t,0.5),1.5,0.25)*cos(2000*PI*t)':s=48000:d=1", "-c:a",
      codec, path,
    ])
    return path
  }

  @Test(arguments: [("pcm_f32le", 32), ("pcm_f64be", 32), ("pcm_mulaw", 16), ("alac", 24)])
  func conversion_to_integer_audio_is_reported(codec: String, bits: Int) throws {
    let copy = TimelineCopy(
      try timeline(makeLoudMovie(codec)), outputPath: folder.path("out.mov"))
    let messages = try copy.run().notes.map(\.message)
    let verb = codec == "alac" ? "decoded" : "converted"
    #expect(messages.first == "\(codec) audio is \(verb) to \(bits)-bit integer PCM")
    guard codec.contains("_f") else {
      #expect(messages.count == 1)
      return
    }
    // 1 kHz has a period of 48 samples, 26 of which are above full scale.
    #expect(messages.count == 2)
    #expect(messages.last == "13000 samples above full scale, up to 3.52 dB, clipped")
    let samples = try Judges.decodeAudio(folder.path("out.mov"))
    #expect(samples.count == 48_000 && samples[0] == .max)
  }

  @Test(arguments: ["pcm_s16le", "pcm_s24be", "pcm_s32le"])
  func integer_audio_is_copied_unchanged_without_notes(codec: String) throws {
    let path = try makeLoudMovie(codec)
    let copy = TimelineCopy(try timeline(path), outputPath: folder.path("out.mov"))
    #expect(try copy.run().notes.isEmpty)
    #expect(
      try Judges.decodeAudio(folder.path("out.mov")) == Judges.decodeAudio(path))
  }

  @Test func audio_clipped_outside_its_clip_is_not_counted() throws {
    let path = try makeLoudMovie("pcm_f32le")
    let track = try #require(try AssetReader(path).tracks.first)
    func seconds(_ hundredths: Int64) -> MediaTime {
      MediaTime(value: hundredths, timescale: 100)
    }
    let clip = try ClipReader(
      AssetLocation(path: path), track: track.id,
      range: MediaTimeRange(start: seconds(25), end: seconds(75)))
    while try clip.next() != nil {}
    // Half of the loud part.
    #expect(clip.excess.sampleCount == 6500)
  }

  @Test func clipped_audio_in_an_encoding_is_reported() async throws {
    let path = folder.path("loud.mov")
    try Judges.ffmpeg([
      "-i", try makeMovie(), "-i", try makeLoudMovie("pcm_f32le"), "-map", "0:v", "-map", "1:a",
      "-c",
      "copy", path,
    ])
    let encoding = TimelineEncoding(
      try timeline(path), outputPath: folder.path("out.mov"), codec: .proRes422LT)
    let notes = try await encoding.run()
    #expect(notes.contains { $0.message.hasPrefix("13000 samples above full scale") }, "\(notes)")
  }

  @Test func clipping_in_a_mix_of_tracks_is_reported() async throws {
    let path = folder.path("two.mov")
    let wave = "aevalsrc='0.75*cos(2000*PI*t)':s=48000:d=1"
    try Judges.ffmpeg([
      "-i", try makeMovie(), "-f", "lavfi", "-i", wave, "-f", "lavfi", "-i", wave, "-map", "0:v",
      "-map", "1:a", "-map", "2:a", "-c:v", "copy", "-c:a", "pcm_s24le", path,
    ])
    let timeline = try timeline(path)
    let audioTracks = timeline.tracks.indices.filter { timeline.tracks[$0].mediaType == .audio }
    func clipped(_ volume: Double) async throws -> [String] {
      var encoding = TimelineEncoding(
        timeline, outputPath: folder.path("\(volume).mov"), codec: .proRes422LT)
      encoding.mix = AudioMix(
        Dictionary(uniqueKeysWithValues: audioTracks.map { ($0, Ramp(volume)) }),
        format: AudioFormat(sampleRate: 48_000, channelCount: 1, sampleFormat: .int24))
      return try await encoding.run().map(\.message).filter { $0.contains("above full scale") }
    }
    // As for one track at 1.5 times full scale: 26 of the 48 samples of a period.
    #expect(try await clipped(1) == ["26000 samples above full scale, up to 3.52 dB, clipped"])
    #expect(try await clipped(0.5).isEmpty)
  }

  /// A full-scale square wave exceeds full scale at its edges once it is resampled.
  @Test func clipping_from_resampling_in_a_mix_is_reported() async throws {
    let path = folder.path("square.mov")
    let wave = "aevalsrc='if(lt(mod(n,100),50),1,-1)':s=44100:d=1"
    try Judges.ffmpeg([
      "-i", try makeMovie(), "-f", "lavfi", "-i", wave, "-map", "0:v", "-map", "1:a", "-c:v",
      "copy", "-c:a", "pcm_s24le", path,
    ])
    let timeline = try timeline(path)
    let audio = try #require(timeline.tracks.firstIndex { $0.mediaType == .audio })
    var encoding = TimelineEncoding(
      timeline, outputPath: folder.path("resampled.mov"), codec: .proRes422LT)
    encoding.mix = AudioMix(
      [audio: Ramp(0.5)],
      format: AudioFormat(sampleRate: 48_000, channelCount: 1, sampleFormat: .int24))
    let notes = try await encoding.run()
    #expect(notes.contains { $0.message.contains("above full scale") }, "\(notes)")
  }

  @Test func a_missing_or_truncated_source_leaves_no_movie() throws {
    let path = try makeMovie()
    let whole = try timeline(path)
    let file = try FileHandle(forUpdating: URL(filePath: path))
    try file.truncate(atOffset: 40_000)
    try file.close()
    let copy = TimelineCopy(whole, outputPath: folder.path("out.mov"))
    #expect(throws: AssetReaderError.self) { try copy.run() }
    try FileManager.default.removeItem(atPath: path)
    #expect(throws: AssetReaderError.self) { try copy.run() }
    #expect(folder.contents.isEmpty)
  }

  @Test func an_unwritable_output_path_throws_its_error() throws {
    let copy = TimelineCopy(try timeline(makeMovie()), outputPath: folder.path("none/out.mov"))
    #expect { try copy.run() } throws: { ($0 as? QuickTimeError)?.code == .notFound }
  }

  @Test func clean_aperture_is_kept_unless_filters_change_the_frame_size() async throws {
    let aperture = CleanAperture(width: .init(300), height: .init(170), horizontalOffset: .init(2))
    let frames = try Judges.packetBytes(makeMovie())
    let writer = try MovieWriter(file: PosixMovieFile(path: folder.path("clap.mov"), mode: .create))
    let video = try writer.addVideoTrack(
      VideoTrackDescription(
        codec: .proRes422HQ, dimensions: .init(width: 320, height: 180), frameRate: .fps25,
        cleanAperture: aperture))
    try writer.start()
    for frame in frames {
      try frame.withUnsafeBytes { try writer.appendVideo($0, to: video) }
    }
    _ = try writer.finish()
    let copy = TimelineCopy(
      try timeline(folder.path("clap.mov")), outputPath: folder.path("out.mov"))
    _ = try copy.run()
    func stored(in name: String) throws -> CleanAperture? {
      try MovieIndex(path: folder.path(name)).videoTrack?.video?.cleanAperture
    }
    #expect(try stored(in: "out.mov") == aperture)

    let source = AssetLocation(path: folder.path("clap.mov"))
    let same = AssetExportSession(location: source, outputPath: folder.path("same.mov"))
    #expect(try await !same.export().notes.contains { $0.subject == "clean aperture" })
    #expect(try stored(in: "same.mov") == aperture)

    var smaller = AssetExportSession(location: source, outputPath: folder.path("small.mov"))
    smaller.edit.processing.scaling = .init(VideoDimensions(width: 160, height: 90))
    let notes = try await smaller.export().notes
    #expect(notes.contains { $0.message.hasPrefix("clean aperture of 300x170 dropped") })
    #expect(try stored(in: "small.mov") == CleanAperture(VideoDimensions(width: 160, height: 90)))

    let joined = TimelineEncoding(
      try timeline(folder.path("clap.mov")), outputPath: folder.path("joined.mov"),
      codec: .proRes422LT)
    _ = try await joined.run()
    #expect(try stored(in: "joined.mov") == aperture)
  }
}
