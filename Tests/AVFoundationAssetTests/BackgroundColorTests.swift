import AVFoundationCompat
import TestSupport
import Testing

/// The background where a composition's layers do not cover the frame.
@Suite(.tags(.judges)) struct BackgroundColorTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func at(_ frame: Int64) -> CMTime { CMTime(value: frame, timescale: 25) }

  /// A gray movie of 320x180, ten frames at 25 a second.
  ///
  /// - Parameter matrix: The color matrix by FFmpeg's name, or nil for none.
  private func makeMovie(alpha: String? = nil, matrix: String? = nil) throws -> AVURLAsset {
    let format = alpha == nil ? "yuv422p10le" : "yuva444p10le"
    let tags = matrix.map { name in
      ["colorspace", "color_primaries", "color_trc"].map { ($0, name) }
    }
    var line = ["-f", "lavfi", "-i"]
    line.append(
      "color=black:s=320x180:r=25,format=\(format),geq=lum=502:cb=512:cr=512"
        + (alpha.map { ":a='\($0)'" } ?? "")
        + (tags.map { ",setparams=" + $0.map { "\($0)=\($1)" }.joined(separator: ":") } ?? "")
    )
    line += ["-frames:v", "10", "-c:v", "prores_ks", "-profile:v", alpha == nil ? "3" : "4"]
    // FFmpeg 5.1 writes the tags of its options, 7.1 those of the frames.
    line += (tags ?? []).flatMap { ["-\($0)", $1] }
    _ = try Judges.ffmpeg(line + [folder.path("in.mov")])
    return AVURLAsset(url: folder.url("in.mov"))
  }

  /// Shows the asset in the left half for a range of frames, over a background.
  private func instruction(
    _ asset: AVAsset, _ frames: Range<Int64>, _ color: CGColor?
  ) -> AVMutableVideoCompositionInstruction {
    let instruction = AVMutableVideoCompositionInstruction()
    instruction.timeRange = CMTimeRange(start: at(frames.lowerBound), end: at(frames.upperBound))
    let layer = AVMutableVideoCompositionLayerInstruction(assetTrack: asset.tracks[0])
    layer.setTransform(CGAffineTransform(scaleX: 0.5, y: 1), at: .zero)
    instruction.layerInstructions = [layer]
    instruction.backgroundColor = color
    return instruction
  }

  private func composition(
    _ instructions: [AVVideoCompositionInstruction]
  ) -> AVMutableVideoComposition {
    let composition = AVMutableVideoComposition()
    composition.renderSize = CGSize(width: 320, height: 180)
    composition.frameDuration = CMTime(value: 1, timescale: 25)
    composition.instructions = instructions
    return composition
  }

  /// Red, green and blue (8 bits) at the middle of a frame's right half, as FFmpeg converts it.
  private func right(_ name: String, frame: Int = 0) throws -> [Int] {
    let bytes = try Judges.run(
      Judges.decoder,
      [
        "-v", "error", "-i", folder.path(name), "-vf",
        "select=eq(n\\,\(frame)),scale=flags=accurate_rnd,format=rgb24,"
          + "crop=2:2:240:90",
        "-frames:v", "1", "-f", "rawvideo", "-",
      ]
    ).data
    try #require(bytes.count == 12)
    return bytes.prefix(3).map { Int($0) }
  }

  private func expectAlike(_ made: [Int], _ wanted: [Int]) {
    #expect(zip(made, wanted).allSatisfy { abs($0 - $1) <= 4 }, "\(made), \(wanted)")
  }

  @Test(arguments: [nil, "bt709"])
  func an_export_shows_the_background_of_each_instruction(matrix: String?) async throws {
    let asset = try makeMovie(matrix: matrix)
    let colors: [(CGColor?, [Int])] = [
      (nil, [0, 0, 0]), (CGColor(red: 1, green: 0, blue: 0, alpha: 1), [255, 0, 0]),
      // Alpha is ignored.
      (CGColor(srgbRed: 0, green: 0.5, blue: 1, alpha: 0.25), [0, 128, 255]),
      (.white, [255, 255, 255]),
      (CGColor(genericGrayGamma2_2Gray: 0.5, alpha: 1), [128, 128, 128]),
    ]
    let instructions = colors.enumerated().map { place, color in
      instruction(asset, Int64(place) * 2..<Int64(place) * 2 + 2, color.0)
    }
    let session = try #require(
      AVAssetExportSession(asset: asset, presetName: AVAssetExportPresetAppleProRes4444LPCM))
    session.videoComposition = composition(instructions)
    try await session.export(to: folder.url("out.mov"), as: .mov)
    for (place, color) in colors.enumerated() {
      expectAlike(try right("out.mov", frame: place * 2), color.1)
      expectAlike(try right("out.mov", frame: place * 2 + 1), color.1)
    }
    #expect(try Judges.strictDecode(folder.path("out.mov")) == "")
  }

  @Test func transparent_areas_show_the_background() async throws {
    let asset = try makeMovie(alpha: "0")
    let session = try #require(
      AVAssetExportSession(asset: asset, presetName: AVAssetExportPresetAppleProRes422LPCM))
    session.videoComposition = composition([
      instruction(asset, 0..<10, CGColor(red: 0, green: 1, blue: 0, alpha: 1))
    ])
    try await session.export(to: folder.url("out.mov"), as: .mov)
    expectAlike(try right("out.mov"), [0, 255, 0])
    #expect(
      session.notes.contains { $0.hasSuffix("over the background color") }, "\(session.notes)")
  }

  @Test func readers_and_generators_show_the_background() async throws {
    let asset = try makeMovie()
    let blue = composition([
      instruction(asset, 0..<10, CGColor(red: 0, green: 0, blue: 1, alpha: 1))
    ])
    let generator = AVAssetImageGenerator(asset: asset)
    generator.videoComposition = blue
    let image = try await generator.image(at: .zero).image
    guard case .uint8(let samples) = image.image.samples else {
      Issue.record("not 8-bit")
      return
    }
    expectAlike(samples[(90 * 320 + 240) * 3..<(90 * 320 + 241) * 3].map { Int($0) }, [0, 0, 255])

    let reader = try AVAssetReader(asset: asset)
    let output = AVAssetReaderVideoCompositionOutput(
      videoTracks: asset.tracks(withMediaType: .video),
      videoSettings: [kCVPixelBufferPixelFormatTypeKey as String: kCVPixelFormatType_32BGRA])
    output.videoComposition = blue
    reader.add(output)
    try #require(reader.startReading(), "\(String(describing: reader.error))")
    let frame = try #require(
      output.copyNextSampleBuffer().flatMap { CMSampleBufferGetImageBuffer($0) })
    let base = try #require(CVPixelBufferGetBaseAddress(frame))
    let place = 90 * CVPixelBufferGetBytesPerRow(frame) + 240 * 4
    let pixel = (0..<3).map { Int(base.load(fromByteOffset: place + 2 - $0, as: UInt8.self)) }
    expectAlike(pixel, [0, 0, 255])
    reader.cancelReading()
  }

  @Test func colors_keep_components_and_instructions_keep_their_color() {
    let color = CGColor(red: 0.25, green: 0.5, blue: 0.75, alpha: 0.5)
    #expect(color.components == [0.25, 0.5, 0.75, 0.5] && color.alpha == 0.5)
    #expect(
      color.numberOfComponents == 4 && color.colorSpace == CGColorSpace(name: CGColorSpace.sRGB))
    #expect(CGColor(gray: 0, alpha: 1) == .black && CGColor.clear != .black)
    let instruction = AVMutableVideoCompositionInstruction()
    #expect(instruction.backgroundColor == nil)
    instruction.backgroundColor = color
    #expect(instruction.backgroundColor == color)
  }
}
