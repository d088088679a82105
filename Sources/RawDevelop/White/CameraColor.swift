import DNG
import MediaCore

/// A camera's colors under any light: from its calibrations to XYZ under D50.
///
/// The method is that of chapter 6 of the DNG specification 1.7.1.
struct CameraColor {
  /// The result of the calibrations for a white point.
  struct Balance {
    /// The camera colors of white, scaled to a maximum of 1.
    let cameraWhite: [Double]
    /// Camera colors to XYZ under D50.
    let cameraToXYZ: Matrix3
    /// The weight of each calibration; they sum to 1.
    let weights: [Double]
  }

  private struct Light {
    let illuminant: Illuminant
    /// XYZ to this camera's colors.
    let xyzToCamera: Matrix3
    /// The unit's deviation from its model.
    let calibration: Matrix3
    /// Balanced colors of the model to XYZ, with white at D50.
    let forward: Matrix3?
  }

  private let lights: [Light]
  private let analogBalance: Matrix3

  /// The colors of a camera with a profile.
  ///
  /// - Throws: ``RawDevelopError/Code/invalidCalibration`` for a profile without a color matrix,
  ///   ``RawDevelopError/Code/unsupported`` for a camera whose colors are not three.
  init(_ profile: CameraProfile, _ metadata: DNGMetadata) throws(RawDevelopError) {
    guard !profile.calibrations.isEmpty else {
      throw RawDevelopError(
        .invalidCalibration, "the camera profile has no color matrix; choose another profile")
    }
    guard profile.calibrations.allSatisfy({ $0.colorMatrix.count == 9 }) else {
      throw RawDevelopError(
        .unsupported, "a camera with other than three colors is not supported")
    }
    let balance = metadata.analogBalance ?? []
    analogBalance = balance.count == 3 ? .diagonal(balance[0], balance[1], balance[2]) : .identity
    let isSameUnit = metadata.cameraCalibrationSignature == profile.calibrationSignature
    var lights: [Light] = []
    for (index, calibration) in profile.calibrations.enumerated() {
      let stated =
        isSameUnit && index < metadata.cameraCalibrations.count
        ? metadata.cameraCalibrations[index].flatMap { Matrix3($0) } : nil
      guard let matrix = Matrix3(calibration.colorMatrix), matrix.inverse != nil else {
        throw RawDevelopError(
          .invalidCalibration, "a color matrix of the profile cannot be inverted")
      }
      let unit = stated ?? .identity
      lights.append(
        Light(
          illuminant: Illuminant(calibration), xyzToCamera: analogBalance * unit * matrix,
          calibration: unit,
          forward: calibration.forwardMatrix.flatMap { Matrix3($0) }.flatMap(Self.normalized)))
    }
    self.lights = Self.usable(lights)
  }

  /// The calibrations to interpolate between; if there are two, the warmer one first.
  private static func usable(_ lights: [Light]) -> [Light] {
    let temperatures = lights.prefix(2).map(\.illuminant.temperature)
    guard lights.count >= 2, temperatures.allSatisfy({ $0 > 0 }),
      temperatures[0] != temperatures[1]
    else { return Array(lights.prefix(1)) }
    return lights
  }

  /// A forward matrix scaled to map equal values to D50.
  private static func normalized(_ matrix: Matrix3) -> Matrix3? {
    let white = matrix * [1, 1, 1]
    let d50 = WhitePoint.d50.xyz
    guard white.allSatisfy({ $0 != 0 }) else { return nil }
    return .diagonal(d50[0] / white[0], d50[1] / white[1], d50[2] / white[2]) * matrix
  }

  /// The result of the calibrations for a white point.
  ///
  /// - Throws: ``RawDevelopError/Code/invalidCalibration`` if the white point has no camera colors.
  func balance(for white: WhitePoint) throws(RawDevelopError) -> Balance {
    let weights = weights(for: white)
    let xyzToCamera = Matrix3.mix(zip(weights, lights).map { ($0, $1.xyzToCamera) })
    let seen = xyzToCamera * white.xyz
    guard let greatest = seen.max(), greatest > 0, greatest.isFinite else {
      throw RawDevelopError(
        .invalidCalibration, "the camera's calibration has no colors for this white")
    }
    let cameraWhite = seen.map { min(max($0 / greatest, 0.001), 1) }
    let unit = analogBalance * Matrix3.mix(zip(weights, lights).map { ($0, $1.calibration) })
    let cameraToXYZ: Matrix3?
    if let forward = forward(weights), let toReference = unit.inverse {
      let reference = toReference * cameraWhite
      guard reference.allSatisfy({ $0 != 0 }) else {
        throw RawDevelopError(.invalidCalibration, "the camera's calibration has no white")
      }
      cameraToXYZ =
        forward * .diagonal(1 / reference[0], 1 / reference[1], 1 / reference[2]) * toReference
    } else {
      // The camera's colors for D50, scaled so that white just reaches the greatest camera value.
      let adapted = xyzToCamera * Self.adaptation(from: .d50, to: white)
      let top = (adapted * WhitePoint.d50.xyz).max() ?? 0
      cameraToXYZ = top > 0 ? (Matrix3.diagonal(1 / top, 1 / top, 1 / top) * adapted).inverse : nil
    }
    guard let cameraToXYZ else {
      throw RawDevelopError(.invalidCalibration, "the camera's calibration cannot be inverted")
    }
    return Balance(cameraWhite: cameraWhite, cameraToXYZ: cameraToXYZ, weights: weights)
  }

  /// The white point that produces a camera color; nil if the calibrations have none.
  ///
  /// The matrices depend on the white point, so it is found by iteration from D50.
  func white(forNeutral neutral: [Double]) -> WhitePoint? {
    var last = WhitePoint.d50
    let passes = 30
    for pass in 0..<passes {
      let matrix = Matrix3.mix(zip(weights(for: last), lights).map { ($0, $1.xyzToCamera) })
      guard let inverse = matrix.inverse, var next = WhitePoint(xyz: inverse * neutral) else {
        return pass == 0 ? nil : last
      }
      if abs(next.x - last.x) + abs(next.y - last.y) < 1e-7 { return next }
      // If two values alternate, use their mean.
      if pass == passes - 1 {
        next = WhitePoint(x: (last.x + next.x) / 2, y: (last.y + next.y) / 2)
      }
      last = next
    }
    return last
  }

  private func forward(_ weights: [Double]) -> Matrix3? {
    if lights.count == 2 {
      switch (lights[0].forward, lights[1].forward) {
      case (let a?, let b?): return .mix([(weights[0], a), (weights[1], b)])
      case (let one?, nil), (nil, let one?): return one
      default: return nil
      }
    }
    let matrices = lights.compactMap(\.forward)
    return matrices.count == lights.count ? .mix(Array(zip(weights, matrices))) : nil
  }

  /// The weight of each calibration.
  private func weights(for white: WhitePoint) -> [Double] {
    switch lights.count {
    case 1: return [1]
    case 2:
      let (first, second) = (lights[0].illuminant.temperature, lights[1].illuminant.temperature)
      let (low, high) = (min(first, second), max(first, second))
      let temperature = min(max(white.temperature, low), high)
      let share = (1 / temperature - 1 / high) / (1 / low - 1 / high)
      return first < second ? [share, 1 - share] : [1 - share, share]
    default: return Self.weights(of: white, between: lights.map(\.illuminant.white))
    }
  }

  /// Weights by inverse squared distance in reciprocal temperature and tint, smoothed so that a near light
  /// suppresses the others.
  private static func weights(of white: WhitePoint, between lights: [WhitePoint]) -> [Double] {
    func place(_ point: WhitePoint) -> SIMD2<Double> {
      let (temperature, tint) = point.temperatureAndTint
      return SIMD2(min(1500 / temperature, 1), tint / 200)
    }
    func shares(_ weights: [Double]) -> [Double] {
      let sum = weights.reduce(0, +)
      return weights.map { $0 / sum }
    }
    let here = place(white)
    let near = shares(
      lights.map { light in
        let way = here - place(light)
        return 1 / ((way * way).sum() + 1e-8)
      })
    return shares(
      near.map { share in
        let smooth = share * share * (3 - 2 * share)
        return max((smooth - 0.02) / 0.98, 0)
      })
  }

  /// XYZ under one white point to XYZ under another, by the linear Bradford transform.
  private static func adaptation(from source: WhitePoint, to target: WhitePoint) -> Matrix3 {
    guard
      let cones = Matrix3([
        0.8951, 0.2664, -0.1614, -0.7502, 1.7135, 0.0367, 0.0389, -0.0685, 1.0296,
      ]), let inverse = cones.inverse
    else { return .identity }
    let (from, to) = (cones * source.xyz, cones * target.xyz)
    let gains = zip(from, to).map { from, to in
      let (from, to) = (max(from, 0), max(to, 0))
      return from > 0 ? min(max(to / from, 0.1), 10) : 10
    }
    return inverse * .diagonal(gains[0], gains[1], gains[2]) * cones
  }
}

extension Matrix3 {
  static func mix(_ parts: [(weight: Double, matrix: Matrix3)]) -> Matrix3 {
    if parts.count == 1 { return parts[0].matrix }
    return Matrix3(
      (0..<9).map { index in parts.reduce(0) { $0 + $1.weight * $1.matrix.elements[index] } })
      ?? .identity
  }
}
