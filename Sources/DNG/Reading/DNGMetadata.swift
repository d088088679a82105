public import MediaCore
import TIFF

/// A DNG file's description of its camera, and how to develop its image.
public struct DNGMetadata: Sendable, Hashable {
  /// The white point of the scene.
  public enum White: Sendable, Hashable {
    /// The camera colors of a neutral surface.
    case neutral([Double])
    /// A CIE 1931 chromaticity.
    case chromaticity(x: Double, y: Double)
  }

  /// The DNG version; four numbers, most significant first.
  public var version: [Int]
  /// The oldest version whose readers understand the file; four numbers.
  public var backwardVersion: [Int]
  /// UniqueCameraModel.
  public var camera: String?
  /// The maker of the camera.
  public var make: String?
  /// The camera's model as its maker calls it.
  public var model: String?
  /// The camera's serial number.
  public var serialNumber: String?
  /// How to turn the image for viewing.
  public var orientation: PhotoMetadata.Orientation
  /// The scene's white point as stated, valid or not; nil if not stated.
  public var white: White?
  /// Gains that the camera has already applied to its colors.
  public var analogBalance: [Double]?
  /// The camera unit's deviation from its model, for each calibration of the profiles.
  public var cameraCalibrations: [[Double]?]
  /// Calibrations apply only to profiles with the same signature.
  public var cameraCalibrationSignature: String
  /// EV by which the image is to be raised.
  public var baselineExposure: Double
  /// Noise at ISO 100, relative to a reference camera's.
  public var baselineNoise: Double
  /// The sharpening that the camera needs, relative to a reference camera's.
  public var baselineSharpness: Double
  /// The fraction of the range in which the sensor is linear.
  public var linearResponseLimit: Double
  /// A factor for the reader's shadows setting.
  public var shadowScale: Double
  /// True if the light is that of a finished image and not of a scene (ColorimetricReference 1 and 2).
  public var isOutputReferred: Bool
  /// All usable profiles; the first is that of IFD 0.
  public var profiles: [CameraProfile]
  /// Unusable additional profiles, which are left out as in Adobe's SDK, one phrase each.
  public var omittedProfiles: [String]
  /// The name of the profile used by the camera.
  public var asShotProfileName: String?
  /// ImageSequenceInfo, unparsed.
  public var imageSequenceInfo: [UInt8]?

  /// The noise of each plane, or one entry for all, in units of linear light.
  public var noiseProfile: [NoiseModel]

  /// The most profiles accepted in a file.
  static let profileLimit = 256
  /// The newest DNG version that is supported.
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
    // Its white is that of the profile connection space, D50, whatever else the file states.
    if isOutputReferred { white = .chromaticity(x: 0.3457, y: 0.3585) }
    asShotProfileName = root[.asShotProfileName]?.string
    if case .undefined(let bytes)? = root[.imageSequenceInfo] { imageSequenceInfo = bytes }
    profiles = [try CameraProfile(file.root, isLittleEndian: file.isLittleEndian)]
    omittedProfiles = []
    let raw = file.images.first { $0.role == .raw }
    let noise = raw?.directory.numbers(.noiseProfile) ?? root.numbers(.noiseProfile) ?? []
    noiseProfile = Self.noiseModels(noise)
    try readFurtherProfiles(file)
  }

  /// Noise models from pairs of slope and floor.
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
        omittedProfiles.append("a further camera profile: \(error.reason)")
      }
    }
  }
}
