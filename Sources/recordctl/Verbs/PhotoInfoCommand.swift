import ArgumentParser
import DNG
import Foundation
import ImageFiles
import MediaCore
import RawPhoto

/// `recordctl photo info FILE`
struct PhotoInfoCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "info",
    abstract: "Describes a DNG, JPEG, HEIC or AVIF file, and verifies the pixels of a DNG file.")

  @Argument(
    help: "File to describe.",
    completion: .file(extensions: ["dng", "DNG", "jpg", "JPG", "heic", "HEIC", "avif"]))
  var file: String

  @Flag(help: "Print JSON.")
  var json = false

  func run() throws {
    let bytes = try PhotoFile.read(file)
    if ImageFileSummary.recognizes(bytes) { return try show(bytes) }
    let summary = try named { () throws(DNGError) in try DNGSummary(DNGFile(bytes)) }
    if json {
      try Console.print(.photoFile, summary)
    } else {
      Console.print(Self.lines(summary))
    }
    if summary.isDigestValid == false { throw ExitStatus.failure.exit }
  }

  /// What is wrong within the file is told with its path.
  private func named<Result, Failure: CodedError>(
    _ read: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    do throws(Failure) { return try read() } catch {
      throw Failure(error.code, "\(file): \(error.message)", from: error)
    }
  }

  private func show(_ bytes: [UInt8]) throws {
    let summary = try named { () throws(ImageFileError) in try ImageFileSummary(bytes) }
    if json {
      try Console.print(.imageFile, summary)
    } else {
      Console.print(Self.lines(summary))
    }
    if summary.isWhole == false { throw ExitStatus.failure.exit }
  }

  private static func lines(_ summary: ImageFileSummary) -> [String] {
    var table = TextTable()
    func add(_ name: String, _ value: String?) {
      if let value, !value.isEmpty { table.add(name, value) }
    }
    add(
      summary.kind.rawValue,
      "\(summary.width)x\(summary.height), \(summary.components) x \(summary.bitDepth) bits"
        + (summary.chroma.map { ", \($0)" } ?? "") + ", \(summary.byteCount) bytes")
    add("Camera", [summary.make, summary.camera].compactMap(\.self).joined(separator: ", "))
    add("Lens", summary.lens)
    add("Software", summary.software)
    add("Taken", summary.date)
    add(
      "Exposure",
      exposure(
        summary.exposureTime, summary.fNumber, summary.isoSpeed, summary.focalLength,
        summary.exposureBias))
    add("Orientation", "\(summary.orientation)")
    add("Profile", summary.profile.map { "\($0) (ICC)" } ?? "none")
    add(
      "Colors",
      summary.colors.map { "\($0) (nclx), \(summary.isFullRange == true ? "full" : "video") range" }
    )
    add("EXIF", summary.hasEXIF ? colorSpace(summary.colorSpace) : "none")
    add("XMP", summary.hasXMP ? "present" : nil)
    add("Gain map", summary.gainMap?.rawValue ?? "none")
    add("Data", summary.isWhole == false ? "ENDS EARLY: the file is damaged" : nil)
    return table.lines
  }

  private static func colorSpace(_ number: Int?) -> String {
    switch number {
    case nil: "without a color space"
    case 1: "sRGB"
    case 65_535: "another color space, given by the profile"
    case .some(let number): "color space \(number)"
    }
  }

  private static func exposure(
    _ time: Double?, _ fNumber: Double?, _ isoSpeed: Double?, _ focalLength: Double?,
    _ bias: Double?
  ) -> String {
    [
      time.map { $0 > 0 && $0 < 0.5 ? "1/\(whole(1 / $0)) s" : "\(number($0)) s" },
      fNumber.map { "f/\(number($0))" }, isoSpeed.map { "ISO \(whole($0))" },
      focalLength.map { "\(number($0)) mm" },
      bias.map { "\($0 < 0 ? "" : "+")\(number($0)) EV" },
    ].compactMap(\.self).joined(separator: ", ")
  }

  private static func lines(_ summary: DNGSummary) -> [String] {
    var table = TextTable()
    func add(_ name: String, _ value: String?) {
      if let value, !value.isEmpty { table.add(name, value) }
    }
    func list(_ numbers: [Double]) -> String {
      numbers.map { number($0) }.joined(separator: " ")
    }
    add("DNG", "\(summary.dngVersion), \(summary.kind)")
    add("Camera", summary.camera)
    add("Taken", summary.date)
    add(
      "Exposure",
      exposure(
        summary.exposureTime, summary.fNumber, summary.isoSpeed, summary.focalLength,
        summary.exposureBias))
    add("Orientation", "\(summary.orientation)")
    add("Pattern", summary.pattern)
    add("Black", list(summary.blackLevels))
    add("White", list(summary.whiteLevels))
    add("Neutral", list(summary.neutral))
    add("Noise", summary.noiseProfile.map { String(format: "%.3g", $0) }.joined(separator: " "))
    add("Range", summary.dynamicRange.map { "\(number($0)) stops" })
    add("Baseline", summary.baselineExposure.map { "\(number($0)) EV" })
    add("Table", summary.linearizationTableCount.map { "\($0) entries" })
    if summary.hasGainMap || summary.hasToneCurve {
      add(
        "Look",
        [summary.hasGainMap ? "gain map" : nil, summary.hasToneCurve ? "tone curve" : nil]
          .compactMap(\.self).joined(separator: ", "))
    }
    add("Profiles", summary.profiles.filter { !$0.isEmpty }.joined(separator: ", "))
    add("Left out", (summary.omittedProfileParts + summary.omittedImages).joined(separator: ", "))
    add("Lights", summary.illuminants.map(Self.light).joined(separator: ", "))
    for (index, names) in summary.opcodes.enumerated() {
      add("Opcodes \(index + 1)", names.joined(separator: ", "))
    }
    for image in summary.pictures {
      add(
        "Image",
        "\(image.semanticName ?? image.role.rawValue) \(image.width)x\(image.height), "
          + "\(image.components) x \(image.bitDepth) bits\(image.isFloat ? " float" : ""), \(image.compression), "
          + "\(image.chunkCount) parts, \(image.byteCount) bytes")
    }
    add(
      "Digest",
      summary.isDigestValid.map { $0 ? "agrees" : "DOES NOT AGREE" }
        ?? (summary.hasDigest ? "not checked: the pixels are not lossless integers" : "none"))
    return table.lines
  }

  /// EXIF's name of a light source.
  private static func light(_ number: Int) -> String {
    let names = [
      1: "daylight", 2: "fluorescent", 3: "tungsten", 4: "flash", 9: "fine weather", 10: "cloudy",
      11: "shade", 12: "D 5700 K", 13: "N 4600 K", 14: "W 3800 K", 15: "WW 3200 K", 17: "A",
      18: "B",
      19: "C", 20: "D55", 21: "D65", 22: "D75", 23: "D50", 24: "ISO studio tungsten", 255: "other",
    ]
    return names[number] ?? "\(number)"
  }

  /// A file may hold any number: one that is too large for an integer is written all the same.
  private static func whole(_ value: Double) -> String { String(format: "%.0f", value) }

  private static func number(_ value: Double) -> String {
    let text = String(format: "%.4f", value)
    return String(text.reversed().drop { $0 == "0" }.drop { $0 == "." }.reversed())
  }
}
