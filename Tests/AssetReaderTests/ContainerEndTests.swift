import Foundation
import MediaCore
import TestSupport
import Testing

@testable import AssetReader

/// Truncated files that libavformat takes for complete.
struct ContainerEndTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func lack(_ bytes: [UInt8], _ format: String) throws -> String? {
    let path = try folder.write(bytes, "file").path
    return ContainerEnd.lack(in: path, of: format.split(separator: ","))
  }

  @Test(arguments: [(188, 0), (192, 4), (204, 0)])
  func a_transport_stream_ending_within_a_packet_is_truncated(length: Int, sync: Int) throws {
    var packet = [UInt8](repeating: 0xFF, count: length)
    packet[sync] = 0x47
    let whole = (0..<20).flatMap { _ in packet }
    #expect(try lack(whole, "mpegts") == nil)
    #expect(try lack(whole.dropLast(1), "mpegts") != nil)
    #expect(try lack(whole + packet.prefix(5), "mpegts") != nil)
    // Padding up to a block size is not a packet, and misplaced packets are not judged.
    for count in [1, 100, 1001] {
      for filling in [0, 0xFF] as [UInt8] {
        #expect(try lack(whole + [UInt8](repeating: filling, count: count), "mpegts") == nil)
      }
    }
    #expect(try lack(whole.prefix(1500) + whole, "mpegts") == nil)
    // Neither files without packets nor other containers are judged.
    #expect(try lack([UInt8](repeating: 0, count: 1001), "mpegts") == nil)
    #expect(try lack(whole.dropLast(1), "mov,mp4") == nil)
  }

  /// A page with this much data, which contains what looks like the start of another page.
  private func page(_ count: Int) -> [UInt8] {
    let lengths = [UInt8](repeating: 255, count: count / 255) + [UInt8(count % 255)]
    let data = [UInt8](repeating: 1, count: count)
    let header = Array("OggS".utf8) + [UInt8](repeating: 0, count: 22) + [UInt8(lengths.count)]
    return header + lengths + data.dropLast(8) + Array("OggS".utf8) + data.prefix(4)
  }

  @Test func an_ogg_file_ending_within_a_page_is_truncated() throws {
    let whole = page(60_000) + page(1_000) + page(62_000)
    #expect(try lack(whole, "ogg") == nil)
    for count in [1, 12, 13, 30_000, 61_999, 62_000, 62_260] {
      #expect(try lack(whole.dropLast(count), "ogg") != nil, "\(count)")
    }
    #expect(try lack(whole.dropLast(page(62_000).count), "ogg") == nil)
  }

  @Test(arguments: [0, 300])
  func an_mxf_file_without_its_declared_footer_is_truncated(runIn: Int) throws {
    func file(footer: Int) -> [UInt8] {
      let key: [UInt8] = [
        0x06, 0x0E, 0x2B, 0x34, 0x02, 0x05, 0x01, 0x01, 0x0D, 0x01, 0x02, 0x01, 0x01, 0x02, 4, 0,
      ]
      let place = (0..<8).map { UInt8(truncatingIfNeeded: footer >> (56 - 8 * $0)) }
      return [UInt8](repeating: 9, count: runIn) + key + [0x83, 0, 0, 0x78]
        + [UInt8](repeating: 0, count: 24) + place + [UInt8](repeating: 0, count: 4000)
    }
    #expect(try lack(file(footer: 3900), "mxf") == nil)
    #expect(try lack(file(footer: 4052).dropLast(0), "mxf") != nil)
    #expect(try lack(file(footer: 3900).dropLast(200), "mxf") != nil)
    // A file that is still being recorded names no footer.
    #expect(try lack(file(footer: 0).dropLast(200), "mxf") == nil)
    #expect(try lack(file(footer: 3900).prefix(runIn + 40).dropLast(0), "mxf") == nil)
  }

  @Test(
    .tags(.judges), .enabled(if: Judges.arePresent, Judges.absence),
    arguments: ["mxf mpeg2video", "ogv libtheora", "ts mpeg2video"])
  func a_truncated_file_yields_whole_frames_and_an_error(kind: String) throws {
    let words = kind.split(separator: " ")
    let path = folder.path("a.\(words[0])")
    try Judges.ffmpeg(
      "-f lavfi -i testsrc2=s=160x96:r=25:d=2 -pix_fmt yuv420p -c:v \(words[1]) \(path)")
    func read() throws -> (frames: Int, error: AssetReaderError?) {
      let reader = try AssetReader(path)
      var frames = 0
      do throws(AssetReaderError) {
        while try reader.nextSample() != nil { frames += 1 }
        return (frames, nil)
      } catch { return (frames, error) }
    }
    let whole = try read()
    #expect(whole.frames == 50 && whole.error == nil, "\(whole)")
    let bytes = try folder.bytes("a.\(words[0])")
    // Cut within a packet of a transport stream.
    try folder.write([UInt8](bytes.prefix(bytes.count * 6 / 10 / 188 * 188 + 17)), "a.\(words[0])")
    let cut = try read()
    #expect(cut.frames > 10 && cut.frames < 50, "\(cut)")
    #expect(cut.error?.code == .truncated, "\(cut)")
  }
}
