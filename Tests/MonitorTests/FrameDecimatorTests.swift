import MediaCore
import Testing

@testable import Monitor
@testable import TestPattern

@Suite struct FrameDecimatorTests {
  /// A frame whose codes a function gives: luma by pixel and row, chroma by pixel pair and row.
  private static func frame(
    _ format: PixelFormat, _ width: Int, _ height: Int, order: FieldOrder = .progressive,
    _ code: (Int, Int) -> UInt16
  ) throws -> PixelBuffer {
    let details = PixelBuffer.Description(
      format: format, width: width, height: height, fieldOrder: order)
    let canvas = try FrameCanvas(details)
    var line = PatternRow(width: width)
    for row in 0..<height {
      line.paint { x in PatternRow.Color(code(x, row), code(x & ~1, row), code(x & ~1, row)) }
      canvas.store(line, row: row, x: 0, count: width)
    }
    return try canvas.buffer {}
  }

  private static func decimated(
    _ frame: PixelBuffer, atMost limit: VideoDimensions = FrameDecimator.standardDimensions
  ) throws -> PreviewFrame {
    try FrameDecimator(from: frame.details, atMost: limit).decimate(frame)
  }

  @Test(arguments: [
    PixelFormat.v210, .y210, .p210, .p216, .uyvy, .yuyv, .nv16, .nv12, .p010,
    .yuv422p8, .yuv422p10, .yuv420p10, .yuv444p10,
  ])
  func every_layout_keeps_its_codes_in_the_preview(format: PixelFormat) throws {
    // A gray with an integer 8-bit code, so that no layout rounds it.
    let preview = try Self.decimated(
      Self.frame(format, 96, 54) { _, _ in 400 }, atMost: .init(width: 24, height: 14))
    #expect(preview.width == 24 && preview.height == 14)
    #expect(preview.luma.allSatisfy { $0 == 400 })
    #expect(preview.cb.allSatisfy { $0 == 400 } && preview.cr.allSatisfy { $0 == 400 })
  }

  @Test(arguments: [
    (3840, 2160, 960, 540), (1920, 1080, 960, 540), (7680, 4320, 960, 540),
    (4096, 2160, 960, 506), (1280, 720, 960, 540), (720, 576, 674, 540), (640, 360, 640, 360),
    (721, 405, 720, 405), (200, 2000, 54, 540), (2, 1, 2, 1),
  ])
  func a_preview_keeps_proportions_and_never_enlarges(
    width: Int, height: Int, newWidth: Int, newHeight: Int
  ) throws {
    let decimator = try FrameDecimator(
      from: .init(format: .v210, width: width, height: height))
    #expect(decimator.dimensions == VideoDimensions(width: newWidth, height: newHeight))
  }

  /// The mean of a section of a ramp is the mean of its first and last code.
  @Test(arguments: [(96, 48, 48, 24), (96, 48, 24, 12), (96, 48, 32, 16), (90, 40, 60, 27)])
  func preview_samples_are_means_of_their_source_area(
    width: Int, height: Int, newWidth: Int, newHeight: Int
  ) throws {
    let frame = try Self.frame(.v210, width, height) { x, row in UInt16(100 + 4 * x) }
    let preview = try Self.decimated(frame, atMost: .init(width: newWidth, height: newHeight))
    try #require(preview.width == newWidth && preview.height == newHeight)
    for x in 0..<newWidth {
      let (first, end) = (x * width / newWidth, (x + 1) * width / newWidth)
      let mean = Double(200 + 4 * (first + end - 1)) / 2
      #expect(abs(Double(preview.luma[x]) - mean) <= 0.5, "\(x)")
    }
    for x in 0..<(newWidth / 2) {
      let (first, end) = (
        x * (width / 2) / (newWidth / 2), (x + 1) * (width / 2) / (newWidth / 2)
      )
      let mean = Double(200 + 8 * (first + end - 1)) / 2
      #expect(abs(Double(preview.cb[x]) - mean) <= 0.5, "\(x)")
      #expect(preview.cr[x] == preview.cb[x])
    }
  }

  @Test func fine_detail_is_averaged_not_subsampled() throws {
    // Alternating black and white columns would become all black or all white if samples were picked.
    let columns = try Self.decimated(
      Self.frame(.v210, 96, 48) { x, _ in x % 2 == 0 ? 100 : 900 },
      atMost: .init(width: 48, height: 24))
    #expect(columns.luma.allSatisfy { $0 == 500 })
    // The same for rows, and therefore for the two fields of a frame.
    let rows = try Self.decimated(
      Self.frame(.v210, 96, 48, order: .topFieldFirst) { _, row in row % 2 == 0 ? 100 : 900 },
      atMost: .init(width: 48, height: 24))
    #expect(rows.luma.allSatisfy { $0 == 500 })
  }

  @Test func only_some_rows_of_a_large_frame_are_read() throws {
    let ultra = try FrameDecimator(from: .init(format: .v210, width: 3840, height: 2160))
    #expect(ultra.sourceRows(of: 0) == [1, 3] && ultra.sourceRows(of: 539) == [2157, 2159])
    let eight = try FrameDecimator(from: .init(format: .v210, width: 7680, height: 4320))
    #expect(eight.sourceRows(of: 0) == [4])
    let full = try FrameDecimator(from: .init(format: .v210, width: 1920, height: 1080))
    #expect(full.sourceRows(of: 7) == [14, 15])
    // No size reads beyond its last row.
    for height in 1...700 {
      let decimator = try FrameDecimator(from: .init(format: .v210, width: 64, height: height))
      let rows = (0..<decimator.dimensions.height).flatMap(decimator.sourceRows)
      #expect(rows.allSatisfy { (0..<height).contains($0) } && rows == rows.sorted())
    }
  }

  @Test func illegal_codes_are_kept_and_full_range_becomes_video_range() throws {
    let preview = try Self.decimated(
      Self.frame(.v210, 96, 48) { x, _ in x < 48 ? 1019 : 4 },
      atMost: .init(width: 48, height: 24))
    #expect(preview.luma[0] == 1019 && preview.luma[47] == 4)
    var details = PixelBuffer.Description(format: .nv12, width: 96, height: 48)
    details.color = details.color.with(range: .full)
    var memory = try MutablePixelBuffer(details)
    memory.withUnsafeMutableBytes(ofPlane: 0) {
      _ = $0.initializeMemory(as: UInt8.self, repeating: 255)
    }
    memory.withUnsafeMutableBytes(ofPlane: 1) {
      _ = $0.initializeMemory(as: UInt8.self, repeating: 128)
    }
    let full = try Self.decimated(memory.finish())
    #expect(full.luma.allSatisfy { $0 == 940 } && full.cb.allSatisfy { $0 == 512 })
    #expect(full.color.range == .video)
  }

  @Test func frames_without_a_preview_are_refused_with_a_reason() throws {
    #expect {
      try FrameDecimator(from: .init(format: .rggb10, width: 640, height: 480))
    } throws: {
      ($0 as? MediaCoreError)?.code == .unsupportedConversion
    }
    #expect { try FrameDecimator(from: .init(format: .v210, width: 1, height: 480)) } throws: {
      ($0 as? MediaCoreError)?.code == .invalidDimensions
    }
    let decimator = try FrameDecimator(from: .init(format: .v210, width: 96, height: 48))
    let other = try Self.frame(.v210, 48, 48) { _, _ in 64 }
    #expect { try decimator.decimate(other) } throws: {
      ($0 as? MediaCoreError)?.code == .invalidLayout
    }
  }

  /// With the row kernels (v210) and without them (y210).
  @Test(arguments: [PixelFormat.v210, .y210])
  func memory_of_an_earlier_preview_is_reused(format: PixelFormat) throws {
    func source(_ code: UInt16) throws -> PixelBuffer {
      try Self.frame(format, 96, 48) { x, row in code + UInt16(x + row) }
    }
    func address(_ preview: PreviewFrame?) -> UnsafePointer<UInt16>? {
      preview?.luma.withUnsafeBufferPointer(\.baseAddress)
    }
    let first = try source(100)
    let decimator = try FrameDecimator(
      from: first.details, atMost: .init(width: 48, height: 24))
    var preview: PreviewFrame? = try decimator.decimate(first)
    let place = address(preview)
    preview = try decimator.decimate(source(300), replacing: &preview)
    #expect(try address(preview) == place && preview == decimator.decimate(source(300)))
    // A viewer that still uses a preview keeps its memory.
    let watched = preview
    preview = try decimator.decimate(source(500), replacing: &preview)
    #expect(try address(preview) != place && watched == decimator.decimate(source(300)))
    #expect(try preview == decimator.decimate(source(500)))
    // A preview of another size cannot be reused.
    let small = try FrameDecimator(from: first.details, atMost: .init(width: 24, height: 12))
    #expect(try small.decimate(first, replacing: &preview) == small.decimate(first))
    #expect(preview == nil)
  }

  @Test func freezes_are_detected_even_if_preview_memory_is_reused() throws {
    let still = try Self.frame(.v210, 96, 48) { _, _ in 500 }
    let decimator = try FrameDecimator(
      from: still.details, atMost: .init(width: 48, height: 24))
    var detector = FreezeDetector()
    var preview: PreviewFrame? = try decimator.decimate(still)
    let place = preview?.luma.withUnsafeBufferPointer(\.baseAddress)
    // The first frame has no predecessor.
    for second in 0...6 {
      let next = try decimator.decimate(still, replacing: &preview)
      #expect(next.luma.withUnsafeBufferPointer(\.baseAddress) == place)
      #expect(detector.observe(next, at: Double(second)) == (second == 6 ? true : nil))
      preview = next
    }
  }

  @Test func a_preview_survives_a_round_trip_through_bytes() throws {
    let preview = try Self.decimated(
      Self.frame(.v210, 96, 48) { x, row in UInt16(64 + x * 9 + row) },
      atMost: .init(width: 24, height: 12))
    let bytes = preview.bytes
    #expect(bytes.count == PreviewFrame.byteCount(width: 24, height: 12))
    #expect(Int(bytes[0]) | Int(bytes[1]) << 8 == Int(preview.luma[0]))
    let back = try PreviewFrame(
      width: 24, height: 12, color: preview.color, sourceDimensions: preview.sourceDimensions,
      bytes: bytes)
    #expect(back == preview)
    #expect(throws: MediaCoreError.self) {
      try PreviewFrame(width: 24, height: 12, color: .bt709, bytes: Array(bytes.dropLast()))
    }
    #expect(throws: MediaCoreError.self) {
      try PreviewFrame(width: 23, height: 12, color: .bt709, bytes: [])
    }
  }
}
