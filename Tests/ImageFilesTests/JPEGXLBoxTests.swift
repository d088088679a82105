import Foundation
import MediaCore
import RawDevelop
import TIFF
import TestSupport
import Testing

@testable import ImageFiles

/// Boxes beside a JPEG XL image, compressed and not.
@Suite struct JPEGXLBoxTests {
  private func box(_ type: String, _ content: [UInt8]) -> [UInt8] {
    PNGMaker.big(content.count + 8) + Array(type.utf8) + content
  }

  /// Bytes in Brotli's uncompressed form (RFC 7932, 9.2), in blocks of at most 64 KiB.
  private func brotli(_ bytes: [UInt8]) -> [UInt8] {
    // A window of 16 bits; then uncompressed blocks, none marked as the last, with lengths of 4 nibbles.
    var (result, bits, count) = ([UInt8](), 0, 0)
    func put(_ value: Int, _ length: Int) {
      bits |= value << count
      count += length
      while count >= 8 {
        result.append(UInt8(bits & 255))
        (bits, count) = (bits >> 8, count - 8)
      }
    }
    func align() { if count > 0 { put(0, 8 - count) } }
    put(0, 1)
    for start in stride(from: 0, to: bytes.count, by: 1 << 16) {
      let part = bytes[start..<min(start + 1 << 16, bytes.count)]
      put(0, 1)
      put(0, 2)
      put(part.count - 1, 16)
      put(1, 1)
      align()
      result += part
    }
    put(3, 2)
    align()
    return result
  }

  /// Our own file, with its boxes changed.
  private func file(_ change: (_ type: String, _ box: [UInt8]) -> [UInt8]) throws -> [UInt8] {
    let bytes = try ImageFileWriter(ImageFileSettings(format: .jpegXL)).encode(
      TestImages.content(TestImages.bytes())
    ).bytes
    var (changed, place) = ([UInt8](), 0)
    while place + 8 <= bytes.count {
      let reported = bytes[place..<place + 4].reduce(0) { $0 << 8 | Int($1) }
      let size = reported == 0 ? bytes.count - place : reported
      let type = String(decoding: bytes[place + 4..<place + 8], as: UTF8.self)
      changed += change(type, Array(bytes[place..<place + size]))
      place += size
    }
    return changed
  }

  /// Cancels the test if libjxl lacks Brotli.
  private func facts(_ bytes: [UInt8]) throws -> ImageFacts {
    let facts = try ImageFile(bytes).images[0]
    if let note = facts.notes.first(where: { $0.contains("without Brotli") }) {
      try Test.cancel("\(note)")
    }
    return facts
  }

  @Test func exif_and_xmp_are_read_from_compressed_boxes() throws {
    let plain = try facts(try file { $1 })
    #expect(plain.notes.isEmpty && plain.exif != nil)
    let packed = try facts(
      try file { type, whole in
        guard type == "Exif" || type == "xml " else { return whole }
        return box("brob", Array(type.utf8) + brotli(Array(whole.dropFirst(8))))
      })
    #expect(packed.exif == plain.exif && packed.xmp == plain.xmp && packed.notes.isEmpty)
    #expect(packed.directory?.entries[.model]?.text == "Model 1")
    #expect(packed.orientation == plain.orientation)
  }

  @Test func a_damaged_compressed_box_is_reported_and_the_image_kept() throws {
    let bytes = try file { type, whole in
      guard type == "Exif" else { return whole }
      return box("brob", Array(type.utf8) + [0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF])
    }
    let facts = try facts(bytes)
    #expect(facts.exif == nil && facts.width == TestImages.width)
    #expect(facts.notes.contains { $0.contains("EXIF is not read") })
    #expect(try ImageFile(bytes).decoded(at: 0).image.width == TestImages.width)
  }

  @Test func an_oversized_box_is_reported() throws {
    let packet = [UInt8](repeating: 0x20, count: 67 << 20)
    let bytes = try file { type, whole in type == "xml " ? box("xml ", packet) : whole }
    let facts = try facts(bytes)
    #expect(facts.xmp == nil && facts.exif != nil)
    #expect(facts.notes.contains { $0.contains("XMP is not read") && $0.contains("MiB") })
  }

  /// cjxl compresses the boxes when it converts a JPEG file.
  @Test(.tags(.judges)) func exif_and_xmp_of_a_jpeg_converted_by_cjxl_are_read() throws {
    guard let tool = Judges.find("cjxl") else {
      try Test.cancel("cjxl is not installed (libjxl-tools)")
    }
    let folder = try TemporaryFolder()
    let (source, target) = (folder.url("a.jpg"), folder.url("a.jxl"))
    let jpeg = try ImageFileWriter(ImageFileSettings(format: .jpeg)).encode(
      TestImages.content(TestImages.bytes()))
    try Data(jpeg.bytes).write(to: source)
    let result = try Command.run(tool.path, [source.path, target.path])
    #expect(result.status == 0, "\(result.failures)")
    let bytes = [UInt8](try Data(contentsOf: target))
    guard bytes.indices.contains(where: { bytes[$0...].starts(with: "brob".utf8) }) else {
      try Test.cancel("this version of cjxl does not compress boxes")
    }
    let facts = try facts(bytes)
    #expect(facts.directory?.entries[.model]?.text == "Model 1")
    #expect(facts.xmp.map { String(decoding: $0, as: UTF8.self) }?.contains("Rating") == true)
    #expect(facts.notes.isEmpty)
  }
}
