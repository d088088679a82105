public import Foundation
public import MediaCore
import Synchronization

/// What is drawn in a time range: an ``AVVideoCompositionInstruction``, or an object of the program for its own
/// compositor.
public protocol AVVideoCompositionInstructionProtocol: AnyObject, Sendable {
  var timeRange: CMTimeRange { get }
  /// For Core Animation, which is unavailable.
  var enablePostProcessing: Bool { get }
  /// True if frames made from unchanging sources may differ. It has no effect: every frame is made.
  var containsTweening: Bool { get }
  /// The tracks whose frames the compositor gets; nil for all video tracks.
  var requiredSourceTrackIDs: [NSValue]? { get }
  /// The track whose frames are passed through without the compositor; ``kCMPersistentTrackID_Invalid`` for none.
  var passthroughTrackID: CMPersistentTrackID { get }
}

extension AVVideoCompositionInstructionProtocol {
  public var enablePostProcessing: Bool { true }
  public var containsTweening: Bool { true }
  public var requiredSourceTrackIDs: [NSValue]? { nil }
  public var passthroughTrackID: CMPersistentTrackID { kCMPersistentTrackID_Invalid }
}

/// What is drawn in a time range: layers over a background color.
///
/// Unchecked: the compiler verifies only final classes. Its only stored property is a `Mutex`.
public class AVVideoCompositionInstruction: AVVideoCompositionInstructionProtocol,
  @unchecked Sendable
{
  struct State: Sendable {
    var timeRange = CMTimeRange(start: .zero, duration: .zero)
    var layers: [AVVideoCompositionLayerInstruction] = []
    var backgroundColor: CGColor?
    var enablesPostProcessing = true
  }

  let state: Mutex<State>

  init() { state = Mutex(State()) }

  private init(_ state: State) { self.state = Mutex(state) }

  /// An immutable copy.
  func snapshot() -> AVVideoCompositionInstruction {
    var copy = state.withLock { $0 }
    copy.layers = copy.layers.map { $0.snapshot() }
    return AVVideoCompositionInstruction(copy)
  }

  /// The time range. The ranges of a composition's instructions are contiguous.
  public var timeRange: CMTimeRange { state.withLock { $0.timeRange } }
  /// The layers, front to back.
  public var layerInstructions: [AVVideoCompositionLayerInstruction] {
    state.withLock { $0.layers }
  }
  /// The color where no layer covers the frame; nil, the default, for black. A program's compositor ignores it.
  public var backgroundColor: CGColor? { state.withLock { $0.backgroundColor } }
  /// For Core Animation, which is unavailable.
  public var enablePostProcessing: Bool { state.withLock { $0.enablesPostProcessing } }
  /// The tracks of the layers; nil without layers.
  public var requiredSourceTrackIDs: [NSValue]? {
    let numbers = layerInstructions.map { NSNumber(value: $0.trackID) }
    return numbers.isEmpty ? nil : numbers
  }
}

/// The mutable form of ``AVVideoCompositionInstruction``.
///
/// Unchecked: the compiler does not verify subclasses. This one adds no stored property.
public final class AVMutableVideoCompositionInstruction: AVVideoCompositionInstruction,
  @unchecked Sendable
{
  public override init() {}

  /// The time range. The ranges of a composition's instructions are contiguous.
  public override var timeRange: CMTimeRange {
    get { super.timeRange }
    set { state.withLock { $0.timeRange = newValue } }
  }
  /// The layers, front to back.
  public override var layerInstructions: [AVVideoCompositionLayerInstruction] {
    get { super.layerInstructions }
    set { state.withLock { $0.layers = newValue } }
  }
  /// The color where no layer covers the frame; nil, the default, for black. It is not converted: its components are
  /// used as 8-bit values in the frames' primaries and transfer function. Alpha is ignored, because frames have none.
  /// A program's compositor ignores the color.
  public override var backgroundColor: CGColor? {
    get { super.backgroundColor }
    set { state.withLock { $0.backgroundColor = newValue } }
  }
  /// For Core Animation, which is unavailable. Setting it has no effect.
  public override var enablePostProcessing: Bool {
    get { super.enablePostProcessing }
    set { state.withLock { $0.enablesPostProcessing = newValue } }
  }
}
