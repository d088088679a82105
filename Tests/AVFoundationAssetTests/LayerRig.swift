import AVFoundationCompat
import TestSupport
import Testing

/// Shared by the tests of layered video: movies of four grays, and where these end up.
protocol LayerRig {
  var folder: TemporaryFolder { get }
}

extension LayerRig {
  /// A movie of 320x180, ten frames at 25 a second, with one gray in each quarter.
  func makeMovie(
    _ name: String, _ quarters: Quarters = .colored, audio: Bool = false
  ) throws -> AVURLAsset {
    let luma =
      "if(lt(X,160),if(lt(Y,90),\(quarters.upperLeft),\(quarters.lowerLeft)),"
      + "if(lt(Y,90),\(quarters.upperRight),\(quarters.lowerRight)))"
    var line = ["-f", "lavfi", "-i"]
    line.append("color=black:s=320x180:r=25,format=yuv422p10le,geq=lum='\(luma)':cb=512:cr=512")
    if audio {
      line += ["-f", "lavfi", "-i", "sine=440:r=48000:d=0.4", "-c:a", "pcm_s16le"]
    }
    line += ["-frames:v", "10", "-c:v", "prores_ks", "-profile:v", "3"]
    line += ["-timecode", "01:00:00:00", folder.path(name)]
    _ = try Judges.ffmpeg(line)
    return AVURLAsset(url: folder.url(name))
  }

  func at(_ frame: Int64) -> CMTime { CMTime(value: frame, timescale: 25) }
  func frames(_ start: Int64, _ count: Int64) -> CMTimeRange {
    CMTimeRange(start: at(start), duration: at(count))
  }

  func layer(
    _ track: AVAssetTrack, _ transform: CGAffineTransform = .identity
  ) -> AVMutableVideoCompositionLayerInstruction {
    let layer = AVMutableVideoCompositionLayerInstruction(assetTrack: track)
    layer.setTransform(transform, at: .zero)
    return layer
  }

  func composition(
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
  func export(
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

  func luma(_ name: String) throws -> FrameLuma {
    let stream = try Judges.videoStream(folder.path(name))
    let width = try #require(stream["width"].flatMap { Int($0) })
    let height = try #require(stream["height"].flatMap { Int($0) })
    let words = try Judges.decode(folder.path(name), pixelFormat: "yuv422p10le")
    let size = width * height
    // As much chroma follows the luma of a frame.
    return FrameLuma(
      width: width,
      frames: stride(from: 0, to: words.count, by: size * 2).map { Array(words[$0..<$0 + size]) })
  }

  func expectAlike(_ made: Quarters, _ wanted: Quarters, within: Int = 6) {
    #expect(zip(made.all, wanted.all).allSatisfy { abs($0 - $1) <= within }, "\(made), \(wanted)")
  }
}

/// Luma codes of a frame's quarters.
struct Quarters: Equatable {
  var upperLeft: Int
  var upperRight: Int
  var lowerLeft: Int
  var lowerRight: Int

  var all: [Int] { [upperLeft, upperRight, lowerLeft, lowerRight] }
  static func gray(_ code: Int) -> Quarters {
    Quarters(upperLeft: code, upperRight: code, lowerLeft: code, lowerRight: code)
  }

  /// A different gray in each.
  static let colored = Quarters(
    upperLeft: 200, upperRight: 400, lowerLeft: 600, lowerRight: 800)
}

/// Luma of a movie's frames, as FFmpeg decodes them.
struct FrameLuma {
  let width: Int
  let frames: [[UInt16]]

  subscript(frame: Int, x: Int, y: Int) -> Int { Int(frames[frame][y * width + x]) }

  /// The luma at the middle of each quarter.
  func quarters(_ frame: Int) -> Quarters {
    let height = frames[frame].count / width
    let (left, right) = (width / 4, width * 3 / 4)
    let (top, bottom) = (height / 4, height * 3 / 4)
    return Quarters(
      upperLeft: self[frame, left, top], upperRight: self[frame, right, top],
      lowerLeft: self[frame, left, bottom], lowerRight: self[frame, right, bottom])
  }
}
