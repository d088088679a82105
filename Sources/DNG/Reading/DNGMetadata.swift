public import MediaCore
import TIFF

/// What a DNG file says of its camera and of how it is to be developed.
public struct DNGMetadata: Sendable, Hashable {
  /// The white of the scene.
  public enum White: Sendable, Hashable {
    /// Camera colors of a neutral surface.
    case neutral([Double])
    /// Chromaticity.
    case chromaticity(x: Double, y: Double)
  }

  /// Four numbers, the greatest first.
  public var version: [Int]
  /// The oldest version whose readers understand the file; four numbers.
  public var backwardVersion: [Int]
  /// UniqueCameraModel.
  public var camera: String?
  /// The maker of the camera.
  public var make: String?
  /// The camera as its maker calls it.
  public var model: String?
  /// The camera's serial number.
  public var serialNumber: String?
  /// How the picture is to be turned.
  public var orientation: PhotoMetadata.Orientation
  /// The white of the scene, as the file has it, whether it can be one or not; nil where the file says nothing.
  public var white: White?
  /// Gains that the camera applied to its colors already.
  public var analogBalance: [Double]?
  /// The unit's deviation from its model, for each calibration of the profiles.
  public var cameraCalibrations: [[Double]?]
  /// Calibrations count only with profiles of the same signature.
  public var cameraCalibrationSignature: String
  /// EV that the picture is to be raised by.
  public var baselineExposure: Double
  /// Noise at ISO 100, relative to a reference camera's.
  public var baselineNoise: Double
  /// Sharpening that the camera wants, relative to a reference camera's.
  public var baselineSharpness: Double
  /// The part of the range where the sensor is linear.
  public var linearResponseLimit: Double
  /// A factor of the reader's shadows setting.
  public var shadowScale: Double
  /// True where the light is that of a finished picture, and not that of a scene (ColorimetricReference 1 and 2).
  public var isOutputReferred: Bool
  /// All profiles, the first being that of IFD 0.
  public var profiles: [CameraProfile]
  /// Further profiles that cannot be used and are left out, as by Adobe's SDK, one phrase each.
  public var profilesLeftOut: [String]
  /// The name of the profile that the camera used.
  public var asShotProfileName: String?
  /// ImageSequenceInfo as the file has it.
  public var imageSequenceInfo: [UInt8]?

  /// The noise of each plane, or one for all of them, at the levels of linear light.
  public var noiseProfile: [NoiseModel]

  /// Profiles of a file at most.
  static let profileLimit = 256
  /// The newest version of DNG that is read.
  package static let newestVersion = [1, 7, 1, 0]

  init(_ file: DNGFile) throws(DNGError) {
    let root = file.root
    func first(_ tag: TIFFTag) -> Double? { root.numbers(tag)?.first }
    func integers(_ tag: TIFFTag) -> [Int]? {
      root.numbers(tag)?.map { Int(exactly: $0) ?? 0 }
    }
    version = integers(.dngVersion) ?? []
    backwardVersion = integers(.dngBackwardVersion) ?? Array(version.prefix(2)) + [0, 0]
    camera = root[.uniqueCameraModel]?.string
    make = root[.make]?.string
    model = root[.model]?.string
    serialNumber = root[.cameraSerialNumber]?.string
    orientation =
      root.integer(.orientation).flatMap {
        PhotoMetadata.Orientation(rawValue: UInt16(clamping: $0))
      } ?? .up
    white = Self.white(root)
    analogBalance = root.numbers(.analogBalance)
    cameraCalibrations = [TIFFTag.cameraCalibration1, .cameraCalibration2, .cameraCalibration3]
      .map { root.numbers($0) }
    cameraCalibrationSignature = root[.cameraCalibrationSignature]?.string ?? ""
    baselineExposure = first(.baselineExposure) ?? 0
    baselineNoise = first(.baselineNoise) ?? 1
    baselineSharpness = first(.baselineSharpness) ?? 1
    linearResponseLimit = first(.linearResponseLimit) ?? 1
    // Like Adobe's SDK, ignore a factor outside (0, 1].
    shadowScale = first(.shadowScale).flatMap { $0 > 0 && $0 <= 1 ? $0 : nil } ?? 1
    isOutputReferred = [1, 2].contains(root.integer(.colorimetricReference) ?? 0)
    // Its white is that of the profile connection space, D50, whatever the file says besides.
    if isOutputReferred { white = .chromaticity(x: 0.3457, y: 0.3585) }
    asShotProfileName = root[.asShotProfileName]?.string
    if case .undefined(let bytes)? = root[.imageSequenceInfo] { imageSequenceInfo = bytes }
    profiles = [try CameraProfile(file.root, isLittleEndian: file.isLittleEndian)]
    profilesLeftOut = []
    let raw = file.pictures.first { $0.role == .raw }
    let noise = raw?.directory.numbers(.noiseProfile) ?? root.numbers(.noiseProfile) ?? []
    noiseProfile = Self.noiseModels(noise)
    try readFurtherProfiles(file)
  }

  /// Pairs of slope and floor.
  static func noiseModels(_ numbers: [Double]) -> [NoiseModel] {
    (0..<numbers.count / 2).map {
      NoiseModel(scale: numbers[2 * $0], offset: numbers[2 * $0 + 1])
    }
  }

  private static func white(_ root: TIFFDirectory) -> White? {
    if let neutral = root.numbers(.asShotNeutral) { return .neutral(neutral) }
    guard let xy = root.numbers(.asShotWhiteXY) else { return nil }
    return .chromaticity(x: xy.first ?? 0, y: xy.count == 2 ? xy[1] : 0)
  }

  private mutating func readFurtherProfiles(_ file: DNGFile) throws(DNGError) {
    let offsets = file.root[.extraCameraProfiles]?.integers ?? []
    guard offsets.count <= Self.profileLimit else {
      throw .damaged("it has \(offsets.count) profiles")
    }
    var budget = 2 * file.bytes.count
    var seen: Set<Int> = []
    for offset in offsets where seen.insert(offset).inserted {
      do throws(DNGError) {
        profiles.append(try CameraProfile(in: file.bytes, at: offset, budget: &budget))
      } catch {
        profilesLeftOut.append("a further camera profile: \(error.reason)")
      }
    }
  }
}
