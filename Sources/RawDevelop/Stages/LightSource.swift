import CRawKernels
import DNG
import MediaCore

/// The source of camera light for rendering.
enum LightSource: Sendable {
  /// Stored linear pixels, linearized row by row.
  case stored(Linearization)
  /// A mosaic, interpolated tile by tile.
  case mosaic(LightPlanes, BayerPattern)
  /// All colors of each pixel.
  case planes(LightPlanes)

  /// Width in pixels.
  var width: Int {
    switch self {
    case .stored(let linearization): linearization.area.width
    case .mosaic(let planes, _), .planes(let planes): planes.width
    }
  }

  /// Height in pixels.
  var height: Int {
    switch self {
    case .stored(let linearization): linearization.area.height
    case .mosaic(let planes, _), .planes(let planes): planes.height
    }
  }
}
