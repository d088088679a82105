/// Uncompressed OpenEXR files, written by hand: one channel of half floats, all 0.5.
struct EXRFile {
  enum Layout { case lines, tiles(mode: UInt8), parts(Int) }

  var width = 40
  var height = 24
  var layout = Layout.lines
  /// False for an offset table that was never filled in.
  var hasTable = true
  /// The display window's left, top, right and bottom; nil for all pixels from 0,0.
  var displayWindow: [Int]?
  /// Channels in the header besides luma.
  var otherChannels: [String] = []
  /// Attributes besides those of every file.
  var attributes: [UInt8] = []

  private static let tileSize = 16

  var bytes: [UInt8] {
    var file: [UInt8] = [0x76, 0x2F, 0x31, 0x01]
    var headers: [UInt8] = []
    let chunks: [[UInt8]]
    switch layout {
    case .lines:
      file += Self.number(2)
      headers = header([])
      chunks = (0..<height).map { line($0) }
    case .tiles(let mode):
      file += Self.number(2 | 0x200)
      let size = Self.number(Self.tileSize)
      headers = header(Self.attribute("tiles", "tiledesc", size + size + [mode]))
      chunks = tiles(mode)
    case .parts(let count):
      file += Self.number(2 | 0x1000)
      for part in 0..<count {
        headers += header(
          Self.attribute("name", "string", Array("part \(part)".utf8))
            + Self.attribute("type", "string", Array("scanlineimage".utf8))
            + Self.attribute("chunkCount", "int", Self.number(height)))
      }
      headers.append(0)
      chunks = (0..<count).flatMap { part in (0..<height).map { Self.number(part) + line($0) } }
    }
    file += headers
    var place = file.count + chunks.count * 8
    for chunk in chunks {
      file += hasTable ? Self.number(place) + Self.number(0) : [UInt8](repeating: 0, count: 8)
      place += chunk.count
    }
    return file + chunks.flatMap(\.self)
  }

  private func header(_ more: [UInt8]) -> [UInt8] {
    let window =
      Self.number(0) + Self.number(0) + Self.number(width - 1) + Self.number(height - 1)
    // Half floats, not subsampled.
    var channels: [UInt8] = []
    for name in otherChannels + ["Y"] {
      channels += Array(name.utf8)
      channels.append(0)
      for value in [1, 0, 1, 1] { channels += Self.number(value) }
    }
    channels.append(0)
    var shown = window
    if let displayWindow {
      shown = []
      for value in displayWindow { shown += Self.number(value) }
    }
    return Self.attribute("channels", "chlist", channels)
      + Self.attribute("compression", "compression", [0])
      + Self.attribute("dataWindow", "box2i", window)
      + Self.attribute("displayWindow", "box2i", shown)
      + Self.attribute("lineOrder", "lineOrder", [0])
      + Self.attribute("pixelAspectRatio", "float", [0, 0, 0x80, 0x3F])
      + Self.attribute("screenWindowCenter", "v2f", [UInt8](repeating: 0, count: 8))
      + Self.attribute("screenWindowWidth", "float", [0, 0, 0x80, 0x3F]) + attributes + more + [0]
  }

  private func line(_ place: Int) -> [UInt8] {
    Self.number(place) + Self.number(width * 2) + Self.samples(width)
  }

  /// The tiles of every level; those at the edges are only as large as the remaining pixels.
  private func tiles(_ mode: UInt8) -> [[UInt8]] {
    func halved(_ size: Int, _ level: Int) -> Int {
      let step = 1 << level
      return max((size + (mode >> 4 == 0 ? 0 : step - 1)) / step, 1)
    }
    func levels(_ size: Int) -> Int { ((0...).first { halved(size, $0) == 1 } ?? 0) + 1 }
    let all: [(Int, Int)]
    switch mode & 0xF {
    case 0: all = [(0, 0)]
    case 1: all = (0..<levels(max(width, height))).map { ($0, $0) }
    default:
      all = (0..<levels(height)).flatMap { y in (0..<levels(width)).map { ($0, y) } }
    }
    var tiles: [[UInt8]] = []
    for level in all {
      let (wide, high) = (halved(width, level.0), halved(height, level.1))
      for top in stride(from: 0, to: high, by: Self.tileSize) {
        for left in stride(from: 0, to: wide, by: Self.tileSize) {
          let count = min(Self.tileSize, wide - left) * min(Self.tileSize, high - top)
          tiles.append(
            Self.number(left / Self.tileSize) + Self.number(top / Self.tileSize)
              + Self.number(level.0) + Self.number(level.1) + Self.number(count * 2)
              + Self.samples(count))
        }
      }
    }
    return tiles
  }

  private static func samples(_ count: Int) -> [UInt8] {
    (0..<count).flatMap { _ in [0x00, 0x38] as [UInt8] }
  }

  static func attribute(_ name: String, _ type: String, _ value: [UInt8]) -> [UInt8] {
    Array(name.utf8) + [0] + Array(type.utf8) + [0] + number(value.count) + value
  }

  static func number(_ value: Int) -> [UInt8] {
    (0..<4).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
  }
}
