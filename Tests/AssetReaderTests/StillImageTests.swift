import Foundation
import MediaCore
import TestSupport
import Testing

@testable import AssetReader

/// Truncated images in a sequence, which libavcodec does not report.
struct StillImageTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Whether each image is damaged; nil if it does not decode.
  private func damage(_ location: String) throws -> [Bool?] {
    let reader = try AssetReader(location)
    var found: [Bool?] = []
    while true {
      do throws(AssetReaderError) {
        guard let sample = try reader.nextSample() else { return found }
        found.append(sample.sampleBuffer.attachments.isDamaged)
      } catch {
        guard error.code == .decodeFailed else { throw error }
        found.append(nil)
      }
    }
  }

  private static let layouts: [EXRFile] = [
    EXRFile(), EXRFile(hasTable: false), EXRFile(layout: .tiles(mode: 0)),
    EXRFile(layout: .tiles(mode: 1)), EXRFile(layout: .tiles(mode: 0x11)),
    EXRFile(layout: .tiles(mode: 2)), EXRFile(layout: .tiles(mode: 0x12)),
    EXRFile(layout: .parts(2)),
  ]

  @Test(arguments: 0..<layouts.count)
  func an_exr_with_missing_chunks_is_truncated(layout: Int) {
    let whole = Self.layouts[layout].bytes
    var random = SeededGenerator(seed: UInt64(layout))
    #expect(!whole.withUnsafeBytes { EXRChunks.areCut($0) })
    #expect(!(whole + [0, 1, 2]).withUnsafeBytes { EXRChunks.areCut($0) })
    for count in [whole.count - 1, 9]
      + (0..<200).map({ _ in Int.random(in: 8..<whole.count, using: &random) })
    {
      #expect(whole.prefix(count).withUnsafeBytes { EXRChunks.areCut($0) }, "\(count)")
    }
    // A partial copy filled up with zeros.
    let half = Array(whole.prefix(whole.count / 2))
    let hollow = half + [UInt8](repeating: 0, count: whole.count - half.count)
    #expect(hollow.withUnsafeBytes { EXRChunks.areCut($0) })
    // Any bytes give an answer.
    for _ in 0..<300 {
      var bytes = whole
      for _ in 0..<Int.random(in: 1...20, using: &random) {
        bytes[Int.random(in: 4..<min(500, bytes.count), using: &random)] = UInt8.random(
          in: 0...255, using: &random)
      }
      _ = bytes.withUnsafeBytes { EXRChunks.areCut($0) }
    }
  }

  @Test(arguments: 0..<layouts.count)
  func a_truncated_exr_in_a_sequence_is_reported_as_damaged(layout: Int) throws {
    let whole = Self.layouts[layout].bytes
    for number in 1...4 {
      let bytes = number == 3 ? Array(whole.prefix(whole.count * 3 / 4)) : whole
      try folder.write(bytes, "f_\(number).exr")
    }
    let found = try damage(folder.path("f_%d.exr"))
    // An image that the decoder refuses is reported too.
    #expect(found.count == 4 && found[2] != false, "\(found)")
    #expect(found.enumerated().allSatisfy { $0.offset == 2 || $0.element == false }, "\(found)")
    // Each image on its own.
    #expect(try damage(folder.path("f_1.exr")) == [false])
    #expect(try damage(folder.path("f_3.exr")) != [false])
  }

  @Test(
    .tags(.judges), .enabled(if: Judges.arePresent, Judges.absence),
    arguments: [
      "jpg mjpeg", "jls jpegls", "exr exr", "qoi qoi", "sun sunrast", "png png", "dpx dpx",
      "tif tiff",
    ])
  func only_truncated_images_are_reported_as_damaged(kind: String) throws {
    let (suffix, codec) = (String(kind.prefix(3)), String(kind.dropFirst(4)))
    let pattern = folder.path("f_%d.\(suffix)")
    try Judges.ffmpeg(
      "-f lavfi -i testsrc2=s=96x64:r=24 -frames:v 5 -c:v \(codec) \(pattern)")
    #expect(try damage(pattern) == [false, false, false, false, false])
    let whole = try folder.bytes("f_3.\(suffix)")
    for count in [whole.count / 3, whole.count * 9 / 10] {
      try folder.write(Array(whole.prefix(count)), "f_3.\(suffix)")
      let found = try damage(pattern)
      #expect(found.count == 5 && found[2] != false, "\(count) of \(whole.count): \(found)")
      #expect(found.enumerated().allSatisfy { $0.offset == 2 || $0.element == false }, "\(found)")
    }
  }

  @Test(.tags(.judges), .enabled(if: Judges.arePresent, Judges.absence))
  func trailing_camera_data_after_a_jpeg_is_not_damage() throws {
    let pattern = folder.path("f_%d.jpg")
    try Judges.ffmpeg("-f lavfi -i testsrc2=s=96x64:r=24 -frames:v 5 \(pattern)")
    let whole = try folder.bytes("f_2.jpg")
    let end = try #require(whole.count > 2 ? whole.count - 2 : nil)
    #expect(whole[end...] == [0xFF, 0xD9])
    try folder.write(whole + Array("ftypmp42, a movie".utf8) + [0xFF, 0x00, 0xFF], "f_2.jpg")
    try folder.write(whole + [UInt8](repeating: 0, count: 5000), "f_3.jpg")
    // Fill bytes before a marker's code do not count.
    try folder.write(whole[..<end] + [0xFF, 0xFF, 0xFF, 0xD9], "f_4.jpg")
    #expect(try damage(pattern) == [false, false, false, false, false])
    try folder.write(Array(whole[..<end]), "f_3.jpg")
    #expect(try damage(pattern) == [false, false, true, false, false])
    // What an interrupted copy leaves.
    try folder.write(
      whole[..<(end / 2)] + [UInt8](repeating: 0, count: end - end / 2), "f_3.jpg")
    #expect(try damage(pattern) == [false, false, true, false, false])
  }

  @Test(.tags(.judges), .enabled(if: Judges.arePresent, Judges.absence))
  func motion_jpeg_without_end_markers_is_not_damaged() throws {
    // As some cameras write it.
    try Judges.ffmpeg(
      "-f lavfi -i testsrc2=s=96x64:r=24 -frames:v 3 -c:v mjpeg \(folder.path("a.avi"))")
    var bytes = try folder.bytes("a.avi")
    var ends = 0
    for place in bytes.indices.dropLast() where bytes[place] == 0xFF && bytes[place + 1] == 0xD9 {
      bytes[place] = 0
      bytes[place + 1] = 0
      ends += 1
    }
    try #require(ends >= 3)
    try folder.write(bytes, "a.avi")
    #expect(try damage(folder.path("a.avi")) == [false, false, false])
  }
}
