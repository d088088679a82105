import CFFmpeg
import MediaCore
import TestSupport
import Testing

@testable import AssetReader

/// The chroma siting that a source declares, and where filters and converters find it.
@Suite struct ChromaSitingTests {
  /// The offset of the first chroma sample from the first pixel, in pixels.
  static func place(_ siting: ChromaSiting) -> (x: Double, y: Double) {
    switch siting {
    case .left: (0, 0.5)
    case .center: (0.5, 0.5)
    case .topLeft: (0, 0)
    case .top: (0.5, 0)
    case .bottomLeft: (0, 1)
    case .bottom: (0.5, 1)
    }
  }

  static let (width, height) = (64, 48)

  /// Cb rises by 8 codes a row and Cr by 8 codes a column, whatever the siting.
  private func ramp(
    _ siting: ChromaSiting, _ format: PixelFormat = .yuv420p10,
    _ fieldOrder: FieldOrder = .progressive
  ) throws -> PixelBuffer {
    let details = PixelBuffer.Description(
      format: format, width: Self.width, height: Self.height, fieldOrder: fieldOrder,
      chromaSiting: siting)
    var frame = try MutablePixelBuffer(details)
    let (x, y) = Self.place(siting)
    for plane in 0..<3 {
      let step = frame.bytesPerRow(plane: plane)
      frame.withUnsafeMutableBytes(ofPlane: plane) { bytes in
        for row in 0..<format.rows(plane: plane, height: Self.height) {
          for column in 0..<(plane == 0 ? Self.width : Self.width / 2) {
            // Two chroma rows, one of each field, span four rows of the frame.
            let down =
              fieldOrder.isInterlaced
              ? 4 * Double(row / 2) + Double(row % 2) + 2 * y
              : (format == .yuv420p10 ? 2 : 1) * Double(row) + y
            let across = 2 * Double(column) + x
            let code = plane == 0 ? 512 : 200 + 8 * (plane == 1 ? down : across)
            bytes.storeBytes(
              of: UInt16(code), toByteOffset: row * step + 2 * column, as: UInt16.self)
          }
        }
      }
    }
    return frame.finish()
  }

  private func filtered(
    _ frame: PixelBuffer, _ change: (inout VideoProcessing) -> Void
  ) throws -> PixelBuffer {
    var processing = VideoProcessing()
    change(&processing)
    let filter = FrameFilter(
      processing, unit: MediaTime(value: 1, timescale: 25), timecode: nil, name: "ramp")
    let outputs = try filter.send(frame, at: 0) + filter.finish()
    return try #require(outputs.first).frame
  }

  /// A code of a plane, scaled to 10 bits.
  private func code(_ frame: PixelBuffer, _ plane: Int, _ column: Int, _ row: Int) -> Double {
    frame.withUnsafeBytes(ofPlane: plane) { bytes in
      let start = row * frame.bytesPerRow(plane: plane) + 2 * column
      let word = bytes.load(fromByteOffset: start, as: UInt16.self)
      return Double(word) * 1024 / Double(1 << frame.format.descriptor.bitDepth)
    }
  }

  /// Compares chroma with the ramps, away from edges.
  private func expectRamps(
    of frame: PixelBuffer, across: Double = 8, from start: Double = 200, _ words: Comment
  ) {
    let step = frame.format.descriptor.subsampling == .yuv444 ? 1 : 2
    for row in 8..<frame.height - 8 {
      #expect((code(frame, 1, 8, row) - 200 - 8 * Double(row)).magnitude <= 1, words)
    }
    for column in 8..<frame.width / step - 8 {
      let wanted = start + across * Double(step * column)
      #expect((code(frame, 2, column, 8) - wanted).magnitude <= 1, words)
    }
  }

  // MARK: Filters

  @Test(arguments: ChromaSiting.allCases)
  func a_layout_conversion_respects_the_chroma_siting(siting: ChromaSiting) throws {
    for format in [PixelFormat.yuv422p10, .yuv444p12] {
      let made = try filtered(ramp(siting)) {
        $0.layout = VideoProcessing.Layout(format, range: .video)
      }
      #expect(made.format == format && made.details.chromaSiting == .left)
      expectRamps(of: made, "\(siting) to \(format)")
    }
  }

  @Test func downscaling_keeps_all_chroma_that_the_layout_can_hold() throws {
    let details = PixelBuffer.Description(
      format: .yuv422p10, width: Self.width, height: Self.height)
    var source = try MutablePixelBuffer(details)
    for plane in 0..<3 {
      source.withUnsafeMutableBytes(ofPlane: plane) { bytes in
        // Cb columns alternate between 300 and 700.
        for (place, code) in bytes.bindMemory(to: UInt16.self).indices.enumerated() {
          let word: UInt16 = plane != 1 ? 512 : place % 2 == 0 ? 300 : 700
          bytes.storeBytes(of: word, toByteOffset: 2 * code, as: UInt16.self)
        }
      }
    }
    let made = try filtered(source.finish()) {
      $0.layout = VideoProcessing.Layout(.yuv444p12, range: .video)
      $0.scaling = .init(VideoDimensions(width: Self.width / 2, height: Self.height))
      $0.scaling?.fitting = .stretch
    }
    #expect(made.format == .yuv444p12 && made.width == Self.width / 2)
    for column in 8..<24 {
      #expect((code(made, 1, column, 8) - code(made, 1, column + 1, 8)).magnitude > 100)
      #expect(code(made, 2, column, 8) == 512)
    }
  }

  /// Conversions of frames with odd sides.
  enum Treatment: CaseIterable { case layout, size, turn }

  @Test(arguments: [PixelFormat.yuv420p10, .yuv422p10], Treatment.allCases)
  func odd_dimensions_are_converted(format: PixelFormat, treatment: Treatment) throws {
    for range in [ColorDescription.Range.full, .video] {
      let details = PixelBuffer.Description(
        format: format, width: 63, height: 47, color: .bt709.with(range: range))
      var source = try MutablePixelBuffer(details)
      for plane in 0..<3 {
        let step = source.bytesPerRow(plane: plane)
        source.withUnsafeMutableBytes(ofPlane: plane) { bytes in
          for row in 0..<format.rows(plane: plane, height: 47) {
            for column in 0..<(plane == 0 ? 63 : 32) {
              // Cr rises by 4 codes a pixel.
              let word = plane == 0 ? 600 : plane == 1 ? 300 : 400 + 8 * column
              bytes.storeBytes(
                of: UInt16(word), toByteOffset: row * step + 2 * column, as: UInt16.self)
            }
          }
        }
      }
      let made = try filtered(source.finish()) {
        switch treatment {
        case .layout: $0.layout = VideoProcessing.Layout(.yuv444p12, range: .video)
        case .size:
          $0.scaling = .init(VideoDimensions(width: 126, height: 48))
          $0.scaling?.fitting = .stretch
        case .turn: $0.quarterTurns = 2
        }
      }
      #expect(made.width == (treatment == .size ? 126 : 63))
      func wanted(_ word: Double, _ plane: Int) -> Double {
        guard range == .full else { return word }
        return plane == 0 ? 64 + word * 876 / 1023 : 512 + (word - 512) * 896 / 1023
      }
      let middle = made.height / 2
      for column in 20..<40 {
        #expect((code(made, 0, column, middle) - wanted(600, 0)).magnitude < 1)
        #expect((code(made, 1, column, middle) - wanted(300, 1)).magnitude < 1)
        let place: Double =
          switch treatment {
          case .layout: Double(column)
          // A chroma column covers two pixels of the result, which are one pixel of the source.
          case .size: Double(column) - 0.25
          case .turn: Double(62 - column)
          }
        // libswscale stretches chroma by one pixel from the left edge to the right.
        #expect((code(made, 2, column, middle) - wanted(400 + 4 * place, 2)).magnitude < 4)
      }
    }
  }

  @Test(arguments: ChromaSiting.allCases)
  func scaling_respects_the_chroma_siting(siting: ChromaSiting) throws {
    let made = try filtered(ramp(siting)) {
      $0.scaling = .init(VideoDimensions(width: Self.width * 2, height: Self.height))
      $0.scaling?.fitting = .stretch
    }
    #expect(made.format == .yuv422p16 && made.details.chromaSiting == .left)
    // Of the two pixels made from one, the first lies a quarter of a pixel before it.
    expectRamps(of: made, across: 4, from: 198, "\(siting)")
  }

  @Test(arguments: ChromaSiting.allCases)
  func filters_that_leave_chroma_alone_keep_its_siting(siting: ChromaSiting) throws {
    let made = try filtered(ramp(siting)) { $0.frameRate = .fps25 }
    #expect(made.format == .yuv420p10 && made.details.chromaSiting == siting)
  }

  @Test(arguments: ChromaSiting.allCases)
  func mirroring_and_turning_move_chroma_with_luma(siting: ChromaSiting) throws {
    let last = (Double(Self.width) - 1, Double(Self.height) - 1)
    let mirrored = try filtered(ramp(siting)) { $0.isMirrored = true }
    expectRamps(of: mirrored, across: -8, from: 200 + 8 * last.0, "\(siting)")
    let turned = try filtered(ramp(siting)) { $0.quarterTurns = 1 }
    #expect(turned.width == Self.height && turned.height == Self.width)
    for place in 8..<Self.height - 8 {
      #expect((code(turned, 2, 8, place) - 200 - 8 * Double(place)).magnitude <= 1)
      let wanted = 200 + 8 * (last.1 - Double(place))
      #expect((code(turned, 1, place, 8) - wanted).magnitude <= 1)
    }
  }

  @Test(arguments: [ChromaSiting.left, .topLeft, .center])
  func interlaced_fields_are_filtered_with_their_own_chroma(siting: ChromaSiting) throws {
    // Chroma midway between a field's rows: the bottom field's lies one frame row lower.
    guard siting.rows != .between else {
      let made = try filtered(wovenMidway(siting)) { $0.frameRate = .fps25 }
      return expectRamps(of: made, "\(siting)")
    }
    let woven = try ramp(siting, .yuv420p10, .topFieldFirst)
    let plain = try filtered(woven) { $0.frameRate = .fps25 }
    #expect(plain.fieldOrder == .topFieldFirst)
    expectRamps(of: plain, "\(siting)")
    expectRamps(
      of: try filtered(woven) { $0.layout = .init(.yuv422p10, range: .video) }, "\(siting)")
    let calm = try filtered(woven) { $0.deinterlacing = .frames }
    #expect(calm.fieldOrder == .progressive)
    expectRamps(of: calm, "\(siting)")
  }

  /// A progressive ramp tagged as interlaced: midway chroma lies in the same place in both.
  private func wovenMidway(_ siting: ChromaSiting) throws -> PixelBuffer {
    let frame = try ramp(siting)
    var details = frame.details
    details.fieldOrder = .topFieldFirst
    var woven = try MutablePixelBuffer(details)
    for plane in 0..<3 {
      woven.withUnsafeMutableBytes(ofPlane: plane) { target in
        frame.withUnsafeBytes(ofPlane: plane) { target.copyMemory(from: $0) }
      }
    }
    return woven.finish()
  }

  @Test func frames_of_different_chroma_siting_are_not_filtered_together() throws {
    var processing = VideoProcessing()
    processing.layout = .init(.yuv422p10, range: .video)
    let filter = FrameFilter(
      processing, unit: MediaTime(value: 1, timescale: 25), timecode: nil, name: "ramp")
    _ = try filter.send(ramp(.left), at: 0)
    #expect(throws: AssetReaderError.self) { try filter.send(ramp(.topLeft), at: 1) }
  }

  @Test(arguments: [[FieldOrder.topFieldFirst, .progressive], [.progressive, .topFieldFirst]])
  func mixed_interlaced_and_progressive_frames_are_filtered_together(orders: [FieldOrder]) throws {
    var processing = VideoProcessing()
    processing.frameRate = .fps25
    let filter = FrameFilter(
      processing, unit: MediaTime(value: 1, timescale: 25), timecode: nil, name: "ramp")
    var outputs: [FrameFilter.Output] = []
    for (place, order) in orders.enumerated() {
      outputs += try filter.send(ramp(.left, .yuv420p10, order), at: Int64(place))
    }
    outputs += try filter.finish()
    #expect(outputs.count == 2)
  }

  // MARK: Frames

  /// 4:2:0 with alpha; its chroma is upsampled to every pixel.
  @Test(arguments: [
    (AVCHROMA_LOC_UNSPECIFIED.rawValue, ChromaSiting.left),
    (AVCHROMA_LOC_CENTER.rawValue, .center), (AVCHROMA_LOC_TOPLEFT.rawValue, .topLeft),
    (AVCHROMA_LOC_BOTTOM.rawValue, .bottom),
  ])
  func foreign_layouts_are_converted_by_the_chroma_location_of_the_frame(
    number: UInt32, siting: ChromaSiting
  ) throws {
    var owned = av_frame_alloc()
    defer { av_frame_free(&owned) }
    let frame = try #require(owned)
    frame.pointee.format = AV_PIX_FMT_YUVA420P10LE.rawValue
    frame.pointee.width = Int32(Self.width)
    frame.pointee.height = Int32(Self.height)
    frame.pointee.chroma_location = AVChromaLocation(rawValue: number)
    try #require(av_frame_get_buffer(frame, 0) >= 0)
    let source = try ramp(siting)
    for plane in 0..<4 {
      let data = try #require(cffmpeg_frame_data(frame, Int32(plane)))
      let step = Int(cffmpeg_frame_linesize(frame, Int32(plane)))
      let rows = plane == 1 || plane == 2 ? Self.height / 2 : Self.height
      for row in 0..<rows {
        source.withUnsafeBytes(ofPlane: plane % 3) { bytes in
          let start = row * source.bytesPerRow(plane: plane % 3)
          let count = source.format.minimumBytesPerRow(plane: plane % 3, width: Self.width)
          UnsafeMutableRawBufferPointer(start: data + row * step, count: count)
            .copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[start..<start + count]))
        }
      }
    }
    let mapper = FrameMapper(name: "ramp", ledger: FrameLedger())
    let made = try mapper.frame(frame)
    #expect(made.format.descriptor.subsampling == .yuv444)
    #expect(made.details.chromaSiting == .left)
    expectRamps(of: made, "\(siting)")
  }

  @Test func y4m_layout_names_imply_the_chroma_siting() throws {
    let known: [(String, ChromaSiting)] = [
      (" C420jpeg", .center), (" C420mpeg2", .left), (" C420paldv", .topLeft), (" C420", .left),
      ("", .left), (" C420p10", .left), (" C422", .left),
    ]
    for (space, siting) in known {
      let header = try Y4MHeader(line: Array("W16 H16 F25:1\(space)".utf8), name: "a.y4m")
      #expect(header.format.frame.chromaSiting == siting, "\(space)")
    }
  }

  // MARK: Files

  struct Case: Sendable, CustomTestStringConvertible {
    var file: String
    var codec: String
    var siting: ChromaSiting
    var testDescription: String { "\(codec) in \(file): \(siting)" }
  }

  static let cases: [Case] =
    ["left", "center", "topLeft", "top", "bottomLeft", "bottom"].enumerated().map { number, name in
      Case(
        file: "a.mp4", codec: "libx264 -pix_fmt yuv420p -x264-params chromaloc=\(number)",
        siting: ChromaSiting(rawValue: name) ?? .left)
    } + [
      Case(file: "a.mp4", codec: "libx264 -pix_fmt yuv420p", siting: .left),
      Case(
        file: "a.mkv",
        codec: "libx265 -pix_fmt yuv420p10le -x265-params log-level=none:chromaloc=2",
        siting: .topLeft),
      Case(file: "a.mpg", codec: "mpeg1video -pix_fmt yuv420p", siting: .center),
      Case(file: "b.mpg", codec: "mpeg2video -pix_fmt yuv420p", siting: .left),
      Case(file: "a.mov", codec: "mjpeg -pix_fmt yuvj420p", siting: .center),
      Case(file: "b.mov", codec: "mjpeg -pix_fmt yuvj422p", siting: .center),
      Case(file: "c.mov", codec: "mjpeg -pix_fmt yuvj444p", siting: .left),
      Case(file: "a.dv", codec: "dvvideo -pix_fmt yuv420p", siting: .topLeft),
      Case(file: "c.mkv", codec: "ffv1 -pix_fmt yuv420p", siting: .left),
      Case(file: "d.mkv", codec: "ffv1 -pix_fmt yuv420p \(topLeft)", siting: .topLeft),
    ]

  @Test(
    .tags(.judges), .enabled(if: Judges.arePresent, Judges.absence), arguments: cases)
  func decoded_frames_carry_their_chroma_siting(_ test: Case) throws {
    let folder = try TemporaryFolder()
    let path = folder.path(test.file)
    let size = test.codec.hasPrefix("dv") ? "720x576" : "64x64"
    try Judges.ffmpeg(
      "-f lavfi -i testsrc2=size=\(size):rate=25 -frames:v 2 -c:v \(test.codec) \(path)")
    let sample = try #require(try AssetReader(path).nextSample())
    #expect(sample.sampleBuffer.imageBuffer?.details.chromaSiting == test.siting)
  }

  /// ffmpeg's option for a siting: a property of the frames since 7.1, of the encoder before.
  private static let topLeft: String = {
    let help = try? Judges.run("ffmpeg", ["-h", "filter=setparams"]).output
    return help?.contains("chroma_location") == true
      ? "-vf setparams=chroma_location=topleft" : "-chroma_sample_location topleft"
  }()
}
