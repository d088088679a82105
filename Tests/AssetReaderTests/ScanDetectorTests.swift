import AssetReader
import Foundation
import MediaCore
import TestSupport
import Testing

/// Detection of the field order in everything that a reader reads.
@Suite(.tags(.judges), .enabled(if: Judges.arePresent, Judges.absence)) struct ScanDetectorTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Woven fields in 25 frames, bottom field first.
  private func make(_ name: String, _ arguments: String) throws {
    try Judges.ffmpeg(
      "-f lavfi -i testsrc2=s=352x288:r=50:d=1 -vf format=yuv444p,tinterlace=interleave_bottom "
        + "\(arguments) \(folder.path(name))")
  }

  private func detect(_ name: String) throws -> ScanDetector.Result {
    try ScanDetector(AssetLocation(folder.path(name))).detect()
  }

  @Test(arguments: [
    ("a.v210", "-c:v v210 -f rawvideo", "a.v210?size=352x288&rate=25"),
    ("a.uyvy", "-pix_fmt uyvy422 -f rawvideo", "a.uyvy?size=352x288&rate=25"),
    ("a.y4m", "-pix_fmt yuv422p", "a.y4m"),
    ("a_%03d.png", "-pix_fmt rgb24", "a_%03d.png?rate=25"),
    ("a.avi", "-c:v huffyuv -pix_fmt yuv422p", "a.avi"),
    ("a.mov", "-c:v prores_ks -pix_fmt yuv422p10le", "a.mov"),
  ])
  func the_field_order_is_detected(file: String, arguments: String, location: String) throws {
    try make(file, arguments)
    let result = try detect(location)
    #expect(result.fieldOrder == .bottomFieldFirst && result.certainty > 0.9, "\(result)")
    #expect(result.frames == 25)
  }

  @Test func the_track_that_is_read_is_the_one_analyzed() throws {
    // The smaller track comes first, and is progressive.
    try Judges.ffmpeg(
      ["-f", "lavfi", "-i", "testsrc2=s=176x144:r=25:d=1", "-f", "lavfi", "-i"]
        + [
          "testsrc2=s=352x288:r=50:d=1", "-filter_complex",
          "[1]format=yuv444p,tinterlace=interleave_bottom[w]",
        ]
        + ["-map", "0", "-map", "[w]", "-c:v", "ffv1", folder.path("a.mkv")])
    #expect(try detect("a.mkv").fieldOrder == .bottomFieldFirst)
  }

  @Test func undecodable_frames_are_skipped_and_an_early_end_is_accepted() throws {
    try make("a.mov", "-c:v png -pix_fmt rgb24")
    let reader = try AssetReader(folder.path("a.mov"))
    var places: [Int64] = []
    while let packet = try reader.nextPacket() { places.append(try #require(packet.filePosition)) }
    var bytes = try Data(contentsOf: URL(filePath: folder.path("a.mov")))
    // The end of the frame's signature, and its header.
    for byte in 4..<40 { bytes[Int(places[5]) + byte] = 0 }
    try bytes.write(to: URL(filePath: folder.path("a.mov")))
    let damaged = try detect("a.mov")
    #expect(damaged.frames == 24 && damaged.fieldOrder == .bottomFieldFirst, "\(damaged)")

    try make("a.y4m", "-pix_fmt yuv420p")
    let whole = try Data(contentsOf: URL(filePath: folder.path("a.y4m")))
    try whole.dropLast(1000).write(to: URL(filePath: folder.path("a.y4m")))
    #expect(try detect("a.y4m").frames == 24)
  }

  @Test func standard_input_is_refused_by_name() throws {
    let error = #expect(throws: AssetReaderError.self) {
      try ScanDetector(AssetLocation(path: "-")).detect()
    }
    #expect(error?.code == .unsupported)
    #expect(error?.message.contains("standard input can be read only once") == true)
  }
}
