import MediaCore

/// A box that a movie's frames must fit in, in landscape or portrait. Frames are never enlarged.
package struct FrameBox: Sendable, Hashable {
  /// The maximum length of the longer side in pixels; nil for no limit.
  package var longerSide: Int?
  /// The maximum length of the shorter side in pixels; nil for no limit.
  package var shorterSide: Int?
  /// True if both sides must be even, as 4:2:0 requires.
  package var isEven: Bool

  /// Creates a box.
  package init(longerSide: Int? = nil, shorterSide: Int? = nil, isEven: Bool) {
    (self.longerSide, self.shorterSide, self.isEven) = (longerSide, shorterSide, isEven)
  }

  /// The size that fits the box: the frames' own size if it fits, otherwise a size in square
  /// pixels.
  func size(of size: VideoDimensions, _ aspect: PixelAspectRatio = .square) -> VideoDimensions {
    let width = Double(size.width) * Double(aspect.horizontal) / Double(aspect.vertical)
    let height = Double(size.height)
    let scale = scale(width, height)
    let isOdd = size.width % 2 != 0 || size.height % 2 != 0
    guard scale < 1 || (isEven && isOdd) else { return size }
    return VideoDimensions(width: side(width * scale), height: side(height * scale))
  }

  private func scale(_ width: Double, _ height: Double) -> Double {
    let (longer, shorter) = (max(width, height, 1), max(min(width, height), 1))
    let bounds = [
      longerSide.map { Double($0) / longer }, shorterSide.map { Double($0) / shorter },
    ]
    return min(bounds.compactMap(\.self).min() ?? 1, 1)
  }

  private func side(_ number: Double) -> Int {
    isEven ? max(Int((number / 2 + 1e-6).rounded(.down)) * 2, 16) : max(Int(number.rounded()), 16)
  }
}
