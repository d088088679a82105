import DNG
import Foundation
import TIFF
import TestSupport
import Testing

@testable import RawDevelop

/// A file and settings whose rendering is compared with Adobe's.
struct AdobeCase {
  let name: String
  var negative = ExampleNegative()
  var settings = DevelopSettings()
  var space = "sRGB"
  /// Ignored pixels at the edges, where the two renderers extend the image differently.
  var margin = 0
  /// True to compare means of eight by eight pixels.
  var comparesBlocks = false
  /// Limits of the mean difference, of 99.9 % of the differences and of all, in units of 65535.
  var limits = (mean: 4.0, most: 32.0, all: 96.0)

  init(_ name: String, _ change: @escaping (inout TIFFDirectory) -> Void = { _ in }) {
    self.name = name
    negative.change = change
  }

  /// A mosaic of smooth light. Its block means are compared, because the two renderers interpolate differently.
  static func mosaic(
    _ name: String, _ change: @escaping (inout TIFFDirectory) -> Void = { _ in }
  ) -> AdobeCase {
    var result = AdobeCase(name, change)
    (result.negative.components, result.negative.width, result.negative.height) = (1, 160, 128)
    result.negative.light = { row, column, color in
      let wave = sin(Double(column) / 13) * cos(Double(row) / 11)
      return (0.3 + 0.25 * wave) * [0.52, 1, 0.66][color]
    }
    result.comparesBlocks = true
    result.limits = (mean: 100, most: 600, all: 600)
    return result
  }

  /// Renders all files, and expects each to be close to Adobe's rendering.
  static func judge(_ cases: [AdobeCase], isFloat: Bool = false) throws {
    let folder = try TemporaryFolder()
    var requests: [AdobeRendering.Request] = []
    for (index, test) in cases.enumerated() {
      let bytes = try test.negative.bytes()
      let ours = try Developer(
        negative: try Negative(try DNGFile(bytes)), settings: test.settings
      ).develop()
      var request = AdobeRendering.Request(
        file: try folder.write(bytes, "\(index).dng"),
        ours: try ours.write(to: folder.url("\(index)")), width: ours.width, height: ours.height)
      request.space = test.space
      request.isFloat = isFloat
      request.exposure = test.settings.exposure
      request.shadows = test.settings.shadowBias
      if case .point(let point) = test.settings.white { request.white = SIMD2(point.x, point.y) }
      request.margin = test.margin
      request.comparesBlocks = test.comparesBlocks
      requests.append(request)
    }
    for (test, result) in zip(cases, try AdobeRendering.compare(requests)) {
      result.expect(test.name, within: test.limits)
    }
  }
}

extension Result where Success == AdobeRendering, Failure == AdobeRendering.Failure {
  /// Expects the differences to stay within limits.
  func expect(_ name: String, within limits: (mean: Double, most: Double, all: Double)) {
    switch self {
    case .failure(let failure): Issue.record("\(name): \(failure)")
    case .success(let found):
      let figures = "\(name): mean \(found.mean), 99.9 % \(found.most), most \(found.all)"
      if ProcessInfo.processInfo.environment["SHOW_FIGURES"] != nil { print(figures) }
      #expect(
        found.mean <= limits.mean && found.most <= limits.most && found.all <= limits.all,
        "\(figures)")
    }
  }
}

extension RenderedImage {
  func write(to url: URL) throws -> URL {
    switch samples {
    case .uint8(let samples): try Data(samples).write(to: url)
    case .uint16(let samples), .half(let samples):
      try samples.withUnsafeBytes { try Data($0).write(to: url) }
    case .float(let samples): try samples.withUnsafeBytes { try Data($0).write(to: url) }
    }
    return url
  }
}
