import AVFoundationCompat
import TestSupport
import Testing

/// Movies that `AVAssetExportSession` makes from others, and how an export ends.
@Suite struct ExportSessionTests {
  private let rig: ReadingRig

  init() throws { rig = try ReadingRig() }

  @Test func an_export_changes_codec_and_duration() async throws {
    let asset = try await rig.makeMovie(metadata: [
      ReadingRig.item(.commonIdentifierTitle, "Scene 1")
    ])
    #expect(
      AVAssetExportSession.exportPresets(compatibleWith: asset)
        == AVAssetExportSession.allExportPresets())
    #expect(
      await AVAssetExportSession.compatibility(
        ofExportPreset: AVAssetExportPresetAppleProRes4444LPCM, with: asset, outputFileType: .mov))
    let session = try #require(
      AVAssetExportSession(asset: asset, presetName: AVAssetExportPresetAppleProRes422LPCM))
    #expect(session.status == .unknown && session.supportedFileTypes == [.mov])
    session.shouldOptimizeForNetworkUse = true
    session.timeRange = CMTimeRange(
      start: CMTime(value: 5, timescale: 25), duration: CMTime(value: 10, timescale: 25))
    try await session.export(to: rig.folder.url("short.mov"), as: .mov)
    #expect(session.status == .completed && session.progress == 1 && session.error == nil)
    let short = AVURLAsset(url: rig.folder.url("short.mov"))
    #expect(try await short.load(.duration).seconds == 0.4)
    #expect(
      short.tracks[0].formatDescriptions.compactMap { $0 as? CMFormatDescription }
        .map(CMFormatDescriptionGetMediaSubType) == [kCMVideoCodecType_AppleProRes422])
    #expect(short.tracks.count == 2)
    #expect(short.commonMetadata.contains { $0.stringValue == "Scene 1" })
    await session.export()
    #expect(session.status == .completed && session.error != nil)
  }

  @Test(arguments: [
    (AVAssetExportPresetAppleProRes422LPCM, kCMVideoCodecType_AppleProRes422, 0),
    (AVAssetExportPresetAppleProRes4444LPCM, kCMVideoCodecType_AppleProRes4444, 1),
  ])
  func each_video_track_is_encoded_as_prores(
    preset: String, codec: CMVideoCodecType, notes: Int
  ) async throws {
    let asset = try await rig.makeTwoTracks("two.mov", levels: [40, 200])
    let session = try #require(AVAssetExportSession(asset: asset, presetName: preset))
    try await session.export(to: rig.folder.url("out.mov"), as: .mov)
    let movie = AVURLAsset(url: rig.folder.url("out.mov"))
    let tracks = movie.tracks(withMediaType: .video)
    #expect(tracks.count == 2 && !session.notes.contains { $0.contains("track") })
    let words = "the source has 4:2:2; its chroma is interpolated to 4:4:4"
    #expect(session.notes.count { $0.hasPrefix(words) } == notes, "\(session.notes)")
    for (track, level) in zip(tracks, [40, 200]) {
      #expect(
        track.formatDescriptions.compactMap { $0 as? CMFormatDescription }
          .map(CMFormatDescriptionGetMediaSubType) == [codec])
      let reader = try AVAssetReader(asset: movie)
      let output = AVAssetReaderTrackOutput(
        track: track,
        outputSettings: [
          kCVPixelBufferPixelFormatTypeKey as String: kCVPixelFormatType_422YpCbCr8
        ])
      reader.add(output)
      try #require(reader.startReading(), "\(String(describing: reader.error))")
      let sample = try #require(output.copyNextSampleBuffer())
      let frame = try #require(CMSampleBufferGetImageBuffer(sample))
      let base = try #require(CVPixelBufferGetBaseAddress(frame))
      // Chroma comes first.
      #expect(abs(Int(base.load(fromByteOffset: 1, as: UInt8.self)) - level) < 4)
    }
  }

  @Test func a_movie_is_exported_as_4444_with_its_audio() async throws {
    let asset = try await rig.makeMovie()
    let session = try #require(
      AVAssetExportSession(asset: asset, presetName: AVAssetExportPresetAppleProRes4444LPCM))
    try await session.export(to: rig.folder.url("full.mov"), as: .mov)
    #expect(session.status == .completed && session.error == nil)
    let full = AVURLAsset(url: rig.folder.url("full.mov"))
    #expect(
      full.tracks(withMediaType: .video).flatMap(\.formatDescriptions)
        .compactMap { $0 as? CMFormatDescription }
        .map(CMFormatDescriptionGetMediaSubType) == [kCMVideoCodecType_AppleProRes4444])
    #expect(full.tracks.count == asset.tracks.count)
    let lengths = try await (full.load(.duration).seconds, asset.load(.duration).seconds)
    #expect(abs(lengths.0 - lengths.1) < 0.001)
  }

  private static func word(_ state: AVAssetExportSession.State) -> String {
    switch state {
    case .pending: "pending"
    case .waiting: "waiting"
    case .exporting: "exporting"
    }
  }

  @Test func an_export_reports_its_states_and_progress() async throws {
    let session = try #require(
      AVAssetExportSession(
        asset: try await rig.makeMovie(), presetName: AVAssetExportPresetAppleProRes422LPCM))
    let (states, parts) = (session.states(), session.states(updateInterval: 0))
    try await session.export(to: rig.folder.url("b.mov"), as: .mov)
    // Every state is reported once, however short it was.
    var names: [String] = []
    for await state in states { names.append(Self.word(state)) }
    #expect(names == ["pending", "waiting", "exporting"])
    var last: Progress?
    for await case .exporting(let progress) in parts {
      #expect(last == nil || last === progress)
      last = progress
    }
    #expect(last?.completedUnitCount == 1000, "the progress reaches the end")
    var late = 0
    for await _ in session.states() { late += 1 }
    #expect(late == 0, "the export has ended")
  }

  @Test(.tags(.judges)) func decoded_audio_needs_no_trimming() async throws {
    _ = try Judges.ffmpeg(
      "-f lavfi -i sine=440:r=48000:d=0.5 -c:a aac \(rig.folder.path("a.m4a"))")
    let asset = AVURLAsset(url: rig.folder.url("a.m4a"))
    let reader = try AVAssetReader(asset: asset)
    let output = AVAssetReaderTrackOutput(
      track: try #require(asset.tracks.first),
      outputSettings: [AVFormatIDKey: kAudioFormatLinearPCM])
    reader.add(output)
    try #require(reader.startReading(), "\(String(describing: reader.error))")
    var frames = 0
    while let sample = output.copyNextSampleBuffer() {
      frames += sample.numSamples
      for key in [
        kCMSampleBufferAttachmentKey_TrimDurationAtStart,
        kCMSampleBufferAttachmentKey_TrimDurationAtEnd,
      ] { #expect(CMGetAttachment(sample, key: key, attachmentModeOut: nil) == nil) }
    }
    #expect(frames == 24_000)
    let input = AVAssetWriterInput(
      mediaType: .audio, outputSettings: [AVFormatIDKey: kAudioFormatLinearPCM])
    #expect(input.debugDescription == input.description && input.description.contains("soun"))
  }

  @Test func an_impossible_export_fails_and_leaves_no_file() async throws {
    let asset = try await rig.makeMovie()
    #expect(AVAssetExportSession(asset: asset, presetName: "AVAssetExportPresetNone") == nil)
    func session(_ asset: AVAsset) throws -> AVAssetExportSession {
      try #require(
        AVAssetExportSession(asset: asset, presetName: AVAssetExportPresetAppleProRes422LPCM))
    }
    #expect(try session(asset).presetName == AVAssetExportPresetAppleProRes422LPCM)
    let inMP4 = try session(asset)
    await #expect(throws: AVError.self) {
      try await inMP4.export(to: rig.folder.url("a"), as: .mp4)
    }
    let nowhere = try session(asset)
    await withCheckedContinuation { done in
      nowhere.exportAsynchronously { done.resume() }
      #expect(nowhere.status != .unknown, "the status is set immediately")
    }
    #expect(nowhere.status == .failed && nowhere.error != nil)
    let missing = try session(AVAsset(url: rig.folder.url("none.mov")))
    await #expect(throws: AVError.self) {
      try await missing.export(to: rig.folder.url("b.mov"), as: .mov)
    }
    // An existing file is not replaced.
    let again = try session(asset)
    await #expect { try await again.export(to: asset.url, as: .mov) } throws: {
      $0 is AVError
    }
    let cancelled = try session(asset)
    cancelled.outputURL = rig.folder.url("c.mov")
    cancelled.cancelExport()
    #expect(rig.folder.contents == ["made.mov"] && asset.isPlayable)
  }

  @Test func a_second_export_of_a_session_is_refused_without_disturbing_the_first() async throws {
    let asset = try await rig.makeMovie()
    let session = try #require(
      AVAssetExportSession(asset: asset, presetName: AVAssetExportPresetAppleProRes422LPCM))
    session.outputURL = rig.folder.url("first.mov")
    let (ended, end) = AsyncStream<Void>.makeStream()
    session.exportAsynchronously { end.finish() }
    await #expect {
      try await session.export(to: rig.folder.url("second.mov"), as: .mov)
    } throws: {
      ($0 as? AVError)?.code == .operationNotAllowed
    }
    for await _ in ended {}
    #expect(session.status == .completed && session.error == nil)
    #expect(rig.folder.contents == ["first.mov", "made.mov"])
  }
}
