import MediaCore
import TIFF

/// How a camera's colors are to be rendered: a profile in a DNG file, or a `.dcp` file.
public struct CameraProfile: Sendable, Hashable {
  /// The colors of the camera under one light.
  public struct Calibration: Sendable, Hashable {
    /// EXIF's number of the light source: 17 for standard light A, 21 for D65, 255 for one that
    /// ``illuminantData`` describes; 0 where it is not stated.
    public var illuminant: Int
    /// The white point or the spectrum of a light of another kind, as DNG's IlluminantData has it.
    public var illuminantData: [UInt8]?
    /// XYZ to camera colors: a row for each color.
    public var colorMatrix: [Double]
    /// Balanced camera colors to XYZ under D50.
    public var forwardMatrix: [Double]?
    /// Camera colors of more than three planes to three.
    public var reductionMatrix: [Double]?
  }

  /// Changes of hue, saturation and value, by hue, saturation and value.
  public struct HueSatMap: Sendable, Hashable {
    /// Divisions of hue, which wraps around.
    public var hueDivisions: Int
    /// Divisions of saturation.
    public var saturationDivisions: Int
    /// Divisions of value; 1 where it does not count.
    public var valueDivisions: Int
    /// True where value is coded by sRGB's curve.
    public var usesSRGBEncoding: Bool
    /// For each calibration: degrees to add to hue, and factors of saturation and value; value
    /// outermost, then hue, then saturation.
    public var tables: [[SIMD3<Float>]]
  }

  /// What ProfileDynamicRange says.
  public enum DynamicRange: Sendable, Hashable {
    /// Output ends at diffuse white.
    case standard
    /// High dynamic range, with a hint of the greatest output, 1 being diffuse white; 0 for none.
    case high(hint: Float)
  }

  /// The name; empty where there is none.
  public var name: String
  /// The only camera that the profile is for, as UniqueCameraModel names it; nil for any.
  public var cameraModel: String?
  /// Who has the rights.
  public var copyright: String?
  /// DNG's number of what may be done with the profile: 0 for anything.
  public var embedPolicy: Int
  /// Camera calibrations count only where the camera's signature is the same.
  public var calibrationSignature: String
  /// A name that profiles for standard and high dynamic range share.
  public var groupName: String?
  /// One to three.
  public var calibrations: [Calibration]
  /// Corrections before the exposure, a table for each calibration.
  public var hueSatMap: HueSatMap?
  /// A look after the exposure.
  public var lookTable: HueSatMap?
  /// Points of the tone curve; nil for the reader's own.
  public var toneCurve: [SIMD2<Float>]?
  /// EV to add to the file's baseline exposure.
  public var baselineExposureOffset: Double
  /// False where a reader is not to take away black of its own.
  public var rendersBlackByDefault: Bool
  /// Gains by place and brightness.
  public var gainTableMap: ProfileGainTableMap?
  /// RGBTables as the profile's file has them.
  public var rgbTables: [UInt8]?
  /// The order of bytes in ``rgbTables``: that of the profile's file, which a photo's may differ from.
  public var isLittleEndian: Bool
  /// What the profile's output is made for.
  public var dynamicRange: DynamicRange

  /// A profile from a `.dcp` file.
  ///
  /// - Throws: ``DNGError/Code/invalidFile``.
  public init(dcp bytes: [UInt8]) throws(DNGError) {
    do {
      var budget = 2 * bytes.count
      let directory = try TIFFDirectory.cameraProfile(in: bytes, at: 0, budget: &budget)
      self = try CameraProfile(directory, isLittleEndian: bytes.first == 0x49)
    } catch let error as TIFFError {
      throw DNGError(.invalidFile, "not a camera profile, or a damaged one: \(error.message)")
    } catch let error as DNGError {
      throw error
    } catch {
      throw .damaged("a camera profile")
    }
  }

  /// A profile from a directory of a file.
  init(_ directory: TIFFDirectory, isLittleEndian: Bool) throws(DNGError) {
    func integer(_ tag: TIFFTag) -> Int? { directory.integer(tag) }
    self.isLittleEndian = isLittleEndian
    name = directory[.profileName]?.string ?? ""
    cameraModel = directory[.uniqueCameraModel]?.string
    copyright = directory[.profileCopyright]?.string
    embedPolicy = integer(.profileEmbedPolicy) ?? 0
    calibrationSignature = directory[.profileCalibrationSignature]?.string ?? ""
    groupName = directory[.profileGroupName]?.string
    calibrations = try Self.calibrations(directory)
    let hueTables = [TIFFTag.profileHueSatMapData1, .profileHueSatMapData2, .profileHueSatMapData3]
    hueSatMap = try Self.map(
      directory, .profileHueSatMapDims, hueTables, encoding: .profileHueSatMapEncoding)
    // Between three lights each has a share of the tables: DNG wants all of them, or none.
    if calibrations.count == 3, let count = hueSatMap?.tables.count, count < 3 {
      throw .damaged("a profile for three lights has hue tables for \(count) of them")
    }
    lookTable = try Self.map(
      directory, .profileLookTableDims, [.profileLookTableData], encoding: .profileLookTableEncoding
    )
    toneCurve = try Self.toneCurve(directory)
    baselineExposureOffset = directory.numbers(.baselineExposureOffset)?.first ?? 0
    rendersBlackByDefault = integer(.defaultBlackRender) != 1
    gainTableMap = try ProfileGainTableMap(directory, isLittleEndian: isLittleEndian)
    if case .undefined(let bytes)? = directory[.rgbTables] { rgbTables = bytes }
    dynamicRange = Self.dynamicRange(directory, isLittleEndian: isLittleEndian)
  }

  private static func calibrations(_ directory: TIFFDirectory) throws(DNGError) -> [Calibration] {
    let tags: [(TIFFTag, TIFFTag, TIFFTag, TIFFTag, TIFFTag)] = [
      (
        .colorMatrix1, .calibrationIlluminant1, .illuminantData1, .forwardMatrix1,
        .reductionMatrix1
      ),
      (
        .colorMatrix2, .calibrationIlluminant2, .illuminantData2, .forwardMatrix2,
        .reductionMatrix2
      ),
      (
        .colorMatrix3, .calibrationIlluminant3, .illuminantData3, .forwardMatrix3,
        .reductionMatrix3
      ),
    ]
    var calibrations: [Calibration] = []
    for (color, illuminant, data, forward, reduction) in tags {
      guard let matrix = directory.numbers(color) else { break }
      guard matrix.count % 3 == 0, (3...12).contains(matrix.count),
        directory.numbers(forward).map({ $0.count == matrix.count }) ?? true,
        directory.numbers(reduction).map({ $0.count == matrix.count }) ?? true
      else {
        throw .damaged("a color matrix has \(matrix.count) numbers, or others of another size")
      }
      var description: [UInt8]?
      if case .undefined(let bytes)? = directory[data] { description = bytes }
      calibrations.append(
        Calibration(
          illuminant: directory.integer(illuminant) ?? 0, illuminantData: description,
          colorMatrix: matrix, forwardMatrix: directory.numbers(forward),
          reductionMatrix: directory.numbers(reduction)))
    }
    return calibrations
  }

  private static func map(
    _ directory: TIFFDirectory, _ dimensions: TIFFTag, _ data: [TIFFTag], encoding: TIFFTag
  ) throws(DNGError) -> HueSatMap? {
    guard let sizes = directory.numbers(dimensions) else { return nil }
    let divisions = sizes.compactMap { Int(exactly: $0) }
    guard (2...3).contains(divisions.count), divisions.allSatisfy({ (1...4096).contains($0) })
    else {
      throw .damaged("a hue table of impossible dimensions")
    }
    let values = divisions.count == 3 ? divisions[2] : 1
    let count = divisions[0] * divisions[1] * values
    var tables: [[SIMD3<Float>]] = []
    for tag in data {
      guard let numbers = try floats(directory, tag, "a hue table") else { continue }
      guard numbers.count == 3 * count else {
        throw .damaged("a hue table has \(numbers.count) numbers where \(3 * count) are due")
      }
      tables.append(
        (0..<count).map { SIMD3(numbers[3 * $0], numbers[3 * $0 + 1], numbers[3 * $0 + 2]) })
    }
    guard !tables.isEmpty else { return nil }
    return HueSatMap(
      hueDivisions: divisions[0], saturationDivisions: divisions[1], valueDivisions: values,
      usesSRGBEncoding: directory.integer(encoding) == 1, tables: tables)
  }

  private static func toneCurve(_ directory: TIFFDirectory) throws(DNGError) -> [SIMD2<Float>]? {
    guard let numbers = try floats(directory, .profileToneCurve, "a tone curve") else { return nil }
    let points = (0..<numbers.count / 2).map { SIMD2(numbers[2 * $0], numbers[2 * $0 + 1]) }
    guard numbers.count % 2 == 0, points.count >= 2,
      zip(points, points.dropFirst()).allSatisfy({ $0.x < $1.x })
    else { throw .damaged("a tone curve whose inputs do not grow") }
    return points
  }

  /// The numbers of an entry of a look; nil for none. One that cannot be used is no reason to take another look
  /// without a word.
  private static func floats(
    _ directory: TIFFDirectory, _ tag: TIFFTag, _ what: String
  ) throws(DNGError) -> [Float]? {
    switch directory[tag] {
    case .floats(let numbers)?: return numbers
    case nil where !directory.unreadable.contains(tag): return nil
    default: throw .damaged("\(what) that is not one of finite 32-bit floats")
    }
  }

  private static func dynamicRange(
    _ directory: TIFFDirectory, isLittleEndian: Bool
  ) -> DynamicRange {
    guard case .undefined(let bytes)? = directory[.profileDynamicRange], bytes.count >= 8 else {
      return .standard
    }
    let numbers = ByteNumbers(bytes, isLittleEndian: isLittleEndian)
    guard numbers.unsigned(2, size: 2) == 1 else { return .standard }
    let hint = Float(bitPattern: UInt32(truncatingIfNeeded: numbers.unsigned(4, size: 4)))
    return .high(hint: hint.isFinite ? hint : 0)
  }
}

extension ProfileGainTableMap {
  /// The map of a directory, the second version where it has both; nil for none.
  init?(_ directory: TIFFDirectory, isLittleEndian: Bool) throws(DNGError) {
    if case .undefined(let bytes)? = directory[.profileGainTableMap2] {
      try self.init(bytes, isLittleEndian: isLittleEndian, isSecondVersion: true)
    } else if case .undefined(let bytes)? = directory[.profileGainTableMap] {
      try self.init(bytes, isLittleEndian: isLittleEndian, isSecondVersion: false)
    } else {
      return nil
    }
  }
}

extension TIFFValue {
  /// Text of ASCII, or of bytes in UTF-8, as DNG allows for names.
  var string: String? {
    switch self {
    case .ascii(let text): text
    case .bytes(let bytes): String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    default: nil
    }
  }
}
