import DNG
import Foundation
public import MediaCore
import TOMLKit
import TOMLSyntax
import VideoRecorder

/// A user's calibration of a camera's sensor, as a TOML file.
///
/// ```toml
/// model = "Example Camera 1"      # as DNG's UniqueCameraModel
/// make = "Example"                # as EXIF's Make; may be left out
/// bit-depth = 12                  # of the levels that follow
/// black-level = [64, 64, 64, 64]  # of the four pixels of the cell, row by row; or one number
/// white-level = 4095
/// neutral = [0.5, 1.0, 0.62]      # sensor colors of a neutral surface
/// base-iso = 100                  # at a gain of 1
/// noise = [1.0e-4, 6.0e-8]        # variance at a gain of 1: slope and floor, white being 1
///
/// [[profile]]                     # one, or two with the warmer light first
/// illuminant = "D65"              # A, D50, D55, D65, D75
/// color-matrix = [ ... ]          # XYZ to sensor colors: nine numbers, row by row
/// forward-matrix = [ ... ]        # balanced sensor colors to XYZ under D50; may be left out
/// ```
public enum CalibrationFile {
  /// Reads a file.
  ///
  /// - Throws: ``RawPhotoError/Code/fileFailed`` if the file cannot be read, and what ``read(text:name:)`` throws.
  public static func read(path: String) throws(RawPhotoError) -> SensorCalibration {
    let bytes = try PhotoFile.read(path, byteLimit: 1 << 20)
    return try read(text: String(decoding: bytes, as: UTF8.self), name: path)
  }

  /// Parses a calibration.
  ///
  /// - Throws: ``RawPhotoError/Code/invalidCalibration``, naming the key and its expected value.
  public static func read(
    text: String, name: String
  ) throws(RawPhotoError) -> SensorCalibration {
    let table: TOMLTable
    do throws(TOMLText.Fault) { table = try TOMLText.table(text) } catch {
      throw RawPhotoError(
        .invalidCalibration, "\(name):\(error.line):\(error.column): \(error.message)")
    }
    let reader = CalibrationReader(table: table, name: name)
    let facts = try reader.calibration()
    try RawPhotoError.from { () throws(DNGError) in try facts.validate() }
    return facts
  }
}

/// Reads the keys of a calibration, and rejects unknown ones.
private struct CalibrationReader {
  let table: TOMLTable
  let name: String

  private static let keys = [
    "model", "make", "bit-depth", "black-level", "white-level", "neutral", "base-iso", "noise",
    "profile",
  ]
  private static let profileKeys = ["illuminant", "color-matrix", "forward-matrix"]
  private static let illuminants: [String: SensorCalibration.Illuminant] = [
    "A": .standardA, "D50": .d50, "D55": .d55, "D65": .d65, "D75": .d75,
  ]

  func wrong(_ what: String) -> RawPhotoError {
    RawPhotoError(.invalidCalibration, "\(name): \(what)")
  }

  func calibration() throws(RawPhotoError) -> SensorCalibration {
    try check(table, Self.keys)
    guard let model = table["model"]?.string, !model.isEmpty else {
      throw wrong("model is the camera's name")
    }
    guard let depth = table["bit-depth"]?.int, (8...16).contains(depth) else {
      throw wrong("bit-depth is 8 to 16")
    }
    guard let white = number(table["white-level"]) else { throw wrong("white-level is a number") }
    let black: [Double]
    if let one = number(table["black-level"]) {
      black = [one, one, one, one]
    } else {
      black = try numbers(table, "black-level", 4)
    }
    guard let list = table["profile"]?.array, (1...2).contains(list.count) else {
      throw wrong("there is one [[profile]], or two")
    }
    var profiles: [SensorCalibration.ColorProfile] = []
    for item in list {
      guard let profile = item.table else { throw wrong("a [[profile]] is a table") }
      profiles.append(try self.profile(profile))
    }
    if let make = table["make"], make.string?.isEmpty ?? true {
      throw wrong("make is the name of the camera's manufacturer")
    }
    let noise = table["noise"] == nil ? nil : try numbers(table, "noise", 2)
    var iso: Double?
    if table["base-iso"] != nil {
      guard let value = number(table["base-iso"]), value > 0 else {
        throw wrong("base-iso is a number above zero")
      }
      iso = value
    }
    return SensorCalibration(
      model: model, blackLevel: black, whiteLevel: white, bitDepth: depth, profiles: profiles,
      neutral: table["neutral"] == nil ? nil : try numbers(table, "neutral", 3),
      noise: noise.map { NoiseModel(scale: $0[0], offset: $0[1]) }, baseISO: iso,
      make: table["make"]?.string)
  }

  private func profile(
    _ table: TOMLTable
  ) throws(RawPhotoError) -> SensorCalibration.ColorProfile {
    try check(table, Self.profileKeys)
    guard let light = table["illuminant"]?.string.flatMap({ Self.illuminants[$0] }) else {
      throw wrong("illuminant is one of \(Self.illuminants.keys.sorted().joined(separator: ", "))")
    }
    return SensorCalibration.ColorProfile(
      illuminant: light, colorMatrix: try numbers(table, "color-matrix", 9),
      forwardMatrix: table["forward-matrix"] == nil
        ? nil : try numbers(table, "forward-matrix", 9))
  }

  private func check(_ table: TOMLTable, _ known: [String]) throws(RawPhotoError) {
    for key in table.keys where !known.contains(key) {
      throw wrong(Suggestion.unknownKey(key, among: known))
    }
  }

  private func number(_ value: (any TOMLValueConvertible)?) -> Double? {
    guard let value else { return nil }
    if let whole = value.int { return Double(whole) }
    return value.double.flatMap { $0.isFinite ? $0 : nil }
  }

  private func numbers(
    _ table: TOMLTable, _ key: String, _ count: Int
  ) throws(RawPhotoError) -> [Double] {
    let values = (table[key]?.array).map { $0.compactMap { number($0) } } ?? []
    guard values.count == count, table[key]?.array?.count == count else {
      throw wrong("\(key) is a list of \(count) numbers")
    }
    return values
  }
}
