/// A copy of a video composition, with the program's own compositor for it.
struct KeptComposition: Sendable {
  /// The copy, which nobody changes.
  let composition: AVVideoComposition
  /// A new object of the composition's class; nil if frames are made otherwise.
  let compositor: (any AVVideoCompositing)?

  init(_ composition: AVVideoComposition) {
    self.composition = composition.snapshot()
    compositor = composition.customVideoCompositorClass?.init()
  }
}
