import AVFoundationCompat
import TestSupport
import Testing

/// Exports as H.264, HEVC and AAC, and what happens to their audio.
@Suite(.tags(.judges)) struct CompressedExportTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// A movie of ten or fewer frames at 25 a second, with a tone of the same duration.
  private func makeMovie(
    _ name: String, _ size: String = "320x180", tone: String = "sine=440:r=48000",
    codec: String = "prores_ks", frames: Int = 10
  ) throws -> AVURLAsset {
    _ = try Judges.ffmpeg(
      [
        "-f", "lavfi", "-i", "testsrc2=s=\(size):r=25,format=yuv422p10le", "-f", "lavfi", "-i",
        "\(tone):d=\(Double(frames) / 25)", "-frames:v", "\(frames)", "-c:v", codec, "-c:a",
        "pcm_s24le", folder.path(name),
      ])
    return AVURLAsset(url: folder.url(name))
  }

  private func session(_ asset: AVAsset, _ preset: String) throws -> AVAssetExportSession {
    guard AVAssetExportSession.allExportPresets().contains(preset) else {
      try Test.cancel("this machine's libavcodec has no encoder for \(preset)")
    }
    return try #require(AVAssetExportSession(asset: asset, presetName: preset))
  }

  private func stream(_ name: String, _ selection: String) throws -> [String: String] {
    try Judges.stream(folder.path(name), selection)
  }

  // MARK: Presets

  @Test(arguments: [
    (AVAssetExportPresetHighestQuality, "h264", "1000", "600"),
    (AVAssetExportPreset640x480, "h264", "640", "384"),
    (AVAssetExportPreset960x540, "h264", "900", "540"),
    (AVAssetExportPreset1280x720, "h264", "1000", "600"),
    (AVAssetExportPreset1920x1080, "h264", "1000", "600"),
    (AVAssetExportPreset3840x2160, "h264", "1000", "600"),
    (AVAssetExportPresetMediumQuality, "h264", "600", "360"),
    (AVAssetExportPresetLowQuality, "h264", "300", "180"),
    (AVAssetExportPresetHEVCHighestQuality, "hevc", "1000", "600"),
    (AVAssetExportPresetHEVC1920x1080, "hevc", "1000", "600"),
    (AVAssetExportPresetHEVC3840x2160, "hevc", "1000", "600"),
  ]) func a_preset_scales_frames_down_to_its_size_but_never_up(
    preset: String, codec: String, width: String, height: String
  ) async throws {
    let session = try session(try makeMovie("in.mov", "1000x600", frames: 3), preset)
    #expect(session.supportedFileTypes == [.mp4, .mov, .m4v])
    try await session.export(to: folder.url("out.mp4"), as: .mp4)
    let video = try stream("out.mp4", "v:0")
    #expect(video["codec_name"] == codec && video["width"] == width && video["height"] == height)
    #expect(video["nb_frames"] == "3" && video["r_frame_rate"] == "25/1")
    #expect(try stream("out.mp4", "a:0")["codec_name"] == "aac")
    #expect(try Judges.strictDecode(folder.path("out.mp4")) == "")
  }

  @Test func portrait_video_fits_into_the_rotated_preset_size() async throws {
    let session = try session(
      try makeMovie("in.mov", "720x1280", frames: 3), AVAssetExportPreset960x540)
    session.outputFileType = .mov
    session.outputURL = folder.url("out.mov")
    await session.export()
    #expect(session.status == .completed, "\(String(describing: session.error))")
    let video = try stream("out.mov", "v:0")
    #expect(
      video["width"] == "540" && video["height"] == "960" && video["codec_tag_string"] == "avc1")
  }

  @Test func a_video_composition_is_scaled_to_the_preset_too() async throws {
    let asset = try makeMovie("in.mov", "640x360", frames: 3)
    let session = try session(asset, AVAssetExportPreset640x480)
    let composition = try await AVMutableVideoComposition.videoComposition(withPropertiesOf: asset)
    composition.renderSize = CGSize(width: 1280, height: 720)
    session.videoComposition = composition
    try await session.export(to: folder.url("out.mp4"), as: .mp4)
    let video = try stream("out.mp4", "v:0")
    #expect(video["width"] == "640" && video["height"] == "360")
  }

  @Test func the_m4a_preset_exports_audio_only() async throws {
    let session = try session(try makeMovie("in.mov"), AVAssetExportPresetAppleM4A)
    #expect(session.supportedFileTypes == [.m4a])
    await #expect(throws: AVError.self) {
      try await session.export(to: folder.url("out.mov"), as: .mov)
    }
    let again = try self.session(
      AVURLAsset(url: folder.url("in.mov")), AVAssetExportPresetAppleM4A)
    try await again.export(to: folder.url("out.m4a"), as: .m4a)
    #expect(try stream("out.m4a", "a:0")["codec_name"] == "aac")
    #expect(try stream("out.m4a", "v:0").isEmpty)
  }

  @Test func only_compatible_presets_are_offered() async throws {
    let asset = try makeMovie("in.mov", codec: "mpeg4")
    let fitting = AVAssetExportSession.exportPresets(compatibleWith: asset)
    #expect(!fitting.contains(AVAssetExportPresetPassthrough))
    #expect(fitting.contains(AVAssetExportPresetAppleM4A))
    for (preset, type, wanted) in [
      (AVAssetExportPresetAppleM4A, AVFileType.m4a, true),
      (AVAssetExportPresetAppleM4A, .mov, false), (AVAssetExportPresetPassthrough, .mov, false),
      (AVAssetExportPresetAppleProRes422LPCM, .mov, true),
      (AVAssetExportPresetAppleProRes422LPCM, .mp4, false),
    ] {
      let isFitting = await AVAssetExportSession.compatibility(
        ofExportPreset: preset, with: asset, outputFileType: type)
      #expect(isFitting == wanted, "\(preset) in \(type.rawValue)")
    }
  }

  @Test func the_sharing_filter_removes_location_and_author_with_a_note() async throws {
    let session = try #require(
      AVAssetExportSession(
        asset: try makeMovie("in.mov"), presetName: AVAssetExportPresetPassthrough))
    session.metadata = [
      (AVMetadataIdentifier.commonIdentifierTitle, "Scene 1"),
      (.quickTimeMetadataAuthor, "A. Person"),
      (.quickTimeMetadataLocationISO6709, "+48.1+011.5/"),
    ].map { identifier, text in
      let item = AVMutableMetadataItem()
      item.identifier = identifier
      item.value = text as NSString
      return item
    }
    let filter = AVMetadataItemFilter.forSharing()
    session.metadataItemFilter = filter
    #expect(session.metadataItemFilter === filter)
    try await session.export(to: folder.url("out.mov"), as: .mov)
    let said = AVURLAsset(url: folder.url("out.mov")).metadata.compactMap(\.stringValue)
    #expect(said.contains("Scene 1") && !said.contains("A. Person"))
    #expect(!said.contains { $0.hasPrefix("+48.1") }, "\(said)")
    #expect(session.notes.contains { $0.contains("author") && $0.contains("location") })
  }

  // MARK: Audio

  /// Constant audio: one level on the left and one on the right.
  private func level(_ left: Double, _ right: Double, rate: Int = 48_000) -> String {
    "aevalsrc=\(left)|\(right):s=\(rate)"
  }

  /// Frames of 32-bit audio from -1 to 1, left and right.
  private func audio(_ name: String) throws -> [(left: Double, right: Double)] {
    let samples = try Judges.decodeAudio(folder.path(name)).map { Double($0) / 2_147_483_648 }
    return stride(from: 0, to: samples.count - 1, by: 2).map { (samples[$0], samples[$0 + 1]) }
  }

  private func twoTracks(_ second: String) throws -> (
    AVMutableComposition, [AVMutableCompositionTrack]
  ) {
    let composition = AVMutableComposition()
    let one = try makeMovie("one.mov", tone: level(0.25, -0.25))
    let two = try makeMovie("two.mov", tone: second)
    try composition.insertTimeRange(
      CMTimeRange(start: .zero, duration: CMTime(value: 10, timescale: 25)), of: one, at: .zero)
    let track = try #require(
      composition.addMutableTrack(withMediaType: .audio, preferredTrackID: 0))
    try track.insertTimeRange(
      CMTimeRange(start: .zero, duration: CMTime(value: 5, timescale: 25)), of: two.tracks[1],
      at: CMTime(value: 5, timescale: 25))
    return (composition, composition.tracks(withMediaType: .audio))
  }

  @Test func a_mix_adds_tracks_with_sample_accurate_volumes() async throws {
    let (composition, tracks) = try twoTracks(level(0.5, 0.125))
    let loud = AVMutableAudioMixInputParameters(track: tracks[0])
    loud.setVolume(0.5, at: .zero)
    loud.setVolumeRamp(
      fromStartVolume: 1, toEndVolume: 0,
      timeRange: CMTimeRange(
        start: CMTime(value: 5, timescale: 25), duration: CMTime(value: 5, timescale: 25)))
    let mix = AVMutableAudioMix()
    mix.inputParameters = [loud]
    let given: [AVAudioMixInputParameters] = mix.inputParameters
    #expect(given.map(\.trackID) == [tracks[0].trackID])
    let session = try #require(
      AVAssetExportSession(asset: composition, presetName: AVAssetExportPresetAppleProRes422LPCM))
    session.audioMix = mix
    try await session.export(to: folder.url("out.mov"), as: .mov)
    #expect(session.notes.contains("2 audio tracks mixed into one"), "\(session.notes)")
    #expect(try stream("out.mov", "a:1").isEmpty)
    let frames = try audio("out.mov")
    #expect(frames.count == 19_200)
    for (place, frame) in frames.enumerated() {
      let first = place < 9600 ? 0.5 : 1 - Double(place - 9600) / 9600
      let second = place < 9600 ? (left: 0.0, right: 0.0) : (left: 0.5, right: 0.125)
      let wanted = (left: 0.25 * first + second.left, right: -0.25 * first + second.right)
      let isRight = abs(frame.left - wanted.left) < 1e-6 && abs(frame.right - wanted.right) < 1e-6
      try #require(isRight, "frame \(place): \(frame), \(wanted)")
    }
  }

  @Test func silence_before_and_between_clips_is_sample_accurate() async throws {
    let source = try makeMovie("one.mov", tone: level(0.25, -0.25)).tracks[1]
    let composition = AVMutableComposition()
    let track = try #require(
      composition.addMutableTrack(withMediaType: .audio, preferredTrackID: 0))
    let part = CMTimeRange(start: .zero, duration: CMTime(value: 5, timescale: 25))
    // From 0.48 s to 0.68 s (360 samples late), and from 2 s to 2.2 s.
    try track.insertTimeRange(part, of: source, at: CMTime(value: 12, timescale: 25))
    try track.insertTimeRange(part, of: source, at: CMTime(value: 33_000, timescale: 48_000))
    try track.insertTimeRange(part, of: source, at: CMTime(value: 2, timescale: 1))
    let session = try #require(
      AVAssetExportSession(asset: composition, presetName: AVAssetExportPresetAppleProRes422LPCM))
    session.audioMix = AVMutableAudioMix()
    try await session.export(to: folder.url("out.mov"), as: .mov)
    let frames = try audio("out.mov")
    #expect(frames.count == 105_600)
    for (place, frame) in frames.enumerated() {
      let isHeard =
        (23_040..<32_640).contains(place) || (33_000..<42_600).contains(place) || place >= 96_000
      try #require(frame.left == (isHeard ? 0.25 : 0), "frame \(place)")
    }
  }

  @Test func small_audio_gaps_do_not_accumulate() async throws {
    let source = try makeMovie("one.mov", tone: level(0.25, -0.25)).tracks[1]
    let composition = AVMutableComposition()
    let track = try #require(
      composition.addMutableTrack(withMediaType: .audio, preferredTrackID: 0))
    // 960 samples each, 190 samples apart: less than counts as a gap.
    for place in 0..<50 {
      try track.insertTimeRange(
        CMTimeRange(start: .zero, duration: CMTime(value: 1, timescale: 50)), of: source,
        at: CMTime(value: Int64(place) * 1150, timescale: 48_000))
    }
    let session = try #require(
      AVAssetExportSession(asset: composition, presetName: AVAssetExportPresetAppleProRes422LPCM))
    session.audioMix = AVMutableAudioMix()
    try await session.export(to: folder.url("out.mov"), as: .mov)
    #expect(abs(try audio("out.mov").count - (49 * 1150 + 960)) <= 242)
  }

  @Test func disabled_audio_tracks_are_dropped_with_a_note() async throws {
    let (composition, tracks) = try twoTracks(level(0.5, 0.5))
    for track in tracks { track.isEnabled = false }
    let session = try session(composition, AVAssetExportPreset640x480)
    try await session.export(to: folder.url("out.mp4"), as: .mp4)
    #expect(try stream("out.mp4", "a:0").isEmpty)
    #expect(session.notes.contains("2 disabled audio tracks dropped"), "\(session.notes)")
  }

  @Test func invalid_volumes_are_silent() async throws {
    let asset = try makeMovie("in.mov", tone: level(0.5, 0.5))
    let odd = AVMutableAudioMixInputParameters(track: asset.tracks[1])
    odd.setVolume(.nan, at: .zero)
    odd.setVolumeRamp(
      fromStartVolume: .infinity, toEndVolume: -1,
      timeRange: CMTimeRange(
        start: CMTime(value: 5, timescale: 25), duration: CMTime(value: 2, timescale: 25)))
    let mix = AVMutableAudioMix()
    mix.inputParameters = [odd]
    let session = try #require(
      AVAssetExportSession(asset: asset, presetName: AVAssetExportPresetAppleProRes422LPCM))
    session.audioMix = mix
    try await session.export(to: folder.url("out.mov"), as: .mov)
    #expect(try audio("out.mov").allSatisfy { $0.left == 0 && $0.right == 0 })
  }

  @Test func a_mix_keeps_the_channel_layout_of_its_tracks() async throws {
    let asset = try makeMovie("in.mov", tone: "aevalsrc=0.1|0.1|0.1|0.1|0.1|0.1:s=48000:c=5.1")
    let session = try #require(
      AVAssetExportSession(asset: asset, presetName: AVAssetExportPresetAppleProRes422LPCM))
    session.audioMix = AVMutableAudioMix()
    try await session.export(to: folder.url("out.mov"), as: .mov)
    #expect(try stream("out.mov", "a:0")["channel_layout"]?.hasPrefix("5.1") == true)
  }

  @Test func an_audio_file_can_be_exported_as_m4a() async throws {
    _ = try Judges.ffmpeg("-f lavfi -i sine=440:r=48000:d=0.5 \(folder.path("a.wav"))")
    let asset = AVURLAsset(url: folder.url("a.wav"))
    #expect(asset.isExportable)
    let fitting = AVAssetExportSession.exportPresets(compatibleWith: asset)
    #expect(
      fitting.sorted() == [AVAssetExportPresetAppleM4A, AVAssetExportPresetPassthrough].sorted())
    let session = try session(asset, AVAssetExportPresetAppleM4A)
    try await session.export(to: folder.url("a.m4a"), as: .m4a)
    #expect(try stream("a.m4a", "a:0")["codec_name"] == "aac")
  }

  @Test func a_mix_is_clipped_at_full_scale() async throws {
    let (composition, _) = try twoTracks(level(0.9, -0.9))
    let session = try #require(
      AVAssetExportSession(asset: composition, presetName: AVAssetExportPresetAppleProRes422LPCM))
    session.audioMix = AVMutableAudioMix()
    try await session.export(to: folder.url("out.mov"), as: .mov)
    let frame = try audio("out.mov")[15_000]
    #expect(frame.left > 0.999_999 && frame.right == -1)
  }

  @Test func tracks_of_other_rates_and_channel_counts_are_converted_for_the_mix() async throws {
    let (composition, tracks) = try twoTracks("aevalsrc=0.5:s=44100")
    let reader = try AVAssetReader(asset: composition)
    let output = AVAssetReaderAudioMixOutput(
      audioTracks: tracks,
      audioSettings: [
        AVFormatIDKey: kAudioFormatLinearPCM, AVSampleRateKey: 48_000, AVNumberOfChannelsKey: 2,
        AVLinearPCMBitDepthKey: 16,
      ])
    try #require(reader.canAdd(output))
    reader.add(output)
    try #require(reader.startReading(), "\(String(describing: reader.error))")
    var samples: [Int16] = []
    while let sample = output.copyNextSampleBuffer() {
      let bytes = try #require(sample.audioBuffer).bytes
      samples += stride(from: 0, to: bytes.count, by: 2).map {
        Int16(bitPattern: UInt16(bytes[$0]) | UInt16(bytes[$0 + 1]) << 8)
      }
    }
    #expect(reader.status == .completed && abs(samples.count / 2 - 19_200) <= 2)
    // An added mono voice is on both sides.
    let (left, right) = (samples[14_000 * 2], samples[14_000 * 2 + 1])
    #expect(abs(Int(left) - 24_576) < 40 && abs(Int(right) - 8192) < 40, "\(left), \(right)")
  }

  @Test func unmixable_channel_counts_are_refused_with_a_reason() async throws {
    let asset = try makeMovie(
      "in.mov", tone: "aevalsrc=0.1|0.1|0.1|0.1|0.1|0.1:s=48000:c=5.1")
    let reader = try AVAssetReader(asset: asset)
    let output = AVAssetReaderAudioMixOutput(
      audioTracks: [asset.tracks[1]],
      audioSettings: [AVFormatIDKey: kAudioFormatLinearPCM, AVNumberOfChannelsKey: 4])
    reader.add(output)
    #expect(!reader.startReading())
    #expect("\(reader.error as Any)".contains("cannot mix 6 channels down to 4"))
  }

  @Test func surround_is_mixed_down_to_stereo_in_compressed_movies() async throws {
    let asset = try makeMovie(
      "in.mov", tone: "aevalsrc=0.1|0.1|0.1|0.1|0.1|0.1:s=96000:c=5.1")
    let session = try session(asset, AVAssetExportPreset640x480)
    try await session.export(to: folder.url("out.mp4"), as: .mp4)
    let audio = try stream("out.mp4", "a:0")
    #expect(audio["channels"] == "2" && audio["sample_rate"] == "96000")
    #expect(session.notes.contains("6 channels mixed down to 2"), "\(session.notes)")
    // 0.1 from left, center and surround, but nothing from the low-frequency channel.
    let frame = try self.audio("out.mp4")[20_000]
    #expect(abs(frame.left - 0.1) < 0.003 && abs(frame.right - 0.1) < 0.003, "\(frame)")
  }

  @Test func a_mix_of_a_missing_track_is_an_error() async throws {
    let asset = try makeMovie("in.mov")
    let stray = AVMutableAudioMixInputParameters(track: nil)
    stray.trackID = 7
    let mix = AVMutableAudioMix()
    mix.inputParameters = [stray]
    let session = try #require(
      AVAssetExportSession(asset: asset, presetName: AVAssetExportPresetAppleProRes422LPCM))
    session.audioMix = mix
    await #expect { try await session.export(to: folder.url("out.mov"), as: .mov) } throws: {
      "\($0)".contains("no track 7")
    }
    #expect(folder.contents == ["in.mov"])
  }
}
