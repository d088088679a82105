import Foundation
import MediaCore
import QuickTime
import TestSupport
import Testing

/// Audio tracks, sample by sample, as ffmpeg decodes them.
@Suite struct AudioTrackTests {
  let folder: TemporaryFolder
  let path: String

  init() throws {
    folder = try TemporaryFolder()
    path = folder.path("take.mov")
  }

  /// The PCM that ffmpeg reads from an audio track.
  private func heard(_ track: Int, _ format: AudioFormat.SampleFormat) throws -> Data {
    let name =
      switch format {
      case .int16: "s16le"
      case .int24: "s24le"
      case .float32: "f32le"
      case .int32: "s32le"
      }
    let output = folder.path("out.pcm")
    let result = try Judges.run(
      Judges.decoder,
      [
        "-v", "error", "-y", "-i", path, "-map", "0:a:\(track)", "-f", name, "-c:a", "pcm_\(name)",
        output,
      ])
    #expect(result.errors == "")
    return try Data(contentsOf: URL(fileURLWithPath: output))
  }

  @Test(
    .tags(.judges), arguments: [1, 2, 3, 6, 8, 16],
    [AudioFormat.SampleFormat.int16, .int24, .int32])
  func a_multichannel_track_is_bit_exact(channels: Int, sample: AudioFormat.SampleFormat) throws {
    let format = AudioFormat(sampleRate: 48000, channelCount: channels, sampleFormat: sample)
    let take = Take(frameCount: 6, audio: AudioTrackDescription(format: format))
    try take.record(into: PosixMovieFile(path: path, mode: .create))
    let frames = Take.audioFrames(upTo: 6)
    #expect(
      try heard(0, sample) == Data(pcm(frames: frames, channels: channels, bytes: sample.byteCount))
    )
    let audio = try #require(try MovieIndex(path: path).audioTracks.first?.audio)
    #expect(audio.format == format)
    #expect(audio.channelLayout == .standard(channelCount: channels))
    #expect(
      try Judges.mediaInfo(path, "Audio", "%Channel(s)%|%BitDepth%|%SamplingRate%")
        == "\(channels)|\(sample.bitDepth)|48000")
  }

  @Test(arguments: [Double.nan, .infinity, 1e300, -48000, 0])
  func invalid_sample_rates_give_no_audio_format(rate: Double) throws {
    let format = AudioFormat(sampleRate: 48000, channelCount: 2, sampleFormat: .int24)
    try Take(frameCount: 2, audio: AudioTrackDescription(format: format))
      .record(into: PosixMovieFile(path: path, mode: .create))
    try #require(try MovieIndex(path: path).audioTracks.first?.audio != nil)
    var bytes = try folder.bytes("take.mov")
    let type = [UInt8]("lpcm".utf8)
    // Version 2 of an audio sample entry has the rate as a 64-bit float, 32 bytes after the type.
    for place in bytes.indices.dropLast(44) where bytes[place..<(place + 4)].elementsEqual(type) {
      let number = withUnsafeBytes(of: rate.bitPattern.bigEndian) { Array($0) }
      bytes.replaceSubrange((place + 36)..<(place + 44), with: number)
    }
    try folder.write(bytes, "take.mov")
    #expect(try MovieIndex(path: path).audioTracks.first?.audio == nil)
  }

  @Test func sixteen_mono_tracks_hold_one_channel_each() throws {
    let format = AudioFormat(sampleRate: 48000, channelCount: 16, sampleFormat: .int24)
    let writer = try MovieWriter(file: PosixMovieFile(path: path, mode: .create))
    let video = try writer.addVideoTrack(Take().video)
    let ids = try writer.addMonoAudioTracks(AudioTrackDescription(format: format, name: "Mic"))
    try writer.start()
    for frame in 0..<20 {
      let first = Take.audioFrames(upTo: frame)
      let count = Take.audioFrames(upTo: frame + 1) - first
      let bytes = pcm(frames: count, from: first, channels: 16, bytes: 3)
      try MovieWriter.with(bytes) { buffer throws(QuickTimeError) in
        try writer.appendInterleavedAudio(buffer, frames: count, toMonoTracks: ids)
      }
      try writer.append(Packets.standard.frames[frame], to: video)
    }
    _ = try writer.finish()
    let frames = Take.audioFrames(upTo: 20)
    let all = pcm(frames: frames, channels: 16, bytes: 3)
    for channel in [0, 7, 15] {
      var expected = Data()
      for frame in 0..<frames {
        let start = (frame * 16 + channel) * 3
        expected.append(contentsOf: all[start..<(start + 3)])
      }
      #expect(try heard(channel, .int24) == expected)
    }
    let tracks = try MovieIndex(path: path).audioTracks
    #expect(tracks.map(\.name) == (1...16).map { "Mic \($0)" })
    #expect(tracks[3].audio?.channelLayout == .labels([.discrete(3)]))
  }

  @Test func stereo_as_mono_tracks_keeps_left_and_right() {
    let stereo = AudioTrackDescription(
      format: AudioFormat(sampleRate: 48000, channelCount: 2, sampleFormat: .int16))
    #expect(stereo.monoTracks.map(\.channelLayout) == [.labels([.left]), .labels([.right])])
  }

  @Test(.tags(.judges)) func ffprobe_reads_the_surround_layout_tag() throws {
    let format = AudioFormat(sampleRate: 48000, channelCount: 6, sampleFormat: .int24)
    let take = Take(
      frameCount: 3,
      audio: AudioTrackDescription(format: format, channelLayout: .tag(121 << 16 | 6)))
    try take.record(into: PosixMovieFile(path: path, mode: .create))
    #expect(
      try Judges.entries(path, "a:0", "stream=channel_layout") == ["channel_layout=5.1(side)"])
  }

  @Test func audio_before_the_first_frame_is_trimmed_to_the_sample() throws {
    let take = Take(frameCount: 30)
    let writer = try MovieWriter(
      file: PosixMovieFile(path: path, mode: .create), configuration: take.configuration)
    let video = try writer.addVideoTrack(take.video)
    let audio = try writer.addAudioTrack(try #require(take.audio))
    try writer.trimStart(of: audio, by: 701)
    try writer.start()
    try take.append(to: writer, [video, audio])
    let summary = try writer.finish()
    let frames = Take.audioFrames(upTo: 30)
    let all = Data(pcm(frames: frames, channels: 2, bytes: 3))
    #expect(try heard(0, .int24) == all.dropFirst(701 * 6))
    #expect(summary.duration == MediaTime(value: 30 * 1001, timescale: 30000))
    let track = try #require(try MovieIndex(path: path).audioTracks.first)
    #expect(track.edits.map(\.mediaTime) == [701])
    #expect(track.duration == MediaTime(value: Int64(frames - 701), timescale: 48000))
  }

  @Test(.tags(.judges)) func late_audio_has_a_later_start_time() throws {
    let take = Take(frameCount: 30)
    let (writer, ids) = try take.begin(PosixMovieFile(path: path, mode: .create))
    try take.append(to: writer, ids)
    try writer.delayStart(of: ids[1], by: MediaTime(value: 1, timescale: 10))
    _ = try writer.finish()
    #expect(try Judges.entries(path, "a:0", "stream=start_pts") == ["start_pts=4800"])
    #expect(try Judges.strictDecode(path) == "")
  }
}
