import AVFoundationCompat
import TestSupport
import Testing

/// Layered video tracks: when they are shown, who uses them, and what is refused.
@Suite(.tags(.judges)) struct VideoCompositionUseTests: LayerRig {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  // MARK: Times

  @Test func frames_have_the_requested_rate_and_range() async throws {
    let asset = try makeMovie("in.mov", .gray(500))
    let twice = composition(320, 180, [layer(asset.tracks[0])])
    twice.frameDuration = CMTime(value: 1, timescale: 50)
    try await export(asset, twice, to: "out.mov", range: frames(2, 6))
    let stream = try Judges.videoStream(folder.path("out.mov"))
    #expect(stream["r_frame_rate"] == "50/1" && stream["nb_frames"] == "12")
    twice.sourceTrackIDForFrameTiming = asset.tracks[0].trackID
    try await export(asset, twice, to: "own.mov")
    let own = try Judges.videoStream(folder.path("own.mov"))
    #expect(own["r_frame_rate"] == "25/1" && own["nb_frames"] == "10")
  }

  @Test func instructions_apply_in_turn_and_track_gaps_are_black() async throws {
    let movie = AVMutableComposition()
    let track = try #require(movie.addMutableTrack(withMediaType: .video, preferredTrackID: 0))
    let source = try makeMovie("in.mov", .gray(700)).tracks[0]
    try track.insertTimeRange(frames(0, 3), of: source, at: .zero)
    try track.insertTimeRange(frames(0, 3), of: source, at: at(5))
    let whole = composition(320, 180, [layer(track)], range: frames(0, 6))
    let half = AVMutableVideoCompositionInstruction()
    half.timeRange = frames(6, 2)
    half.layerInstructions = [layer(track, CGAffineTransform(scaleX: 0.5, y: 1))]
    whole.instructions.append(half)
    try await export(movie, whole, to: "out.mov")
    let made = try luma("out.mov")
    #expect(made.frames.count == 8)
    for frame in 0..<8 {
      let code = (3..<5).contains(frame) ? 64 : 700
      let right = frame >= 6 ? 64 : code
      expectAlike(
        made.quarters(frame),
        Quarters(upperLeft: code, upperRight: right, lowerLeft: code, lowerRight: right))
    }
  }

  @Test func alternating_tracks_are_all_shown() async throws {
    let movie = AVMutableComposition()
    for (number, code) in [300, 700, 500].enumerated() {
      let track = try #require(
        number == 2
          ? movie.tracks(withMediaType: .video).first
          : movie.addMutableTrack(withMediaType: .video, preferredTrackID: 0))
      try track.insertTimeRange(
        frames(0, 4), of: try makeMovie("\(code).mov", .gray(code)).tracks[0],
        at: at(Int64(number) * 4))
    }
    let shown = try await AVMutableVideoComposition.videoComposition(withPropertiesOf: movie)
    #expect(shown.sourceTrackIDForFrameTiming == kCMPersistentTrackID_Invalid)
    #expect(shown.frameDuration == CMTime(value: 1, timescale: 25))
    for timing in [kCMPersistentTrackID_Invalid, 1, 2] {
      shown.sourceTrackIDForFrameTiming = timing
      try await export(movie, shown, to: "\(timing).mov")
      let made = try luma("\(timing).mov")
      #expect(made.frames.count == 12, "\(timing)")
      for (frame, code) in zip([1, 5, 9], [300, 700, 500]) {
        expectAlike(made.quarters(frame), .gray(code))
      }
    }
  }

  @Test func an_odd_render_size_is_made_even_with_a_note() async throws {
    let asset = try makeMovie("in.mov")
    let session = try await export(
      asset, composition(321, 181, [layer(asset.tracks[0])]), to: "out.mov")
    #expect(try Judges.videoStream(folder.path("out.mov"))["width"] == "320")
    #expect(
      session.notes.contains("renderSize is not in even pixels; the movie is 320x180"),
      "\(session.notes)")
  }

  // MARK: Where it is used

  @Test func a_rotated_asset_is_upright_in_its_own_video_composition() async throws {
    _ = try makeMovie("lying.mov")
    let made = AVMutableComposition()
    try made.insertTimeRange(
      frames(0, 10), of: AVURLAsset(url: folder.url("lying.mov")), at: .zero)
    let track = try #require(made.tracks(withMediaType: .video).first)
    track.preferredTransform = CGAffineTransform(a: 0, b: 1, c: -1, d: 0, tx: 180, ty: 0)
    let upright = try await AVMutableVideoComposition.videoComposition(withPropertiesOf: made)
    #expect(upright.renderSize == CGSize(width: 180, height: 320))
    let drawn = try #require(upright.instructions.first as? AVVideoCompositionInstruction)
    #expect(drawn.enablePostProcessing && drawn.layerInstructions.map(\.trackID) == [track.trackID])
    #expect(try await upright.isValid(for: made, timeRange: frames(0, 10)))
    try await export(made, upright, to: "out.mov")
    expectAlike(
      try luma("out.mov").quarters(0),
      Quarters(upperLeft: 600, upperRight: 200, lowerLeft: 800, lowerRight: 400))
    #expect(try Judges.videoStream(folder.path("out.mov"))["rotation"] == nil)
  }

  @Test func a_reader_delivers_the_frames_of_a_video_composition() async throws {
    let asset = try makeMovie("in.mov")
    let half = composition(
      320, 180, [layer(asset.tracks[0], CGAffineTransform(scaleX: 0.5, y: 0.5))])
    let reader = try AVAssetReader(asset: asset)
    let output = AVAssetReaderVideoCompositionOutput(
      videoTracks: asset.tracks(withMediaType: .video),
      videoSettings: [kCVPixelBufferPixelFormatTypeKey as String: kCVPixelFormatType_32BGRA])
    output.videoComposition = half
    reader.timeRange = frames(4, 3)
    try #require(reader.canAdd(output))
    reader.add(output)
    try #require(reader.startReading(), "\(String(describing: reader.error))")
    var times: [CMTime] = []
    while let sample = output.copyNextSampleBuffer() {
      times.append(sample.presentationTimeStamp)
      let frame = try #require(CMSampleBufferGetImageBuffer(sample))
      #expect(CVPixelBufferGetPixelFormatType(frame) == kCVPixelFormatType_32BGRA)
      #expect(CVPixelBufferGetWidth(frame) == 320 && CVPixelBufferGetHeight(frame) == 180)
    }
    #expect(reader.status == .completed && times == [at(4), at(5), at(6)])
  }

  @Test func a_composition_output_without_a_composition_fails() throws {
    let asset = try makeMovie("in.mov")
    let reader = try AVAssetReader(asset: asset)
    reader.add(AVAssetReaderVideoCompositionOutput(videoTracks: asset.tracks, videoSettings: nil))
    #expect(!reader.startReading() && reader.status == .failed)
  }

  // MARK: What is refused

  @Test func invalid_video_compositions_are_refused_with_a_reason() async throws {
    let asset = try makeMovie("in.mov")
    let track = asset.tracks[0]
    let hole = composition(320, 180, [layer(track)], range: frames(0, 4))
    let late = AVMutableVideoCompositionInstruction()
    late.timeRange = frames(6, 4)
    hole.instructions.append(late)
    let unknown = layer(track)
    unknown.trackID = 9
    let instant = composition(320, 180, [layer(track)])
    instant.frameDuration = .zero
    let scaled = composition(320, 180, [layer(track)])
    scaled.renderScale = 2
    final class Own: AVVideoCompositionInstructionProtocol {
      let timeRange = CMTimeRange(start: .zero, duration: CMTime(value: 10, timescale: 25))
    }
    let custom = composition(320, 180, [])
    custom.instructions = [Own()]
    let wrong: [(AVVideoComposition, String)] = [
      (hole, "contiguous"),
      (composition(320, 180, [layer(track)], range: frames(0, 7)), "instructions end at"),
      (composition(320, 180, [unknown]), "no track 9"),
      (composition(0, 0, [layer(track)]), "0x0"),
      (
        composition(320, 180, [layer(track, CGAffineTransform(rotationAngle: .pi / 4))]),
        "multiple of 90"
      ),
      (
        composition(320, 180, [layer(track, CGAffineTransform(translationX: .nan, y: 0))]),
        "not finite"
      ),
      (instant, "frame duration"), (scaled, "renderScale"), (custom, "compositor"),
    ]
    for (composition, words) in wrong {
      await #expect {
        try await export(asset, composition, to: "out.mov")
      } throws: {
        ($0 as? AVError)?.code == .invalidVideoComposition && "\($0)".contains(words)
      }
      #expect(try await !composition.isValid(for: asset, timeRange: frames(0, 10)))
    }
    #expect(folder.contents == ["in.mov"])
  }

  @Test func ignored_composition_settings_are_noted() async throws {
    let asset = try makeMovie("in.mov")
    let wide = composition(320, 180, [layer(asset.tracks[0])])
    wide.colorPrimaries = AVVideoColorPrimaries_ITU_R_2020
    wide.colorTransferFunction = AVVideoTransferFunction_ITU_R_2100_HLG
    wide.colorYCbCrMatrix = AVVideoYCbCrMatrix_ITU_R_2020
    let encoded = try await export(asset, wide, to: "out.mov")
    #expect(
      encoded.notes.contains { $0.contains("color properties are dropped") }, "\(encoded.notes)")
    let copied = try await export(asset, wide, to: "copy.mov", AVAssetExportPresetPassthrough)
    #expect(copied.notes.contains { $0.contains("frames are copied") }, "\(copied.notes)")
  }

  @Test(.tags(.slow)) func interlaced_video_is_not_scaled() async throws {
    _ = try Judges.ffmpeg(
      "-f lavfi -i testsrc2=s=720x576:r=25,format=yuv422p10le,setfield=tff -frames:v 10 -flags +ildct "
        + "-c:v prores_ks -top 1 \(folder.path("fields.mov"))")
    let asset = AVURLAsset(url: folder.url("fields.mov"))
    await #expect {
      try await export(
        asset,
        composition(360, 288, [layer(asset.tracks[0], CGAffineTransform(scaleX: 0.5, y: 0.5))]),
        to: "out.mov")
    } throws: { "\($0)".contains("deinterlace") }
    #expect(folder.contents == ["fields.mov"])
  }
}
