package import TIFF

/// Entries of a source's EXIF and GPS directories that are copied unchanged.
package struct CarriedEntries: Sendable, Hashable {
  package var exif: [TIFFTag: TIFFValue] = [:]
  package var gps: [TIFFTag: TIFFValue] = [:]
  /// Entries that are not copied: the maker note, whose offsets would be wrong in another file; tags that EXIF 2.32
  /// does not define; values longer than 1024 numbers or characters; numbers that a big-endian file stores as
  /// undefined bytes (the output is little-endian); invalid times; unreadable directories.
  private var omitted: [TIFFTag] = []
  /// The same for GPS, including unusable location values.
  private var omittedGPS: [TIFFTag] = []

  /// The greatest count of an entry's numbers or characters: JPEG holds 64 KiB of EXIF in all.
  private static let longest = 1024

  package init() {}

  /// Tags whose undefined-type value contains numbers in the file's byte order: exposure times of a composite
  /// image.
  private static let numbersInBytes: Set<TIFFTag> = [TIFFTag(rawValue: 0xA462)]

  /// A file's entries, except those that ``PhotoMetadata`` knows and those that every file states about its own
  /// pixels.
  init(exif: TIFFDirectory?, gps: TIFFDirectory?, isLittleEndian: Bool) {
    for (tag, value) in (exif?.entries ?? [:]) where !Self.known.contains(tag) {
      if Self.facts.contains(tag), Self.isShort(value),
        isLittleEndian || !Self.numbersInBytes.contains(tag)
      {
        self.exif[tag] =
          isLittleEndian || tag != Self.userComment ? value : Self.littleEndianComment(value)
      } else {
        omitted.append(tag)
      }
    }
    for (tag, value) in (gps?.entries ?? [:]) where !Self.knownPlace.contains(tag) {
      if Self.isShort(value) { self.gps[tag] = value } else { leave(gps: tag) }
    }
    omitted.sort()
  }

  private static let userComment = TIFFTag(rawValue: 0x9286)

  /// Converts a big-endian file's UTF-16 comment to little-endian. Some programs write it little-endian even there,
  /// which is recognized by the zero bytes of spaces and of letters in most scripts.
  private static func littleEndianComment(_ value: TIFFValue) -> TIFFValue {
    let code = Array("UNICODE\0".utf8)
    guard case .undefined(let bytes) = value, bytes.starts(with: code), bytes.count % 2 == 0 else {
      return value
    }
    let text = Array(bytes.dropFirst(code.count))
    let pairs = stride(from: 0, to: text.count, by: 2).map { (text[$0], text[$0 + 1]) }
    let zeros = pairs.reduce(0) { $0 + ($1.0 == 0 ? 1 : 0) - ($1.1 == 0 ? 1 : 0) }
    guard zeros >= 0 else { return value }
    return .undefined(code + pairs.flatMap { [$0.1, $0.0] })
  }

  /// Notes that an EXIF entry is not copied.
  mutating func leave(_ tag: TIFFTag) {
    omitted.append(tag)
    omitted.sort()
  }

  /// Notes that a GPS entry is not copied.
  mutating func leave(gps tag: TIFFTag) {
    omittedGPS.append(tag)
    omittedGPS.sort()
  }

  /// BigTIFF's 64-bit types are not allowed in EXIF.
  private static func isShort(_ value: TIFFValue) -> Bool {
    switch value {
    case .long8s, .signedLong8s: false
    default: value.count <= longest
    }
  }

  /// A one-line list of the entries left out; nil if there are none.
  package var note: String? {
    let names = omitted.map(Self.name) + omittedGPS.map { "GPS \(Self.name($0))" }
    return names.isEmpty ? nil : "omitted from EXIF: " + names.joined(separator: ", ")
  }

  /// The names of all copied entries.
  package var names: [String] {
    exif.keys.sorted().map(Self.name) + gps.keys.sorted().map { "GPS \(Self.name($0))" }
  }

  /// False for blank text, empty values, and all-zero numbers, such as the rating of an unrated photo.
  static func isMeaningful(_ value: TIFFValue) -> Bool {
    switch value {
    case .ascii(let text): !text.allSatisfy(\.isWhitespace)
    case .bytes(let numbers): numbers.contains { $0 != 0 }
    case .shorts(let numbers): numbers.contains { $0 != 0 }
    default: value.count > 0
    }
  }

  private static func name(_ tag: TIFFTag) -> String {
    switch tag {
    case .makerNote: "the maker's note"
    case .exifIFD: "all of EXIF, which cannot be read"
    case .gpsIFD: "all of GPS, which cannot be read"
    case .dateTime, .dateTimeOriginal: "the time, which is invalid"
    case .offsetTime, .offsetTimeOriginal: "the time zone, which is invalid"
    default: wordNames[tag] ?? "0x" + String(tag.rawValue, radix: 16, uppercase: true)
    }
  }

  private static let iptc = TIFFTag(rawValue: 0x83BB)
  private static let photoshop = TIFFTag(rawValue: 0x8649)

  /// Texts in the first directory that are not supported here, with their names in messages.
  private static let wordNames: [TIFFTag: String] = [
    TIFFTag(rawValue: 0x010D): "the document's name", TIFFTag(rawValue: 0x013C): "the host",
    TIFFTag(rawValue: 0x4746): "the rating", TIFFTag(rawValue: 0x4749): "the rating in percent",
    TIFFTag(rawValue: 0x9C9B): "Windows's title", TIFFTag(rawValue: 0x9C9C): "Windows's comment",
    TIFFTag(rawValue: 0x9C9D): "Windows's author", TIFFTag(rawValue: 0x9C9E): "Windows's keywords",
    TIFFTag(rawValue: 0x9C9F): "Windows's subject", iptc: "IPTC",
    photoshop: "Photoshop's resources",
  ]

  /// The tags of these texts.
  static let words = wordNames.keys.sorted()

  /// Facts about the exposure, by EXIF 2.32 tags: exposure program, sensitivities, digitizing, shutter, aperture,
  /// brightness, bias, subject distance, metering, light, flash, comment, conditions, flash energy, exposure index,
  /// sensor, file source, scene, exposure mode, white balance, zoom, 35 mm focal length, capture type, gain,
  /// distance range, owner, lens and composite.
  private static let facts: Set<TIFFTag> = Set(
    ([
      0x8822, 0x8830, 0x8831, 0x8832, 0x8833, 0x8834, 0x8835, 0x9004, 0x9012, 0x9292, 0x9286,
      0xA20B, 0xA215, 0xA217, 0xA300, 0xA301, 0xA402, 0xA403, 0xA404, 0xA405, 0xA406, 0xA407,
      0xA40C,
      0xA430, 0xA432, 0xA433, 0xA435, 0xA460, 0xA461, 0xA462,
    ] + Array(0x9201...0x9209) + Array(0x9400...0x9405)).map { TIFFTag(rawValue: UInt16($0)) })

  /// Tags that are not copied. They are known to ``PhotoMetadata``, or depend on the new file's pixels (versions,
  /// components, bits per pixel, size, color space, interoperability), or describe the source's pixels or the
  /// camera's own rendering (positions in the image, sensor resolution, mosaic, contrast, saturation, sharpness,
  /// unique ID).
  private static let known: Set<TIFFTag> = Set(
    ([
      0x829A, 0x829D, 0x8827, 0x9000, 0x9003, 0x9010, 0x9011, 0x9101, 0x9102, 0x9204,
      0x920A,
      0x9290, 0x9291, 0xA000, 0xA001, 0xA002, 0xA003, 0xA005, 0xA431, 0xA434, 0x8828, 0x9214,
      0xA20C,
      0xA20E, 0xA20F, 0xA210, 0xA214, 0xA302, 0xA401, 0xA408, 0xA409, 0xA40A, 0xA40B, 0xA420,
      0xA500,
    ] as [UInt16]).map { TIFFTag(rawValue: $0) })

  private static let knownPlace: Set<TIFFTag> = Set(
    (0...6).map { TIFFTag(rawValue: UInt16($0)) })
}
