import Foundation
import MediaCore
import TIFF

/// What a photographer looks for in a DNG file.
public struct DNGSummary: Sendable, Hashable, Codable {
  /// One picture of the file.
  public struct Picture: Sendable, Hashable, Codable {
    /// What it is for.
    public var role: DNGFile.Role
    /// Pixels in a row.
    public var width: Int
    /// Rows.
    public var height: Int
    /// Samples of a pixel.
    public var components: Int
    /// Bits of a sample.
    public var bitDepth: Int
    /// True for floating-point samples.
    public var isFloat: Bool
    /// The compression in words.
    public var compression: String
    /// Tiles or strips.
    public var chunkCount: Int
    /// Compressed bytes.
    public var byteCount: Int
    /// What a mask shows.
    public var semanticName: String?
  }

  /// DNG's version: `1.4.0.0`.
  public var dngVersion: String
  /// The oldest version whose readers understand the file.
  public var dngBackwardVersion: String?
  /// Bayer or linear.
  public var kind: String
  /// The camera.
  public var camera: String?
  /// The maker of the camera.
  public var make: String?
  /// The program that wrote the file.
  public var software: String?
  /// When the photo was taken.
  public var date: String?
  /// Seconds.
  public var exposureTime: Double?
  /// The sensitivity.
  public var isoSpeed: Double?
  /// The lens's f-number.
  public var fNumber: Double?
  /// Millimetres.
  public var focalLength: Double?
  /// The place in a bracket, EV.
  public var exposureBias: Double?
  /// TIFF's number of the orientation.
  public var orientation: Int
  /// The order of color filters.
  public var pattern: String?
  /// Codes of black.
  public var blackLevels: [Double]
  /// Codes of white.
  public var whiteLevels: [Double]
  /// Sensor colors of a neutral surface.
  public var neutral: [Double]
  /// The variance of noise: slope and floor.
  public var noiseProfile: [Double]
  /// EV that the file asks to be raised by.
  public var baselineExposure: Double?
  /// Stops from white to the noise of the dark; nil where the file says nothing of noise.
  public var dynamicRange: Double?
  /// Entries of the linearization table; nil without one.
  public var linearizationTableCount: Int?
  /// True where the file has a gain map.
  public var hasGainMap: Bool
  /// True where the file has a tone curve.
  public var hasToneCurve: Bool
  /// Names of all camera profiles, the file's own first.
  public var profiles: [String]
  /// What is left out of camera profiles, and which are left out, as it makes no sense, one phrase each.
  public var profilePartsLeftOut: [String]
  /// EXIF's numbers of the lights that the camera was calibrated under.
  public var illuminants: [Int]
  /// Names of the opcodes of each list, those that may be left out in parentheses.
  public var opcodes: [[String]]
  /// True where the file has a digest of its pixels.
  public var hasDigest: Bool
  /// Whether the pixels agree with the file's digest; nil where it has none, or it was not looked
  /// at.
  public var isDigestValid: Bool?
  /// All pictures that can be used.
  public var pictures: [Picture]
  /// Pictures beside the sensor's that cannot be used, and why: one phrase for all of a kind.
  public var picturesLeftOut: [String]

  /// Reads a file.
  ///
  /// - Parameters:
  ///   - file: The file.
  ///   - verifiesDigest: True to decode the raw pixels and hold them against the digest.
  /// - Throws: ``DNGError/Code/invalidFile`` for what is damaged or no DNG file.
  public init(_ file: DNGFile, verifiesDigest: Bool = true) throws(DNGError) {
    let raw = try file.rawPicture()
    let (root, details, exif) = (
      file.root, raw.directory, file.root.linked[.exifIFD]?.entries ?? [:]
    )
    let photo = file.photoMetadata
    dngVersion = Self.version(root.numbers(.dngVersion)) ?? "?"
    dngBackwardVersion = Self.version(root.numbers(.dngBackwardVersion))
    kind = raw.photometric == 32_803 ? "Bayer" : "linear"
    camera = root.entries[.uniqueCameraModel]?.text ?? root.entries[.model]?.text
    make = root.entries[.make]?.text
    software = root.entries[.software]?.text
    date = exif[.dateTimeOriginal]?.text ?? root.entries[.dateTime]?.text
    exposureTime = photo.exposureTime
    isoSpeed = photo.isoSpeed
    fNumber = photo.fNumber
    focalLength = photo.focalLength
    exposureBias = photo.exposureBias
    orientation = root.integer(.orientation) ?? 1
    pattern = details.numbers(.cfaPattern).map { cell in
      cell.map { [0: "R", 1: "G", 2: "B"][$0] ?? "?" }.joined()
    }
    blackLevels = details.numbers(.blackLevel) ?? [0]
    whiteLevels = details.numbers(.whiteLevel) ?? []
    neutral = root.numbers(.asShotNeutral) ?? []
    noiseProfile = details.numbers(.noiseProfile) ?? []
    baselineExposure = root.numbers(.baselineExposure)?.first
    dynamicRange = Self.dynamicRange(noiseProfile)
    linearizationTableCount = details.entries[.linearizationTable]?.count
    let metadata = try file.metadata()
    hasGainMap = try file.gainTableMap() != nil
    hasToneCurve = metadata.profiles.contains { $0.toneCurve != nil }
    profiles = metadata.profiles.map(\.name)
    profilePartsLeftOut =
      metadata.profilesLeftOut + metadata.profiles.flatMap(\.namedLeftOut)
    illuminants = metadata.profiles.first?.calibrations.map(\.illuminant) ?? []
    let lists = try raw.opcodeLists()
    opcodes = [lists.stored, lists.linear, lists.demosaicked].map { list in
      list.opcodes.map(Self.name)
    }
    hasDigest =
      root.entries[.newRawImageDigest] != nil || root.entries[.rawImageDigest] != nil
    isDigestValid = verifiesDigest ? try Self.digestValidity(of: file) : nil
    picturesLeftOut = file.picturesLeftOut
    pictures = file.pictures.map { Picture($0, in: file) }
  }

  /// The bytes of a version as they are written: `1.4.0.0`; nil for none.
  private static func version(_ bytes: [Double]?) -> String? {
    bytes.map { bytes in
      bytes.map { Int(exactly: $0).map(String.init) ?? "?" }.joined(separator: ".")
    }
  }

  /// Stops from white to the noise of the dark, which is the square root of its variance; nil for a profile that does
  /// not say it.
  private static func dynamicRange(_ noiseProfile: [Double]) -> Double? {
    guard noiseProfile.count >= 2, noiseProfile[1] > 0 else { return nil }
    return log2(1 / noiseProfile[1].squareRoot())
  }

  /// An opcode's name, with the number of one that is not known; in parentheses where it may be left out.
  private static func name(_ opcode: OpcodeList.Opcode) -> String {
    var name = opcode.operation.name
    if case .unknown = opcode.operation { name += " \(opcode.identifier)" }
    return opcode.isOptional ? "(\(name))" : name
  }

  /// Whether the pixels agree with the file's digest; nil where it has none, or the pixels are not read here: they may
  /// be whole all the same.
  private static func digestValidity(of file: DNGFile) throws(DNGError) -> Bool? {
    do throws(DNGError) {
      return try file.verifyDigest()
    } catch {
      guard error.code == .unsupported else { throw error }
      return nil
    }
  }
}

extension DNGSummary.Picture {
  /// What a photographer looks for of one picture.
  fileprivate init(_ picture: DNGFile.Picture, in file: DNGFile) {
    self.init(
      role: picture.role, width: picture.width, height: picture.height,
      components: picture.components, bitDepth: picture.bitDepth, isFloat: picture.isFloat,
      compression: Self.name(of: picture, in: file), chunkCount: picture.chunkCount,
      byteCount: picture.byteCount,
      semanticName: picture.directory.entries[.semanticName]?.text)
  }

  private static func name(of picture: DNGFile.Picture, in file: DNGFile) -> String {
    switch picture.compression {
    case .some(.none): "none"
    case .jpeg: picture.role == .preview || file.holdsOtherJPEG(picture) ? "JPEG" : "lossless JPEG"
    case .lossyJPEG: "lossy JPEG"
    case .jpegXL: "JPEG XL"
    case .deflate, .adobeDeflate: "deflate"
    case nil: "compression \(picture.compressionCode)"
    }
  }
}
