public import DNG
public import MediaCore

/// An exposure of a sensor, in memory.
public struct SensorFrame: Sendable {
  /// The samples.
  public var mosaic: RawImage
  /// The order of the color filters.
  public var pattern: BayerPattern
  /// The exposure.
  public var exposure: SensorExposure
  /// Levels, color and noise, at the mosaic's depth.
  public var calibration: SensorCalibration

  /// A frame from its parts; the calibration is scaled to the mosaic's depth.
  ///
  /// - Throws: ``RawPhotoError/Code/invalidCalibration`` for an invalid calibration.
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

  /// The noise of normalized samples at the exposure's gain. If it has not been measured, a full well of 5000
  /// electrons and read noise of one code are assumed.
  var noise: NoiseModel {
    let range = calibration.whiteLevel - (calibration.blackLevel.max() ?? 0)
    let base = calibration.noise ?? NoiseModel(scale: 2e-4, offset: 1 / (range * range))
    // Quantization is noise, too.
    let rounding = 1 / (12 * range * range)
    let amplified = base.amplified(by: exposure.gain)
    return NoiseModel(scale: amplified.scale, offset: amplified.offset + rounding)
  }

  /// The sensor colors of a neutral surface, scaled to a maximum of 1.
  var neutral: [Double] {
    let neutral = calibration.neutral ?? [1, 1, 1]
    let most = neutral.max() ?? 1
    return neutral.map { $0 / most }
  }
}
