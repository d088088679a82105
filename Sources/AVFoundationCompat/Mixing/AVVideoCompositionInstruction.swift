public import MediaCore
import Synchronization

/// What is drawn in a range of time. Those of this module are ``AVVideoCompositionInstruction``; a program's
/// own are refused when pictures are made, for they need a compositor of its own.
public protocol AVVideoCompositionInstructionProtocol: AnyObject, Sendable {
  /// When.
  var timeRange: CMTimeRange { get }
}

/// What is drawn in a range of time: layers over one another, over black.
///
/// Unchecked: the compiler checks final classes alone. Its one property is a `Mutex`.
public class AVVideoCompositionInstruction: AVVideoCompositionInstructionProtocol,
  @unchecked Sendable
{
  struct State: Sendable {
    var timeRange = CMTimeRange(start: .zero, duration: .zero)
    var layers: [AVVideoCompositionLayerInstruction] = []
    var enablesPostProcessing = true
  }

  let state = Mutex(State())

  init() {}

  /// When. The ranges of a composition's instructions follow one another without a hole.
  public var timeRange: CMTimeRange { state.withLock { $0.timeRange } }
  /// The layers, the frontmost one first.
  public var layerInstructions: [AVVideoCompositionLayerInstruction] {
    state.withLock { $0.layers }
  }
  /// For tools of Core Animation, which are not here.
  public var enablePostProcessing: Bool { state.withLock { $0.enablesPostProcessing } }
}

/// As ``AVVideoCompositionInstruction``, to be made.
///
/// Unchecked: the compiler checks no class with a superclass. It adds no stored property.
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
  /// For tools of Core Animation, which are not here: setting it changes nothing.
  public override var enablePostProcessing: Bool {
    get { super.enablePostProcessing }
    set { state.withLock { $0.enablesPostProcessing = newValue } }
  }
}
