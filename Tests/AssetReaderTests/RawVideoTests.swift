import Foundation
import MediaCore
import TestSupport
import Testing

@testable import AssetReader

@Suite struct RawVideoTests {
  @Test(arguments: PixelFormat.allCases, [false, true])
  func every_layout_is_read_byte_for_byte(format: PixelFormat, maps: Bool) throws {
    let folder = try TemporaryFolder()
    let size = format.byteCount(width: 50, height: 6)
    var random = SeededGenerator(seed: 3)
    let bytes = (0..<size * 3).map { _ in UInt8.random(in: 0...255, using: &random) }
    let path = try folder.write(bytes, "clip.bin").path
    var options = AssetReader.Options()
    options.mapsRawFiles = maps
    let reader = try AssetReader(
      "\(path)?size=50x6&rate=25&format=\(format.rawValue)&fields=tff&color=hlg", options: options)
    #expect(reader.videoTrack?.sampleCount == 3)
    let samples = try reader.allSamples()
    let read = samples.compactMap(\.sampleBuffer.imageBuffer)
    #expect(read.allSatisfy { $0.format == format && $0.fieldOrder == .topFieldFirst })
    let isSame = read.flatMap(\.tightBytes) == bytes
    #expect(isSame)
    #expect(samples.map(\.sampleBuffer.presentationTimeStamp.seconds) == [0, 0.04, 0.08])
  }

  @Test(.tags(.judges), .enabled(if: Judges.arePresent, Judges.absence))
  func a_v210_file_from_ffmpeg_is_read() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("clip.v210")
    try Judges.ffmpeg(
      "-f lavfi -i testsrc2=size=256x32:rate=25 -frames:v 2 -c:v v210 -f rawvideo \(path)")
    let bytes = try folder.bytes("clip.v210")
    let samples = try AssetReader("\(path)?size=256x32&rate=25").allSamples()
    #expect(samples.count == 2)
    let isSame = samples.compactMap(\.sampleBuffer.imageBuffer).flatMap(\.tightBytes) == bytes
    #expect(isSame)
  }

  @Test(arguments: [false, true])
  func trailing_bytes_of_less_than_a_frame_are_reported(maps: Bool) throws {
    let folder = try TemporaryFolder()
    let path = try folder.write([UInt8](repeating: 9, count: 16 * 4 * 2 * 2 + 5), "a.uyvy").path
    var options = AssetReader.Options()
    options.mapsRawFiles = maps
    let reader = try AssetReader("\(path)?size=16x4&rate=25", options: options)
    #expect(try reader.nextSample() != nil)
    #expect(try reader.nextSample() != nil)
    let error = #expect(throws: AssetReaderError.self) { try reader.nextSample() }
    #expect(error?.code == .truncated)
    #expect(error?.message.contains("2 complete frames") == true)
    #expect(error?.message.contains("5 bytes more") == true)
    #expect(try reader.nextSample() == nil)
  }

  @Test(arguments: [
    ("a.v210?size=1921x1080&rate=25", "even width"),
    ("a.bin?size=32x31&rate=25&format=nv12", "even height"),
    ("a.bin?size=32x32&rate=abc&format=nv12", "invalid frame rate"),
    ("a.bin?size=32&rate=25&format=nv12", "invalid"),
    ("a.bin?size=99999x2&rate=25&format=nv12", "invalid"),
    ("a.bin?size=32x32&rate=25&format=nv99", "takes one of v210"),
    ("a.bin?size=32x32&rate=25", "takes one of v210"),
    ("a.v210?rate=25", "needs size and rate"), ("a.v210?size=32x32", "needs size and rate"),
    ("a.v210?size=32x32&rate=25&color=red", "unknown color"),
    ("a.v210?size=32x32&rate=25&range=half", "unknown range"),
    ("a.v210?size=32x32&rate=25&fields=up", "unknown field order"),
    ("?size=32x32", "no path"), ("", "path is empty"),
  ])
  func a_nonsensical_location_is_refused(text: String, part: String) {
    let error = #expect(throws: AssetReaderError.self) { try AssetLocation(text) }
    #expect(error?.code == .invalidArgument)
    #expect(error?.message.contains(part) == true, "\(error?.message ?? "")")
  }

  @Test func a_question_mark_in_a_file_name_is_not_a_separator() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write([UInt8](Y4MTests.file(frames: 1)), "what?size=1x1").path
    #expect(try AssetReader(path).allSamples().count == 1)
    #expect(try AssetLocation("a.mov?pace=none&loop").options == ["pace": "none", "loop": "yes"])
  }

  @Test func frames_outlive_their_reader_and_memory_is_reused() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write([UInt8](Y4MTests.file(frames: 50)), "a.y4m").path
    var reader: AssetReader? = try AssetReader(path)
    let kept = try #require(try reader?.nextSample()?.sampleBuffer.imageBuffer)
    var addresses: Set<UInt> = []
    while let frame = try reader?.nextSample()?.sampleBuffer.imageBuffer {
      _ = frame.withUnsafeBytes(ofPlane: 0) { addresses.insert(UInt(bitPattern: $0.baseAddress)) }
    }
    #expect(addresses.count == 1)
    reader = nil
    let isWhole = kept.tightBytes == (0..<48).map { UInt8($0) }
    #expect(isWhole)
  }
}
