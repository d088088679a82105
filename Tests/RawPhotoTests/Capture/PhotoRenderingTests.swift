import DNG
import Foundation
import MediaCore
import RawDevelop
import TestSupport
import Testing

@testable import RawPhoto

/// Compares our developed photos with the renderings of Adobe's DNG SDK.
@Suite(
  .tags(.judges, .network), .enabled(if: DNGJudges.arePresent, DNGJudges.absence))
struct PhotoRenderingTests {
  private struct OtherSamples: Error {}

  private func request(
    _ bytes: [UInt8], _ name: String, in folder: TemporaryFolder
  ) throws -> AdobeRendering.Request {
    var filter = try RAWFilter(data: bytes)
    filter.isGamutMappingEnabled = false
    filter.isHighlightRecoveryEnabled = false
    filter.orientation = .up
    let image = try filter.outputImage()
    guard case .uint16(let samples) = image.samples else {
      throw OtherSamples()
    }
    let ours = folder.url(name)
    try samples.withUnsafeBytes { try Data($0).write(to: ours) }
    return AdobeRendering.Request(
      file: try folder.write(bytes, name + ".dng"), ours: ours, width: image.width,
      height: image.height)
  }

  @Test func merged_photos_render_as_in_adobes_sdk() throws {
    let scene = KnownScene(width: 304, height: 232)
    let negative = try LinearNegative(
      merging: [scene.frame(seed: 1), scene.frame(-2, seed: 2), scene.frame(2, seed: 3)],
      metadata: PhotoMetadata())
    let forms: [(String, LinearNegative.Compression)] = [
      ("lossless", .lossless(bitDepth: 12)), ("lossy", .lossy(quality: 0.8)),
      ("JPEG XL", .jpegXL(bitDepth: 12, quality: 1)),
      ("JPEG XL with loss", .jpegXL(bitDepth: 12, quality: 0.5)),
    ]
    let folder = try TemporaryFolder()
    let requests = try forms.map {
      try request(try negative.dngFileData(compression: $0.1), $0.0, in: folder)
    }
    for (form, result) in zip(forms, try AdobeRendering.compare(requests)) {
      let found = try result.get()
      let figures = "\(form.0): mean \(found.mean), 99.9 % \(found.most), most \(found.all)"
      if ProcessInfo.processInfo.environment["SHOW_FIGURES"] != nil { print(figures) }
      // The SDK has its own JPEG decoder, and 16-bit codes between it and the polynomial.
      let factor = form.0 == "lossy" ? 3.0 : 1
      #expect(
        found.mean <= 4 * factor && found.most <= 32 * factor && found.all <= 96, "\(figures)")
    }
  }

  /// Compares means, because the SDK interpolates edges and noise by the mean of neighbors.
  @Test func a_mosaic_renders_as_bright_as_in_adobes_sdk() throws {
    let frame = try KnownScene(width: 304, height: 232).frame(seed: 4)
    let bytes = try BayerNegative(
      mosaic: frame.mosaic, pattern: frame.pattern, calibration: frame.calibration
    ).dngFileData()
    let folder = try TemporaryFolder()
    var request = try request(bytes, "mosaic", in: folder)
    request.comparesBlocks = true
    let found = try AdobeRendering.compare([request])[0].get()
    let figures = "mean \(found.mean), 99.9 % \(found.most), most \(found.all)"
    if ProcessInfo.processInfo.environment["SHOW_FIGURES"] != nil { print(figures) }
    #expect(found.mean <= 600 && found.all <= 8000, "\(figures)")
  }
}
