import Foundation
import MediaCore
import TestSupport
import Testing

@testable import AssetReader

/// Header data of DPX, OpenEXR, PNG and TIFF files that libavcodec does not read.
struct StillHeaderTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func subjects(_ bytes: [UInt8]) throws -> [String] {
    let header = StillHeader(try folder.write(bytes, "picture").path)
    return try #require(header).remarks.map(\.subject)
  }

  /// 16x8 pixels of 10-bit RGB.
  private func dpx(isLittle: Bool = false, _ values: (place: Int, count: Int, value: Int)...)
    -> [UInt8]
  {
    var bytes = [UInt8](repeating: 0, count: 2048 + 16 * 8 * 4)
    bytes.replaceSubrange(0..<4, with: Array((isLittle ? "XPDS" : "SDPX").utf8))
    let usual: [(Int, Int, Int)] = [
      (4, 4, 2048), (16, 4, bytes.count), (770, 2, 1), (772, 4, 16), (776, 4, 8), (784, 4, 0),
      (792, 4, 1023), (800, 1, 50), (801, 1, 6), (802, 1, 6), (803, 1, 10), (804, 2, 1),
      (808, 4, 2048),
    ]
    for (place, count, value) in usual + values.map({ ($0.place, $0.count, $0.value) }) {
      for byte in 0..<count {
        let shift = 8 * (isLittle ? byte : count - 1 - byte)
        bytes[place + byte] = UInt8(truncatingIfNeeded: value >> shift)
      }
    }
    return bytes
  }

  @Test(arguments: [false, true])
  func unsupported_dpx_header_values_are_reported(isLittle: Bool) throws {
    #expect(try subjects(dpx(isLittle: isLittle)) == [])
    #expect(try subjects(dpx(isLittle: isLittle, (768, 2, 2))) == ["orientation"])
    // Not set.
    #expect(try subjects(dpx(isLittle: isLittle, (768, 2, 0xFFFF))) == [])
    #expect(try subjects(dpx(isLittle: isLittle, (784, 4, 64), (792, 4, 940))) == ["range"])
    #expect(
      try subjects(dpx(isLittle: isLittle, (784, 4, 0xFFFF_FFFF), (792, 4, 0xFFFF_FFFF))) == [])
    // For luma and chroma, video range is the normal range.
    #expect(
      try subjects(dpx(isLittle: isLittle, (784, 4, 64), (792, 4, 940), (800, 1, 100))) == [])
    #expect(try subjects(dpx(isLittle: isLittle, (770, 2, 2))) == ["elements"])
    #expect(try subjects(dpx(isLittle: isLittle, (801, 1, 3))) == ["color"])
  }

  @Test func a_single_dpx_gets_the_same_remarks_as_a_sequence() throws {
    let path = try folder.write(dpx((801, 1, 1), (768, 2, 1)), "f_1.dpx").path
    for location in [path, folder.path("f_%d.dpx?rate=24")] {
      let contents = try AssetReader(location).contents
      #expect(contents.remarks.map(\.subject) == ["color", "orientation"], "\(location)")
      #expect(contents.remarks.map(\.isLoss) == [false, true])
    }
    // A single image has no frame rate either.
    #expect(try AssetReader(path).contents.assumedRate == .fps25)
    #expect(try AssetReader(folder.path("f_%d.dpx?rate=24")).contents.assumedRate == nil)
  }

  @Test func unused_content_of_an_exr_is_reported() throws {
    #expect(try subjects(EXRFile().bytes) == ["color"])
    #expect(
      try subjects(EXRFile(displayWindow: [0, 0, 39, 20]).bytes) == ["color", "overscan"])
    // A data window smaller than the display window is no loss.
    #expect(try subjects(EXRFile(displayWindow: [0, 0, 90, 90]).bytes) == ["color"])
    #expect(try subjects(EXRFile(otherChannels: ["BY", "RY"]).bytes) == ["color", "channels"])
    // libavcodec takes it for alpha.
    #expect(try subjects(EXRFile(otherChannels: ["a"]).bytes) == ["color"])
    #expect(try subjects(EXRFile(layout: .parts(2)).bytes) == ["color", "parts"])
    func chromaticities(_ red: Float) -> [UInt8] {
      let places: [Float] = [red, 0.33, 0.3, 0.6, 0.15, 0.06, 0.3127, 0.329]
      var bytes: [UInt8] = []
      for place in places { bytes += EXRFile.number(Int(place.bitPattern)) }
      return EXRFile.attribute("chromaticities", "chromaticities", bytes)
    }
    #expect(try subjects(EXRFile(attributes: chromaticities(0.64)).bytes) == ["color"])
    #expect(try subjects(EXRFile(attributes: chromaticities(0.7347)).bytes) == ["color", "color"])
    #expect(try subjects(EXRFile(attributes: chromaticities(.nan)).bytes) == ["color", "color"])
  }

  @Test func an_exr_header_of_any_length_is_read() throws {
    let preview = EXRFile.attribute("preview", "preview", [UInt8](repeating: 7, count: 3 << 20))
    #expect(
      try subjects(EXRFile(displayWindow: [0, 0, 39, 20], attributes: preview).bytes)
        == ["color", "overscan"])
    let path = try folder.write(
      EXRFile(displayWindow: [4, 2, 39, 23], attributes: preview).bytes, "moved"
    ).path
    #expect(StillHeader(path)?.refusal?.contains("display window begins at 4,2") == true)
    // A header without an end.
    let cut = EXRFile(attributes: preview).bytes.prefix(2 << 20)
    #expect(StillHeader(try folder.write(Array(cut), "cut").path) == nil)
  }

  @Test func an_exr_with_an_offset_display_window_is_refused() throws {
    let path = try folder.write(EXRFile(displayWindow: [4, 2, 39, 23]).bytes, "f_1.exr").path
    for location in [path, folder.path("f_%d.exr")] {
      let error = #expect(throws: AssetReaderError.self) { try AssetReader(location) }
      #expect(error?.code == .unsupported)
      #expect(error?.message.contains("display window begins at 4,2") == true, "\(location)")
    }
  }

  @Test func the_timecode_of_an_exr_becomes_that_of_the_track() throws {
    let word = 0x1123_4516
    let attributes = EXRFile.attribute(
      "timeCode", "timecode", EXRFile.number(word) + EXRFile.number(0))
    try folder.write(EXRFile(attributes: attributes).bytes, "f_1.exr")
    let track = try #require(try AssetReader(folder.path("f_%d.exr?rate=24")).videoTrack)
    #expect(track.timecodeText == "11:23:45:16")
    #expect(track.timecode.map { "\($0)" } == "11:23:45:16")
  }

  /// A PNG file's signature and chunks up to the image data; the CRCs are missing because they are
  /// not checked.
  private func png(_ chunks: (name: String, data: [UInt8])...) -> [UInt8] {
    func number(_ value: Int) -> [UInt8] {
      (0..<4).map { UInt8(truncatingIfNeeded: value >> (24 - 8 * $0)) }
    }
    var bytes: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
    for (name, data) in chunks + [("IDAT", [])] {
      bytes += number(data.count)
      bytes += Array(name.utf8)
      bytes += data
      bytes += number(0)
    }
    return bytes
  }

  /// Big-endian 32-bit numbers, as in `cHRM`.
  private func words(_ numbers: Int...) -> [UInt8] {
    numbers.flatMap { number in (0..<4).map { UInt8(truncatingIfNeeded: number >> (24 - 8 * $0)) } }
  }

  @Test func the_color_of_a_png_is_matched_to_known_values() throws {
    func color(_ bytes: [UInt8]) throws -> PNGColor {
      let header = try #require(StillHeader(try folder.write(bytes, "picture").path))
      return try #require(header.color)
    }
    func codes(_ bytes: [UInt8]) throws -> [UInt8] {
      let color = try color(bytes)
      #expect(color.nameless.isEmpty)
      return [color.named.primaries.rawValue, color.named.transferFunction.rawValue]
    }
    let gamma = ("gAMA", words(45_455))
    let light = ("gAMA", words(100_000))
    let wide = ("cHRM", words(31270, 32900, 70800, 29200, 17000, 79700, 13100, 4600))
    #expect(try codes(png()) == [2, 2])
    #expect(try codes(png(gamma)) == [2, 4])
    #expect(try codes(png(light, wide)) == [9, 8])
    // Chunks beside sRGB are for readers that do not know sRGB.
    #expect(try codes(png(light, wide, ("sRGB", [0]))) == [1, 13])
    #expect(try codes(png(("sRGB", [0]), ("cICP", [9, 16, 0, 1]))) == [9, 16])
    #expect(try codes(png(("cICP", [2, 2, 0, 1]))) == [2, 2])
    // A profile is reported on its own.
    #expect(try codes(png(("iCCP", [1, 2, 3]), ("sRGB", [0]))) == [2, 2])
  }

  @Test func unknown_png_colors_are_reported() throws {
    let places = words(31270, 32900, 64000, 33000, 21000, 71000, 15000, 6000)
    let bytes = png(("gAMA", words(50_000)), ("cHRM", places))
    let header = try #require(StillHeader(try folder.write(bytes, "picture").path))
    let remarks = header.remarks(isColored: false)
    #expect(remarks.map(\.subject) == ["color"] && remarks[0].isLoss)
    #expect(
      remarks[0].message.contains(
        "(gamma 0.5, chromaticities 0.3127, 0.329, 0.64, 0.33, 0.21, 0.71, 0.15, 0.06) dropped"))
    #expect(header.remarks(isColored: true).isEmpty)

    let codes = png(("cICP", [22, 10, 0, 0]))
    let other = try #require(StillHeader(try folder.write(codes, "picture").path))
    #expect(
      try #require(other.color).nameless == ["primaries 22", "transfer function 10", "video range"])
  }

  @Test func frames_have_the_color_of_their_png() throws {
    // 2x2 pixels of RGB, after an `sRGB` chunk.
    let bytes: [UInt8] = [
      0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0x00, 0x00, 0x00, 0x0D, 0x49, 0x48, 0x44,
      0x52, 0x00, 0x00, 0x00, 0x02, 0x00, 0x00, 0x00, 0x02, 0x08, 0x02, 0x00, 0x00, 0x00, 0xFD,
      0xD4, 0x9A, 0x73, 0x00, 0x00, 0x00, 0x01, 0x73, 0x52, 0x47, 0x42, 0x00, 0xAE, 0xCE, 0x1C,
      0xE9, 0x00, 0x00, 0x00, 0x10, 0x49, 0x44, 0x41, 0x54, 0x78, 0x9C, 0x63, 0x38, 0x91, 0x62,
      0x04, 0x44, 0x0C, 0x10, 0x0A, 0x00, 0x28, 0xAE, 0x05, 0x79, 0x42, 0xE1, 0x27, 0xEE, 0x00,
      0x00, 0x00, 0x00, 0x49, 0x45, 0x4E, 0x44, 0xAE, 0x42, 0x60, 0x82,
    ]
    let path = try folder.write(bytes, "s_1.png").path
    for location in [path, folder.path("s_%d.png")] {
      let reader = try AssetReader(location)
      #expect(reader.contents.remarks.isEmpty)
      #expect(reader.videoTrack?.video?.color.transferFunction == .sRGB, "\(location)")
      let frame = try #require(try reader.nextSample()?.sampleBuffer.imageBuffer)
      #expect(frame.color.primaries == .bt709 && frame.color.transferFunction == .sRGB)
    }
  }

  /// A TIFF file, or Exif data, with one directory of 16-bit numbers.
  private func tiff(_ entries: (tag: Int, value: Int)...) -> [UInt8] {
    func shorts(_ values: Int...) -> [UInt8] {
      values.flatMap { [UInt8($0 & 255), UInt8($0 >> 8)] }
    }
    var bytes: [UInt8] = [0x49, 0x49, 42, 0, 8, 0, 0, 0] + shorts(entries.count)
    for (tag, value) in entries { bytes += shorts(tag, 3, 1, 0, value, 0) }
    return bytes + [0, 0, 0, 0]
  }

  @Test func unapplied_image_orientation_is_reported() throws {
    #expect(try subjects(png(("eXIf", tiff((274, 6))))) == ["orientation"])
    #expect(try subjects(png(("eXIf", tiff((274, 1))))) == [])
    #expect(try subjects(tiff((274, 3))) == ["orientation"])
    #expect(try subjects(tiff((274, 1))) == [])
  }

  @Test func premultiplied_alpha_is_recognized() throws {
    func isPremultiplied(_ bytes: [UInt8]) throws -> Bool {
      let header = StillHeader(try folder.write(bytes, "picture").path)
      return try #require(header).isAlphaPremultiplied
    }
    #expect(try isPremultiplied(tiff((338, 1))))
    #expect(try !isPremultiplied(tiff((338, 2))))
    #expect(try isPremultiplied(EXRFile(otherChannels: ["A"]).bytes))
    #expect(try !isPremultiplied(EXRFile().bytes))
    #expect(try !isPremultiplied(png()))
  }
}
