public import DNG
public import MediaCore

/// One exposure of a sensor, in memory.
public struct SensorFrame: Sendable {
  /// The samples.
  public var mosaic: RawImage
  /// The order of the color filters.
  public var pattern: BayerPattern
  /// The exposure.
  public var exposure: SensorExposure
  /// Levels, color and noise, at the mosaic's depth.
  public var calibration: SensorCalibration

  /// A frame from its parts; the calibration is brought to the mosaic's depth.
  ///
  /// - Throws: ``RawPhotoError/Code/invalidCalibration`` for one that cannot be used.
  public init(
    mosaic: RawImage, pattern: BayerPattern, exposure: SensorExposure,
    calibration: SensorCalibration
  ) throws(RawPhotoError) {
    self.mosaic = mosaic
    self.pattern = pattern
    self.exposure = exposure
    self.calibration = calibration.scaled(toBitDepth: mosaic.bitDepth)
    let scaled = self.calibration
    try RawPhotoError.from { () throws(DNGError) in try scaled.validate() }
  }

  /// The noise of normalized samples at the exposure's gain; a guess where nobody measured it: a
  /// full well of 5000 electrons, and read noise of a code.
  var noise: NoiseModel {
    let range = calibration.whiteLevel - (calibration.blackLevel.max() ?? 0)
    let base = calibration.noise ?? NoiseModel(scale: 2e-4, offset: 1 / (range * range))
    // What codes cannot tell is noise too.
    let rounding = 1 / (12 * range * range)
    let amplified = base.amplified(by: exposure.gain)
    return NoiseModel(scale: amplified.scale, offset: amplified.offset + rounding)
  }

  /// Sensor colors of a neutral surface, the greatest being 1.
  var neutral: [Double] {
    let neutral = calibration.neutral ?? [1, 1, 1]
    let most = neutral.max() ?? 1
    return neutral.map { $0 / most }
  }
}
