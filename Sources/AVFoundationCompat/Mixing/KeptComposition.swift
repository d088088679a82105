/// A copy of a video composition and the program's compositor for it.
struct KeptComposition: Sendable {
  /// An immutable copy.
  let composition: AVVideoComposition
  /// A new instance of the composition's compositor class; nil without one.
  let compositor: (any AVVideoCompositing)?

  init(_ composition: AVVideoComposition) {
    self.composition = composition.snapshot()
    compositor = composition.customVideoCompositorClass?.init()
  }
}
