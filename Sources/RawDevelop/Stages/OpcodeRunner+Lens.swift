import CRawKernels
import DNG
import Glibc

extension OpcodeRunner {
  private func center(
    _ planes: LightPlanes, _ center: SIMD2<Double>
  ) -> (x: Double, y: Double, radius: Double) {
    let (width, height) = (Double(planes.width), Double(planes.height))
    let (x, y) = (center.x * width, center.y * height)
    let farthest = SIMD2(max(x, width - x), max(y, height - y) * pixelHeight)
    return (x, y, max((farthest * farthest).sum().squareRoot(), 1))
  }

  func fixVignette(_ planes: LightPlanes, _ coefficients: [Double], _ place: SIMD2<Double>) {
    let (x, y, radius) = center(planes, place)
    let pixelHeight = pixelHeight
    for plane in 0..<planes.count {
      planes.bands { rows in
        raw_fix_vignette(
          planes[plane], planes.width, rows.lowerBound, rows.upperBound, x, y, radius, pixelHeight,
          coefficients)
      }
    }
  }

  /// Warps planes in place, one after the other: a copy of one plane takes a third of the memory of a second
  /// image.
  func warp(_ planes: LightPlanes, _ operation: OpcodeOperation) {
    let source = LightPlanes(width: planes.width, height: planes.height, count: 1)
    // Small images need fewer steps.
    let steps = min(16 * (planes.width + planes.height), 4096)
    var last: (warp: Int, factors: [Double])?
    for plane in 0..<planes.count {
      let warp = min(plane, warpCount(operation) - 1)
      let form = form(operation, warp)
      let (x, y, radius) = center(planes, form.center)
      let factors =
        last?.warp == warp
        ? last?.factors ?? []
        : (0...steps).map { form.factor((Double($0) / Double(steps)).squareRoot()) }
      last = (warp, factors)
      let pixelHeight = pixelHeight
      planes.bands { rows in
        let first = rows.lowerBound * planes.width
        (source[0] + first).update(from: planes[plane] + first, count: rows.count * planes.width)
      }
      planes.bands { rows in
        factors.withUnsafeBufferPointer { factors in
          var warp = raw_warp()
          (warp.center_x, warp.center_y) = (x, y)
          (warp.radius, warp.pixel_height) = (radius, pixelHeight)
          warp.factors = factors.baseAddress
          warp.factor_count = factors.count
          warp.tangential = (form.tangential.x, form.tangential.y)
          raw_warp_rows(
            &warp, source[0], planes.width, planes.height, rows.lowerBound, rows.upperBound,
            planes[plane])
        }
      }
    }
  }

  private struct WarpForm {
    var center: SIMD2<Double>
    var tangential = SIMD2<Double>.zero
    /// The factor for a radius.
    var factor: @Sendable (Double) -> Double
  }

  /// The number of warps; further planes use the last one.
  private func warpCount(_ operation: OpcodeOperation) -> Int {
    switch operation {
    case .warpRectilinear(let warps, _): warps.count
    case .warpRectilinear2(let warps, _, _): warps.count
    case .warpFisheye(let warps, _): warps.count
    default: 1
    }
  }

  private func form(_ operation: OpcodeOperation, _ number: Int) -> WarpForm {
    switch operation {
    case .warpRectilinear(let warps, let center):
      let warp = warps[number]
      return WarpForm(center: center, tangential: warp.tangential) { radius in
        warp.radial.reversed().reduce(0) { $0 * radius * radius + $1 }
      }
    case .warpRectilinear2(let warps, let center, let isReciprocal):
      let warp = warps[number]
      return WarpForm(center: center, tangential: warp.tangential) { radius in
        let valid = min(max(radius, warp.validRadii.lowerBound), warp.validRadii.upperBound)
        let value = warp.radial.reversed().reduce(0) { $0 * valid + $1 }
        return isReciprocal ? (value == 0 ? 1 : 1 / value) : value
      }
    case .warpFisheye(let warps, let center):
      let k = warps[number]
      return WarpForm(center: center) { radius in
        guard radius > 1e-6 else { return 1 }
        let angle = atan(radius)
        return angle * k.reversed().reduce(0) { $0 * angle * angle + $1 } / radius
      }
    default: return WarpForm(center: SIMD2(0.5, 0.5)) { _ in 1 }
    }
  }
}
