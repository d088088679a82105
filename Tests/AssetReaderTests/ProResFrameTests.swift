import AssetReader
import Foundation
import MediaCore
import ProRes
import TestSupport
import Testing

/// ProRes, which is not decoded by libavcodec.
@Suite(.tags(.judges), .enabled(if: Judges.arePresent, Judges.absence))
struct ProResFrameTests {
  struct Case: Sendable, CustomTestStringConvertible {
    var options: String
    var source: String
    var file = "a.mov"
    var expected: PixelFormat
    var fieldOrder = FieldOrder.progressive
    var testDescription: String { "\(options) \(source) in \(file)" }
  }

  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func make(_ test: Case, frames: Int = 5) throws -> String {
    let path = folder.path(test.file)
    try Judges.ffmpeg(
      "-f lavfi -i testsrc2=size=162x98:rate=30000/1001 -frames:v \(frames) "
        + "-vf format=\(test.source),setparams=field_mode=\(test.fieldOrder == .progressive ? "prog" : "tff"):color_primaries=bt709:color_trc=bt709:colorspace=bt709 "
        + "-c:v prores_ks \(test.options) \(path)")
    return path
  }

  static let cases: [Case] = [
    Case(options: "-profile:v 0", source: "yuv422p10le", expected: .yuv422p10),
    Case(options: "-profile:v 3", source: "yuv422p10le", file: "a.mkv", expected: .yuv422p10),
    Case(
      options: "-profile:v 2 -flags +ildct -field_order tt", source: "yuv422p10le",
      expected: .yuv422p10, fieldOrder: .topFieldFirst),
    Case(options: "-profile:v 4", source: "yuv444p10le", expected: .yuv444p12),
    Case(
      options: "-profile:v 4 -alpha_bits 16", source: "yuva444p10le", expected: .yuva444p12),
  ]

  @Test(arguments: cases)
  func prores_frames_are_decoded_by_our_decoder_and_match_libavcodec(_ test: Case) throws {
    let path = try make(test)
    let name = try #require(test.expected.descriptor.libavName)
    let judge: [UInt8] = try Judges.ffmpeg("-i \(path) -f rawvideo -pix_fmt \(name) -")
    let packets = try packets(of: path)
    let samples = try AssetReader(path).allSamples()
    try #require(samples.count == 5 && packets.count == 5)
    let decoder = try ProResDecoder()
    // As in a program whose frames do not come from a file.
    let code = try #require(
      FourCharCode(test.expected == .yuv422p10 ? "apcn" : "ap4h"))
    let inMemory = try PacketDecoder(
      VideoFormatDescription(codec: code, dimensions: VideoDimensions(width: 162, height: 98)))
    var bytes: [UInt8] = []
    for (index, sample) in samples.enumerated() {
      let frame = try #require(sample.sampleBuffer.imageBuffer)
      #expect(frame.format == test.expected)
      #expect(frame.color.matrix == .bt709 && frame.fieldOrder == test.fieldOrder)
      #expect(frame.details == samples[0].sampleBuffer.imageBuffer?.details)
      #expect(sample.index == Int64(index) && sample.isKeyFrame)
      // Matroska counts milliseconds.
      let time = FrameRate.fps29_97.time(ofFrame: Int64(index))
      #expect((sample.sampleBuffer.presentationTimeStamp.seconds - time.seconds).magnitude < 0.001)
      let tight = frame.tightBytes
      let isOurs = try tight == decoder.decode(packets[index]).tightBytes
      #expect(isOurs, "frame \(index)")
      let decoded = try packets[index].withUnsafeBytes { try inMemory.decode($0, number: 7) }
      #expect(decoded.map(\.number) == [7])
      let isAlike = decoded.first?.buffer.tightBytes == tight
      #expect(isAlike, "frame \(index) in memory")
      bytes += tight
    }
    let (ours, theirs) = (
      Judges.words(Data(bytes), as: UInt16.self), Judges.words(Data(judge), as: UInt16.self)
    )
    try #require(ours.count == theirs.count)
    let farthest = zip(ours, theirs).map { abs(Int32($0) - Int32($1)) }.max() ?? 0
    #expect(farthest <= test.expected.descriptor.bitDepth - 8)
  }

  private func packets(of path: String) throws -> [[UInt8]] {
    let reader = try AssetReader(path)
    var packets: [[UInt8]] = []
    while let packet = try reader.nextPacket() {
      packets.append(packet.withUnsafeBytes { Array($0) })
    }
    return packets
  }

  /// The movie's bytes, and the offsets of its frames.
  private func frames(of path: String) throws -> (bytes: [UInt8], places: [Int]) {
    let bytes = [UInt8](try folder.bytes("a.mov"))
    let places = bytes.indices.filter { $0 >= 4 && bytes[$0...].starts(with: Array("icpf".utf8)) }
    return (bytes, places.map { $0 - 4 })
  }

  @Test func a_frame_header_with_other_colors_is_respected() throws {
    var (bytes, places) = try frames(of: make(Self.cases[0]))
    try #require(places.count == 5)
    // `color_primaries` of BT.2020.
    bytes[places[2] + 22] = 9
    let path = try folder.write(bytes, "b.mov").path
    let colors = try AssetReader(path).allSamples().map {
      $0.sampleBuffer.imageBuffer?.color.primaries
    }
    #expect(colors == [.bt709, .bt709, .bt2020, .bt709, .bt709])
  }

  @Test func a_damaged_frame_does_not_affect_the_others() throws {
    var (bytes, places) = try frames(of: make(Self.cases[0]))
    try #require(places.count == 5)
    let whole = try AssetReader(folder.path("a.mov")).allSamples().compactMap {
      $0.sampleBuffer.imageBuffer?.tightBytes
    }
    // Without its slice sizes a frame cannot be read.
    for place in places[2] + 160..<places[2] + 200 { bytes[place] = 0xFF }
    let path = try folder.write(bytes, "b.mov").path
    let reader = try AssetReader(path)
    var numbers: [Int64] = []
    for _ in 0..<8 {
      do throws(AssetReaderError) {
        guard let sample = try reader.nextSample() else { break }
        numbers.append(sample.index)
        guard sample.index != 2 else { continue }
        #expect(sample.sampleBuffer.imageBuffer?.tightBytes == whole[Int(sample.index)])
      } catch {
        #expect(error.code == .decodeFailed && error.message.contains("frame 2"))
      }
    }
    #expect(numbers.filter { $0 != 2 } == [0, 1, 3, 4])
  }
}
