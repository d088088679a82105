import MediaCore
import Testing

/// Every pixel format, compared with slow floating-point arithmetic, sample by sample.
@Suite struct FrameUnpackerTests {
  static let sizes = [(1, 1), (2, 2), (7, 5), (48, 2), (53, 9)]

  static let conversions: [(PixelFormat, PixelFormat)] = PixelFormat.allCases.flatMap { source in
    FrameUnpacker.destinations(for: source).map { (source, $0) }
  }

  static func sitings(of format: PixelFormat) -> [ChromaSiting] {
    format.descriptor.subsampling == .yuv420 ? ChromaSiting.allCases : [.left]
  }

  @Test(arguments: conversions)
  func every_sample_equals_the_slow_reference(source: PixelFormat, target: PixelFormat) throws {
    var seed: UInt64 = 1
    for (width, height) in Self.sizes {
      for range in [ColorDescription.Range.video, .full] {
        for order in [FieldOrder.progressive, .topFieldFirst] {
          for siting in Self.sitings(of: source) {
            seed += 1
            let details = PixelBuffer.Description(
              format: source, width: width, height: height,
              color: .bt709.with(range: range), fieldOrder: order, chromaSiting: siting)
            try check(details, to: target, seed: seed)
          }
        }
      }
    }
  }

  private func check(
    _ details: PixelBuffer.Description, to target: PixelFormat, seed: UInt64
  ) throws {
    let frame = ReferenceFrame(random: details, seed: seed)
    let stored = try frame.store(
      padding: Int(seed % 5) * 2 + (details.format.bytesPerSample == 1 ? Int(seed % 2) : 0),
      offset: Int(seed % 3) * 2, seed: seed)
    let unpacker = try FrameUnpacker(from: details, to: target)
    let result = StoredFrame(
      empty: unpacker.destination, padding: Int(seed % 4) * 2, offset: Int(seed % 2) * 2,
      seed: seed)
    let before = result.snapshot()
    var memory = try result.memory()
    try unpacker.unpack(stored.buffer(), into: &memory)
    let expected = SlowUnpacker(frame: frame, target: target)
    for plane in result.blocks.indices {
      let width =
        plane == 0 || plane == 3 || target != .yuv422p10 ? details.width : (details.width + 1) / 2
      var untouched = before[plane]
      for row in 0..<details.height {
        for column in 0..<width {
          let code = result.blocks[plane].word(row, column)
          let wanted = expected.code(plane, column, row)
          guard code == wanted else {
            Issue.record(
              "\(details) to \(target), plane \(plane) at \(column),\(row): \(code), not \(wanted)")
            return
          }
          let place = result.blocks[plane].first + row * result.blocks[plane].bytesPerRow
          untouched[place + 2 * column] = UInt8(code & 0xFF)
          untouched[place + 2 * column + 1] = UInt8(code >> 8)
        }
      }
      #expect(Array(result.blocks[plane].memory) == untouched, "bytes beyond the pixels changed")
    }
  }

  @Test(arguments: [PixelFormat.v210, .nv20, .p010, .bgr24, .yuva444p16])
  func rows_unpacked_separately_equal_rows_unpacked_together(format: PixelFormat) throws {
    let details = PixelBuffer.Description(
      format: format, width: 53, height: 17, fieldOrder: .topFieldFirst)
    let frame = try ReferenceFrame(random: details, seed: 7).store(
      padding: 2, offset: 0, seed: 8)
    let target = FrameUnpacker.destinations(for: format)[0]
    let unpacker = try FrameUnpacker(from: details, to: target)
    let whole = StoredFrame(empty: unpacker.destination, padding: 0, offset: 0, seed: 9)
    let parts = StoredFrame(empty: unpacker.destination, padding: 0, offset: 0, seed: 9)
    var wholeMemory = try whole.memory()
    try unpacker.unpack(frame.buffer(), into: &wholeMemory)
    let source = try frame.buffer()
    var destination = try parts.memory()
    for rows in [5..<11, 0..<5, 16..<17, 11..<16, 3..<3] {
      try unpacker.unpack(source, into: &destination, rows: rows)
    }
    #expect(whole.snapshot() == parts.snapshot())
  }

  @Test func unsupported_conversions_and_mismatched_buffers_are_refused() throws {
    let details = PixelBuffer.Description(format: .uyvy, width: 16, height: 4)
    #expect(throws: MediaCoreError.self) { try FrameUnpacker(from: details, to: .yuv444p10) }
    let unpacker = try FrameUnpacker(from: details, to: .yuv422p10)
    let source = try MutablePixelBuffer(details).finish()
    var target = try MutablePixelBuffer(unpacker.destination)
    func code(_ body: () throws(MediaCoreError) -> Void) -> MediaCoreError.Code? {
      do { try body() } catch { return error.code }
      return nil
    }
    #expect(
      code { () throws(MediaCoreError) in
        try unpacker.unpack(source, into: &target, rows: 2..<5)
      } == .invalidLayout)
    let other = try MutablePixelBuffer(.init(format: .yuyv, width: 16, height: 4)).finish()
    #expect(
      code { () throws(MediaCoreError) in try unpacker.unpack(other, into: &target) }
        == .invalidLayout)
    var color = ColorDescription.bt2020
    color.matrix = .bt2020ConstantLuminance
    let constant = PixelBuffer.Description(format: .bgr24, width: 4, height: 4, color: color)
    #expect(
      code { () throws(MediaCoreError) in
        _ = try FrameUnpacker(from: constant, to: .yuv444p10)
      } == .unsupportedConversion)
  }

  @Test func the_destination_description_matches_the_result() throws {
    let full = PixelBuffer.Description(
      format: .bgr24, width: 720, height: 576,
      color: ColorDescription.unspecified.with(range: .full))
    let unpacker = try FrameUnpacker(from: full, to: .yuv444p10)
    #expect(unpacker.destination.color.range == .video)
    #expect(unpacker.destination.color.matrix == .smpte170M)
    #expect(unpacker.destination.format == .yuv444p10)
  }

  @Test func chroma_of_a_ramp_is_interpolated_to_each_pixel() throws {
    // The offset of the first chroma sample from the first pixel, in pixels.
    let places: [(siting: ChromaSiting, x: Double, y: Double)] = [
      (.left, 0, 0.5), (.center, 0.5, 0.5), (.topLeft, 0, 0), (.top, 0.5, 0), (.bottomLeft, 0, 1),
      (.bottom, 0.5, 1),
    ]
    #expect(places.map(\.siting) == ChromaSiting.allCases)
    for (siting, x, y) in places {
      let details = PixelBuffer.Description(
        format: .yuv420p10, width: 32, height: 32, chromaSiting: siting)
      var source = try MutablePixelBuffer(details)
      for plane in 1...2 {
        let step = source.bytesPerRow(plane: plane)
        source.withUnsafeMutableBytes(ofPlane: plane) { bytes in
          for row in 0..<16 {
            for column in 0..<16 {
              let place = plane == 1 ? y + 2 * Double(row) : x + 2 * Double(column)
              bytes.storeBytes(
                of: UInt16(400 + 8 * place), toByteOffset: row * step + 2 * column, as: UInt16.self)
            }
          }
        }
      }
      let unpacker = try FrameUnpacker(from: details, to: .yuv422p10)
      #expect(unpacker.destination.chromaSiting == .left)
      let result = try unpacker.unpacked(source.finish())
      func code(_ plane: Int, _ column: Int, _ row: Int) -> Int {
        result.withUnsafeBytes(ofPlane: plane) { bytes in
          let start = row * result.bytesPerRow(plane: plane) + 2 * column
          return Int(bytes.load(fromByteOffset: start, as: UInt16.self))
        }
      }
      #expect((2..<30).map { code(1, 5, $0) } == (2..<30).map { 400 + 8 * $0 }, "\(siting)")
      #expect((1..<16).map { code(2, $0, 5) } == (1..<16).map { 400 + 16 * $0 }, "\(siting)")
    }
  }

  @Test func chroma_of_422_keeps_its_siting() throws {
    let details = PixelBuffer.Description(
      format: .yuv422p8, width: 16, height: 4, chromaSiting: .center)
    let unpacker = try FrameUnpacker(from: details, to: .yuv422p10)
    #expect(unpacker.destination.chromaSiting == .center)
  }

  /// BT.709 colors with their well-known codes (EBU Tech 3325 and BT.709's own tables).
  @Test func primary_colors_have_their_textbook_codes() throws {
    let colors: [(bgr: [Int], codes: [Int])] = [
      ([255, 255, 255], [940, 512, 512]), ([0, 0, 0], [64, 512, 512]),
      ([0, 0, 255], [250, 409, 960]), ([0, 255, 0], [691, 167, 105]),
      ([255, 0, 0], [127, 960, 471]),
    ]
    let details = PixelBuffer.Description(
      format: .bgr24, width: 2, height: 1, color: .bt709.with(range: .full))
    let unpacker = try FrameUnpacker(from: details, to: .yuv422p10)
    for color in colors {
      var source = try MutablePixelBuffer(details)
      source.withUnsafeMutableBytes(ofPlane: 0) { bytes in
        for index in 0..<6 { bytes[index] = UInt8(color.bgr[index % 3]) }
      }
      let result = try unpacker.unpacked(source.finish())
      let codes = (0..<3).map { plane in
        result.withUnsafeBytes(ofPlane: plane) { Int($0.load(as: UInt16.self)) }
      }
      #expect(codes == color.codes)
    }
  }
}

/// The unpacking rules once more, in a slow and plain form.
struct SlowUnpacker {
  let frame: ReferenceFrame
  let target: PixelFormat

  private var siting: ChromaSiting { frame.details.chromaSiting }
  private var isFull: Bool { frame.details.color.range == .full }
  private var depth: Int { target.descriptor.bitDepth }
  private var sourceDepth: Int { frame.details.format.descriptor.bitDepth }

  func code(_ component: Int, _ column: Int, _ row: Int) -> Int {
    let table = frame.details.format.descriptor
    if table.subsampling == .rgb { return rgbCode(component, column, row) }
    if component == 3 {
      let top = Double((1 << depth) - 1)
      let most = Double((1 << sourceDepth) - 1)
      return Int((Double(frame.sample(3, column, row)) * top / most + 0.5).rounded(.down))
    }
    if component == 0 { return convert(Double(frame.sample(0, column, row)), isChroma: false) }
    switch table.subsampling {
    case .yuv422: return convert(Double(frame.sample(component, column, row)), isChroma: true)
    case .yuv420: return convert(upsampled(component, column, row), isChroma: true)
    case .yuv444, .rgb:
      guard target == .yuv422p10 else {
        return convert(Double(frame.sample(component, column, row)), isChroma: true)
      }
      let parts = [-1, 0, 0, 1].map { frame.sample(component, 2 * column + $0, row) }
      return convert(Double(parts.reduce(0, +)) / 4, isChroma: true)
    // A sensor's mosaic is not unpacked.
    case .mosaic: return 0
    }
  }

  /// Linear interpolation by position: that of the luma row and those of its field's chroma rows,
  /// counted in rows of the field.
  private func upsampled(_ component: Int, _ column: Int, _ row: Int) -> Double {
    let isInterlaced = frame.details.fieldOrder.isInterlaced && frame.chromaHeight > 1
    let field = isInterlaced ? row % 2 : 0
    let step = isInterlaced ? 2 : 1
    let position = Double(isInterlaced ? row / 2 : row)
    let start: Double =
      switch siting {
      case .topLeft, .top: 0
      case .left, .center: isInterlaced ? (field == 0 ? 0.25 : 0.75) : 0.5
      case .bottomLeft, .bottom: 1
      }
    let rows = (frame.chromaHeight - field + step - 1) / step
    let place = (position - start) / 2
    let above = Int(place.rounded(.down))
    let part = place - Double(above)
    func at(_ index: Int) -> Double {
      alongRow(component, column, min(max(index, 0), rows - 1) * step + field)
    }
    return at(above) * (1 - part) + at(above + 1) * part
  }

  /// The chroma of a row at an even pixel.
  private func alongRow(_ component: Int, _ column: Int, _ row: Int) -> Double {
    let own = Double(frame.sample(component, column, row))
    switch siting {
    case .left, .topLeft, .bottomLeft: return own
    case .center, .top, .bottom:
      // Half a pixel before its own chroma sample; the previous one is two pixels before that.
      let before = Double(frame.sample(component, max(column - 1, 0), row))
      return own * 0.75 + before * 0.25
    }
  }

  private func convert(_ code: Double, isChroma: Bool) -> Int {
    let unit = Double(1 << (depth - 8))
    var value: Double
    if isFull {
      let most = Double((1 << sourceDepth) - 1)
      value =
        isChroma
        ? 128 * unit + 224 * unit * (code - Double(1 << (sourceDepth - 1))) / most
        : 16 * unit + 219 * unit * code / most
    } else {
      value = code * Double(1 << depth) / Double(1 << sourceDepth)
    }
    value = (value + 0.5).rounded(.down)
    return min(max(Int(value), Int(unit)), (1 << depth) - 1 - Int(unit))
  }

  private func rgbCode(_ component: Int, _ column: Int, _ row: Int) -> Int {
    let half = target == .yuv422p10 && component > 0
    let columns = half ? [2 * column - 1, 2 * column, 2 * column, 2 * column + 1] : [column]
    let (black, span) = isFull ? (0.0, 255.0) : (16.0, 219.0)
    func part(_ index: Int) -> Double {
      let sum = columns.reduce(0) { sum, x in
        let x = min(max(x, 0), frame.details.width - 1)
        return sum + frame.samples[index][row * frame.details.width + x]
      }
      return (Double(sum) / Double(columns.count) - black) / span
    }
    let (blue, green, red) = (part(0), part(1), part(2))
    let luma = 0.2126 * red + 0.7152 * green + 0.0722 * blue
    let unit = Double(1 << (depth - 8))
    let value =
      switch component {
      case 0: 16 * unit + 219 * unit * luma
      case 1: 128 * unit + 224 * unit * (blue - luma) / 1.8556
      default: 128 * unit + 224 * unit * (red - luma) / 1.5748
      }
    return min(
      max(Int((value + 0.5).rounded(.down)), Int(unit)), (1 << depth) - 1 - Int(unit))
  }
}
