import CRawKernels
import DNG
import MediaCore

/// Where rendering takes camera light from.
enum LightSource: Sendable {
  /// Stored linear pixels, brought to light row by row.
  case stored(Linearization)
  /// A mosaic, interpolated tile by tile.
  case mosaic(LightPlanes, BayerPattern)
  /// Colors of each pixel.
  case planes(LightPlanes)

  /// Pixels of the source's rows.
  var width: Int {
    switch self {
    case .stored(let linearization): linearization.area.width
    case .mosaic(let planes, _), .planes(let planes): planes.width
    }
  }

  /// The source's rows.
  var height: Int {
    switch self {
    case .stored(let linearization): linearization.area.height
    case .mosaic(let planes, _), .planes(let planes): planes.height
    }
  }
}
