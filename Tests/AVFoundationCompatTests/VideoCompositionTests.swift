import AVFoundationCompat
import TestSupport
import Testing

/// Pictures of tracks drawn over one another: where they come to, when, and what is refused.
@Suite(.tags(.judges)) struct VideoCompositionTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Luma codes of the quarters of a frame.
  private struct Quarters: Equatable {
    var upperLeft: Int
    var upperRight: Int
    var lowerLeft: Int
    var lowerRight: Int

    var all: [Int] { [upperLeft, upperRight, lowerLeft, lowerRight] }
    static func gray(_ code: Int) -> Quarters {
      Quarters(upperLeft: code, upperRight: code, lowerLeft: code, lowerRight: code)
    }
  }

  private static let colored = Quarters(
    upperLeft: 200, upperRight: 400, lowerLeft: 600, lowerRight: 800)

  /// A movie of 320x180, ten frames at 25 a second, whose quarters are of one gray each.
  private func makeMovie(
    _ name: String, _ quarters: Quarters = colored, sound: Bool = false
  ) throws -> AVURLAsset {
    let luma =
      "if(lt(X,160),if(lt(Y,90),\(quarters.upperLeft),\(quarters.lowerLeft)),"
      + "if(lt(Y,90),\(quarters.upperRight),\(quarters.lowerRight)))"
    var line = ["-f", "lavfi", "-i"]
    line.append("color=black:s=320x180:r=25,format=yuv422p10le,geq=lum='\(luma)':cb=512:cr=512")
    if sound {
      line += ["-f", "lavfi", "-i", "sine=440:r=48000:d=0.4", "-c:a", "pcm_s16le"]
    }
    line += ["-frames:v", "10", "-c:v", "prores_ks", "-profile:v", "3"]
    line += ["-timecode", "01:00:00:00", folder.path(name)]
    _ = try Judges.ffmpeg(line)
    return AVURLAsset(url: folder.url(name))
  }

  private func at(_ frame: Int64) -> CMTime { CMTime(value: frame, timescale: 25) }
  private func frames(_ start: Int64, _ count: Int64) -> CMTimeRange {
    CMTimeRange(start: at(start), duration: at(count))
  }

  private func layer(
    _ track: AVAssetTrack, _ transform: CGAffineTransform = .identity
  ) -> AVMutableVideoCompositionLayerInstruction {
    let layer = AVMutableVideoCompositionLayerInstruction(assetTrack: track)
    layer.setTransform(transform, at: .zero)
    return layer
  }

  private func composition(
    _ width: Double, _ height: Double, _ layers: [AVVideoCompositionLayerInstruction],
    range: CMTimeRange? = nil
  ) -> AVMutableVideoComposition {
    let composition = AVMutableVideoComposition()
    composition.renderSize = CGSize(width: width, height: height)
    composition.frameDuration = CMTime(value: 1, timescale: 25)
    let instruction = AVMutableVideoCompositionInstruction()
    instruction.timeRange = range ?? frames(0, 10)
    instruction.layerInstructions = layers
    instruction.enablePostProcessing = false
    composition.instructions = [instruction]
    return composition
  }

  @discardableResult
  private func export(
    _ asset: AVAsset, _ composition: AVVideoComposition, to name: String,
    _ preset: String = AVAssetExportPresetAppleProRes422LPCM, as type: AVFileType = .mov,
    range: CMTimeRange? = nil
  ) async throws -> AVAssetExportSession {
    let session = try #require(AVAssetExportSession(asset: asset, presetName: preset))
    session.videoComposition = composition
    if let range { session.timeRange = range }
    try await session.export(to: folder.url(name), as: type)
    return session
  }

  /// Luma of a movie's frames, as FFmpeg decodes them.
  private struct Luma {
    let width: Int
    let frames: [[UInt16]]

    subscript(frame: Int, x: Int, y: Int) -> Int { Int(frames[frame][y * width + x]) }

    /// The middles of the quarters.
    func quarters(_ frame: Int) -> Quarters {
      let height = frames[frame].count / width
      let (left, right) = (width / 4, width * 3 / 4)
      let (top, bottom) = (height / 4, height * 3 / 4)
      return Quarters(
        upperLeft: self[frame, left, top], upperRight: self[frame, right, top],
        lowerLeft: self[frame, left, bottom], lowerRight: self[frame, right, bottom])
    }
  }

  private func luma(_ name: String) throws -> Luma {
    let stream = try Judges.videoStream(folder.path(name))
    let width = try #require(stream["width"].flatMap { Int($0) })
    let height = try #require(stream["height"].flatMap { Int($0) })
    let words = try Judges.decode(folder.path(name), pixelFormat: "yuv422p10le")
    let size = width * height
    // Behind the luma of a frame as much chroma.
    return Luma(
      width: width,
      frames: stride(from: 0, to: words.count, by: size * 2).map { Array(words[$0..<$0 + size]) })
  }

  private func expectAlike(_ made: Quarters, _ wanted: Quarters, within: Int = 6) {
    #expect(zip(made.all, wanted.all).allSatisfy { abs($0 - $1) <= within }, "\(made), \(wanted)")
  }

  // MARK: Places

  @Test(arguments: [
    // Turned by a quarter clockwise: what was at the lower left comes to the upper left.
    (CGAffineTransform(a: 0, b: 1, c: -1, d: 0, tx: 180, ty: 0), 180, 320, [600, 200, 800, 400]),
    (CGAffineTransform(a: 0, b: -1, c: 1, d: 0, tx: 0, ty: 320), 180, 320, [400, 800, 200, 600]),
    (
      CGAffineTransform(a: -1, b: 0, c: 0, d: -1, tx: 320, ty: 180), 320, 180, [800, 600, 400, 200]
    ),
    (CGAffineTransform(a: -1, b: 0, c: 0, d: 1, tx: 320, ty: 0), 320, 180, [400, 200, 800, 600]),
    (CGAffineTransform(a: 1, b: 0, c: 0, d: -1, tx: 0, ty: 180), 320, 180, [600, 800, 200, 400]),
    (CGAffineTransform(a: 0, b: 1, c: 1, d: 0, tx: 0, ty: 0), 180, 320, [200, 600, 400, 800]),
    (
      CGAffineTransform(a: 0, b: -1, c: -1, d: 0, tx: 180, ty: 320), 180, 320, [800, 400, 600, 200]
    ),
    (CGAffineTransform(scaleX: 2, y: 0.5), 640, 90, [200, 400, 600, 800]),
    (CGAffineTransform.identity, 320, 180, [200, 400, 600, 800]),
  ]) func a_layer_comes_to_where_its_transform_says(
    transform: CGAffineTransform, width: Double, height: Double, wanted: [Int]
  ) async throws {
    let asset = try makeMovie("in.mov")
    try await export(
      asset, composition(width, height, [layer(asset.tracks[0], transform)]), to: "out.mov")
    let made = try luma("out.mov")
    #expect(made.width == Int(width) && made.frames.count == 10)
    expectAlike(
      made.quarters(5),
      Quarters(
        upperLeft: wanted[0], upperRight: wanted[1], lowerLeft: wanted[2], lowerRight: wanted[3]))
    #expect(try Judges.strictDecode(folder.path("out.mov")) == "")
    #expect(try Judges.timecode(folder.path("out.mov")) == "01:00:00:00")
  }

  @Test func two_tracks_lie_beside_one_another_and_the_rest_is_black() async throws {
    let movie = AVMutableComposition()
    var layers: [AVMutableVideoCompositionLayerInstruction] = []
    for (number, code) in [300, 700].enumerated() {
      let track = try #require(
        movie.addMutableTrack(
          withMediaType: .video, preferredTrackID: CMPersistentTrackID(number + 1)))
      let source = try makeMovie("\(number).mov", .gray(code))
      try track.insertTimeRange(frames(0, 10), of: source.tracks[0], at: .zero)
      layers.append(
        layer(track, CGAffineTransform(translationX: CGFloat(number) * 320, y: 0)))
    }
    let session = try await export(movie, composition(640, 360, layers), to: "out.mov")
    let made = try luma("out.mov")
    expectAlike(
      made.quarters(4),
      Quarters(upperLeft: 300, upperRight: 700, lowerLeft: 64, lowerRight: 64))
    #expect(session.notes.isEmpty, "\(session.notes)")
    #expect(try Judges.videoStream(folder.path("out.mov"))["r_frame_rate"] == "25/1")
  }

  @Test func the_first_layer_is_in_front_and_a_crop_shows_what_is_behind() async throws {
    let movie = AVMutableComposition()
    var layers: [AVMutableVideoCompositionLayerInstruction] = []
    for code in [300, 700] {
      let track = try #require(
        movie.addMutableTrack(withMediaType: .video, preferredTrackID: 0))
      try track.insertTimeRange(
        frames(0, 10), of: try makeMovie("\(code).mov", .gray(code)).tracks[0], at: .zero)
      layers.append(layer(track))
    }
    layers[0].setCropRectangle(CGRect(x: 0, y: 0, width: 160, height: 90), at: .zero)
    layers[0].setCropRectangle(CGRect(x: 160, y: 90, width: 160, height: 90), at: at(5))
    try await export(movie, composition(320, 180, layers), to: "out.mov")
    let made = try luma("out.mov")
    expectAlike(
      made.quarters(4),
      Quarters(upperLeft: 300, upperRight: 700, lowerLeft: 700, lowerRight: 700))
    expectAlike(
      made.quarters(5),
      Quarters(upperLeft: 700, upperRight: 700, lowerLeft: 700, lowerRight: 300))
  }

  @Test func a_crop_moves_evenly_and_a_layer_can_be_hidden() async throws {
    let asset = try makeMovie("in.mov", .gray(864))
    let narrowing = layer(asset.tracks[0])
    narrowing.setCropRectangleRamp(
      fromStartCropRectangle: CGRect(x: 0, y: 0, width: 320, height: 180),
      toEndCropRectangle: CGRect(x: 0, y: 0, width: 0, height: 180),
      timeRange: CMTimeRange(start: .zero, duration: at(10)))
    narrowing.setOpacity(0, at: at(8))
    try await export(asset, composition(320, 180, [narrowing]), to: "out.mov")
    let made = try luma("out.mov")
    for frame in 0..<8 {
      let edge = 320 - frame * 32
      #expect(abs(made[frame, edge - 12, 90] - 864) <= 8, "frame \(frame)")
      if edge < 320 { #expect(abs(made[frame, edge + 12, 90] - 64) <= 8, "frame \(frame)") }
    }
    expectAlike(made.quarters(8), .gray(64))
  }

  @Test func ramps_of_opacity_and_place_lead_evenly_from_one_to_the_other() async throws {
    let asset = try makeMovie("in.mov", .gray(864))
    let moving = layer(asset.tracks[0])
    moving.setOpacityRamp(
      fromStartOpacity: 0, toEndOpacity: 1,
      timeRange: CMTimeRange(start: .zero, duration: at(8)))
    try await export(asset, composition(320, 180, [moving]), to: "fade.mov")
    let faded = try luma("fade.mov")
    for frame in 0..<10 {
      expectAlike(faded.quarters(frame), .gray(64 + min(frame, 8) * 100))
    }
    let sliding = layer(asset.tracks[0])
    sliding.setTransformRamp(
      fromStart: .identity, toEnd: CGAffineTransform(translationX: 320, y: 0),
      timeRange: CMTimeRange(start: .zero, duration: at(10)))
    try await export(asset, composition(320, 180, [sliding]), to: "slide.mov")
    let slid = try luma("slide.mov")
    for frame in 0..<10 {
      let edge = frame * 32
      if edge >= 16 { #expect(abs(slid[frame, edge - 12, 90] - 64) <= 8, "frame \(frame)") }
      #expect(abs(slid[frame, edge + 12, 90] - 864) <= 8, "frame \(frame)")
    }
  }

  @Test func alpha_lies_over_what_is_behind_and_is_told() async throws {
    _ = try Judges.ffmpeg(
      ["-f", "lavfi", "-i"]
        + [
          "color=black:s=320x180:r=25,format=yuva444p10le,geq=lum=864:cb=512:cr=512:a='if(lt(X,160),1023,512)'"
        ]
        + ["-frames:v", "10", "-c:v", "prores_ks", "-profile:v", "4", folder.path("alpha.mov")])
    let asset = AVURLAsset(url: folder.url("alpha.mov"))
    let session = try await export(
      asset, composition(320, 180, [layer(asset.tracks[0])]), to: "out.mov")
    expectAlike(
      try luma("out.mov").quarters(3),
      Quarters(upperLeft: 864, upperRight: 464, lowerLeft: 864, lowerRight: 464), within: 10)
    #expect(session.notes.contains { $0.hasPrefix("alpha channel flattened") }, "\(session.notes)")
    let inverted = composition(320, 180, [])
    inverted.customVideoCompositorClass = InvertingCompositor.self
    inverted.instructions = [CompositorOrder(.atOnce)]
    let opaque = try await export(asset, inverted, to: "opaque.mov")
    expectAlike(try luma("opaque.mov").quarters(3), .gray(140))
    #expect(opaque.notes.contains { $0.hasPrefix("alpha channel dropped") }, "\(opaque.notes)")
  }

  @Test(arguments: [AVAssetExportPresetAppleProRes422LPCM, AVAssetExportPresetAppleProRes4444LPCM])
  func a_layer_grows_through_all_sizes(preset: String) async throws {
    let movie = AVMutableComposition()
    var layers: [AVMutableVideoCompositionLayerInstruction] = []
    for code in [700, 300] {
      let track = try #require(movie.addMutableTrack(withMediaType: .video, preferredTrackID: 0))
      try track.insertTimeRange(
        frames(0, 10), of: try makeMovie("\(code).mov", .gray(code)).tracks[0], at: .zero)
      layers.append(layer(track))
    }
    layers[0].setTransformRamp(
      fromStart: CGAffineTransform(a: 0.1, b: 0, c: 0, d: 0.13, tx: 200, ty: 100),
      toEnd: CGAffineTransform(a: 0.4, b: 0, c: 0, d: 0.4, tx: 150.5, ty: 70.5),
      timeRange: frames(0, 10))
    layers[0].setCropRectangleRamp(
      fromStartCropRectangle: CGRect(x: 0, y: 0, width: 320, height: 180),
      toEndCropRectangle: CGRect(x: 319.5, y: 179.5, width: 0.5, height: 0.5),
      timeRange: frames(0, 10))
    try await export(movie, composition(640, 360, layers), to: "out.mov", preset)
    let made = try luma("out.mov")
    #expect(made.frames.count == 10 && abs(made[0, 210, 110] - 700) <= 8)
    #expect(abs(made[0, 20, 20] - 300) <= 8)
  }

  // MARK: Times

  @Test func frames_come_at_the_rate_that_is_asked_for_and_from_the_range() async throws {
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

  @Test func instructions_follow_one_another_and_gaps_of_a_track_are_black() async throws {
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

  @Test func tracks_that_take_turns_are_all_shown() async throws {
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

  @Test func an_odd_size_is_made_even_and_told() async throws {
    let asset = try makeMovie("in.mov")
    let session = try await export(
      asset, composition(321, 181, [layer(asset.tracks[0])]), to: "out.mov")
    #expect(try Judges.videoStream(folder.path("out.mov"))["width"] == "320")
    #expect(
      session.notes.contains("renderSize is not in even pixels; the movie is 320x180"),
      "\(session.notes)")
  }

  // MARK: Where it is used

  @Test func an_asset_that_is_turned_is_upright_in_its_own_composition() async throws {
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

  @Test func a_reader_gives_the_frames_that_an_export_has() async throws {
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
      let picture = try #require(CMSampleBufferGetImageBuffer(sample))
      #expect(CVPixelBufferGetPixelFormatType(picture) == kCVPixelFormatType_32BGRA)
      #expect(CVPixelBufferGetWidth(picture) == 320 && CVPixelBufferGetHeight(picture) == 180)
    }
    #expect(reader.status == .completed && times == [at(4), at(5), at(6)])
  }

  @Test func without_a_composition_an_output_of_one_fails() throws {
    let asset = try makeMovie("in.mov")
    let reader = try AVAssetReader(asset: asset)
    reader.add(AVAssetReaderVideoCompositionOutput(videoTracks: asset.tracks, videoSettings: nil))
    #expect(!reader.startReading() && reader.status == .failed)
  }

  // MARK: What is refused

  @Test func what_makes_no_frames_is_refused_by_name() async throws {
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

  @Test func what_is_not_done_is_told() async throws {
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

  @Test(.tags(.slow)) func interlaced_pictures_are_not_scaled() async throws {
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
