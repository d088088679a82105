package import MediaCore
import TIFF

extension SensorCalibration {
  /// Checks that a file with this calibration can be developed.
  ///
  /// - Throws: ``DNGError/Code/invalidCalibration``, naming the invalid value.
  package func validate() throws(DNGError) {
    func wrong(_ what: String) -> DNGError {
      DNGError(.invalidCalibration, "the calibration of '\(model)' cannot be used: \(what)")
    }
    guard !model.isEmpty else { throw wrong("it has no model name") }
    guard (8...16).contains(bitDepth) else { throw wrong("a depth of \(bitDepth) bits") }
    guard blackLevel.count == 4, whiteLevel <= Double((1 << bitDepth) - 1),
      blackLevel.allSatisfy({ $0 >= 0 && $0 < whiteLevel })
    else {
      throw wrong("black levels are four numbers below the white level \(whiteLevel)")
    }
    guard (1...2).contains(profiles.count) else { throw wrong("it has one or two profiles") }
    for profile in profiles {
      guard let matrix = Matrix3(profile.colorMatrix), matrix.inverse != nil else {
        throw wrong("a color matrix must be nine numbers and invertible")
      }
      guard profile.forwardMatrix.map({ Matrix3($0) != nil }) ?? true else {
        throw wrong("a forward matrix is nine numbers")
      }
    }
    if let neutral {
      guard neutral.count == 3, neutral.allSatisfy({ $0 > 0 && $0.isFinite }) else {
        throw wrong("a neutral color is three numbers above zero")
      }
    }
    if let noise {
      guard noise.scale > 0, noise.offset >= 0, noise.scale.isFinite, noise.offset.isFinite else {
        throw wrong("noise figures must not be negative")
      }
    }
  }

  /// Adds the entries of the first directory: the camera and its colors.
  func addEntries(to root: inout TIFFDirectory) {
    root[.uniqueCameraModel] = .ascii(model)
    let tags: [(TIFFTag, TIFFTag, TIFFTag)] = [
      (.colorMatrix1, .calibrationIlluminant1, .forwardMatrix1),
      (.colorMatrix2, .calibrationIlluminant2, .forwardMatrix2),
    ]
    for (profile, tags) in zip(profiles, tags) {
      root[tags.0] = .signedRationals(profile.colorMatrix.map { .init($0) })
      root[tags.1] = .short(Int(profile.illuminant.rawValue))
      if let forward = profile.forwardMatrix {
        root[tags.2] = .signedRationals(forward.map { .init($0) })
      }
    }
    root[.asShotNeutral] = .rationals((neutral ?? [1, 1, 1]).map { .init($0) })
    root[.profileName] = .ascii(isCalibrated ? "Calibrated" : "Assumed")
    root[.profileEmbedPolicy] = .long(0)
  }
}
