/// Images of 8 x 4 pixels in formats that only libavformat knows.
extension TestMedia {
  static let stills = ["exr", "bmp", "ppm", "gif", "ico"]

  /// An image, by its extension.
  static func still(_ kind: String) -> [UInt8] {
    switch kind {
    case "exr": exr
    case "bmp": bmp
    case "ico": icon
    case "gif": gif(images: 1)
    default: [UInt8]("P6\n8 4\n255\n".utf8) + pixels
    }
  }

  /// A GIF of this many frames, all of one color.
  static func gif(images: Int) -> [UInt8] {
    let image: [UInt8] =
      [0x21, 0xF9, 4, 0, 10, 0, 0, 0] + [0x2C, 0, 0, 0, 0, 8, 0, 4, 0, 0]
      // Three-bit codes: clear, 32 single pixels with a clear before the codes would grow, end.
      + [2] + blocks(lzw)
    return [UInt8]("GIF89a".utf8) + [8, 0, 4, 0, 0x80, 0, 0] + [0, 0, 0, 255, 255, 255]
      + (0..<images).flatMap { _ in image } + [0x3B]
  }

  private static var lzw: [UInt8] {
    var codes: [Int] = []
    for pixel in 0..<32 {
      if pixel % 2 == 0 { codes.append(4) }
      codes.append(pixel & 1)
    }
    codes.append(5)
    var bytes = [UInt8](repeating: 0, count: (codes.count * 3 + 7) / 8)
    for (index, code) in codes.enumerated() {
      for bit in 0..<3 where code >> bit & 1 == 1 {
        bytes[(index * 3 + bit) / 8] |= 1 << UInt8((index * 3 + bit) % 8)
      }
    }
    return bytes
  }

  private static func blocks(_ bytes: [UInt8]) -> [UInt8] { [UInt8(bytes.count)] + bytes + [0] }

  private static var pixels: [UInt8] { (0..<96).map { UInt8($0 * 2) } }

  private static func little(_ number: Int, _ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
  }

  private static func bitmap(rows: Int) -> [UInt8] {
    little(40, 4) + little(8, 4) + little(rows, 4) + little(1, 2) + little(24, 2) + little(0, 4)
      + little(96, 4) + little(2835, 4) + little(2835, 4) + little(0, 4) + little(0, 4)
  }

  private static var bmp: [UInt8] {
    [UInt8]("BM".utf8) + little(150, 4) + little(0, 4) + little(54, 4) + bitmap(rows: 4) + pixels
  }

  /// An icon with one image: a bitmap of twice the rows, the second half of which is its mask.
  private static var icon: [UInt8] {
    let image = bitmap(rows: 8) + pixels + [UInt8](repeating: 0, count: 16)
    return [0, 0, 1, 0, 1, 0] + [8, 4, 0, 0, 1, 0, 24, 0] + little(image.count, 4) + little(22, 4)
      + image
  }

  /// Uncompressed OpenEXR with half floats.
  private static var exr: [UInt8] {
    func attribute(_ name: String, _ type: String, _ value: [UInt8]) -> [UInt8] {
      [UInt8](name.utf8) + [0] + [UInt8](type.utf8) + [0] + little(value.count, 4) + value
    }
    let channels = ["B", "G", "R"].flatMap { name -> [UInt8] in
      [UInt8](name.utf8) + [0] + little(1, 4) + [0, 0, 0, 0] + little(1, 4) + little(1, 4)
    }
    let window = little(0, 4) + little(0, 4) + little(7, 4) + little(3, 4)
    let one: [UInt8] = [0, 0, 0x80, 0x3F]
    let header =
      [0x76, 0x2F, 0x31, 0x01, 2, 0, 0, 0] + attribute("channels", "chlist", channels + [0])
      + attribute("compression", "compression", [0]) + attribute("dataWindow", "box2i", window)
      + attribute("displayWindow", "box2i", window) + attribute("lineOrder", "lineOrder", [0])
      + attribute("pixelAspectRatio", "float", one)
      + attribute("screenWindowCenter", "v2f", little(0, 8))
      + attribute("screenWindowWidth", "float", one) + [0]
    let row = [[UInt8]](repeating: [0x00, 0x38], count: 24).flatMap { $0 }
    let rows: [[UInt8]] = (0..<4).map { little($0, 4) + little(48, 4) + row }
    let begin = header.count + 4 * 8
    let places: [[UInt8]] = (0..<4).map { little(begin + $0 * 56, 8) }
    return header + places.flatMap { $0 } + rows.flatMap { $0 }
  }
}
