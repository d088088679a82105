import MediaCore
import Testing

@testable import AssetReader

/// Frames that change on their way through a filter.
@Suite struct FrameChangeTests {
  private static let unit = MediaTime(value: 1, timescale: 25)

  /// A gray frame, whose odd rows may have another luma.
  private func frame(
    _ width: Int, _ height: Int, luma: UInt16, odd: UInt16? = nil,
    _ change: (inout PixelBuffer.Description) -> Void = { _ in }
  ) throws -> PixelBuffer {
    var details = PixelBuffer.Description(format: .yuv422p10, width: width, height: height)
    change(&details)
    var frame = try MutablePixelBuffer(details)
    for plane in 0..<3 {
      let step = frame.bytesPerRow(plane: plane)
      frame.withUnsafeMutableBytes(ofPlane: plane) { bytes in
        for row in 0..<height {
          let code = plane > 0 ? 512 : row % 2 == 1 ? odd ?? luma : luma
          for column in 0..<(plane == 0 ? width : width / 2) {
            bytes.storeBytes(of: code, toByteOffset: row * step + 2 * column, as: UInt16.self)
          }
        }
      }
    }
    return frame.finish()
  }

  /// The luma in the middle of a row, in 10 bits.
  private func luma(_ frame: PixelBuffer, row: Int) -> Int {
    let code = frame.withUnsafeBytes(ofPlane: 0) { bytes in
      bytes.load(
        fromByteOffset: row * frame.bytesPerRow(plane: 0) + frame.width / 2 * 2,
        as: UInt16.self)
    }
    return Int(code) >> (frame.format.descriptor.bitDepth - 10)
  }

  private func outputs(
    of frames: [PixelBuffer], _ change: (inout VideoProcessing) -> Void
  ) throws -> [FrameFilter.Output] {
    var processing = VideoProcessing()
    change(&processing)
    let filter = FrameFilter(processing, unit: Self.unit, timecode: nil, name: "a.ts")
    var outputs: [FrameFilter.Output] = []
    for (place, frame) in frames.enumerated() {
      outputs += try filter.send(frame, at: Int64(place))
    }
    return outputs + (try filter.finish())
  }

  @Test func each_frame_is_deinterlaced_by_its_own_field_order() throws {
    let orders: [FieldOrder] =
      Array(repeating: .topFieldFirst, count: 4) + Array(repeating: .bottomFieldFirst, count: 4)
    // Each field is brighter than the one captured before it.
    func code(_ field: Int) -> Int { 100 + 40 * field }
    let frames = try orders.enumerated().map { number, order in
      let fields = [UInt16(code(2 * number)), UInt16(code(2 * number + 1))]
      let isTop = order == .topFieldFirst
      return try frame(64, 48, luma: fields[isTop ? 0 : 1], odd: fields[isTop ? 1 : 0]) {
        $0.fieldOrder = order
      }
    }
    let shown = try outputs(of: frames) { $0.deinterlacing = .fields }
    try #require(shown.count == 16)
    for (number, output) in shown.enumerated() {
      let isTop = (number % 2 == 0) == (orders[number / 2] == .topFieldFirst)
      // The field's own rows are unchanged.
      let found = luma(output.frame, row: isTop ? 24 : 25)
      #expect(found == code(number), "field \(number)")
    }
  }

  @Test func frames_of_different_sizes_and_shapes_are_each_fitted() throws {
    let frames = [
      try frame(128, 96, luma: 700), try frame(192, 96, luma: 700),
      try frame(192, 96, luma: 700) { $0.pixelAspectRatio = PixelAspectRatio(2, 3) },
      try frame(128, 96, luma: 700) { $0.color.range = .full },
    ]
    let shown = try outputs(of: frames) {
      $0.scaling = .init(VideoDimensions(width: 64, height: 48))
    }
    try #require(shown.count == 4)
    for (number, output) in shown.enumerated() {
      #expect(output.frame.width == 64 && output.frame.height == 48)
      #expect((output.time.seconds * 25 - Double(number)).magnitude < 0.001)
      // A 2:1 frame has black bars above and below.
      let top = luma(output.frame, row: 1)
      #expect(number == 1 ? top < 100 : top > 600, "picture \(number): \(top)")
    }
    // Full range is converted to video range.
    #expect(luma(shown[3].frame, row: 24) < luma(shown[0].frame, row: 24) - 20)
  }

  @Test func an_unsupported_size_change_is_refused_with_its_time() throws {
    let frames =
      try Array(repeating: frame(128, 96, luma: 700), count: 25) + [frame(160, 96, luma: 700)]
    for mirrors in [true, false] {
      let error = #expect(throws: AssetReaderError.self) {
        _ = try outputs(of: frames) {
          $0.isMirrored = mirrors
          $0.layout = .init(.yuv422p10, range: .video)
        }
      }
      #expect(
        error?.message.contains("change from 128x96 to 160x96 pixels at 1 s") == true,
        "\(String(describing: error))")
    }
  }
}
