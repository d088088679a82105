import DNG
import Foundation
import TestSupport
import Testing

@testable import RawDevelop

/// Compares renderings of Adobe's sample files with Adobe's own.
@Suite(
  .serialized, .tags(.judges, .network, .slow), .timeLimit(.minutes(20)),
  .enabled(if: TestRun.isThorough, "fetches 75 MB and renders 60 megapixels: with TEST_ALL=1"),
  .enabled(if: DNGJudges.arePresent, DNGJudges.absence))
struct AdobeSampleTests {
  @Test func sample_files_agree_with_adobe() throws {
    try judge { !$0.contains("jxl") }
  }

  /// 33 and 60 megapixels, and a warped mosaic.
  @Test func jpeg_xl_sample_files_agree_with_adobe() throws {
    try judge { $0.contains("jxl") }
  }

  private func judge(_ isWanted: (String) -> Bool) throws {
    let files: [URL]
    do { files = try AdobeSamples.files() } catch {
      try Test.cancel("the sample files cannot be fetched: \(error)")
    }
    #expect(files.count == 14)
    let folder = try TemporaryFolder()
    // One at a time: each rendering takes up to 360 MB.
    for file in files where isWanted(file.lastPathComponent) {
      let negative = try Negative(try DNGFile([UInt8](try Data(contentsOf: file))))
      let ours = try Developer(negative: negative, settings: DevelopSettings()).develop()
      var request = AdobeRendering.Request(
        file: file, ours: try ours.write(to: folder.url("ours")), width: ours.width,
        height: ours.height)
      let isMosaic = negative.pattern != nil
      request.comparesBlocks = isMosaic
      try AdobeRendering.compare([request])[0].expect(
        file.lastPathComponent, within: isMosaic ? (150, 1500, 6000) : (4, 32, 96))
    }
  }
}
