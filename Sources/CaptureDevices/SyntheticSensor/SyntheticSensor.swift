import CRawKernels
public import MediaCore

/// A sensor made of arithmetic: a Bayer mosaic with shot noise, read noise and a full well.
public struct SyntheticSensor: Sendable, Hashable {
  /// Electrons that a pixel holds.
  public var fullWell = 10_000.0
  /// The standard deviation of a reading, in electrons.
  public var readNoise = 2.5
  /// The order of the color filters.
  public var pattern = BayerPattern.rggb
  /// Bits of a code.
  public var bitDepth = 12
  /// Seconds in which white light fills a green pixel at a gain of 1.
  public var saturationTime = 1.0 / 60
  /// The parts of white light that the red and the blue filter pass; the green one passes all.
  public var redResponse = 0.5
  /// See ``redResponse``.
  public var blueResponse = 0.625

  /// A sensor of 10,000 electrons, 2.5 electrons of read noise and 12 bits.
  public init() {}

  /// The code of no light: a sixty-fourth of the range.
  public var blackLevel: Int { (1 << bitDepth) >> 6 }
  public var greatestCode: Int { (1 << bitDepth) - 1 }
  /// Electrons of one code at a gain of 1: the full well fills the range.
  public var electronsPerCode: Double { fullWell / Double(greatestCode - blackLevel) }

  /// Everything that is known of the sensor, without an error.
  public var calibration: SensorCalibration {
    var facts = SensorCalibration.assumed(model: "Synthetic Sensor", bitDepth: bitDepth)
    facts.blackLevel = [Double](repeating: Double(blackLevel), count: 4)
    let response = [redResponse, 1, blueResponse]
    facts.profiles = facts.profiles.map { profile in
      var profile = profile
      profile.colorMatrix = profile.colorMatrix.enumerated().map { $1 * response[$0 / 3] }
      return profile
    }
    facts.neutral = response
    facts.noise = NoiseModel(
      scale: 1 / fullWell, offset: readNoise * readNoise / (fullWell * fullWell))
    facts.baseISO = 100
    facts.isCalibrated = true
    return facts
  }

  /// Exposes a scene.
  ///
  /// - Parameters:
  ///   - scene: What the sensor sees.
  ///   - exposure: For how long, and at which gain.
  ///   - width: Pixels in a row.
  ///   - height: Rows.
  ///   - offset: Where the sensor's first pixel lies in the scene.
  ///   - seed: Of the noise: the same seed gives the same noise.
  /// - Returns: The codes, row by row.
  public func expose(
    _ scene: SyntheticScene, _ exposure: SensorExposure, width: Int, height: Int,
    offset: (x: Double, y: Double) = (0, 0), seed: UInt64
  ) -> [UInt16] {
    let red = pattern.redOffset
    let kernel = raw_sensor(
      white_electrons: Float(fullWell * exposure.duration / saturationTime),
      full_well: Float(fullWell), read_noise: Float(readNoise),
      electrons_per_code: Float(electronsPerCode / exposure.gain),
      black_level: Float(blackLevel), greatest_code: UInt32(greatestCode),
      red_response: Float(redResponse), blue_response: Float(blueResponse),
      red_row: UInt32(red.row), red_column: UInt32(red.column), offset_x: Float(offset.x),
      offset_y: Float(offset.y), seed: seed)
    let kernelScene = scene.kernelScene
    return [UInt16](unsafeUninitializedCapacity: width * height) { codes, count in
      ConcurrentMap.bands(filling: codes, rowLength: width, of: 32) { rows, band in
        withUnsafePointer(to: kernelScene) { scene in
          withUnsafePointer(to: kernel) { sensor in
            raw_sensor_expose(
              scene, sensor, width, rows.lowerBound, rows.upperBound,
              band.baseAddress, width)
          }
        }
      }
      count = width * height
    }
  }
}
