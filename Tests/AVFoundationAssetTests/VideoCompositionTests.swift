import AVFoundationCompat
import TestSupport
import Testing

/// Layered video tracks: where they appear.
@Suite(.tags(.judges)) struct VideoCompositionTests: LayerRig {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test(arguments: [
    // A quarter turn clockwise: the lower left goes to the upper left.
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
  ]) func a_layer_is_placed_by_its_transform(
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

  @Test func two_tracks_are_shown_side_by_side_on_black() async throws {
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

  @Test func the_first_layer_is_in_front_and_its_crop_reveals_the_next() async throws {
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

  @Test func a_crop_ramp_is_linear_and_a_layer_can_be_hidden() async throws {
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

  @Test func opacity_and_transform_ramps_are_linear() async throws {
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

  @Test func alpha_is_flattened_or_dropped_with_a_note() async throws {
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
    inverted.instructions = [CompositorOrder(.immediately)]
    let opaque = try await export(asset, inverted, to: "opaque.mov")
    expectAlike(try luma("opaque.mov").quarters(3), .gray(140))
    #expect(opaque.notes.contains { $0.hasPrefix("alpha channel dropped") }, "\(opaque.notes)")
  }

  @Test(arguments: [AVAssetExportPresetAppleProRes422LPCM, AVAssetExportPresetAppleProRes4444LPCM])
  func a_layer_can_grow_through_fractional_sizes(preset: String) async throws {
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
}
