import CRawKernels
import DNG
import MediaCore

extension RenderRecipe {
  /// XYZ under D50 to linear RIMM (ROMM) colors, in which DNG applies tone curves.
  private static let xyzToRIMM = Matrix3([
    1.3459433, -0.2556075, -0.0511118, -0.5445989, 1.5081673, 0.0205351, 0, 0, 1.2118128,
  ])

  /// Balanced sensor light to linear RIMM colors.
  static func rimmMatrix(_ calibration: SensorCalibration) -> Matrix3 {
    let xyzToRIMM = xyzToRIMM ?? .identity
    // The last profile is that of the coolest light, the usual choice for an unknown scene.
    if let forward = calibration.profiles.last?.forwardMatrix.flatMap({ Matrix3($0) }) {
      return xyzToRIMM * forward
    }
    // Without a forward matrix, invert the color matrix and scale it so that white stays white.
    guard let profile = calibration.profiles.last, let matrix = Matrix3(profile.colorMatrix),
      let inverse = matrix.inverse
    else { return .identity }
    let neutral = calibration.neutral ?? [1, 1, 1]
    let toXYZ = inverse * .diagonal(neutral[0], neutral[1], neutral[2])
    let white = toXYZ * [1, 1, 1]
    let d50 = [0.9642, 1, 0.8249]
    let adapt = Matrix3.diagonal(d50[0] / white[0], d50[1] / white[1], d50[2] / white[2])
    return xyzToRIMM * adapt * toXYZ
  }

  /// Renders light to interleaved 16-bit sRGB codes, on all processors.
  func render(_ image: LinearImage, _ calibration: SensorCalibration) -> [UInt16] {
    let exposure = Double.exp2(baselineExposure)
    let matrix =
      Matrix3.diagonal(exposure, exposure, exposure) * Self.rimmMatrix(calibration)
    let output = Matrix3.xyzD50ToRec709 * (Self.xyzToRIMM?.inverse ?? .identity)
    var recipe = raw_render()
    recipe.scale = Float(storedScale)
    recipe.matrix = matrix.floats
    recipe.output_matrix = output.floats
    let curve = toneCurve.table(4096)
    let codes = Self.sRGBCodes
    let gains = gainMap?.gains ?? []
    return curve.withUnsafeBufferPointer { curve in
      codes.withUnsafeBufferPointer { codes in
        gains.withUnsafeBufferPointer { gains in
          recipe.curve = curve.baseAddress
          recipe.curve_count = curve.count
          recipe.output = codes.baseAddress
          recipe.output_count = codes.count
          if let gainMap {
            recipe.gains = gains.baseAddress
            recipe.gain_columns = gainMap.columns
            recipe.gain_rows = gainMap.rows
            recipe.gain_count = gainMap.count
            let w = gainMap.weights
            recipe.gain_weights = (w[0], w[1], w[2], w[3], w[4])
          }
          return Self.run(recipe, image)
        }
      }
    }
  }

  private static func run(_ recipe: raw_render, _ image: LinearImage) -> [UInt16] {
    [UInt16](unsafeUninitializedCapacity: 3 * image.width * image.height) { codes, count in
      image.samples.withUnsafeBufferPointer { light in
        // Safe: bands do not overlap, so each thread writes only its own rows; sources are only read.
        nonisolated(unsafe) let target = codes
        nonisolated(unsafe) let source = light
        nonisolated(unsafe) let recipe = recipe
        ConcurrentMap.bands(image.height, of: 64) { rows in
          withUnsafePointer(to: recipe) {
            raw_render_rows(
              $0, source.baseAddress, image.width, image.height, rows.lowerBound,
              rows.upperBound, target.baseAddress)
          }
        }
      }
      count = 3 * image.width * image.height
    }
  }

  /// 16-bit sRGB codes for 4096 steps of linear light; linear interpolation between them is accurate to one code.
  private static let sRGBCodes: [Float] = (0..<4096).map { index in
    let linear = Double(index) / 4095
    let code = linear <= 0.0031308 ? 12.92 * linear : 1.055 * .pow(linear, 1 / 2.4) - 0.055
    return Float(code * 65_535)
  }
}
