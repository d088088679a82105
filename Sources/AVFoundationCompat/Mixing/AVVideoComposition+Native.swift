import AssetReader
import Foundation
import MediaCore
import MovieExport
import Synchronization

extension AVVideoComposition {
  /// The composition in this package's API.
  ///
  /// - Parameters:
  ///   - asset: The asset to compose.
  ///   - timeline: The asset from `start` on, with all of its tracks in their order.
  ///   - compositor: The program's compositor; nil to create one when frames are needed.
  /// - Throws: ``AVError/Code/invalidVideoComposition``, with what is wrong.
  func native(
    for asset: AVAsset, _ timeline: MovieTimeline, from start: CMTime,
    _ compositor: (any AVVideoCompositing)? = nil
  ) throws(AVError) -> VideoComposition {
    let state = self.state.withLock { $0 }
    let tracks = try asset.contents().tracks
    let places = TrackPlaces(tracks: tracks, assetName: asset.displayName)
    guard state.renderScale == 1 else {
      throw Self.invalid("a renderScale of \(state.renderScale); set the renderSize")
    }
    var timing = VideoComposition.Timing.constant(state.frameDuration)
    if state.sourceTrackIDForFrameTiming != kCMPersistentTrackID_Invalid {
      let place = try places[state.sourceTrackIDForFrameTiming]
      let known = [state.frameDuration, tracks[place].minFrameDuration]
      timing = .track(
        place,
        otherwise: known.first { $0.isNumeric && $0 > .zero } ?? CMTime(value: 1, timescale: 30))
    }
    let size = Self.dimensions(state.renderSize)
    let drawing = drawing(
      state.compositing, size, compositor,
      at: CompositorSession.Place(start: start, trackIDs: tracks.map(\.trackID)), places)
    let instructions = try state.instructions.map { instruction throws(AVError) in
      let own = instruction as? AVVideoCompositionInstruction
      return VideoComposition.Instruction(
        instruction.timeRange, try drawing(instruction),
        background: own?.backgroundColor.map(BackgroundColor.init) ?? .black)
    }
    let made = VideoComposition(size, timing, instructions).from(start)
    do throws(AssetReaderError) { try made.check(timeline) } catch {
      throw AVError(.invalidVideoComposition, error.message, underlyingError: error)
    }
    return made
  }

  /// How an instruction's frames are made.
  private func drawing(
    _ compositing: Compositing, _ size: VideoDimensions, _ compositor: (any AVVideoCompositing)?,
    at place: CompositorSession.Place, _ places: TrackPlaces
  ) -> (any AVVideoCompositionInstructionProtocol) throws(AVError) -> VideoComposition.Drawing {
    switch compositing {
    case .layers:
      return { instruction throws(AVError) in .layers(try places.layers(of: instruction)) }
    case .filters(let handler):
      let filters = FilterCompositor(handler, from: place.start)
      return { instruction throws(AVError) in
        .filtered(try places.layers(of: instruction), by: filters)
      }
    case .custom(let type):
      let session = CompositorSession(self, size, type, compositor, at: place)
      return { instruction throws(AVError) in
        let passed = instruction.passthroughTrackID
        guard passed == kCMPersistentTrackID_Invalid else {
          return .layers([VideoComposition.Layer(track: try places[passed])])
        }
        return .composed(
          of: try places.required(by: instruction),
          by: InstructionCompositor(session: session, instruction: instruction))
      }
    }
  }

  fileprivate static func invalid(_ message: String) -> AVError {
    AVError(.invalidVideoComposition, "video composition: \(message)")
  }

  /// The size rounded down to even numbers of pixels, as chroma subsampling needs.
  private static func dimensions(_ size: CGSize) -> VideoDimensions {
    func side(_ length: CGFloat) -> Int { (Int(exactly: Double(length).rounded()) ?? 0) / 2 * 2 }
    return VideoDimensions(width: side(size.width), height: side(size.height))
  }

  /// A note if the movie's size is not exactly `renderSize`; otherwise nil.
  var sizeNote: String? {
    let (wanted, made) = (renderSize, Self.dimensions(renderSize))
    let isExact =
      Double(wanted.width) == Double(made.width) && Double(wanted.height) == Double(made.height)
    return isExact ? nil : "renderSize is not in even pixels; the movie is \(made)"
  }

  /// A note if the composition asks for colors that its frames do not have; otherwise nil.
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

/// Finds the indexes of an asset's tracks in its timeline.
private struct TrackPlaces {
  let tracks: [AVAssetTrack]
  let assetName: String

  subscript(trackID: CMPersistentTrackID) -> Int {
    get throws(AVError) {
      guard let place = tracks.firstIndex(where: { $0.trackID == trackID }) else {
        throw AVVideoComposition.invalid("no track \(trackID) in \(assetName)")
      }
      return place
    }
  }

  /// The layers that an instruction draws.
  func layers(
    of instruction: any AVVideoCompositionInstructionProtocol
  ) throws(AVError) -> [VideoComposition.Layer] {
    guard let own = instruction as? AVVideoCompositionInstruction else {
      throw AVVideoComposition.invalid(
        "\(type(of: instruction)) needs a compositor; set customVideoCompositorClass")
    }
    return try own.layerInstructions.map { instruction throws(AVError) in
      let (trackID, known) = instruction.state.withLock { ($0.trackID, $0.layer) }
      var layer = known
      layer.track = try self[trackID]
      return layer
    }
  }

  /// The tracks whose frames a compositor requires.
  func required(
    by instruction: any AVVideoCompositionInstructionProtocol
  ) throws(AVError) -> [Int] {
    guard let required = instruction.requiredSourceTrackIDs else {
      return tracks.indices.filter { tracks[$0].mediaType == .video }
    }
    return try required.map { value throws(AVError) in
      guard let number = value as? NSNumber else {
        throw AVVideoComposition.invalid("requiredSourceTrackIDs must be numbers, not \(value)")
      }
      return try self[number.int32Value]
    }
  }
}

extension BackgroundColor {
  /// The color, without alpha.
  fileprivate init(_ color: CGColor) {
    self.init(
      red: Self.code(color.red), green: Self.code(color.green), blue: Self.code(color.blue))
  }

  private static func code(_ part: CGFloat) -> UInt8 {
    part.isNaN ? 0 : UInt8((min(max(Double(part), 0), 1) * 255).rounded())
  }
}
