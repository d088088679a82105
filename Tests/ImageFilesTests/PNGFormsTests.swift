import MediaCore
import RawDevelop
import TestSupport
import Testing

@testable import ImageFiles

/// All forms of PNG, and damage to each part of a file.
@Suite struct PNGFormsTests {
  /// Color types and their depths.
  static let forms = [
    (0, 1), (0, 2), (0, 4), (0, 8), (0, 16), (2, 8), (2, 16), (3, 1), (3, 2), (3, 4), (3, 8),
    (4, 8), (4, 16), (6, 8), (6, 16),
  ]

  private func maker(_ form: (Int, Int), seed: UInt64 = 1) -> PNGMaker {
    var maker = PNGMaker()
    (maker.colorType, maker.bitDepth, maker.seed) = (form.0, form.1, seed)
    if form.0 == 3 {
      // Fewer colors than there are numbers: the others are black.
      let count = max(1 << form.1 - 1, 2)
      maker.palette = (0..<3 * count).map { UInt8(truncatingIfNeeded: $0 * 37 + 5) }
    }
    return maker
  }

  /// Red, green, blue and opacity of all pixels.
  private func pixels(_ decoded: DecodedImage) -> [[Int]] {
    func join<Sample: FixedWidthInteger>(_ colors: [Sample], _ alpha: [Sample]?) -> [[Int]] {
      (0..<colors.count / 3).map { pixel in
        colors[3 * pixel..<3 * pixel + 3].map { Int($0) } + [Int(alpha?[pixel] ?? .max)]
      }
    }
    return switch (decoded.image.samples, decoded.opacity) {
    case (.uint8(let colors), .uint8(let alpha)?): join(colors, alpha)
    case (.uint16(let colors), .uint16(let alpha)?): join(colors, alpha)
    case (.uint8(let colors), nil): join(colors, nil)
    case (.uint16(let colors), nil): join(colors, nil)
    default: []
    }
  }

  private func expected(_ maker: PNGMaker) -> [[Int]] {
    (0..<maker.height).flatMap { row in (0..<maker.width).map { maker.pixel($0, row) } }
  }

  @Test(arguments: forms)
  func every_png_form_decodes_to_its_source_samples(_ type: Int, _ depth: Int) throws {
    for (width, height) in [(1, 1), (3, 5), (8, 8), (17, 13), (33, 2)] {
      for isInterlaced in [false, true] {
        var maker = maker((type, depth), seed: UInt64(width))
        (maker.width, maker.height, maker.isInterlaced) = (width, height, isInterlaced)
        let file = try ImageFile(try maker.file(cuts: [1, 2, 7]))
        let decoded = try file.decoded(at: 0)
        #expect(pixels(decoded) == expected(maker), "\(width)x\(height) \(isInterlaced)")
        #expect(decoded.notes.isEmpty && file.images[0].notes.isEmpty)
        #expect((decoded.opacity != nil) == (type >= 4))
        #expect(file.images[0].hasAlpha == (type >= 4))
      }
    }
  }

  @Test(arguments: forms.filter { $0.0 < 4 })
  func transparent_colors_are_applied(_ type: Int, _ depth: Int) throws {
    for isInterlaced in [false, true] {
      var maker = maker((type, depth))
      maker.isInterlaced = isInterlaced
      maker.transparency =
        type == 3
        ? [0, 128]
        : (0..<maker.samples).flatMap { sample -> [UInt8] in
          let number = maker.number(4, 5, sample)
          return [UInt8(number >> 8), UInt8(number & 255)]
        }
      let file = try ImageFile(try maker.file())
      let decoded = try file.decoded(at: 0)
      #expect(pixels(decoded) == expected(maker))
      #expect(decoded.opacity != nil && file.images[0].hasAlpha)
      #expect(type == 3 || maker.pixel(4, 5)[3] == 0)
    }
  }

  @Test func transparency_of_the_wrong_length_is_ignored() throws {
    var maker = maker((2, 8))
    maker.transparency = [0, 1]
    let file = try ImageFile(try maker.file())
    #expect(!file.images[0].hasAlpha)
    let decoded = try file.decoded(at: 0)
    maker.transparency = []
    #expect(decoded.opacity == nil && pixels(decoded) == expected(maker))
  }

  @Test func a_wrong_checksum_is_reported() throws {
    let maker = maker((2, 8))
    var bytes = try maker.file()
    // The data's checksum, before the last chunk's twelve bytes.
    bytes[bytes.count - 13] ^= 1
    let decoded = try ImageFile(bytes).decoded(at: 0)
    #expect(pixels(decoded) == expected(maker))
    #expect(decoded.notes.contains { $0.contains("libpng says") && $0.contains("CRC") })
  }

  /// No damage silently yields another image.
  @Test(arguments: [false, true]) func png_damage_anywhere_is_reported(_ isInterlaced: Bool) throws
  {
    var maker = maker((6, 8))
    (maker.width, maker.height, maker.isInterlaced) = (9, 9, isInterlaced)
    let bytes = try maker.file()
    let right = expected(maker)
    // After the header: another size in it makes another image.
    for place in 33..<bytes.count - 12 {
      var damaged = bytes
      damaged[place] ^= UInt8(1 << (place % 8))
      guard let file = try? ImageFile(damaged), let decoded = try? file.decoded(at: 0) else {
        continue
      }
      #expect(!decoded.notes.isEmpty || pixels(decoded) == right, "\(place)")
    }
  }

  @Test func a_truncated_png_is_refused_or_reported() throws {
    for form in [(0, 1), (2, 16), (3, 4), (6, 8)] {
      var maker = maker(form)
      for isInterlaced in [false, true] {
        maker.isInterlaced = isInterlaced
        let bytes = try maker.file()
        for count in 0..<bytes.count {
          guard let file = try? ImageFile(Array(bytes.prefix(count))) else { continue }
          #expect(file.images[0].isWhole == false)
          guard let decoded = try? file.decoded(at: 0) else { continue }
          #expect(decoded.notes.contains { $0.contains("ends before") })
        }
      }
    }
  }

  @Test func decompression_bombs_are_limited() throws {
    let bomb = try Deflater.compress([UInt8](repeating: 0, count: 1 << 25))
    #expect(bomb.count < 1 << 18)
    var maker = maker((0, 8))
    let text = Array("Comment\0\0".utf8) + bomb
    maker.chunks = PNGMaker.chunk("zTXt", text)
    let file = try ImageFile(try maker.file())
    #expect(file.images[0].texts.isEmpty)
    #expect(file.images[0].notes.contains { $0.contains("Comment") })
    #expect(pixels(try file.decoded(at: 0)) == expected(maker))
    // An image of one pixel with more data than it needs.
    let header = PNGMaker.big(1) + PNGMaker.big(1) + [8, 0, 0, 0, 0]
    let small = try ImageFile(
      PNGReader.mark + PNGMaker.chunk("IHDR", header) + PNGMaker.chunk("IDAT", bomb)
        + PNGMaker.chunk("IEND", []))
    #expect(pixels(try small.decoded(at: 0)) == [[0, 0, 0, 255]])
  }

  /// One byte of deflated data may stand for eight thousand one-bit pixels.
  @Test func a_png_with_too_many_pixels_is_refused() throws {
    var maker = maker((0, 1))
    let size = 9 << 20
    maker.chunks =
      PNGMaker.big(size) + Array("juNk".utf8) + [UInt8](repeating: 0, count: size + 4)
    var bytes = try maker.file()
    bytes.replaceSubrange(16..<24, with: PNGMaker.big(1 << 20) + PNGMaker.big(1 << 16))
    let file = try ImageFile(bytes)
    let error = #expect(throws: ImageFileError.self) { try file.decoded(at: 0) }
    #expect(error?.message.contains("more pixels than the limit") == true)
  }

  @Test func the_first_image_of_an_animation_is_read_and_reported() throws {
    var maker = maker((2, 8))
    maker.chunks = PNGMaker.chunk("acTL", PNGMaker.big(3) + PNGMaker.big(0))
    let decoded = try ImageFile(try maker.file()).decoded(at: 0)
    #expect(decoded.notes.contains { $0.contains("animation") })
    #expect(pixels(decoded) == expected(maker))
  }

  /// In this order: code points, profile, sRGB, and gamma with coordinates.
  @Test func color_chunks_follow_the_standards_precedence() throws {
    func color(_ chunks: [UInt8]...) throws -> (space: ImageColorSpace, notes: [String]) {
      var maker = maker((2, 8))
      maker.chunks = chunks.flatMap { $0 }
      let decoded = try ImageFile(try maker.file()).decoded(at: 0)
      return (decoded.image.colorSpace, decoded.notes)
    }
    let profile = try Deflater.compress(ICCProfile.bytes(.adobeRGB))
    let iccp = PNGMaker.chunk("iCCP", Array("Adobe\0\0".utf8) + profile)
    let srgb = PNGMaker.chunk("sRGB", [0])
    func gama(_ number: Int) -> [UInt8] { PNGMaker.chunk("gAMA", PNGMaker.big(number)) }
    let chrm = PNGMaker.chunk(
      "cHRM",
      [31_270, 32_900, 68_000, 32_000, 26_500, 69_000, 15_000, 6000].flatMap { PNGMaker.big($0) })
    #expect(try color(PNGMaker.chunk("cICP", [12, 13, 0, 1]), iccp).space == .displayP3)
    #expect(try color(srgb, gama(100_000), iccp).space == .adobeRGB)
    #expect(try color(gama(100_000), srgb).space == .sRGB)
    #expect(try color(gama(100_000)).space == .linearSRGB)
    #expect(try color(gama(45_455), chrm).space == .displayP3)
    #expect(try color(gama(45_455)).notes.isEmpty && color(chrm).notes.isEmpty)
    let odd = try color(gama(30_000))
    #expect(odd.space == .sRGB && odd.notes.contains { $0.contains("gamma 0.3") })
    let narrow = try color(PNGMaker.chunk("cICP", [1, 13, 0, 0]))
    #expect(narrow.notes.contains { $0.contains("narrow range") })
  }

  @Test func damaged_profiles_and_exif_are_reported() throws {
    var maker = maker((2, 8))
    maker.chunks =
      PNGMaker.chunk("iCCP", Array("Odd\0\0".utf8) + [1, 2, 3, 4])
      + PNGMaker.chunk("eXIf", [1, 2, 3, 4])
    let notes = try ImageFile(try maker.file()).images[0].notes
    #expect(notes.contains { $0.contains("profile") } && notes.contains { $0.contains("EXIF") })
  }
}
