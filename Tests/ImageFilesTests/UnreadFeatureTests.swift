import Foundation
import MediaCore
import RawDevelop
import TestSupport
import Testing

@testable import ImageFiles

/// Notes on what a file has and the decoded image has not.
@Suite struct UnreadFeatureTests {
  /// A file written by another project's library.
  ///
  /// - Parameter code: Python that writes it to `path`; `numpy` is imported.
  private func made(_ name: String, _ code: String) throws -> [UInt8] {
    guard ImageJudges.arePresent else { try Test.cancel("\(ImageJudges.absence)") }
    let folder = try TemporaryFolder()
    let script = "import sys, numpy\npath = sys.argv[1]\n" + code
    let run = try ImageJudges.python.get().run(["-c", script, folder.path(name)])
    try #require(run.status == 0, "\(run.errors)")
    return try folder.bytes(name)
  }

  /// 64x48 pixels with alpha, which is an auxiliary image.
  private func heic() throws -> [UInt8] {
    try made(
      "a.heic",
      """
      import pillow_heif
      pixels = bytes(i % 251 for i in range(64 * 48 * 4))
      pillow_heif.from_bytes("RGBA", (64, 48), pixels).save(path, quality=50)
      """)
  }

  @Test(.tags(.judges), arguments: [("[2, 0]", 5, 1), ("[0]", 4, 1), ("[0, 0]", 5, 2)])
  func further_channels_of_a_tiff_are_reported(
    _ kinds: String, channels: Int, unread: Int
  ) throws {
    let bytes = try made(
      "a.tif",
      """
      import tifffile
      pixels = (numpy.arange(16 * 12 * \(channels)) % 251).astype("uint8")
      tifffile.imwrite(
          path, pixels.reshape(12, 16, \(channels)), photometric="rgb", planarconfig="contig",
          extrasamples=\(kinds))
      """)
    let decoded = try ImageFile(bytes).decoded(at: 0)
    #expect(
      decoded.notes == ["channels other than color and alpha that are not read: \(unread)"])
    #expect((decoded.opacity == nil) == (unread == channels - 3))
    guard case .uint8(let samples) = decoded.image.samples else {
      Issue.record("the samples have another type")
      return
    }
    #expect(
      samples
        == (0..<16 * 12 * 3).map { UInt8(($0 / 3 * channels + $0 % 3) % 251) })
  }

  @Test(.tags(.judges)) func further_channels_of_a_jpeg_xl_file_are_reported() throws {
    let bytes = try made(
      "a.jxl",
      """
      import imagecodecs
      planes = (numpy.arange(3 * 12 * 16) % 251).astype("uint8").reshape(3, 12, 16)
      data = imagecodecs.jpegxl_encode(planes, lossless=True, photometric="gray", planar=True)
      open(path, "wb").write(data)
      """)
    let decoded = try ImageFile(bytes).decoded(at: 0)
    #expect(
      decoded.notes.contains("channels other than color and alpha that are not read: 2"),
      "\(decoded.notes)")
    #expect(decoded.image.width == 16 && decoded.image.height == 12)
  }

  @Test(.tags(.judges)) func an_apple_gain_map_in_a_heic_file_is_reported() throws {
    let plain = try heic()
    #expect(try ImageFile(plain).images[0].notes.isEmpty)
    #expect(try ImageFileSummary(plain).gainMap == nil)
    // The auxiliary image becomes a gain map by its type.
    let name = "urn:com:apple:photo:2020:aux:hdrgainmap\0"
    let bytes = HEIFBoxes.changing(plain) { type, content in
      type == "auxC" ? [0, 0, 0, 0] + Array(name.utf8) : content
    }
    let notes = try ImageFile(bytes).images[0].notes
    #expect(notes == ["the gain map (Apple) is not read"])
    #expect(try ImageFileSummary(bytes).gainMap == .apple)
  }

  @Test(.tags(.judges)) func an_iso_gain_map_in_a_heic_file_is_reported() throws {
    var bytes = try heic()
    // The brand of a file with a tone-mapped image derived from another one and its gain map (ISO 21496-1).
    bytes.replaceSubrange(24..<28, with: Array("tmap".utf8))
    let notes = try ImageFile(bytes).images[0].notes
    #expect(notes == ["the gain map (ISO 21496-1) is not read"])
    #expect(try ImageFileSummary(bytes).gainMap == .iso)
  }

  @Test func a_clean_aperture_of_an_avif_file_is_reported_and_not_applied() throws {
    let plain = try ImageFileWriter(ImageFileSettings(format: .avif)).encode(
      TestImages.content(TestImages.bytes())
    ).bytes
    #expect(try ImageFile(plain).images[0].notes.isEmpty)
    let (width, height) = (TestImages.width, TestImages.height)
    // Width, height and the offsets of the center, each as a fraction.
    let aperture = [width - 4, 1, height - 4, 1, 0, 1, 0, 1].flatMap { PNGMaker.big($0) }
    let bytes = HEIFBoxes.adding(HEIFBoxes.box("clap", aperture), to: plain)
    let file = try ImageFile(bytes)
    #expect(
      file.images[0].notes
        == ["the clean aperture is not applied: the whole image is shown"])
    let image = try file.decoded(at: 0).image
    #expect(image.width == width && image.height == height)
  }
}

/// Changes to the properties of a HEIF file's images. The positions of the images' data follow.
private enum HEIFBoxes {
  static func box(_ type: String, _ content: [UInt8]) -> [UInt8] {
    PNGMaker.big(content.count + 8) + Array(type.utf8) + content
  }

  private static func number(_ bytes: some Collection<UInt8>) -> Int {
    bytes.reduce(0) { $0 << 8 | Int($1) }
  }

  /// Changes the content of each of some boxes.
  private static func each(
    _ boxes: [UInt8], _ change: (_ type: String, _ content: [UInt8]) -> [UInt8]
  ) -> [UInt8] {
    var (result, place) = ([UInt8](), 0)
    while place + 8 <= boxes.count {
      let size = number(boxes[place..<place + 4])
      let end = size == 0 ? boxes.count : min(place + max(size, 8), boxes.count)
      let type = String(decoding: boxes[place + 4..<place + 8], as: UTF8.self)
      result += box(type, change(type, Array(boxes[place + 8..<end])))
      place = end
    }
    return result
  }

  /// Changes the boxes of properties, and of their associations with images.
  static func changing(
    _ file: [UInt8], _ change: (_ type: String, _ content: [UInt8]) -> [UInt8]
  ) -> [UInt8] {
    func changed(movingBy distance: Int) -> [UInt8] {
      each(file) { type, content in
        guard type == "meta" else { return content }
        let boxes = each(Array(content.dropFirst(4))) { type, content in
          switch type {
          case "iprp":
            each(content) { type, content in
              change(type, type == "ipco" ? each(content, change) : content)
            }
          case "iloc": moved(content, by: distance)
          default: content
          }
        }
        return Array(content.prefix(4)) + boxes
      }
    }
    return changed(movingBy: changed(movingBy: 0).count - file.count)
  }

  /// Adds a property to the first image, which must be understood to show it.
  static func adding(_ property: [UInt8], to file: [UInt8]) -> [UInt8] {
    var count: UInt8 = 0
    return changing(file) { type, content in
      switch type {
      case "ipco":
        count = 1
        _ = each(content) { _, content in
          count += 1
          return content
        }
        return content + property
      case "ipma":
        // Version and flags, the number of images, then for each its number, how many properties it has, and which.
        var changed = content
        changed[10] += 1
        changed.insert(0x80 | count, at: 11 + Int(content[10]))
        return changed
      default: return content
      }
    }
  }

  /// Item locations (ISO/IEC 14496-12, 8.11.3) of version 0 or 1, whose data is in the file.
  private static func moved(_ locations: [UInt8], by distance: Int) -> [UInt8] {
    var bytes = locations
    let isNewer = bytes[0] > 0
    let (offset, length) = (Int(bytes[4] >> 4), Int(bytes[4] & 15))
    let (base, index) = (Int(bytes[5] >> 4), isNewer ? Int(bytes[5] & 15) : 0)
    func move(_ place: Int, _ size: Int) {
      let moved = number(bytes[place..<place + size]) + distance
      bytes.replaceSubrange(place..<place + size, with: PNGMaker.big(moved).suffix(size))
    }
    var place = 8
    for _ in 0..<number(bytes[6..<8]) {
      place += isNewer ? 6 : 4
      if base > 0 { move(place, base) }
      place += base
      let extents = number(bytes[place..<place + 2])
      place += 2
      for _ in 0..<extents {
        place += index
        if base == 0 { move(place, offset) }
        place += offset + length
      }
    }
    return bytes
  }
}
