import AssetReader
import MediaCore
import TestSupport
import Testing

extension PixelBuffer {
  /// The frame's bytes without padding, as in raw video files.
  var tightBytes: [UInt8] {
    var result: [UInt8] = []
    for plane in 0..<planeCount {
      let least = format.minimumBytesPerRow(plane: plane, width: width)
      let step = bytesPerRow(plane: plane)
      withUnsafeBytes(ofPlane: plane) { bytes in
        for row in 0..<format.rows(plane: plane, height: height) {
          // A typed buffer is copied in one piece, which matters in unoptimized tests.
          let row = UnsafeRawBufferPointer(rebasing: bytes[row * step..<row * step + least])
          result.append(contentsOf: row.bindMemory(to: UInt8.self))
        }
      }
    }
    return result
  }
}

extension AssetReader {
  func allSamples() throws -> [AssetSample] {
    var samples: [AssetSample] = []
    while let sample = try nextSample() { samples.append(sample) }
    return samples
  }
}

@Suite(.tags(.judges), .enabled(if: Judges.arePresent, Judges.absence))
struct FrameEqualityTests {
  struct Case: Sendable, CustomTestStringConvertible {
    var codec: String
    var source: String
    var file: String
    var expected: PixelFormat
    var testDescription: String { "\(codec) \(source) in \(file) as \(expected)" }
  }

  /// Pixel formats delivered as decoded: the bytes must be the same.
  static let cases: [Case] = [
    Case(codec: "libx264 -qp 0", source: "yuv420p", file: "a.mp4", expected: .yuv420p8),
    Case(codec: "libx264", source: "yuv422p10le", file: "a.mkv", expected: .yuv422p10),
    Case(codec: "libx264", source: "yuv444p", file: "a.mp4", expected: .yuv444p8),
    Case(codec: "libx264 -bf 2", source: "nv12", file: "a.mov", expected: .yuv420p8),
    Case(codec: "mjpeg", source: "yuvj422p", file: "a.avi", expected: .yuv422p8),
    Case(codec: "mpeg2video", source: "yuv422p", file: "a.mxf", expected: .yuv422p8),
    Case(
      codec: "dnxhd -profile:v dnxhr_hqx", source: "yuv422p10le", file: "a.mov",
      expected: .yuv422p10),
    Case(codec: "ffv1", source: "yuv422p12le", file: "a.mkv", expected: .yuv422p12),
    Case(codec: "ffv1", source: "yuv444p16le", file: "a.mkv", expected: .yuv444p16),
    Case(codec: "ffv1", source: "yuv420p12le", file: "a.mkv", expected: .yuv420p12),
    Case(codec: "ffv1", source: "yuva444p16le", file: "a.mkv", expected: .yuva444p16),
    Case(codec: "v210", source: "yuv422p10le", file: "a.mov", expected: .yuv422p10),
    Case(codec: "rawvideo", source: "uyvy422", file: "a.mov", expected: .uyvy),
    Case(codec: "rawvideo", source: "yuyv422", file: "a.nut", expected: .yuyv),
    Case(codec: "rawvideo", source: "bgr24", file: "a.nut", expected: .bgr24),
    Case(codec: "rawvideo", source: "bgr24", file: "a.avi", expected: .bgr24),
    Case(codec: "rawvideo", source: "nv12", file: "a.nut", expected: .nv12),
    Case(codec: "rawvideo", source: "yuv422p16le", file: "a.nut", expected: .yuv422p16),
    // Pixel formats without an equivalent here: the nearest one loses nothing.
    Case(codec: "ffv1", source: "yuv422p9le", file: "a.mkv", expected: .yuv422p10),
    Case(codec: "ffv1", source: "yuv422p14le", file: "a.mkv", expected: .yuv422p16),
    Case(codec: "rawvideo", source: "nv21", file: "a.nut", expected: .yuv420p8),
    Case(codec: "rawvideo", source: "rgb24", file: "a.nut", expected: .bgr24),
    Case(codec: "ffv1", source: "bgr0", file: "a.mkv", expected: .bgrx32),
    Case(codec: "rawvideo", source: "yuv422p10be", file: "a.nut", expected: .yuv422p10),
    Case(codec: "png", source: "rgb24", file: "a.mov", expected: .bgr24),
  ]

  @Test(arguments: cases)
  func decoded_frames_equal_those_of_ffmpeg(_ test: Case) throws {
    let folder = try TemporaryFolder()
    let path = folder.path(test.file)
    let size = test.codec.contains("dnx") ? "256x128" : "162x98"
    try Judges.ffmpeg(
      "-f lavfi -i testsrc2=size=\(size):rate=30000/1001 -frames:v 5 -pix_fmt \(test.source) "
        + "-c:v \(test.codec) \(path)")
    // The judge must not convert full range to video range.
    let name =
      test.source.hasPrefix("yuvj")
      ? test.source : try #require(test.expected.descriptor.libavName)
    let judge = try Judges.ffmpeg("-i \(path) -f rawvideo -pix_fmt \(name) -")
    let reader = try AssetReader(path)
    let samples = try reader.allSamples()
    #expect(samples.count == 5)
    var bytes: [UInt8] = []
    for sample in samples {
      let frame = try #require(sample.sampleBuffer.imageBuffer)
      #expect(frame.format == test.expected)
      bytes += frame.tightBytes
    }
    #expect(bytes.count == judge.count)
    // Compared outside the macro, which would compute a shortest edit.
    let isSame = bytes == judge
    #expect(
      isSame,
      "first difference at byte \(zip(bytes, judge).enumerated().first { $1.0 != $1.1 }?.offset ?? -1)"
    )
    #expect(reader.videoTrack?.video?.pixelFormat == test.expected)
    #expect(reader.videoTrack?.frameRate == .fps29_97)
  }
  @Test(arguments: [("yuv420p", PixelFormat.yuv420p8), ("yuv422p10le", .yuv422p10)])
  func columns_and_rows_that_h264_crops_are_not_shown(source: String, format: PixelFormat) throws {
    let folder = try TemporaryFolder()
    let path = folder.path("a.mp4")
    let frames = "-f lavfi -i testsrc2=s=128x96:r=25:d=0.2"
    // Left, top, right, bottom. Ten columns on the left leave lines unaligned.
    try Judges.ffmpeg(
      "\(frames) -pix_fmt \(source) -c:v libx264 -qp 0 -x264-params crop-rect=10,4,6,2 \(path)")
    let judge = try Judges.ffmpeg(
      "\(frames) -vf format=\(source),crop=112:90:10:4 -f rawvideo -")
    let reader = try AssetReader(path)
    #expect(reader.videoTrack?.video?.dimensions == VideoDimensions(width: 112, height: 90))
    let images = try reader.allSamples().compactMap(\.sampleBuffer.imageBuffer)
    #expect(images.allSatisfy { $0.width == 112 && $0.height == 90 && $0.format == format })
    let isSame = images.flatMap(\.tightBytes) == Array(judge)
    #expect(isSame)
  }

  @Test func frames_of_a_bare_dirac_stream_come_at_its_rate() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("a.drc")
    try Judges.ffmpeg(
      "-f lavfi -i testsrc2=s=64x48:r=30:d=0.5 -c:v vc2 -f dirac \(path)", by: "ffmpeg")
    let reader = try AssetReader(path)
    #expect(reader.videoTrack?.frameRate == .fps30)
    let times = try reader.allSamples().map(\.sampleBuffer.presentationTimeStamp)
    // libavformat gives the first frame the duration that it assumed before it read the rate.
    #expect(times.map { Int(($0.seconds * 30).rounded()) } == Array(0..<15))
  }
}
