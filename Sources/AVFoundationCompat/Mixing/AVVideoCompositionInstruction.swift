public import Foundation
public import MediaCore
import Synchronization

/// What is drawn in a range of time: ``AVVideoCompositionInstruction``, or a program's own for a compositor of
/// its own.
public protocol AVVideoCompositionInstructionProtocol: AnyObject, Sendable {
  /// When.
  var timeRange: CMTimeRange { get }
  /// For tools of Core Animation, which are not here.
  var enablePostProcessing: Bool { get }
  /// True if frames of still pictures differ from one another. It changes nothing: each frame is made.
  var containsTweening: Bool { get }
  /// The numbers of the tracks that a compositor is given pictures of; nil for all video tracks.
  var requiredSourceTrackIDs: [NSValue]? { get }
  /// The track whose pictures are the frames, without a compositor; ``kCMPersistentTrackID_Invalid`` for none.
  var passthroughTrackID: CMPersistentTrackID { get }
}

extension AVVideoCompositionInstructionProtocol {
  /// True.
  public var enablePostProcessing: Bool { true }
  /// True.
  public var containsTweening: Bool { true }
  /// Nil.
  public var requiredSourceTrackIDs: [NSValue]? { nil }
  /// None.
  public var passthroughTrackID: CMPersistentTrackID { kCMPersistentTrackID_Invalid }
}

/// What is drawn in a range of time: layers over one another, over a color.
///
/// Unchecked: the compiler verifies only final classes. Its one property is a `Mutex`.
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

  /// A copy that nobody changes.
  func snapshot() -> AVVideoCompositionInstruction {
    var copy = state.withLock { $0 }
    copy.layers = copy.layers.map { $0.snapshot() }
    return AVVideoCompositionInstruction(copy)
  }

  /// When. The ranges of a composition's instructions follow one another without a hole.
  public var timeRange: CMTimeRange { state.withLock { $0.timeRange } }
  /// The layers, the frontmost one first.
  public var layerInstructions: [AVVideoCompositionLayerInstruction] {
    state.withLock { $0.layers }
  }
  /// What is seen where layers do not cover the frame; nil, as at first, for black. A program's own compositor draws
  /// its own.
  public var backgroundColor: CGColor? { state.withLock { $0.backgroundColor } }
  /// For tools of Core Animation, which are not here.
  public var enablePostProcessing: Bool { state.withLock { $0.enablesPostProcessing } }
  /// The numbers of the layers' tracks; nil without layers.
  public var requiredSourceTrackIDs: [NSValue]? {
    let numbers = layerInstructions.map { NSNumber(value: $0.trackID) }
    return numbers.isEmpty ? nil : numbers
  }
}

/// As ``AVVideoCompositionInstruction``, to be made.
///
/// Unchecked: the compiler does not verify subclasses. This one adds no stored property.
public final class AVMutableVideoCompositionInstruction: AVVideoCompositionInstruction,
  @unchecked Sendable
{
  /// An instruction without layers.
  public override init() {}

  /// When. The ranges of a composition's instructions follow one another without a hole.
  public override var timeRange: CMTimeRange {
    get { super.timeRange }
    set { state.withLock { $0.timeRange = newValue } }
  }
  /// The layers, the frontmost one first.
  public override var layerInstructions: [AVVideoCompositionLayerInstruction] {
    get { super.layerInstructions }
    set { state.withLock { $0.layers = newValue } }
  }
  /// What is seen where layers do not cover the frame; nil, as at first, for black. It is not converted: its numbers
  /// are taken as those of the frames' own primaries and transfer function, to 8 bits. Alpha is ignored, for frames have
  /// none. A program's own compositor draws its own.
  public override var backgroundColor: CGColor? {
    get { super.backgroundColor }
    set { state.withLock { $0.backgroundColor = newValue } }
  }
  /// For tools of Core Animation, which are not here: setting it changes nothing.
  public override var enablePostProcessing: Bool {
    get { super.enablePostProcessing }
    set { state.withLock { $0.enablesPostProcessing = newValue } }
  }
}
