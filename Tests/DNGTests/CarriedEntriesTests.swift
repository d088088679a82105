import TIFF
import Testing

@testable import DNG

/// Which of a source's EXIF and GPS entries are copied, and which are only named.
struct CarriedEntriesTests {
  private static let lensMake = TIFFTag(rawValue: 0xA433)
  private static let comment = TIFFTag(rawValue: 0x9286)
  private static let flash = TIFFTag(rawValue: 0x9209)
  private static let direction = TIFFTag(rawValue: 0x11)

  @Test func long_bigtiff_and_unknown_entries_are_left_out_by_name() {
    var exif = TIFFDirectory()
    exif[Self.lensMake] = .ascii("Maker")
    exif[Self.comment] = .undefined([UInt8](repeating: 65, count: 1025))
    exif[Self.flash] = .long8s([1])
    exif[.makerNote] = .undefined([1, 2, 3])
    exif[TIFFTag(rawValue: 0xFDE8)] = .short(1)
    exif[.pixelXDimension] = .long(4000)
    exif[.fNumber] = .rationals([.init(2.8)])
    var gps = TIFFDirectory()
    gps[Self.direction] = .rationals([.init(12)])
    gps[.gpsLatitude] = .rationals([.init(1), .init(2), .init(3)])
    let carried = CarriedEntries(exif: exif, gps: gps, isLittleEndian: true)
    #expect(carried.exif == [Self.lensMake: .ascii("Maker")])
    #expect(carried.gps == [Self.direction: .rationals([.init(12)])])
    #expect(carried.note == "omitted from EXIF: 0x9209, the maker's note, 0x9286, 0xFDE8")
  }

  @Test func nothing_is_reported_if_all_entries_are_carried() {
    #expect(CarriedEntries(exif: nil, gps: nil, isLittleEndian: true).note == nil)
  }

  /// 16-bit text has its file's byte order, and the written file is little-endian.
  @Test(arguments: ["Grüße", "写真", "ASCII"])
  func unicode_comments_are_converted_to_little_endian(_ text: String) {
    let code = Array("UNICODE\0".utf8)
    let little = TIFFValue.undefined(
      code + text.utf16.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8($0 >> 8)] })
    let big = TIFFValue.undefined(
      code + text.utf16.flatMap { [UInt8($0 >> 8), UInt8(truncatingIfNeeded: $0)] })
    func carried(_ value: TIFFValue, isLittleEndian: Bool) -> TIFFValue? {
      var exif = TIFFDirectory()
      exif[Self.comment] = value
      return CarriedEntries(exif: exif, gps: nil, isLittleEndian: isLittleEndian).exif[Self.comment]
    }
    #expect(carried(big, isLittleEndian: false) == little)
    #expect(carried(little, isLittleEndian: true) == little)
    // Text in the wrong byte order, if that can be detected.
    if text != "写真" { #expect(carried(little, isLittleEndian: false) == little) }
    let plain = TIFFValue.undefined(Array("ASCII\0\0\0hello".utf8))
    #expect(carried(plain, isLittleEndian: false) == plain)
    let odd = TIFFValue.undefined(code + [0, 65, 0])
    #expect(carried(odd, isLittleEndian: false) == odd)
  }

  @Test func undefined_numbers_in_the_other_byte_order_are_left_out_by_name() {
    let times = TIFFTag(rawValue: 0xA462)
    var exif = TIFFDirectory()
    exif[times] = .undefined([0, 0, 0, 1, 0, 0, 0, 50])
    exif[Self.comment] = .undefined(Array("ASCII\0\0\0hello".utf8))
    let same = CarriedEntries(exif: exif, gps: nil, isLittleEndian: true)
    #expect(same.exif == exif.entries && same.note == nil)
    let other = CarriedEntries(exif: exif, gps: nil, isLittleEndian: false)
    #expect(other.exif.keys.elementsEqual([Self.comment]))
    #expect(other.note == "omitted from EXIF: 0xA462")
  }
}
