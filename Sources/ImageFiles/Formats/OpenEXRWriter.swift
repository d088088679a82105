import DNG
import Foundation
import MediaCore
import RawDevelop

extension ImageJob {
  /// OpenEXR ("File Layout", version 2): half floats of linear light, in zlib-compressed blocks of 16 rows.
  mutating func writeOpenEXR() throws(ImageFileError) {
    let curve = image.colorSpace.curve
    if curve != .linear {
      note(
        .linearized, "OpenEXR holds linear light: \(image.colorSpace.name) was converted")
    }
    if content.xmp != nil { note(.metadataOmitted, "OpenEXR has no place for XMP: left out") }
    if content.metadata.orientation != .up {
      note(.metadataOmitted, "OpenEXR cannot state an image's orientation: left out")
    }
    let metadata = content.metadata
    let homeless = (metadata.exposureBias == nil ? [] : ["exposure bias"]) + metadata.carried.names
    if !homeless.isEmpty {
      note(
        .metadataOmitted,
        "OpenEXR has no place for some of EXIF: left out \(homeless.joined(separator: ", "))")
    }
    guard width <= Int32.max, height <= Int32.max else {
      throw ImageFileError(.unsupported, "OpenEXR cannot hold an image of \(width)x\(height)")
    }
    var header = OpenEXRHeader(width: width, height: height)
    header.add(content)
    let head = header.bytes
    let blocks = OpenEXRBlocks(
      image: image, light: curve == .linear ? nil : CurveTable { curve.decode($0) })
    try output.append(head)
    try output.append([UInt8](repeating: 0, count: 8 * blocks.count))
    var places: [UInt64] = []
    for start in stride(from: 0, to: blocks.count, by: 16) {
      let results = ConcurrentMap.results(min(16, blocks.count - start)) {
        (index) throws(ImageFileError) in try blocks.bytes(start + index)
      }
      try checkCancellation()
      for result in results {
        places.append(UInt64(output.count))
        try output.append(try result.get())
      }
    }
    try output.write(places.flatMap { $0.littleEndianBytes }, at: head.count)
  }
}

extension FixedWidthInteger {
  fileprivate var littleEndianBytes: [UInt8] { withUnsafeBytes(of: littleEndian) { Array($0) } }
}

/// The attributes that precede the pixels.
private struct OpenEXRHeader {
  /// Magic number, version 2 without flags, and the attributes added so far.
  private var attributes: [UInt8] = [0x76, 0x2F, 0x31, 0x01, 2, 0, 0, 0]

  /// The header including its terminator.
  var bytes: [UInt8] { attributes + [0] }

  init(width: Int, height: Int) {
    let corners = [0, 0, Int32(width - 1), Int32(height - 1)]
    let window = corners.flatMap(\.littleEndianBytes)
    let half: Int32 = 1
    let sampling: Int32 = 1
    // The type, a hint for lossy compression with three reserved bytes, and no subsampling in either direction.
    let channel =
      half.littleEndianBytes + [0, 0, 0, 0] + sampling.littleEndianBytes
      + sampling.littleEndianBytes
    var channels: [UInt8] = []
    for name in ["B", "G", "R"] { channels += Array(name.utf8) + [0] + channel }
    add("channels", "chlist", channels + [0])
    let (zip, topDown): (UInt8, UInt8) = (3, 0)
    add("compression", "compression", [zip])
    add("dataWindow", "box2i", window)
    add("displayWindow", "box2i", window)
    add("lineOrder", "lineOrder", [topDown])
    add("pixelAspectRatio", [1])
    add("screenWindowCenter", "v2f", Self.floats([0, 0]))
    add("screenWindowWidth", [1])
  }

  /// OpenEXR's standard attributes.
  mutating func add(_ content: ImageContent) {
    let metadata = content.metadata
    let places = Chromaticities(content.image.colorSpace.primaries)
    let points = [places.red, places.green, places.blue, places.white].flatMap { [$0.x, $0.y] }
    add("chromaticities", "chromaticities", Self.floats(points))
    let numbers: [(String, Double?)] = [
      ("expTime", metadata.exposureTime), ("aperture", metadata.fNumber),
      ("isoSpeed", metadata.isoSpeed), ("nominalFocalLength", metadata.focalLength),
      ("latitude", metadata.location?.latitude), ("longitude", metadata.location?.longitude),
      ("altitude", metadata.location?.altitude),
      // Local time plus this is UTC.
      (
        "utcOffset",
        metadata.isTimeZoneKnown
          ? metadata.date.map { -Double(metadata.timeZone.secondsFromGMT(for: $0)) } : nil
      ),
    ]
    for case (let name, .some(let number)) in numbers { add(name, [number]) }
    let texts: [(String, String?)] = [
      ("cameraMake", metadata.make), ("cameraModel", metadata.model),
      ("cameraSerialNumber", metadata.serialNumber), ("lensModel", metadata.lensModel),
      ("owner", metadata.copyright ?? metadata.artist), ("artist", metadata.artist),
      ("comments", metadata.imageDescription),
      ("software", metadata.software),
      ("capDate", metadata.date.map { PhotoMetadata.text($0, metadata.timeZone) }),
    ]
    for case (let name, .some(let text)) in texts { add(name, "string", Array(text.utf8)) }
  }

  private mutating func add(_ name: String, _ numbers: [Double]) {
    add(name, "float", Self.floats(numbers))
  }

  private mutating func add(_ name: String, _ type: String, _ value: [UInt8]) {
    attributes += Array(name.utf8) + [0] + Array(type.utf8) + [0]
    attributes += Int32(clamping: value.count).littleEndianBytes + value
  }

  private static func floats(_ numbers: [Double]) -> [UInt8] {
    numbers.flatMap { Float($0).bitPattern.littleEndianBytes }
  }
}

/// The image in blocks, as OpenEXR's ZIP compression requires.
private struct OpenEXRBlocks: Sendable {
  static let height = 16

  let image: RenderedImage
  /// Converts the image's values to light; nil if they already are linear.
  let light: CurveTable?

  var count: Int { (image.height + Self.height - 1) / Self.height }

  /// A block, preceded by the number of its first row and its size.
  func bytes(_ index: Int) throws(ImageFileError) -> [UInt8] {
    let first = index * Self.height
    let rows = first..<min(first + Self.height, image.height)
    let samples = samples(rows)
    let packed = try Deflater.compress(Self.differences(samples))
    // If zlib cannot make the data smaller, it is stored unchanged; readers can tell by the size.
    let data = packed.count < samples.count ? packed : samples
    return Int32(first).littleEndianBytes + Int32(clamping: data.count).littleEndianBytes + data
  }

  /// Rows of blue, green and red: channels are ordered by name.
  private func samples(_ rows: Range<Int>) -> [UInt8] {
    let width = image.width
    return [UInt8](unsafeUninitializedCapacity: rows.count * width * 6) { target, count in
      withUnsafeTemporaryAllocation(of: Float.self, capacity: 3 * width) { line in
        guard let numbers = line.baseAddress else { return }
        for (index, row) in rows.enumerated() {
          image.readFloats(row, into: numbers)
          for column in 0..<width {
            for color in 0..<3 {
              let bits = half(numbers[3 * column + 2 - color])
              let place = 2 * ((3 * index + color) * width + column)
              target[place] = UInt8(truncatingIfNeeded: bits)
              target[place + 1] = UInt8(truncatingIfNeeded: bits >> 8)
            }
          }
        }
      }
      count = rows.count * width * 6
    }
  }

  private func half(_ number: Float) -> UInt16 {
    let light = light?[number] ?? number
    // Values outside the range of half floats would become infinite.
    return Float16(light > 65_504 ? 65_504 : light < -65_504 ? -65_504 : light).bitPattern
  }

  /// Bytes at even offsets, then those at odd ones, each as its difference from the previous byte plus 128.
  private static func differences(_ bytes: [UInt8]) -> [UInt8] {
    let half = (bytes.count + 1) / 2
    return [UInt8](unsafeUninitializedCapacity: bytes.count) { target, count in
      var before: UInt8 = 128
      for index in 0..<bytes.count {
        let byte = bytes[index < half ? 2 * index : 2 * (index - half) + 1]
        target[index] = byte &- before &+ 128
        before = byte
      }
      count = bytes.count
    }
  }
}
