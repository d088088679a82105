public import Foundation
public import MediaCore
import Synchronization

/// How frames of an asset's tracks become frames of one size: as layers, or made by a program's compositor or
/// filters.
///
/// It is used by ``AVAssetExportSession`` and ``AVAssetReaderVideoCompositionOutput``.
///
/// Unchecked: the compiler verifies only final classes. Its only stored property is a `Mutex`.
public class AVVideoComposition: @unchecked Sendable {
  /// What makes the frames.
  enum Compositing: Sendable {
    case layers
    case custom(any AVVideoCompositing.Type)
    case filters(FilterCompositor.Handler)
  }

  struct State: Sendable {
    var compositing = Compositing.layers
    var renderSize = CGSize(width: 0, height: 0)
    var renderScale: Float = 1
    var frameDuration = CMTime.invalid
    var sourceTrackIDForFrameTiming: CMPersistentTrackID = kCMPersistentTrackID_Invalid
    var instructions: [any AVVideoCompositionInstructionProtocol] = []
    var colorPrimaries: String?
    var colorYCbCrMatrix: String?
    var colorTransferFunction: String?
  }

  let state: Mutex<State>

  init(_ state: State) { self.state = Mutex(state) }

  /// A composition that shows an asset's tracks as a player does: upright, the first one in front.
  public convenience init(propertiesOf asset: AVAsset) { self.init(State(asset)) }

  /// A composition whose frames are those of an asset's first video track, upright, after a program's filters.
  ///
  /// - Parameters:
  ///   - asset: The asset to filter.
  ///   - applier: Called for each frame, on a queue of its own.
  public convenience init(
    asset: AVAsset,
    applyingCIFiltersWithHandler applier:
      @escaping @Sendable (AVAsynchronousCIImageFilteringRequest) -> Void
  ) { self.init(State(asset, filteredBy: applier)) }

  /// An immutable copy. A program's own instruction objects are shared, not copied.
  func snapshot() -> AVVideoComposition {
    var copy = state.withLock { $0 }
    copy.instructions = copy.instructions.map { instruction in
      (instruction as? AVVideoCompositionInstruction)?.snapshot() ?? instruction
    }
    return AVVideoComposition(copy)
  }

  /// The class of the program's compositor; nil for layers and filters.
  public var customVideoCompositorClass: (any AVVideoCompositing.Type)? {
    if case .custom(let type) = state.withLock({ $0.compositing }) { type } else { nil }
  }
  /// The frames' size in pixels.
  public var renderSize: CGSize { state.withLock { $0.renderSize } }
  /// Always 1.
  public var renderScale: Float { state.withLock { $0.renderScale } }
  /// The duration of a frame when ``sourceTrackIDForFrameTiming`` names no track with a frame.
  public var frameDuration: CMTime { state.withLock { $0.frameDuration } }
  /// The track whose frames set the frame times; ``kCMPersistentTrackID_Invalid`` for none.
  public var sourceTrackIDForFrameTiming: CMPersistentTrackID {
    state.withLock { $0.sourceTrackIDForFrameTiming }
  }
  /// What is drawn, in consecutive time ranges.
  public var instructions: [any AVVideoCompositionInstructionProtocol] {
    state.withLock { $0.instructions }
  }
  /// The primaries requested for frames; nil for the source's.
  public var colorPrimaries: String? { state.withLock { $0.colorPrimaries } }
  /// The matrix requested for frames; nil for the source's.
  public var colorYCbCrMatrix: String? { state.withLock { $0.colorYCbCrMatrix } }
  /// The transfer function requested for frames; nil for the source's.
  public var colorTransferFunction: String? { state.withLock { $0.colorTransferFunction } }
  /// Nil: Core Animation is unavailable.
  public var animationTool: AVVideoCompositionCoreAnimationTool? { nil }

  /// A composition that shows an asset's tracks as a player does.
  ///
  /// - Throws: ``AVError`` if the file cannot be read or has no video.
  public class func videoComposition(
    withPropertiesOf asset: AVAsset
  ) async throws -> AVMutableVideoComposition {
    guard try asset.contents().tracks.contains(where: { $0.mediaType == .video }) else {
      throw AVError(.invalidVideoComposition, "\(asset.displayName) contains no video")
    }
    return AVMutableVideoComposition(propertiesOf: asset)
  }

  /// A composition whose frames are those of an asset after a program's filters.
  ///
  /// - Throws: ``AVError`` if the file cannot be read or has no video.
  public class func videoComposition(
    with asset: AVAsset,
    applyingCIFiltersWithHandler applier:
      @escaping @Sendable (AVAsynchronousCIImageFilteringRequest) -> Void
  ) async throws -> AVMutableVideoComposition {
    guard try asset.contents().tracks.contains(where: { $0.mediaType == .video }) else {
      throw AVError(.invalidVideoComposition, "\(asset.displayName) contains no video")
    }
    return AVMutableVideoComposition(asset: asset, applyingCIFiltersWithHandler: applier)
  }

  /// True if frames of an asset can be made in a range.
  ///
  /// - Throws: ``AVError`` if the file cannot be read.
  public func isValid(for asset: AVAsset, timeRange: CMTimeRange) async throws -> Bool {
    let timeline = try asset.timeline(in: timeRange)
    do throws(AVError) {
      _ = try native(for: asset, timeline, from: timeRange.firstTime)
      return true
    } catch { return false }
  }
}

extension AVVideoComposition.State {
  /// The first video track of an asset, after a program's filters.
  fileprivate init(_ asset: AVAsset, filteredBy handler: @escaping FilterCompositor.Handler) {
    self.init(asset.tracks(withMediaType: .video).filter(\.isEnabled).prefix(1))
    compositing = .filters(handler)
  }

  fileprivate init(_ asset: AVAsset) {
    self.init(asset.tracks(withMediaType: .video).filter(\.isEnabled)[...])
  }

  private init(_ tracks: ArraySlice<AVAssetTrack>) {
    guard let first = tracks.first else { return }
    renderSize = first.shownSize
    frameDuration =
      tracks.map(\.minFrameDuration).filter { $0.isNumeric && $0 > .zero }.min()
      ?? CMTime(value: 1, timescale: 30)
    // With several tracks, each may have frames for only part of the time.
    if tracks.count == 1 { sourceTrackIDForFrameTiming = first.trackID }
    let instruction = AVMutableVideoCompositionInstruction()
    instruction.timeRange = CMTimeRange(
      start: .zero, end: tracks.map(\.timeRange.end).max() ?? .zero)
    instruction.layerInstructions = tracks.map { track in
      let layer = AVMutableVideoCompositionLayerInstruction(assetTrack: track)
      layer.setTransform(track.preferredTransform, at: .zero)
      return layer
    }
    instructions = [instruction]
  }
}

extension AVAssetTrack {
  /// Width and height as a player shows them.
  fileprivate var shownSize: CGSize {
    let size = naturalSize.applying(preferredTransform)
    return CGSize(width: Double(size.width).magnitude, height: Double(size.height).magnitude)
  }
}

/// The mutable form of ``AVVideoComposition``.
///
/// Unchecked: the compiler does not verify subclasses. This one adds no stored property.
public final class AVMutableVideoComposition: AVVideoComposition, @unchecked Sendable {
  /// A composition without a size, a frame rate or instructions.
  public init() { super.init(State()) }

  /// A composition that shows an asset's tracks as a player does: upright, the first one in front.
  public init(propertiesOf asset: AVAsset) { super.init(State(asset)) }

  /// Same as ``AVVideoComposition/init(asset:applyingCIFiltersWithHandler:)``.
  public init(
    asset: AVAsset,
    applyingCIFiltersWithHandler applier:
      @escaping @Sendable (AVAsynchronousCIImageFilteringRequest) -> Void
  ) { super.init(State(asset, filteredBy: applier)) }

  /// The class of the program's compositor, which an export or a reader instantiates; nil for layers.
  public override var customVideoCompositorClass: (any AVVideoCompositing.Type)? {
    get { super.customVideoCompositorClass }
    set {
      state.withLock { state in
        state.compositing = newValue.map { .custom($0) } ?? .layers
      }
    }
  }

  /// The frames' size in pixels.
  public override var renderSize: CGSize {
    get { super.renderSize }
    set { state.withLock { $0.renderSize = newValue } }
  }
  /// Must be 1: another scale is rejected when frames are made.
  public override var renderScale: Float {
    get { super.renderScale }
    set { state.withLock { $0.renderScale = newValue } }
  }
  /// The duration of a frame when ``sourceTrackIDForFrameTiming`` names no track with a frame.
  public override var frameDuration: CMTime {
    get { super.frameDuration }
    set { state.withLock { $0.frameDuration = newValue } }
  }
  /// The track whose frames set the frame times; ``kCMPersistentTrackID_Invalid`` for none.
  public override var sourceTrackIDForFrameTiming: CMPersistentTrackID {
    get { super.sourceTrackIDForFrameTiming }
    set { state.withLock { $0.sourceTrackIDForFrameTiming = newValue } }
  }
  /// What is drawn, in consecutive time ranges.
  public override var instructions: [any AVVideoCompositionInstructionProtocol] {
    get { super.instructions }
    set { state.withLock { $0.instructions = newValue } }
  }
  /// The primaries requested for frames; nil for the source's. Colors are not converted: if the source's differ, the
  /// movie keeps them, and the export's `notes` say so.
  public override var colorPrimaries: String? {
    get { super.colorPrimaries }
    set { state.withLock { $0.colorPrimaries = newValue } }
  }
  /// Same as ``colorPrimaries``.
  public override var colorYCbCrMatrix: String? {
    get { super.colorYCbCrMatrix }
    set { state.withLock { $0.colorYCbCrMatrix = newValue } }
  }
  /// Same as ``colorPrimaries``.
  public override var colorTransferFunction: String? {
    get { super.colorTransferFunction }
    set { state.withLock { $0.colorTransferFunction = newValue } }
  }
  /// Nil: Core Animation is unavailable. Setting it has no effect.
  public override var animationTool: AVVideoCompositionCoreAnimationTool? {
    get { nil }
    set {}
  }
}
