import AVFoundationCompat
import Testing

@Suite struct OutputRectangleTests {
  @Test func metadata_and_output_rectangles_convert_to_each_other() throws {
    let rig = try PatternRig()
    let connection = try #require(rig.output.connection(with: .video))
    let size = try #require(connection.formatDescription?.dimensions)
    let (width, height) = (CGFloat(size.width), CGFloat(size.height))
    let part = CGRect(x: 0.25, y: 0.5, width: 0.5, height: 0.25)
    let pixels = rig.output.outputRectConverted(fromMetadataOutputRect: part)
    #expect(
      pixels
        == CGRect(
          x: 0.25 * width, y: 0.5 * height, width: 0.5 * width, height: 0.25 * height))
    #expect(rig.output.metadataOutputRectConverted(fromOutputRect: pixels) == part)
    let alone = AVCaptureVideoDataOutput()
    #expect(alone.metadataOutputRectConverted(fromOutputRect: part) == part)
    #expect(alone.outputRectConverted(fromMetadataOutputRect: part) == part)
  }
}
