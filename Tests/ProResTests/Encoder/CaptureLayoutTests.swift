import Foundation
import MediaCore
import TestSupport
import Testing

@testable import ProRes

/// Frames that FFmpeg has converted to a capture format, so that this project is not the only one
/// to define the format.
struct CaptureLayoutTests {
  /// A pixel format, and the planar one with the same samples.
  struct Layout: Sendable, CustomTestStringConvertible {
    let format: PixelFormat
    let twin: PixelFormat
    /// FFmpeg's names for both; that of v210 is an encoder's.
    let name: String
    let twinName: String

    var testDescription: String { "\(format)" }

    /// An FFmpeg that writes the pixel format.
    var converter: OutsideDecoder? {
      OutsideDecoder.all.first { $0.isFFmpeg && (name == "v210" || $0.writes(pixelFormat: name)) }
    }
  }

  static let layouts: [Layout] = [
    Layout(format: .v210, twin: .yuv422p10, name: "v210", twinName: "yuv422p10le"),
    Layout(format: .y210, twin: .yuv422p10, name: "y210le", twinName: "yuv422p10le"),
    Layout(format: .y212, twin: .yuv422p12, name: "y212le", twinName: "yuv422p12le"),
    Layout(format: .y216, twin: .yuv422p16, name: "y216le", twinName: "yuv422p16le"),
    Layout(format: .p210, twin: .yuv422p10, name: "p210le", twinName: "yuv422p10le"),
    Layout(format: .p216, twin: .yuv422p16, name: "p216le", twinName: "yuv422p16le"),
    Layout(format: .uyvy, twin: .yuv422p8, name: "uyvy422", twinName: "yuv422p"),
    Layout(format: .yuyv, twin: .yuv422p8, name: "yuyv422", twinName: "yuv422p"),
    Layout(format: .nv16, twin: .yuv422p8, name: "nv16", twinName: "yuv422p"),
    Layout(format: .p010, twin: .yuv420p10, name: "p010le", twinName: "yuv420p10le"),
    Layout(format: .nv12, twin: .yuv420p8, name: "nv12", twinName: "yuv420p"),
  ].filter { $0.converter != nil }

  @Test(arguments: layouts, [(182, 40), (1284, 18)])
  func layouts_converted_by_ffmpeg_encode_like_their_source(
    layout: Layout, size: (width: Int, height: Int)
  ) throws {
    let converter = try #require(layout.converter)
    let folder = try TemporaryFolder()
    let (planar, converted) = (folder.path + "/planar", folder.path + "/converted")
    let dimensions = "\(size.width)x\(size.height)"
    try noise(layout, size).write(to: URL(fileURLWithPath: planar))
    try converter.runFFmpeg(
      ["-f", "rawvideo", "-pix_fmt", layout.twinName, "-s", dimensions, "-i", planar]
        + (layout.name == "v210" ? ["-c:v", "v210"] : ["-pix_fmt", layout.name])
        + ["-f", "rawvideo", converted])
    let twin = try picture(layout.twin, size, at: planar)
    let own = try picture(layout.format, size, at: converted)
    for kernels in KernelChoice.available {
      let encoder = try ProResEncoder(
        configuration: .init(
          profile: .hq, width: size.width, height: size.height, threads: 1,
          rateMode: .constantQuality(1), kernels: kernels))
      #expect(try encoder.encode(own) == encoder.encode(twin), "\(kernels)")
    }
  }

  /// Planes of random samples, as in a raw file.
  private func noise(_ layout: Layout, _ size: (width: Int, height: Int)) -> Data {
    let depth = layout.twin.descriptor.bitDepth
    // In v210, FFmpeg keeps to the codes that video may have.
    let codes: ClosedRange<UInt16> = layout.format == .v210 ? 4...1019 : 0...UInt16(1 << depth - 1)
    var random = SeededGenerator(seed: 11)
    let span = UInt64(codes.count)
    let count = layout.twin.byteCount(width: size.width, height: size.height) / (depth > 8 ? 2 : 1)
    let samples = [UInt16](unsafeUninitializedCapacity: count) { samples, filled in
      // A loop without iterators, because tests are built without optimization.
      while filled < count {
        let code = codes.lowerBound + UInt16(truncatingIfNeeded: random.next() % span)
        samples[filled] = code.littleEndian
        filled += 1
      }
    }
    return depth > 8
      ? samples.withUnsafeBytes { Data($0) } : Data(samples.map { UInt8(truncatingIfNeeded: $0) })
  }

  private func picture(
    _ format: PixelFormat, _ size: (width: Int, height: Int), at path: String
  ) throws -> PixelBuffer {
    let data = try Data(contentsOf: URL(fileURLWithPath: path))
    var picture = try MutablePixelBuffer(
      .init(format: format, width: size.width, height: size.height))
    try #require(data.count == format.byteCount(width: size.width, height: size.height))
    var offset = 0
    for plane in 0..<picture.planeCount {
      let length = format.minimumBytesPerRow(plane: plane, width: size.width)
      let stride = picture.bytesPerRow(plane: plane)
      picture.withUnsafeMutableBytes(ofPlane: plane) { bytes in
        for row in 0..<format.rows(plane: plane, height: size.height) {
          data.copyBytes(
            to: UnsafeMutableRawBufferPointer(rebasing: bytes[(row * stride)...]),
            from: offset..<offset + length)
          offset += length
        }
      }
    }
    return picture.finish()
  }
}
