import Foundation
import MediaCore
import MediaLibrary
import QuickTime
import TestSupport

/// Small files of the kinds that a library imports.
enum TestMedia {
  /// A PNG without pixels; `seed` makes its bytes unique.
  static func png(width: Int = 16, height: Int = 8, seed: Int = 0) -> [UInt8] {
    EmptyPNG.bytes(width: width, height: height, seed: seed)
  }

  /// The segments of a JPEG: a preview with an end marker, a frame, and a scan of `count` bytes. It cannot be
  /// decoded.
  static func jpeg(scan count: Int = 300_000) -> [UInt8] {
    func segment(_ code: UInt8, _ content: [UInt8]) -> [UInt8] {
      let length = content.count + 2
      return [0xFF, code, UInt8(length >> 8), UInt8(length & 0xFF)] + content
    }
    var scan = (0..<count).map { UInt8($0 % 251) }
    // A stuffed 255 and a restart marker.
    scan.replaceSubrange(200..<204, with: [0xFF, 0, 0xFF, 0xD3])
    return [0xFF, 0xD8] + segment(0xE1, [0xFF, 0xD8, 0xFF, 0xD9])
      + segment(0xC0, [8, 0, 48, 0, 64, 1, 1, 0x11, 0])
      + segment(0xDA, [1, 1, 0, 0, 63, 0]) + scan + [0xFF, 0xFF, 0xD9]
  }

  /// A DNG with tags only: a RAW image from a camera, with a date.
  static func dng(
    width: Int = 4000, height: Int = 3000, seed: Int = 0, isLinear: Bool = false,
    location: GeographicLocation? = nil
  ) -> [UInt8] {
    let texts: [(tag: Int, text: String)] = [
      (271, "Maker"), (272, "Camera 7"), (306, "2022:05:24 10:11:12"),
    ]
    var entries: [[UInt8]] = [
      entry(254, 4, 1, little(0)), entry(256, 4, 1, little(width)),
      entry(257, 4, 1, little(height)), entry(262, 3, 1, little(isLinear ? 34892 : 32803)),
    ]
    var data: [UInt8] = []
    let count = entries.count + texts.count + 1 + (location == nil ? 0 : 1)
    let dataStart = 8 + 2 + count * 12 + 4
    for (tag, text) in texts {
      let bytes = [UInt8](text.utf8) + [0]
      entries.append(entry(tag, 2, bytes.count, little(dataStart + data.count)))
      data += bytes
    }
    if let location {
      entries.append(entry(34853, 4, 1, little(dataStart + data.count)))
      data += gps(location, at: dataStart + data.count)
    }
    entries.append(entry(50706, 1, 4, [1, 4, 0, 0]))
    return [0x49, 0x49, 0x2A, 0] + little(8) + [UInt8(count), 0] + entries.flatMap { $0 }
      + little(0) + data + [UInt8]("seed \(seed)".utf8)
  }

  /// A GPS directory, followed by its numbers.
  private static func gps(_ location: GeographicLocation, at start: Int) -> [UInt8] {
    let numbers = start + 2 + 6 * 12 + 4
    func angle(_ degrees: Double) -> [UInt8] {
      let minutes = (abs(degrees) - abs(degrees).rounded(.down)) * 60
      return little(Int(abs(degrees))) + little(1) + little(Int(minutes * 100)) + little(100)
        + little(0) + little(1)
    }
    let altitude = location.altitude ?? 0
    let entries = [
      entry(1, 2, 2, [location.latitude < 0 ? 0x53 : 0x4E, 0, 0, 0]),
      entry(2, 5, 3, little(numbers)),
      entry(3, 2, 2, [location.longitude < 0 ? 0x57 : 0x45, 0, 0, 0]),
      entry(4, 5, 3, little(numbers + 24)),
      entry(5, 1, 1, [altitude < 0 ? 1 : 0, 0, 0, 0]),
      entry(6, 5, 1, little(numbers + 48)),
    ]
    return [6, 0] + entries.flatMap { $0 } + little(0) + angle(location.latitude)
      + angle(location.longitude) + little(Int(abs(altitude))) + little(1)
  }

  /// A box: length, type, content.
  static func box(_ kind: String, _ content: [UInt8]) -> [UInt8] {
    big(content.count + 8) + [UInt8](kind.utf8) + content
  }

  /// A DNG with four tiles of 1,000 bytes in a directory of their own, and a preview of 300 bytes; the directory
  /// and its lists come before or after the tiles.
  static func tiledDNG(endsWithDirectory: Bool = false, seed: UInt8 = 0) -> [UInt8] {
    let tiles = (0..<4000).map { UInt8(truncatingIfNeeded: $0) ^ seed }
    let first = 8 + 2 + 9 * 12 + 4
    let preview = first
    let length = 2 + 6 * 12 + 4 + 32
    let directory = preview + 300 + (endsWithDirectory ? tiles.count : 0)
    let begin = preview + 300 + (endsWithDirectory ? 0 : length)
    let lists = directory + length - 32
    let main = [
      entry(254, 4, 1, little(1)), entry(256, 4, 1, little(10)), entry(257, 4, 1, little(10)),
      entry(258, 3, 1, little(8)), entry(262, 3, 1, little(2)), entry(273, 4, 1, little(preview)),
      entry(279, 4, 1, little(300)), entry(330, 4, 1, little(directory)),
      entry(50706, 1, 4, [1, 4, 0, 0]),
    ]
    let raw = [
      entry(254, 4, 1, little(0)), entry(256, 4, 1, little(50)), entry(257, 4, 1, little(40)),
      entry(262, 3, 1, little(32803)), entry(324, 4, 4, little(lists)),
      entry(325, 4, 4, little(lists + 16)),
    ]
    let places =
      (0..<4).flatMap { little(begin + $0 * 1000) } + (0..<4).flatMap { _ in little(1000) }
    let second = [UInt8(raw.count), 0] + raw.flatMap { $0 } + little(0) + places
    return [0x49, 0x49, 0x2A, 0] + little(8) + [UInt8(main.count), 0] + main.flatMap { $0 }
      + little(0) + [UInt8](repeating: 9, count: 300)
      + (endsWithDirectory ? tiles + second : second + tiles)
  }

  /// A HEIF file with only the boxes that describe its images, and with Exif data (a TIFF file's bytes).
  ///
  /// - Parameters:
  ///   - primary: The index of the primary item's size in `sizes`; nil if the file does not name a primary item.
  ///   - aperture: The clean aperture of the primary item.
  static func heif(
    sizes: [(width: Int, height: Int)], exif: [UInt8] = [], primary: Int? = nil,
    aperture: (width: Int, height: Int)? = nil
  ) -> [UInt8] {
    let images = sizes.flatMap { size in
      box("ispe", [0, 0, 0, 0] + big(size.width) + big(size.height)) + box("pixi", [0, 0, 0, 0])
    }
    let offsets = big(0) + big(1)
    let clap =
      aperture.map {
        box("clap", big($0.width) + big(1) + big($0.height) + big(1) + offsets + offsets)
      }
      ?? []
    // The last of three items, with two or three properties; the others' properties come first.
    let links = primary.map { place in
      let all =
        [UInt8(2 * place + 1), UInt8(2 * place + 2)]
        + (aperture == nil ? [] : [0x80 | UInt8(2 * sizes.count + 1)])
      return box(
        "ipma",
        [0, 0, 0, 0] + big(3) + [0, 1, 1, 1] + [0, 2, 2, 3, 4] + [0, 7, UInt8(all.count)] + all)
    }
    let properties = box("iprp", box("ipco", images + clap) + (links ?? []))
    let named = primary == nil ? [] : box("pitm", [0, 0, 0, 0, 0, 7])
    func entry(_ number: UInt8, _ type: String) -> [UInt8] {
      box("infe", [2, 0, 0, 0, 0, number, 0, 0] + [UInt8](type.utf8) + [0])
    }
    let items = box("iinf", [0, 0, 0, 0, 0, 2] + entry(1, "hvc1") + entry(2, "Exif"))
    /// Four-byte offsets and lengths, and one extent for each of two items.
    func file(exifAt place: Int) -> [UInt8] {
      let places =
        [0, 0, 0, 0, 0x44, 0, 0, 2] + [0, 1, 0, 0, 0, 1] + big(place) + big(3)
        + [0, 2, 0, 0, 0, 1] + big(place + 3) + big(exif.count + 10)
      let described = exif.isEmpty ? [] : items + box("iloc", places)
      let start =
        box("ftyp", [UInt8]("heic".utf8) + big(0) + [UInt8]("mif1heic".utf8))
        + box(
          "meta",
          [0, 0, 0, 0] + box("hdlr", big(0)) + named + described + properties)
      let written = exif.isEmpty ? [] : big(6) + [UInt8]("Exif".utf8) + [0, 0] + exif
      return start + box("mdat", [1, 2, 3] + written)
    }
    let length = file(exifAt: 0).count
    return file(exifAt: length - 3 - (exif.isEmpty ? 0 : exif.count + 10))
  }

  /// A short ProRes movie made with our own writer; its index is valid, its frames are not.
  static func movie(
    _ url: URL, codec: VideoCodecType = .proRes422HQ, frames: Int = 3, seed: UInt8 = 0,
    metadata: [String: String] = [:]
  ) throws {
    var configuration = MovieWriter.Configuration()
    for (key, value) in metadata { configuration.metadata[key] = .text(value) }
    configuration.metadata.make = "Maker"
    configuration.metadata.model = "Camera 9"
    configuration.metadata.creationDate = "2022-05-24T10:11:12+0000"
    let writer = try MovieWriter(
      file: PosixMovieFile(path: url.path, mode: .create), configuration: configuration)
    let track = try writer.addVideoTrack(
      VideoTrackDescription(
        codec: codec, dimensions: VideoDimensions(width: 1920, height: 1080), frameRate: .fps25))
    if let start = Timecode("01:00:00:00", frameRate: .fps25) {
      _ = try writer.addTimecodeTrack(TimecodeTrackDescription(start: start), for: track)
    }
    try writer.start()
    for frame in 0..<frames {
      let bytes = [UInt8](repeating: UInt8(frame) &+ seed, count: 5000)
      try bytes.withUnsafeBytes { try writer.appendVideo($0, to: track, duration: 1000) }
    }
    _ = try writer.finish()
  }

  /// A movie whose index comes first, with most of its media data missing.
  static func cutMovie(_ url: URL) throws {
    try movie(url)
    let bytes = try [UInt8](Data(contentsOf: url))
    var atoms: [String: ArraySlice<UInt8>] = [:]
    var place = 0
    while place + 8 <= bytes.count {
      let size = bytes[place..<place + 4].reduce(0) { $0 << 8 | Int($1) }
      let kind = String(decoding: bytes[place + 4..<place + 8], as: UTF8.self)
      let long = size == 1 ? bytes[place + 8..<place + 16].reduce(0) { $0 << 8 | Int($1) } : size
      guard long >= 8, place + long <= bytes.count else { break }
      atoms[kind] = bytes[place..<place + long]
      place += long
    }
    let kept = [atoms["ftyp"], atoms["moov"]].compactMap { $0 }.flatMap { $0 }
    try Data(kept + big(20_000) + [UInt8]("mdat".utf8) + [1, 2, 3]).write(to: url)
  }

  private static func big(_ number: Int) -> [UInt8] {
    (0..<4).reversed().map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
  }

  private static func little(_ number: Int) -> [UInt8] { big(number).reversed() }

  private static func entry(_ tag: Int, _ type: Int, _ count: Int, _ value: [UInt8]) -> [UInt8] {
    [UInt8(tag & 0xFF), UInt8(tag >> 8), UInt8(type), 0] + little(count) + value
  }
}
