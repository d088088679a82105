import Foundation
import MediaCore
import TIFF

/// The facts about a DNG file that photographers look for.
public struct DNGSummary: Sendable, Hashable, Codable {
  private enum CodingKeys: String, CodingKey {
    case dngVersion, dngBackwardVersion, kind, camera, make, software, date, exposureTime, isoSpeed
    case fNumber, focalLength, exposureBias, orientation, pattern, blackLevels, whiteLevels, neutral
    case noiseProfile, baselineExposure, dynamicRange, linearizationTableCount, hasGainMap
    case hasToneCurve, profiles, illuminants, opcodes, hasDigest, isDigestValid, pictures
    case omittedProfileParts = "profilePartsLeftOut"
    case omittedImages = "picturesLeftOut"
  }

  /// An image in the file.
  public struct Image: Sendable, Hashable, Codable {
    /// The image's purpose.
    public var role: DNGFile.Role
    /// Width in pixels.
    public var width: Int
    /// Height in pixels.
    public var height: Int
    /// Samples per pixel.
    public var components: Int
    /// Bits per sample.
    public var bitDepth: Int
    /// True for floating-point samples.
    public var isFloat: Bool
    /// The name of the compression.
    public var compression: String
    /// The number of tiles or strips.
    public var chunkCount: Int
    /// The compressed size in bytes.
    public var byteCount: Int
    /// What a mask shows.
    public var semanticName: String?
  }

  /// The DNG version, such as `1.4.0.0`.
  public var dngVersion: String
  /// The oldest version whose readers understand the file.
  public var dngBackwardVersion: String?
  /// `Bayer` or `linear`.
  public var kind: String
  /// The camera.
  public var camera: String?
  /// The maker of the camera.
  public var make: String?
  /// The program that wrote the file.
  public var software: String?
  /// The time of exposure.
  public var date: String?
  /// Exposure time in seconds.
  public var exposureTime: Double?
  /// The ISO speed.
  public var isoSpeed: Double?
  /// The lens's f-number.
  public var fNumber: Double?
  /// Focal length in millimetres.
  public var focalLength: Double?
  /// Exposure bias in EV, such as within a bracket.
  public var exposureBias: Double?
  /// The orientation, as TIFF numbers it.
  public var orientation: Int
  /// The order of color filters.
  public var pattern: String?
  /// The code values of black.
  public var blackLevels: [Double]
  /// The code values of white.
  public var whiteLevels: [Double]
  /// The sensor colors of a neutral surface.
  public var neutral: [Double]
  /// The noise's variance: slope and floor.
  public var noiseProfile: [Double]
  /// EV by which the file asks to be raised.
  public var baselineExposure: Double?
  /// Stops from white to the noise in the dark; nil if the file does not state its noise.
  public var dynamicRange: Double?
  /// Entries in the linearization table; nil if there is none.
  public var linearizationTableCount: Int?
  public var hasGainMap: Bool
  public var hasToneCurve: Bool
  /// Names of all camera profiles, beginning with the file's own.
  public var profiles: [String]
  /// Invalid camera profiles and parts of profiles that are left out, one phrase each.
  public var omittedProfileParts: [String]
  /// EXIF's numbers of the camera's calibration illuminants.
  public var illuminants: [Int]
  /// Names of the opcodes in each list, optional ones in parentheses.
  public var opcodes: [[String]]
  public var hasDigest: Bool
  /// Whether the pixels match the file's digest; nil if there is no digest or it was not checked.
  public var isDigestValid: Bool?
  /// All usable images.
  public var pictures: [Image]
  /// Unusable images other than the sensor's, with the reason: one phrase for all of a kind.
  public var omittedImages: [String]

  /// Summarizes a file.
  ///
  /// - Parameters:
  ///   - file: The file.
  ///   - verifiesDigest: True to decode the raw pixels and check them against the digest.
  /// - Throws: ``DNGError/Code/invalidFile`` for a damaged file, or one that is not a DNG file.
  public init(_ file: DNGFile, verifiesDigest: Bool = true) throws(DNGError) {
    let raw = try file.rawImage()
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
    omittedProfileParts =
      metadata.omittedProfiles + metadata.profiles.flatMap(\.namedOmissions)
    illuminants = metadata.profiles.first?.calibrations.map(\.illuminant) ?? []
    let lists = try raw.opcodeLists()
    opcodes = [lists.stored, lists.linear, lists.demosaicked].map { list in
      list.opcodes.map(Self.name)
    }
    hasDigest =
      root.entries[.newRawImageDigest] != nil || root.entries[.rawImageDigest] != nil
    isDigestValid = verifiesDigest ? try Self.digestValidity(of: file) : nil
    omittedImages = file.omittedImages
    pictures = file.images.map { Image($0, in: file) }
  }

  /// A version's bytes as text, such as `1.4.0.0`; nil if there are none.
  private static func version(_ bytes: [Double]?) -> String? {
    bytes.map { bytes in
      bytes.map { Int(exactly: $0).map(String.init) ?? "?" }.joined(separator: ".")
    }
  }

  /// Stops from white to the noise in the dark, which is the square root of its variance; nil if the profile does
  /// not state it.
  private static func dynamicRange(_ noiseProfile: [Double]) -> Double? {
    guard noiseProfile.count >= 2, noiseProfile[1] > 0 else { return nil }
    return log2(1 / noiseProfile[1].squareRoot())
  }

  /// An opcode's name, with the number of an unknown one; in parentheses if it is optional.
  private static func name(_ opcode: OpcodeList.Opcode) -> String {
    var name = opcode.operation.name
    if case .unknown = opcode.operation { name += " \(opcode.identifier)" }
    return opcode.isOptional ? "(\(name))" : name
  }

  /// Whether the pixels match the file's digest; nil if there is none, or if the pixels are in an unsupported form
  /// and may still be intact.
  private static func digestValidity(of file: DNGFile) throws(DNGError) -> Bool? {
    do throws(DNGError) {
      return try file.verifyDigest()
    } catch {
      guard error.code == .unsupported else { throw error }
      return nil
    }
  }
}

extension DNGSummary.Image {
  fileprivate init(_ image: DNGFile.Image, in file: DNGFile) {
    self.init(
      role: image.role, width: image.width, height: image.height,
      components: image.components, bitDepth: image.bitDepth, isFloat: image.isFloat,
      compression: Self.name(of: image, in: file), chunkCount: image.chunkCount,
      byteCount: image.byteCount,
      semanticName: image.directory.entries[.semanticName]?.text)
  }

  private static func name(of image: DNGFile.Image, in file: DNGFile) -> String {
    switch image.compression {
    case .some(.none): "none"
    case .jpeg: image.role == .preview || file.holdsOtherJPEG(image) ? "JPEG" : "lossless JPEG"
    case .lossyJPEG: "lossy JPEG"
    case .jpegXL: "JPEG XL"
    case .deflate, .adobeDeflate: "deflate"
    case nil: "compression \(image.compressionCode)"
    }
  }
}
