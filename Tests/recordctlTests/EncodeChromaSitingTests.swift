import Foundation
import TestSupport
import Testing

/// The source's chroma is a ramp in lossless 4:2:0; it must keep its height and column in the movie.
@Suite(
  .tags(.judges), .serialized,
  .enabled(if: Judges.arePresent, "ffmpeg, ffprobe and mediainfo are not installed"))
struct EncodeChromaSitingTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  struct Case: Sendable, CustomTestStringConvertible {
    var name: String
    /// Cb and Cr of the chroma sample at X, Y.
    var cb: String
    var cr: String
    var codec: String
    var layout = "yuv420p"
    var arguments: [String] = []
    var testDescription: String { "\(name) \(arguments)" }
  }

  /// In 10-bit codes, Cb is 160 plus 8 per row, and Cr is 160 plus 8 per column.
  static let cases: [Case] = {
    func h264(_ siting: Int, _ fields: String = "") -> String {
      "libx264 -qp 0 \(fields) -x264-params chromaloc=\(siting)"
    }
    let woven = h264(2, "-flags +ilme+ildct -top 1") + ":tff=1"
    let always = [
      Case(name: "center", cb: "41+4*Y", cr: "41+4*X", codec: h264(1)),
      Case(name: "bottom", cb: "42+4*Y", cr: "41+4*X", codec: h264(5)),
      Case(
        name: "topleft", cb: "160+16*Y", cr: "160+16*X",
        codec: "libx265 -x265-params log-level=none:lossless=1:chromaloc=2",
        layout: "yuv420p10le"),
      Case(
        name: "topleft", cb: "40+4*Y", cr: "40+4*X", codec: h264(2),
        arguments: ["--encoder", "libavcodec:prores_ks"]),
      Case(
        name: "woven topleft", cb: "40+8*floor(Y/2)+2*mod(Y,2)", cr: "40+4*X", codec: woven),
      Case(
        name: "woven topleft", cb: "40+8*floor(Y/2)+2*mod(Y,2)", cr: "40+4*X", codec: woven,
        arguments: ["--deinterlace", "frames"]),
      Case(
        name: "topleft", cb: "40+4*Y", cr: "40+4*X", codec: h264(2),
        arguments: ["--size", "64x64", "--fitting", "stretch"]),
    ]
    let more = [
      Case(name: "left", cb: "41+4*Y", cr: "40+4*X", codec: h264(0)),
      Case(name: "topleft", cb: "40+4*Y", cr: "40+4*X", codec: h264(2)),
      Case(
        name: "topleft", cb: "40+4*Y", cr: "40+4*X", codec: h264(2),
        arguments: ["--rate", "50"]),
    ]
    return TestRun.arguments(always, extended: more)
  }()

  private func make(_ test: Case) throws -> String {
    let path = folder.path("a.mp4")
    let fields = test.name.hasPrefix("woven") ? ",setfield=tff" : ""
    let filter = "format=\(test.layout),geq=lum='p(X,Y)':cb='\(test.cb)':cr='\(test.cr)'\(fields)"
    try Judges.ffmpeg(
      "-f lavfi -i color=gray:s=64x64:r=25:d=0.2 -vf \(filter) -c:v \(test.codec) "
        + "-pix_fmt \(test.layout) \(path)")
    return path
  }

  @Test(arguments: cases)
  func chroma_keeps_its_position_in_4_2_2(_ test: Case) throws {
    let (path, output) = (try make(test), folder.path("out.mov"))
    let run = try Recordctl(
      ["encode", path, "-o", output, "--codec", "hq", "--json"] + test.arguments)
    #expect(run.status == 0, "\(run.errors)\(run.output)")
    let codes = try Judges.ffmpeg([
      "-i", output, "-frames:v", "1", "-f", "rawvideo", "-pix_fmt", "yuv422p10le", "-",
    ])
    func code(_ plane: Int, _ column: Int, _ row: Int) -> Int {
      let place = 64 * 64 + (plane - 1) * 32 * 64 + row * 32 + column
      return codes.withUnsafeBytes {
        Int($0.loadUnaligned(fromByteOffset: 2 * place, as: UInt16.self))
      }
    }
    // A quarter of a row or a column is two codes.
    for place in 12..<52 {
      #expect((code(1, 16, place) - 160 - 8 * place).magnitude <= 2, "row \(place)")
    }
    for place in 6..<26 {
      #expect((code(2, place, 32) - 160 - 16 * place).magnitude <= 2, "column \(2 * place)")
    }
  }

  @Test(arguments: cases.filter { $0.arguments.isEmpty || $0.arguments[0] == "--rate" })
  func chroma_keeps_its_position_in_4_4_4(_ test: Case) throws {
    let (path, output) = (try make(test), folder.path("out.mov"))
    let run = try Recordctl(
      ["encode", path, "-o", output, "--codec", "xq", "--json"] + test.arguments)
    #expect(run.status == 0, "\(run.errors)\(run.output)")
    let codes = try Judges.ffmpeg([
      "-i", output, "-frames:v", "1", "-f", "rawvideo", "-pix_fmt", "yuv444p12le", "-",
    ])
    func code(_ plane: Int, _ column: Int, _ row: Int) -> Int {
      codes.withUnsafeBytes {
        Int(
          $0.loadUnaligned(fromByteOffset: 2 * ((plane * 64 + row) * 64 + column), as: UInt16.self))
      }
    }
    // With two more bits, a quarter of a row or a column is eight codes.
    for place in 12..<52 {
      #expect((code(1, 32, place) - 640 - 32 * place).magnitude <= 8, "row \(place)")
      #expect((code(2, place, 32) - 640 - 32 * place).magnitude <= 8, "column \(place)")
    }
  }

  @Test(arguments: ["yuvj420p", "yuvj422p", "yuvj444p"])
  func chroma_siting_kept_between_columns_is_reported_once(layout: String) throws {
    let path = folder.path("a.mov")
    try Judges.ffmpeg([
      "-f", "lavfi", "-i", "testsrc2=s=64x64:r=25:d=0.4", "-c:v", "mjpeg", "-pix_fmt", layout, path,
    ])
    let run = try Recordctl(["encode", path, "-o", folder.path("out.mov"), "--json"])
    #expect(run.status == 0, "\(run.errors)\(run.output)")
    let json = try #require(try run.json() as? [String: Any])
    let subjects = (json["notes"] as? [[String: Any]] ?? []).compactMap { $0["subject"] as? String }
    #expect(subjects.count { $0 == "chroma siting" } == (layout == "yuvj422p" ? 1 : 0))
  }
}
