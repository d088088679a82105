import TestSupport
import Testing

@testable import AssetReader

/// The visible part of frames, as declared by the container.
@Suite(.tags(.judges), .enabled(if: Judges.arePresent, Judges.absence)) struct ShownPartTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func reported(_ path: String) throws -> [String] {
    try AssetReader(path).contents.remarks.filter { $0.subject == "display window" }.map(\.message)
  }

  @Test func blanking_lines_hidden_by_imx_are_reported() throws {
    let path = folder.path("imx.mxf")
    try Judges.ffmpeg(
      "-f lavfi -i testsrc2=s=720x608:r=25:d=0.2 -f lavfi -i sine=d=0.2:r=48000 -pix_fmt yuv422p "
        + "-c:v mpeg2video -intra_vlc 1 -non_linear_quant 1 -dc 10 -g 1 -b:v 50M -minrate 50M "
        + "-maxrate 50M -bufsize 2M -rc_init_occupancy 2000000 -rc_max_vbv_use 1 "
        + "-flags +ildct+low_delay -top 1 -ps 1 -qmin 1 -qmax 3 -c:a pcm_s16le -f mxf_d10 \(path)")
    #expect(
      try reported(path) == [
        "the container shows only 720x576 pixels of its frames, from 0,32: dropped, the movie shows all 720x608"
      ])
  }

  @Test func padding_lines_of_stored_hd_are_not_reported() throws {
    let path = folder.path("hd.mxf")
    try Judges.ffmpeg(
      "-f lavfi -i testsrc2=s=1920x1080:r=25:d=0.12 -pix_fmt yuv422p -c:v mpeg2video "
        + "-flags +ildct+ilme -top 1 -b:v 50M \(path)")
    #expect(try reported(path).isEmpty)
  }

  @Test func pixels_cropped_by_matroska_are_reported() throws {
    let path = folder.path("whole.mkv")
    try Judges.ffmpeg(
      "-f lavfi -i testsrc2=s=128x96:r=25:d=0.2 -aspect 16:9 -c:v ffv1 \(path)")
    #expect(try reported(path).isEmpty)
    var bytes = try folder.bytes("whole.mkv")
    // Replaces the display size by the number of rows cropped at the top and bottom.
    let display: [UInt8] = [0x54, 0xB0, 0x81, 16, 0x54, 0xBA, 0x81, 9]
    let place = try #require(bytes.firstRange(of: display))
    bytes.replaceSubrange(place, with: [0x54, 0xBB, 0x81, 8, 0x54, 0xAA, 0x81, 12])
    try folder.write(bytes, "cropped.mkv")
    #expect(
      try reported(folder.path("cropped.mkv")) == [
        "the container shows only 128x76 pixels of its frames, from 0,8: dropped, the movie shows all 128x96"
      ])
  }
}
