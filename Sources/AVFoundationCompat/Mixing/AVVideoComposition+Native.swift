import AssetReader
import Foundation
import MediaCore
import MovieTools
import Synchronization

extension AVVideoComposition {
  /// The composition in this package's own terms.
  ///
  /// - Parameters:
  ///   - asset: What it is for.
  ///   - timeline: The asset from `start` on, with all of its tracks in their order.
  /// - Throws: ``AVError/Code/invalidVideoComposition``, with what is wrong.
  func native(
    for asset: AVAsset, _ timeline: MovieTimeline, from start: CMTime
  ) throws(AVError) -> VideoComposition {
    let state = self.state.withLock { $0 }
    let tracks = try asset.contents().tracks
    func place(_ trackID: CMPersistentTrackID) throws(AVError) -> Int {
      guard let place = tracks.firstIndex(where: { $0.trackID == trackID }) else {
        throw Self.invalid("no track \(trackID) in \(asset.displayName)")
      }
      return place
    }
    guard state.renderScale == 1 else {
      throw Self.invalid("a renderScale of \(state.renderScale); set the renderSize")
    }
    var timing = VideoComposition.Timing.constant(state.frameDuration)
    if state.sourceTrackIDForFrameTiming != kCMPersistentTrackID_Invalid {
      let place = try place(state.sourceTrackIDForFrameTiming)
      let known = [state.frameDuration, tracks[place].minFrameDuration]
      timing = .track(
        place,
        otherwise: known.first { $0.isNumeric && $0 > .zero } ?? CMTime(value: 1, timescale: 30))
    }
    var instructions: [VideoComposition.Instruction] = []
    for given in state.instructions {
      guard let own = given as? AVVideoCompositionInstruction else {
        throw Self.invalid(
          "\(type(of: given)) needs a compositor of its own, which is not run here")
      }
      var layers: [VideoComposition.Layer] = []
      for instruction in own.layerInstructions {
        let (trackID, known) = instruction.state.withLock { ($0.trackID, $0.layer) }
        var layer = known
        layer.track = try place(trackID)
        layers.append(layer)
      }
      instructions.append(VideoComposition.Instruction(own.timeRange, layers))
    }
    let made = VideoComposition(Self.dimensions(state.renderSize), timing, instructions)
      .from(start)
    do throws(AssetReaderError) { try made.check(timeline) } catch {
      throw AVError(.invalidVideoComposition, error.message, underlyingError: error)
    }
    return made
  }

  private static func invalid(_ message: String) -> AVError {
    AVError(.invalidVideoComposition, "video composition: \(message)")
  }

  /// The size in even numbers of pixels, as chroma subsampling needs them: odd sides lose a pixel.
  private static func dimensions(_ size: CGSize) -> VideoDimensions {
    func side(_ length: CGFloat) -> Int { (Int(exactly: Double(length).rounded()) ?? 0) / 2 * 2 }
    return VideoDimensions(width: side(size.width), height: side(size.height))
  }

  /// A note where the movie's size is not the `renderSize`; nil where it is.
  var sizeNote: String? {
    let (wanted, made) = (renderSize, Self.dimensions(renderSize))
    let isExact =
      Double(wanted.width) == Double(made.width) && Double(wanted.height) == Double(made.height)
    return isExact ? nil : "renderSize is not in even pixels; the movie is \(made)"
  }

  /// That frames have other colors than the composition asks for; nil where they do not.
  func colorNote(for asset: AVAsset) -> String? {
    let state = self.state.withLock { $0 }
    guard let video = asset.tracks(withMediaType: .video).first?.facts?.video else { return nil }
    let color = video.color.resolved(forHeight: video.dimensions.height)
    let isKept =
      state.colorPrimaries.map { ColorNames.primaries[$0] == color.primaries } ?? true
      && state.colorTransferFunction.map {
        ColorNames.transferFunctions[$0] == color.transferFunction
      } ?? true && state.colorYCbCrMatrix.map { ColorNames.matrices[$0] == color.matrix } ?? true
    return isKept
      ? nil : "the video composition's color properties are dropped: colors are not converted"
  }
}
