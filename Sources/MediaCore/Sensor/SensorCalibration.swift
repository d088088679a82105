/// What is known of a sensor: levels, color and noise.
///
/// Colors are as DNG has them. `colorMatrix` takes CIE XYZ to the sensor's native red, green and
/// blue under the illuminant; `forwardMatrix` takes white-balanced sensor colors to XYZ under D50.
public struct SensorCalibration: Sendable, Hashable {
  /// A light source, by the numbers of EXIF's LightSource.
  public struct Illuminant: RawRepresentable, Sendable, Hashable {
    /// EXIF's number.
    public let rawValue: UInt16
    /// A light source by its number.
    public init(rawValue: UInt16) { self.rawValue = rawValue }
    /// Tungsten, 2856 K.
    public static let standardA = Illuminant(rawValue: 17)
    /// Daylight, 5503 K.
    public static let d55 = Illuminant(rawValue: 20)
    /// Daylight, 6504 K.
    public static let d65 = Illuminant(rawValue: 21)
    /// Daylight, 7504 K.
    public static let d75 = Illuminant(rawValue: 22)
    /// Horizon light, 5003 K.
    public static let d50 = Illuminant(rawValue: 23)
  }

  /// Color under one light source.
  public struct ColorProfile: Sendable, Hashable {
    /// The light source.
    public var illuminant: Illuminant
    /// CIE XYZ to sensor colors, row by row: nine numbers.
    public var colorMatrix: [Double]
    /// White-balanced sensor colors to XYZ under D50, row by row: nine numbers, or nil.
    public var forwardMatrix: [Double]?

    /// A profile from its parts.
    public init(illuminant: Illuminant, colorMatrix: [Double], forwardMatrix: [Double]? = nil) {
      self.illuminant = illuminant
      self.colorMatrix = colorMatrix
      self.forwardMatrix = forwardMatrix
    }
  }

  /// The camera, as DNG's UniqueCameraModel names it.
  public var model: String
  /// The camera's manufacturer, as in EXIF's Make; nil if unknown.
  public var make: String?
  /// The code of no light, for the four pixels of the cell row by row, at `bitDepth`.
  public var blackLevel: [Double]
  /// The code of saturation, at `bitDepth`.
  public var whiteLevel: Double
  /// Bits of the codes that the levels are stated in.
  public var bitDepth: Int
  /// Color under one or two light sources, the warmer one first.
  public var profiles: [ColorProfile]
  /// Sensor red, green and blue of a neutral surface, the greatest being 1; nil where not known.
  public var neutral: [Double]?
  /// Noise at a gain of one.
  public var noise: NoiseModel?
  /// The sensitivity at a gain of one, as an ISO speed; nil where not known.
  public var baseISO: Double?
  /// False for the default that is used without a calibration.
  public var isCalibrated: Bool

  /// A calibration from its parts.
  public init(
    model: String, blackLevel: [Double], whiteLevel: Double, bitDepth: Int,
    profiles: [ColorProfile], neutral: [Double]? = nil, noise: NoiseModel? = nil,
    baseISO: Double? = nil, make: String? = nil, isCalibrated: Bool = true
  ) {
    self.make = make
    self.model = model
    self.blackLevel = blackLevel
    self.whiteLevel = whiteLevel
    self.bitDepth = bitDepth
    self.profiles = profiles
    self.neutral = neutral
    self.noise = noise
    self.baseISO = baseISO
    self.isCalibrated = isCalibrated
  }

  /// What is assumed of a sensor without a calibration: no black offset, white at the greatest
  /// code, the colors of Rec. 709 primaries under D65, and no noise figures.
  ///
  /// Images made with it are exact in their samples; their colors are a guess.
  public static func assumed(model: String, bitDepth: Int) -> SensorCalibration {
    SensorCalibration(
      model: model, blackLevel: [0, 0, 0, 0], whiteLevel: Double((1 << bitDepth) - 1),
      bitDepth: bitDepth,
      profiles: [
        ColorProfile(
          illuminant: .d65,
          colorMatrix: [
            3.2406, -1.5372, -0.4986, -0.9689, 1.8758, 0.0415, 0.0557, -0.2040, 1.0570,
          ],
          // Rec. 709 to XYZ, adapted from D65 to D50 (Bradford).
          forwardMatrix: [
            0.4361, 0.3851, 0.1431, 0.2225, 0.7169, 0.0606, 0.0139, 0.0971, 0.7141,
          ])
      ], neutral: [1, 1, 1], isCalibrated: false)
  }

  /// The same facts for codes of another depth.
  public func scaled(toBitDepth depth: Int) -> SensorCalibration {
    guard depth != bitDepth else { return self }
    var result = self
    let factor =
      depth > bitDepth ? Double(1 << (depth - bitDepth)) : 1 / Double(1 << (bitDepth - depth))
    result.bitDepth = depth
    result.blackLevel = blackLevel.map { $0 * factor }
    let greatest = Double((1 << bitDepth) - 1)
    result.whiteLevel =
      whiteLevel >= greatest ? Double((1 << depth) - 1) : (whiteLevel * factor).rounded(.down)
    return result
  }
}
