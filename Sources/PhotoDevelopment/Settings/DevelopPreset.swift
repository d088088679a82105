import Foundation
import ImageFiles
import MediaCore
import RawDevelop
import TOMLKit
import TOMLSyntax

/// A named set of options for developing photos, from a TOML file.
///
/// ```toml
/// summary = "sRGB JPEG, at most 2048 pixels"
///
/// [light]
/// exposure = 0.3                   # EV
/// white = "5600,+5"                # kelvins, and a tint; the file's own if left out
/// local-tone-map = 1.0             # of the file's gain map, 0 to 1
/// boost = 1.0                      # of the tone curve, 0 to 1
/// profile = "Camera Neutral"       # one of the file's camera profiles
///
/// [detail]
/// sharpness = 0.4                  # 0 to 1, as all but structure
/// contrast = 0.1
/// structure = 0.5                  # 0 to 3
/// noise-reduction = 0.3
/// color-noise-reduction = 0.5
/// moire-reduction = 0.0
///
/// [file]
/// format = "jpeg"                  # jpeg-hdr, heic, avif, jxl, tiff, png, exr
/// quality = 0.85
/// bit-depth = 8
/// size = 2048                      # or "1920x1080"
/// space = "srgb"                   # display-p3, adobe-rgb, rec2020, …
/// # hdr = "gain-map"               # or pq, hlg
/// ```
public struct DevelopPreset: Sendable, Hashable {
  public let name: String
  /// A one-line description.
  public let summary: String?
  /// The options that it sets.
  public let options: DevelopOptions

  /// Parses a preset.
  ///
  /// - Parameters:
  ///   - text: The preset, as TOML.
  ///   - name: The preset's name.
  ///   - path: The file's name, as in error messages.
  /// - Throws: ``PhotoDevelopmentError/Code/invalidPreset`` for invalid TOML, an unknown key, a wrong type or a
  ///   value out of range.
  public init(_ text: String, name: String, path: String) throws(PhotoDevelopmentError) {
    let root: TOMLTable
    do throws(TOMLText.Fault) { root = try TOMLText.table(text) } catch {
      throw PhotoDevelopmentError(
        .invalidPreset, "\(path):\(error.line):\(error.column): \(error.message)")
    }
    let reader = DevelopPresetReader(path: path)
    self.name = name
    summary = try reader.string(root, "summary")
    options = try reader.options(root)
  }
}

/// Reads the keys of a preset, and rejects unknown ones.
private struct DevelopPresetReader {
  let path: String

  private static let light: KeyValuePairs<String, PhotoAdjustment.Setting> = [
    "exposure": .exposure, "local-tone-map": .localToneMap, "boost": .boost,
    "saturation": .saturation, "vibrance": .vibrance,
  ]
  private static let detail: KeyValuePairs<String, PhotoAdjustment.Setting> = [
    "sharpness": .sharpness, "contrast": .contrast, "structure": .detail,
    "noise-reduction": .luminanceNoiseReduction, "color-noise-reduction": .colorNoiseReduction,
    "moire-reduction": .moireReduction,
  ]

  func wrong(_ what: String) -> PhotoDevelopmentError {
    PhotoDevelopmentError(.invalidPreset, "\(path): \(what)")
  }

  func options(_ root: TOMLTable) throws(PhotoDevelopmentError) -> DevelopOptions {
    try check(root, ["summary", "light", "detail", "file"])
    var options = DevelopOptions()
    if let table = try table(root, "light") {
      try check(table, Self.light.map(\.key) + ["white", "profile"])
      try read(table, Self.light, into: &options.adjustment)
      if let text = try text(table, "white") {
        guard let white = DevelopRecipe.White(text) else {
          throw wrong(
            "white is kelvins from 2000 to 50000, and a tint from -150 to 150: \"5600,+5\"")
        }
        options.adjustment.white = white
      }
      options.adjustment.profile = try string(table, "profile")
    }
    if let table = try table(root, "detail") {
      try check(table, Self.detail.map(\.key))
      try read(table, Self.detail, into: &options.adjustment)
    }
    if let table = try table(root, "file") { try readFile(table, &options) }
    return options
  }

  private func readFile(
    _ table: TOMLTable, _ options: inout DevelopOptions
  ) throws(PhotoDevelopmentError) {
    try check(table, ["format", "quality", "bit-depth", "size", "space", "hdr"])
    options.format = try choice(
      table, "format", ImageFileFormat.allCases.map { ($0.rawValue, $0) })
    options.highRange = try choice(
      table, "hdr", DevelopRecipe.HighRange.allCases.map { ($0.rawValue, $0) })
    options.colorSpace = try choice(
      table, "space", ImageColorSpace.named.map { ($0.key, $0.value) })
    if let quality = try number(table, "quality", 0...1) { options.quality = quality }
    if let depth = try number(table, "bit-depth", 8...32) {
      guard let whole = Int(exactly: depth) else { throw wrong("bit-depth is an integer") }
      options.bitDepth = whole
    }
    if let text = try text(table, "size") {
      guard let size = DevelopRecipe.Size(text) else {
        throw wrong("size is the longest side, such as 2048, or \"1920x1080\"")
      }
      options.size = size
    }
  }

  private func read(
    _ table: TOMLTable, _ settings: KeyValuePairs<String, PhotoAdjustment.Setting>,
    into adjustment: inout PhotoAdjustment
  ) throws(PhotoDevelopmentError) {
    for (key, setting) in settings {
      if let value = try number(table, key, setting.range) { adjustment[setting] = value }
    }
  }

  private func check(_ table: TOMLTable, _ known: [String]) throws(PhotoDevelopmentError) {
    for key in table.keys where !known.contains(key) {
      throw wrong(Suggestion.unknownKey(key, among: known))
    }
  }

  private func table(
    _ table: TOMLTable, _ key: String
  ) throws(PhotoDevelopmentError) -> TOMLTable? {
    guard let value = table[key] else { return nil }
    guard let inner = value.table else { throw wrong("\(key) is a table: [\(key)]") }
    return inner
  }

  func string(_ table: TOMLTable, _ key: String) throws(PhotoDevelopmentError) -> String? {
    guard let value = table[key] else { return nil }
    guard let string = value.string, !string.isEmpty else { throw wrong("\(key) is a text") }
    return string
  }

  private func number(
    _ table: TOMLTable, _ key: String, _ range: ClosedRange<Double>
  ) throws(PhotoDevelopmentError) -> Double? {
    guard let value = table[key] else { return nil }
    guard let number = value.double ?? value.int.map(Double.init), range.contains(number) else {
      throw wrong(
        "\(key) is a number from \(Self.plain(range.lowerBound)) to "
          + Self.plain(range.upperBound))
    }
    return number
  }

  private static func plain(_ number: Double) -> String {
    Int(exactly: number).map(String.init) ?? "\(number)"
  }

  /// A string, or an integer as a string.
  private func text(_ table: TOMLTable, _ key: String) throws(PhotoDevelopmentError) -> String? {
    if let whole = table[key]?.int { return String(whole) }
    return try string(table, key)
  }

  private func choice<Value>(
    _ table: TOMLTable, _ key: String, _ choices: [(String, Value)]
  ) throws(PhotoDevelopmentError) -> Value? {
    guard let text = try string(table, key) else { return nil }
    guard let found = choices.first(where: { $0.0 == text }) else {
      let names = choices.map(\.0)
      throw wrong(
        "unknown \(key) \"\(text)\"\(Suggestion.remark(on: text, among: names)); choose "
          + names.joined(separator: ", "))
    }
    return found.1
  }
}
