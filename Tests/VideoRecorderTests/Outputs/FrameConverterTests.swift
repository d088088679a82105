import MediaCore
import Testing

@testable import VideoRecorder

/// Frames in the pixel formats that programs request from data outputs.
@Suite struct FrameConverterTests {
  /// White, with both chroma samples at their minimum, in ten bits.
  private func frame(_ range: ColorDescription.Range) throws -> PixelBuffer {
    var color = ColorDescription.bt709
    color.range = range
    var memory = try MutablePixelBuffer(
      PixelBuffer.Description(format: .yuv422p10, width: 64, height: 32, color: color))
    let codes: [UInt16] = range == .full ? [1023, 0, 0] : [940, 64, 64]
    for plane in 0..<3 {
      memory.withUnsafeMutableBytes(ofPlane: plane) { bytes in
        let words = bytes.bindMemory(to: UInt16.self)
        for index in words.indices { words[index] = codes[plane].littleEndian }
      }
    }
    return memory.finish()
  }

  /// FFmpeg 5.1 ignores ranges above 8 bits unless they are set before initialization.
  @Test(arguments: [ColorDescription.Range.video, .full], [ColorDescription.Range.video, .full])
  func levels_of_10_bits_are_converted_to_the_requested_range(
    from source: ColorDescription.Range, to wanted: ColorDescription.Range
  ) throws {
    let converted = try #require(
      FrameConverter().convert(
        frame(source), to: FrameConversion(.nv12, range: wanted)))
    #expect(converted.details.color.range == wanted)
    let (luma, chroma) = (
      converted.withUnsafeBytes(ofPlane: 0) { Int($0[20]) },
      converted.withUnsafeBytes(ofPlane: 1) { Int($0[20]) }
    )
    #expect(abs(luma - (wanted == .full ? 255 : 235)) <= 1)
    #expect(abs(chroma - (wanted == .full ? 0 : 16)) <= 1)
  }
}
