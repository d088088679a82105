import MediaCore
import TIFF

/// A camera color profile, from a DNG file or a `.dcp` file.
public struct CameraProfile: Sendable, Hashable {
  /// The camera's colors under one illuminant.
  public struct Calibration: Sendable, Hashable {
    /// EXIF's number of the light source: 17 for standard illuminant A, 21 for D65, 255 for a light described by
    /// ``illuminantData``; 0 if not stated.
    public var illuminant: Int
    /// The white point or spectrum of another light, in the form of DNG's IlluminantData.
    public var illuminantData: [UInt8]?
    /// XYZ to camera colors: one row per camera color.
    public var colorMatrix: [Double]
    /// Balanced camera colors to XYZ under D50.
    public var forwardMatrix: [Double]?
    /// Reduces camera colors of more than three planes to three.
    public var reductionMatrix: [Double]?
  }

  /// Changes of hue, saturation and value, indexed by hue, saturation and value.
  public struct HueSatMap: Sendable, Hashable {
    /// Divisions of hue, which is cyclic.
    public var hueDivisions: Int
    /// Divisions of saturation.
    public var saturationDivisions: Int
    /// Divisions of value; 1 if the table does not depend on it.
    public var valueDivisions: Int
    /// True if value is encoded with sRGB's curve.
    public var usesSRGBEncoding: Bool
    /// For each calibration: degrees to add to hue, and factors for saturation and value; value is outermost, then
    /// hue, then saturation.
    public var tables: [[SIMD3<Float>]]
  }

  /// The value of ProfileDynamicRange.
  public enum DynamicRange: Sendable, Hashable {
    /// Output ends at diffuse white.
    case standard
    /// High dynamic range, with a hint of the greatest output where 1 is diffuse white; 0 for no hint.
    case high(hint: Float)
  }

  /// The name; empty if there is none.
  public var name: String
  /// The UniqueCameraModel of the only camera the profile applies to; nil for any camera.
  public var cameraModel: String?
  /// The copyright notice.
  public var copyright: String?
  /// DNG's ProfileEmbedPolicy; 0 allows any use.
  public var embedPolicy: Int
  /// Camera calibrations apply only if the camera's signature is the same.
  public var calibrationSignature: String
  /// A name shared by a profile for standard and one for high dynamic range.
  public var groupName: String?
  /// One to three calibrations.
  public var calibrations: [Calibration]
  /// Corrections applied before the exposure, with a table for each calibration.
  public var hueSatMap: HueSatMap?
  /// A look applied after the exposure.
  public var lookTable: HueSatMap?
  /// Points of the tone curve; nil for the reader's default.
  public var toneCurve: [SIMD2<Float>]?
  /// EV to add to the file's baseline exposure.
  public var baselineExposureOffset: Double
  /// False if a reader must not subtract its own default black.
  public var rendersBlackByDefault: Bool
  /// Gains by position and brightness.
  public var gainTableMap: ProfileGainTableMap?
  /// RGBTables in the byte order of the profile's file.
  public var rgbTables: [UInt8]?
  /// The byte order of ``rgbTables``: that of the profile's file, which may differ from the photo's.
  public var isLittleEndian: Bool
  /// The dynamic range of the profile's output.
  public var dynamicRange: DynamicRange
  /// Invalid parts that are left out, as in Adobe's SDK, one phrase each.
  public var omissions: [String] = []
  /// The same, each with the profile's name if it has one.
  package var namedOmissions: [String] {
    omissions.map { name.isEmpty ? $0 : "\($0) (\(name))" }
  }

  /// A profile from a `.dcp` file.
  ///
  /// - Throws: ``DNGError/Code/invalidFile``.
  public init(dcp bytes: [UInt8]) throws(DNGError) {
    do throws(DNGError) {
      var budget = 2 * bytes.count
      self = try CameraProfile(in: bytes, at: 0, budget: &budget)
    } catch {
      throw DNGError(.invalidFile, "not a camera profile, or a damaged one: \(error.reason)")
    }
  }

  /// Reads a profile at an offset in a file.
  ///
  /// - Parameter budget: The most bytes that its values may have; the bytes used are subtracted.
  init(in bytes: [UInt8], at offset: Int, budget: inout Int) throws(DNGError) {
    guard bytes.indices.contains(offset) else { throw .damaged("it is beyond the file's end") }
    let directory: TIFFDirectory
    do {
      directory = try TIFFDirectory.cameraProfile(in: bytes, at: offset, budget: &budget)
    } catch { throw DNGError(error) }
    try self.init(directory, isLittleEndian: bytes[offset] == 0x49)
  }

  /// Reads a profile from a directory.
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
    if calibrations.count == 3, calibrations[2].illuminant == 0 {
      calibrations.removeLast()
      omissions.append("the third light, which is not named")
    }
    let hueTables = [TIFFTag.profileHueSatMapData1, .profileHueSatMapData2, .profileHueSatMapData3]
    hueSatMap = try Self.map(
      directory, .profileHueSatMapDims, hueTables, encoding: .profileHueSatMapEncoding,
      isForAll: calibrations.count == 3, &omissions)
    lookTable = try Self.map(
      directory, .profileLookTableDims, [.profileLookTableData],
      encoding: .profileLookTableEncoding, isForAll: true, &omissions)
    toneCurve = Self.toneCurve(directory)
    if toneCurve == nil, directory.has(.profileToneCurve) {
      omissions.append(
        "a tone curve that is not of finite 32-bit floats, or whose inputs do not increase")
    }
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
        throw .damaged("a color matrix has \(matrix.count) numbers, or does not match the others")
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

  /// The tables for the lights, or for the look; invalid ones, and those that follow a missing one, are noted in
  /// `omissions`.
  ///
  /// - Parameter isForAll: True if either all tables or none must be present, because the profile interpolates
  ///   between three lights.
  private static func map(
    _ directory: TIFFDirectory, _ dimensions: TIFFTag, _ data: [TIFFTag], encoding: TIFFTag,
    isForAll: Bool, _ omissions: inout [String]
  ) throws(DNGError) -> HueSatMap? {
    guard data.contains(where: directory.has) else { return nil }
    let divisions = (directory.numbers(dimensions) ?? []).compactMap { Int(exactly: $0) }
    guard (2...3).contains(divisions.count), divisions.allSatisfy({ (1...4096).contains($0) })
    else {
      omissions.append("hue tables of impossible dimensions")
      return nil
    }
    var map = HueSatMap(
      hueDivisions: divisions[0], saturationDivisions: divisions[1],
      valueDivisions: divisions.count == 3 ? divisions[2] : 1,
      usesSRGBEncoding: directory.integer(encoding) == 1, tables: [])
    let tables = data.map { tag -> [SIMD3<Float>]? in
      guard case .floats(let numbers)? = directory[tag] else { return nil }
      return map.table(numbers)
    }
    map.tables = tables.prefix { $0 != nil }.compactMap(\.self)
    let count = tables.compactMap(\.self).count
    guard !isForAll || count == 0 || count == data.count else {
      throw .damaged("a profile for three lights has hue tables for \(count) of them")
    }
    for tag in data.dropFirst(map.tables.count) where directory.has(tag) {
      omissions.append(
        "a hue table of wrong size, not of finite 32-bit floats, or without the one before it")
    }
    return map.tables.isEmpty ? nil : map
  }

  private static func toneCurve(_ directory: TIFFDirectory) -> [SIMD2<Float>]? {
    guard case .floats(let numbers)? = directory[.profileToneCurve] else { return nil }
    let points = (0..<numbers.count / 2).map { SIMD2(numbers[2 * $0], numbers[2 * $0 + 1]) }
    guard numbers.count % 2 == 0, points.count >= 2,
      zip(points, points.dropFirst()).allSatisfy({ $0.x < $1.x })
    else { return nil }
    return points
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

extension CameraProfile.HueSatMap {
  /// The entries of a table with these dimensions; nil if the count does not match.
  ///
  /// As in Adobe's SDK, grays keep their value, and if a table begins with the second saturation, grays get the
  /// other values of that entry.
  fileprivate func table(_ numbers: [Float]) -> [SIMD3<Float>]? {
    let rows = hueDivisions * valueDivisions
    let lacksGrays =
      saturationDivisions >= 2 && numbers.count == 3 * rows * (saturationDivisions - 1)
    guard lacksGrays || numbers.count == 3 * rows * saturationDivisions else { return nil }
    let columns = lacksGrays ? saturationDivisions - 1 : saturationDivisions
    return (0..<rows * saturationDivisions).map { index in
      let (row, saturation) = index.quotientAndRemainder(dividingBy: saturationDivisions)
      let place = 3 * (row * columns + (lacksGrays ? max(saturation - 1, 0) : saturation))
      return SIMD3(
        numbers[place], numbers[place + 1], saturation == 0 ? 1 : numbers[place + 2])
    }
  }
}

extension ProfileGainTableMap {
  /// The gain map in a directory, preferably the second version; nil if there is none.
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
  /// ASCII text, or UTF-8 text in bytes, which DNG allows for names.
  var string: String? {
    switch self {
    case .ascii(let text): text
    case .bytes(let bytes): String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    default: nil
    }
  }
}
