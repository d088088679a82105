import CFFmpeg
import MediaCore
import TestSupport
import Testing

@testable import AssetReader

/// HEVC in which every picture is a field.
@Suite(.tags(.judges), .enabled(if: Judges.arePresent, Judges.absence)) struct SingleFieldTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private static let frames = "-f lavfi -i testsrc2=s=128x96:r=25:d=0.4"

  @Test(arguments: [
    ("a.mp4", FieldOrder.topFieldFirst), ("a.ts", .bottomFieldFirst), ("a.mkv", .topFieldFirst),
  ])
  func single_fields_are_rejoined_into_their_frames(file: String, order: FieldOrder) throws {
    let (path, word) = (folder.path(file), order == .topFieldFirst ? "tff" : "bff")
    try Judges.ffmpeg(
      "\(Self.frames) -vf format=yuv420p,setfield=\(word),separatefields -c:v libx265 -preset ultrafast "
        + "-x265-params log-level=none:lossless=1:interlace=\(word) \(path)")
    let reader = try AssetReader(path)
    let track = try #require(reader.videoTrack)
    #expect(track.isOfSingleFields && track.frameRate == .fps25)
    #expect(track.video?.dimensions == VideoDimensions(width: 128, height: 96))
    #expect(track.video?.fieldOrder == order)
    #expect(reader.contents.remarks.map(\.subject) == ["scan"])
    let samples = try reader.allSamples()
    let frames = samples.compactMap(\.sampleBuffer.imageBuffer)
    #expect(frames.count == 10 && frames.allSatisfy { $0.details.fieldOrder == order })
    #expect(samples.map(\.index) == Array(0..<10))
    let start = try #require(samples.first?.sampleBuffer.presentationTimeStamp)
    for (number, sample) in samples.enumerated() {
      let time = sample.sampleBuffer.presentationTimeStamp - start
      #expect(abs(time.seconds - Double(number) / 25) < 0.001)
      #expect(!sample.sampleBuffer.attachments.isDamaged)
    }
    let judge = try Judges.ffmpeg("\(Self.frames) -vf format=yuv420p -f rawvideo -")
    let isSame = frames.flatMap(\.tightBytes) == judge
    #expect(isSame)
  }

  /// A poster frame, and a thumbnail from within a group of pictures, found by seeking.
  @Test(arguments: ["a.mp4", "a.ts", "a.mkv"])
  func a_thumbnail_of_single_fields_is_a_whole_frame(file: String) throws {
    let (path, judge) = (folder.path(file), folder.path("judge.mkv"))
    let frames = "-f lavfi -i testsrc2=s=128x96:r=25:d=4"
    try Judges.ffmpeg(
      "\(frames) -vf format=yuv420p,setfield=tff,separatefields -c:v libx265 -preset ultrafast "
        + "-x265-params log-level=none:lossless=1:interlace=tff:keyint=20 \(path)")
    try Judges.ffmpeg("\(frames) -vf format=yuv420p -c:v ffv1 \(judge)")
    let start = try #require(AssetReader(path).videoTrack).startTime
    for number in [0, 1, 49, 74, 99] {
      let offset = MediaTime(value: Int64(number) * 2 + 1, timescale: 50)
      var (generator, wanted) = (AssetImageGenerator(path: path), AssetImageGenerator(path: judge))
      (generator.time, wanted.time) = (start + offset, offset)
      let (frame, other) = (try generator.image(), try wanted.image())
      #expect(frame.width == 128 && frame.height == 96)
      let isSame = frame.samples == other.samples
      #expect(isSame, "frame \(number)")
    }
    #expect(try AssetImageGenerator(path: path).image().height == 96)
  }

  @Test func interlaced_frames_of_unknown_field_order_are_recognized() throws {
    try Judges.ffmpeg(
      "\(Self.frames) -pix_fmt yuv420p -c:v libx265 -preset ultrafast -x265-params log-level=none "
        + folder.path("a.mp4"))
    #expect(try AssetReader(folder.path("a.mp4")).videoTrack?.isMarkedInterlaced == false)
    var bytes = try folder.bytes("a.mp4")
    let code = Array("hvcC".utf8)
    let place = try #require(bytes.indices.last { bytes[$0...].starts(with: code) }) + 4
    try #require(bytes[place + 6] & 0xC0 == 0x80)
    bytes[place + 6] = 0x40
    try folder.write(bytes, "a.mp4")
    let track = try #require(AssetReader(folder.path("a.mp4")).videoTrack)
    #expect(track.isMarkedInterlaced && !track.isOfSingleFields)
  }

  @Test func the_source_scan_is_read_from_hevc_parameter_sets() {
    func scan(_ bytes: [UInt8]) -> [Bool]? {
      bytes.withUnsafeBytes { HEVCScan.source($0) }.map { [$0.isProgressive, $0.isInterlaced] }
    }
    let code: [UInt8] = [0, 0, 0, 1]
    let video = code + [0x40, 1, 0x0C, 1]
    #expect(scan(video + code + [0x42, 1, 1, 1, 0x60, 0, 0, 3, 0, 0x90, 0]) == [true, false])
    #expect(scan(video + code + [0x42, 1, 1, 1, 0x60, 0, 0, 3, 0, 0x40, 0]) == [false, true])
    #expect(scan([1, 1, 0x60, 0, 0, 0, 0xC0, 0]) == [true, true])
    #expect(scan(video) == nil && scan([]) == nil && scan([1, 1]) == nil)
    #expect(scan(video + code + [0x42, 1, 1]) == nil)
  }
}

/// Fields that are woven into frames.
@Suite struct FieldWeaverTests {
  /// A field of two lines of four gray pixels.
  private func field(_ code: UInt8, isTop: Bool?, at time: Int64) throws -> UnsafeMutablePointer<
    AVFrame
  > {
    let frame = try #require(av_frame_alloc())
    frame.pointee.format = AV_PIX_FMT_GRAY8.rawValue
    (frame.pointee.width, frame.pointee.height, frame.pointee.pts) = (4, 2, time)
    try #require(av_frame_get_buffer(frame, 0) >= 0)
    for line in 0..<2 {
      let place = try #require(frame.pointee.data.0) + line * Int(frame.pointee.linesize.0)
      place.update(repeating: code + UInt8(line), count: 4)
    }
    cffmpeg_set_fields(frame, isTop == nil ? 0 : 1, isTop == true ? 1 : 0)
    cffmpeg_frame_set_duration(frame, 1)
    return frame
  }

  /// A frame's lines, its time and its flags.
  private struct Woven: Equatable {
    var lines: [UInt8]
    var time: Int64
    var isTopFirst: Bool
    var isDamaged = false

    init(_ lines: [UInt8], at time: Int64, isTopFirst: Bool, isDamaged: Bool = false) {
      (self.lines, self.time) = (lines, time)
      (self.isTopFirst, self.isDamaged) = (isTopFirst, isDamaged)
    }

    init(_ frame: UnsafeMutablePointer<AVFrame>) throws {
      let values = frame.pointee
      let data = try #require(values.data.0)
      lines = (0..<Int(values.height)).map { data[$0 * Int(values.linesize.0)] }
      time = values.pts
      isTopFirst = cffmpeg_frame_is_top_field_first(frame) != 0
      isDamaged = cffmpeg_frame_is_corrupt(frame) != 0
      #expect(cffmpeg_frame_is_interlaced(frame) != 0 && cffmpeg_frame_duration(frame) == 2)
    }
  }

  /// - Parameter fields: The code of each field, and whether it is a top field; nil if it does not
  ///   say.
  private func woven(_ fields: [(UInt8, Bool?)]) throws -> [Woven] {
    let weaver = try FieldWeaver(name: "fields")
    var woven: [Woven] = []
    for (number, one) in fields.enumerated() {
      var frame: UnsafeMutablePointer<AVFrame>? = try field(one.0, isTop: one.1, at: Int64(number))
      defer { av_frame_free(&frame) }
      let field = try #require(frame)
      if try weaver.take(field) { woven.append(try Woven(field)) }
    }
    var frame = av_frame_alloc()
    defer { av_frame_free(&frame) }
    let rest = try #require(frame)
    if try weaver.finish(rest) { woven.append(try Woven(rest)) }
    return woven
  }

  @Test func the_first_field_sets_the_field_order() throws {
    #expect(
      try woven([(10, true), (20, false), (30, true), (40, false)]) == [
        Woven([10, 20, 11, 21], at: 0, isTopFirst: true),
        Woven([30, 40, 31, 41], at: 2, isTopFirst: true),
      ])
    #expect(
      try woven([(10, false), (20, true)]) == [Woven([20, 10, 21, 11], at: 0, isTopFirst: false)])
    #expect(
      try woven([(10, false), (20, nil)]) == [Woven([20, 10, 21, 11], at: 0, isTopFirst: false)])
  }

  @Test func a_field_without_its_partner_makes_a_damaged_frame() throws {
    #expect(
      try woven([(10, true), (30, true), (40, false), (50, true)]) == [
        Woven([10, 10, 11, 11], at: 0, isTopFirst: true, isDamaged: true),
        Woven([30, 40, 31, 41], at: 1, isTopFirst: true),
        Woven([50, 50, 51, 51], at: 3, isTopFirst: true, isDamaged: true),
      ])
  }
}
