public import Foundation
public import MediaCore
import MovieExport
import Synchronization

/// How the pictures of a track are drawn: where they come to, how much of them, how transparent.
///
/// Unchecked: the compiler verifies only final classes. Its one property is a `Mutex`.
public class AVVideoCompositionLayerInstruction: @unchecked Sendable {
  struct State: Sendable {
    var trackID: CMPersistentTrackID = kCMPersistentTrackID_Invalid
    var layer = VideoComposition.Layer(track: 0)
  }

  let state: Mutex<State>

  init() { state = Mutex(State()) }

  private init(_ state: State) { self.state = Mutex(state) }

  /// A copy that nobody changes.
  func snapshot() -> AVVideoCompositionLayerInstruction {
    AVVideoCompositionLayerInstruction(state.withLock { $0 })
  }

  /// The number of the track.
  public var trackID: CMPersistentTrackID { state.withLock { $0.trackID } }
}

/// As ``AVVideoCompositionLayerInstruction``, to be made.
///
/// A transform may mirror, turn by quarters, scale and move; edges come to even columns and rows. Another turn
/// is refused when an export or a reader begins.
///
/// Unchecked: the compiler does not verify subclasses. This one adds no stored property.
public final class AVMutableVideoCompositionLayerInstruction: AVVideoCompositionLayerInstruction,
  @unchecked Sendable
{
  /// An instruction for a track that is yet to be named.
  public override init() {}

  /// An instruction for a track of the asset or composition that is read or exported.
  public init(assetTrack track: AVAssetTrack) {
    super.init()
    state.withLock { $0.trackID = track.trackID }
  }

  /// The number of the track.
  public override var trackID: CMPersistentTrackID {
    get { super.trackID }
    set { state.withLock { $0.trackID = newValue } }
  }

  /// Sets where pictures come to, from a time on; `identity` before the first one.
  public func setTransform(_ transform: CGAffineTransform, at time: CMTime) {
    state.withLock { $0.layer.transform.set(PlaneTransform(transform), at: time) }
  }

  /// Leads from one transform to another over a range; the second one stays behind it.
  public func setTransformRamp(
    fromStart startTransform: CGAffineTransform, toEnd endTransform: CGAffineTransform,
    timeRange: CMTimeRange
  ) {
    let (first, last) = (PlaneTransform(startTransform), PlaneTransform(endTransform))
    state.withLock { $0.layer.transform.lead(from: first, to: last, over: timeRange) }
  }

  /// Sets the opacity, 0 to 1, from a time on; 1 before the first one.
  public func setOpacity(_ opacity: Float, at time: CMTime) {
    state.withLock { $0.layer.opacity.set(Double(opacity), at: time) }
  }

  /// Leads from one opacity to another over a range; the second one stays behind it.
  public func setOpacityRamp(
    fromStartOpacity startOpacity: Float, toEndOpacity endOpacity: Float, timeRange: CMTimeRange
  ) {
    let (first, last) = (Double(startOpacity), Double(endOpacity))
    state.withLock { $0.layer.opacity.lead(from: first, to: last, over: timeRange) }
  }

  /// Sets what of the pictures is drawn, in their own pixels, from a time on; all before the first one.
  public func setCropRectangle(_ cropRectangle: CGRect, at time: CMTime) {
    state.withLock { $0.layer.area.set(PlaneArea(cropRectangle), at: time) }
  }

  /// Leads from one rectangle to another over a range; the second one stays behind it.
  public func setCropRectangleRamp(
    fromStartCropRectangle startCropRectangle: CGRect,
    toEndCropRectangle endCropRectangle: CGRect, timeRange: CMTimeRange
  ) {
    let (first, last) = (PlaneArea(startCropRectangle), PlaneArea(endCropRectangle))
    state.withLock { $0.layer.area.lead(from: first, to: last, over: timeRange) }
  }
}

extension PlaneTransform {
  fileprivate init(_ transform: CGAffineTransform) {
    self.init(
      a: Double(transform.a), b: Double(transform.b), c: Double(transform.c),
      d: Double(transform.d), tx: Double(transform.tx), ty: Double(transform.ty))
  }
}

extension PlaneArea {
  fileprivate init(_ rectangle: CGRect) {
    self.init(
      left: Double(rectangle.minX), top: Double(rectangle.minY), right: Double(rectangle.maxX),
      bottom: Double(rectangle.maxY))
  }
}
