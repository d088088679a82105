import CFFmpeg
import MediaCore
import Testing

@testable import AssetReader

/// Every pixel format of libavutil, filled with known codes by libavutil's own writer, compared
/// with a conversion in double precision.
@Suite struct EveryPixelFormatTests {
  struct Layout: Sendable, CustomTestStringConvertible {
    var number: Int32
    var name: String
    var range: UInt32
    var matrix: UInt32
    var testDescription: String { "\(name), range \(range), matrix \(matrix)" }
  }

  static let layouts: [Layout] = {
    var layouts: [Layout] = []
    var facts = av_pix_fmt_desc_next(nil)
    while let known = facts {
      let name = String(cString: known.pointee.name)
      let number = av_pix_fmt_desc_get_id(known).rawValue
      for range in [AVCOL_RANGE_UNSPECIFIED, AVCOL_RANGE_MPEG, AVCOL_RANGE_JPEG] {
        layouts.append(
          Layout(number: number, name: name, range: range.rawValue, matrix: 1))
      }
      facts = av_pix_fmt_desc_next(known)
    }
    return layouts
  }()

  static let (width, height) = (48, 16)

  @Test func only_hardware_mosaic_and_xyz_layouts_are_refused() {
    #expect(Self.layouts.count > 600)
    let refused = Set(
      Self.layouts.filter { FrameLayout($0.number) == nil }.map(\.name))
    #expect(refused.isSuperset(of: ["vaapi", "bayer_rggb8", "xyz12le"]))
    // Only hardware surfaces, mosaics and XYZ.
    #expect(
      refused.allSatisfy { name in
        let facts = av_pix_fmt_desc_get(av_get_pix_fmt(name))
        return facts.map {
          cffmpeg_pixel_is_hardware($0) != 0 || cffmpeg_pixel_is_bayer($0) != 0
            || name.hasPrefix("xyz")
        } ?? false
      })
    for name in refused {
      let reason = FrameLayout.refusal(av_get_pix_fmt(name).rawValue) ?? ""
      #expect(reason.hasPrefix(name) && reason.contains(";"))
    }
  }

  @Test(arguments: layouts)
  func converted_codes_match_double_precision(_ layout: Layout) throws {
    guard FrameLayout(layout.number) != nil else { return }
    try check(layout, height: Self.height)
  }

  /// Frames tall enough for several threads, with source chroma rows shared by two bands.
  @Test(arguments: [
    "bgr24", "rgba64be", "gbrp12le", "pal8", "yuv411p", "yuv410p", "yuv440p10le", "yuvj440p",
    "p016le",
    "yuva420p16le", "gray14le",
  ])
  func converted_codes_of_tall_pictures_match_double_precision(name: String) throws {
    let layout = try #require(Self.layouts.first { $0.name == name })
    try check(layout, height: 150)
  }

  private func check(_ layout: Layout, height: Int) throws {
    let ramp = try #require(RampFrame(layout, width: Self.width, height: height))
    for keepsAlpha in [true, false] {
      let frame = try #require(av_frame_clone(ramp.frame))
      defer {
        var owned: UnsafeMutablePointer<AVFrame>? = frame
        av_frame_free(&owned)
      }
      let mapper = FrameMapper(
        track: .unknown, name: layout.name, ledger: FrameLedger(), keepsAlpha: keepsAlpha)
      let image = try mapper.frame(frame)
      for target in FrameUnpacker.destinations(for: image.format) {
        let unpacker = try FrameUnpacker(from: image.details, to: target)
        let result = try unpacker.unpacked(image)
        #expect(result.color.range == .video)
        #expect(result.color.matrix == .bt709)
        let worst = ramp.worstDifference(from: result, by: image.format)
        #expect(worst <= 1, "\(layout) as \(image.format) to \(target): \(worst) codes")
      }
      #expect(
        image.format.descriptor.hasAlpha == (keepsAlpha && ramp.hasAlpha)
          || !keepsAlpha && image.format.descriptor.hasAlpha)
    }
  }
}

extension AssetTrack {
  /// A track without color information.
  static let unknown = AssetTrack(
    id: 0, mediaType: .video, codecName: "rawvideo", codecTag: nil, profile: nil,
    formatDescription: .video(
      VideoFormatDescription(
        codec: "raw ", dimensions: VideoDimensions(width: 16, height: 16), color: .unspecified,
        fieldOrder: .progressive, pixelAspectRatio: .square)),
    frameRate: nil, sourceFormatName: "?", sourceBitDepth: 8, hasAlpha: false, rotation: 0,
    channelLayout: nil, timecode: nil, timecodeText: nil, startTime: .zero, duration: .invalid,
    sampleCount: nil, timeUnit: .zero, language: nil)
}

/// A frame of one pixel format with a ramp in each component, and the meaning of its codes.
private final class RampFrame {
  let frame: UnsafeMutablePointer<AVFrame>
  let hasAlpha: Bool
  private let facts: AVPixFmtDescriptor
  private let name: String
  private let isRGB: Bool
  private let isGray: Bool
  private let isFull: Bool
  private let (width, height): (Int, Int)
  /// Codes of each component, in the size of its own plane.
  private var codes: [[Double]] = []
  private var tops: [Double] = []

  deinit {
    var owned: UnsafeMutablePointer<AVFrame>? = frame
    av_frame_free(&owned)
  }

  init?(_ layout: EveryPixelFormatTests.Layout, width: Int, height: Int) {
    guard let facts = av_pix_fmt_desc_get(AVPixelFormat(rawValue: layout.number)),
      let frame = av_frame_alloc()
    else { return nil }
    self.frame = frame
    self.facts = facts.pointee
    name = layout.name
    (self.width, self.height) = (width, height)
    let isPalette = cffmpeg_pixel_is_palette(facts) != 0
    isGray = facts.pointee.nb_components <= 2 && !isPalette
    isRGB = cffmpeg_pixel_is_rgb(facts) != 0 && !isGray || isPalette
    hasAlpha = cffmpeg_pixel_has_alpha(facts) != 0 && !isPalette
    let range = AVColorRange(rawValue: layout.range)
    isFull =
      name.hasPrefix("yuvj") || range == AVCOL_RANGE_JPEG || name.hasPrefix("mono")
      || cffmpeg_pixel_is_float(facts) != 0
      || (range == AVCOL_RANGE_UNSPECIFIED && (isRGB || isGray))
    frame.pointee.format = layout.number
    frame.pointee.width = Int32(width)
    frame.pointee.height = Int32(height)
    frame.pointee.color_range = range
    frame.pointee.colorspace = isRGB ? AVCOL_SPC_RGB : AVCOL_SPC_BT709
    frame.pointee.color_primaries = AVCOL_PRI_BT709
    guard av_frame_get_buffer(frame, 0) >= 0 else { return nil }
    for plane in 0..<4 {
      guard let data = cffmpeg_frame_data(frame, Int32(plane)) else { continue }
      let room = isPalette && plane == 1 ? 1024 : Int(cffmpeg_frame_plane_room(frame, Int32(plane)))
      data.update(repeating: 0, count: max(room, 0))
    }
    if isPalette { fillPalette() } else { fill() }
  }

  private func isChroma(_ component: Int) -> Bool {
    !isRGB && !isGray && (component == 1 || component == 2)
  }

  private func size(of component: Int) -> (width: Int, height: Int) {
    guard isChroma(component) else { return (width, height) }
    let (across, down) = (Int(facts.log2_chroma_w), Int(facts.log2_chroma_h))
    return ((width + (1 << across) - 1) >> across, (height + (1 << down) - 1) >> down)
  }

  /// Ramps of different slopes. Chroma that several rows share does not change from row to row.
  private func fill() {
    let isFloat = cffmpeg_pixel_is_float(&facts_) != 0
    for component in 0..<Int(facts.nb_components) {
      let bits = Int(cffmpeg_pixel_component(&facts_, Int32(component)).depth)
      let top = isFloat ? 1 : Double((1 << min(bits, 32)) - 1)
      let size = size(of: component)
      var own: [Double] = []
      for row in 0..<size.height {
        for column in 0..<size.width {
          let slope = component % 2 == 0 ? column : size.width - 1 - column
          let step = facts.log2_chroma_h == 0 || !isChroma(component) ? row * 5 : 0
          // Every row of a full-size component contains white and black.
          let part = Double((slope + step) % size.width) / Double(size.width - 1)
          own.append(isFloat ? part : (part * top).rounded())
        }
      }
      write(component, own, size, bits: bits, isFloat: isFloat)
      codes.append(own)
      tops.append(top)
    }
  }

  private lazy var facts_: AVPixFmtDescriptor = facts

  private func write(
    _ component: Int, _ values: [Double], _ size: (width: Int, height: Int), bits: Int,
    isFloat: Bool
  ) {
    for row in 0..<size.height {
      let line = values[row * size.width..<(row + 1) * size.width]
      if name == "uyyvyy411" {
        guard let data = cffmpeg_frame_data(frame, 0) else { return }
        let bytes = data + row * Int(cffmpeg_frame_linesize(frame, 0))
        for (place, value) in line.enumerated() {
          let byte =
            component == 0
            ? place / 4 * 6 + [1, 2, 4, 5][place % 4] : place * 6 + (component == 1 ? 0 : 3)
          bytes[byte] = UInt8(value)
        }
        continue
      }
      var words = line.map { value in
        !isFloat
          ? UInt32(value)
          : bits == 16 ? UInt32(Float16(value).bitPattern) : Float(value).bitPattern
      }
      words.withUnsafeMutableBufferPointer { words in
        cffmpeg_write_row(
          frame, Int32(component), Int32(row), Int32(size.width), words.baseAddress)
      }
    }
  }

  private func fillPalette() {
    guard let data = cffmpeg_frame_data(frame, 0), let palette = cffmpeg_frame_data(frame, 1)
    else { return }
    codes = [[], [], []]
    tops = [255, 255, 255]
    for entry in 0..<256 {
      palette[4 * entry] = UInt8(255 - entry)
      palette[4 * entry + 1] = UInt8(entry * 7 % 256)
      palette[4 * entry + 2] = UInt8(entry)
      palette[4 * entry + 3] = 255
    }
    for row in 0..<height {
      for column in 0..<width {
        let entry = (column * 5 + row * 16) % 256
        data[row * Int(cffmpeg_frame_linesize(frame, 0)) + column] = UInt8(entry)
        codes[0].append(Double(entry))
        codes[1].append(Double(entry * 7 % 256))
        codes[2].append(Double(255 - entry))
      }
    }
  }

  // MARK: What the codes mean

  /// A code as a fraction: luma and RGB from 0 to 1, chroma from -0.5 to 0.5.
  private func value(_ component: Int, _ code: Double) -> Double {
    let top = tops[component]
    let isAlpha = hasAlpha && component == codes.count - 1
    if isAlpha { return code / top }
    let code = name == "monow" ? top - code : code
    if isChroma(component) {
      let middle = ((top + 1) / 2).rounded()
      return isFull ? (code - middle) / top : (code - middle) / (224 * (top + 1) / 256)
    }
    if isFull { return code / top }
    // Video range scales with 2^depth; for RGB, as here, with 2^depth - 1.
    if isRGB || isGray && top <= 1 { return (code / top * 255 - 16) / 219 }
    return (code - 16 * (top + 1) / 256) / (219 * (top + 1) / 256)
  }

  private func at(_ component: Int, _ column: Int, _ row: Int) -> Double {
    let size = size(of: component)
    return value(
      component,
      codes[component][min(row, size.height - 1) * size.width + min(column, size.width - 1)])
  }

  /// Chroma at a pixel, interpolated linearly between two samples of a row.
  private func chroma(_ component: Int, _ column: Int, _ row: Int) -> Double {
    let across = Int(facts.log2_chroma_w)
    let first = column >> across
    let part = Double(column - first << across) / Double(1 << across)
    let line = facts.log2_chroma_h == 0 ? row : 0
    return at(component, first, line) * (1 - part) + at(component, first + 1, line) * part
  }

  /// The color of each pixel, row by row, computed once for all conversions.
  private lazy var places: [(y: Double, cb: Double, cr: Double)] = (0..<width * height).map {
    parts($0 % width, $0 / width)
  }

  private func parts(_ column: Int, _ row: Int) -> (y: Double, cb: Double, cr: Double) {
    if isGray { return (at(0, column, row), 0, 0) }
    guard isRGB else { return (at(0, column, row), chroma(1, column, row), chroma(2, column, row)) }
    let (red, green, blue) = (at(0, column, row), at(1, column, row), at(2, column, row))
    let y = 0.2126 * red + 0.7152 * green + 0.0722 * blue
    return (y, (blue - y) / 1.8556, (red - y) / 1.5748)
  }

  /// The largest difference between a buffer's codes and those in double precision.
  func worstDifference(from frame: PixelBuffer, by source: PixelFormat) -> Double {
    let depth = frame.format.descriptor.bitDepth
    let unit = Double(1 << (depth - 8))
    let isHalf = frame.format.descriptor.subsampling == .yuv422
    // Full-resolution chroma is filtered when its width is halved.
    let isFiltered = [.yuv444, .rgb].contains(source.descriptor.subsampling)
    let (low, high) = (unit, 256 * unit - 1 - unit)
    var worst = 0.0
    func compare(_ words: UnsafePointer<UInt16>, _ place: Int, _ expected: Double) {
      let difference = (Double(words[place]) - expected).magnitude
      if difference > worst { worst = difference }
    }
    func clamped(_ code: Double) -> Double { min(max(code.rounded(), low), high) }
    let alpha = frame.format.descriptor.hasAlpha ? codes.indices.last : nil
    // Loops over raw memory without iterators, because tests are built without optimization.
    places.withUnsafeBufferPointer { places in
      var row = 0
      while row < height {
        frame.withRow(row, ofPlane: 0) { luma in
          var column = 0
          while column < width {
            compare(luma, column, clamped(16 * unit + 219 * unit * places[row * width + column].y))
            column += 1
          }
        }
        // The last samples have no right neighbor to interpolate with.
        var column = isHalf ? 4 : 0
        frame.withRow(row, ofPlane: 1) { blue in
          frame.withRow(row, ofPlane: 2) { red in
            while column < width - 4 {
              let here = row * width + column
              var (cb, cr) = (places[here].cb, places[here].cr)
              if isHalf, isFiltered {
                cb = (places[here - 1].cb + 2 * cb + places[here + 1].cb) / 4
                cr = (places[here - 1].cr + 2 * cr + places[here + 1].cr) / 4
              }
              let place = isHalf ? column / 2 : column
              compare(blue, place, clamped(128 * unit + 224 * unit * cb))
              compare(red, place, clamped(128 * unit + 224 * unit * cr))
              column += isHalf ? 2 : 1
            }
          }
        }
        if let alpha {
          frame.withRow(row, ofPlane: 3) { words in
            var column = 0
            while column < width {
              compare(words, column, (at(alpha, column, row) * (256 * unit - 1)).rounded())
              column += 1
            }
          }
        }
        row += 1
      }
    }
    return worst
  }
}

extension PixelBuffer {
  /// The 16-bit words of a row.
  fileprivate func withRow(
    _ row: Int, ofPlane plane: Int, _ body: (UnsafePointer<UInt16>) -> Void
  ) {
    withUnsafeBytes(ofPlane: plane) { bytes in
      guard let base = bytes.baseAddress else { return }
      body((base + row * bytesPerRow(plane: plane)).assumingMemoryBound(to: UInt16.self))
    }
  }
}
