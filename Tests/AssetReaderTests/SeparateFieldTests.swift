import MediaCore
import TestSupport
import Testing

@testable import AssetReader

/// H.264 with field pictures, each of which may be a packet of its own.
@Suite(.tags(.judges), .enabled(if: Judges.arePresent, Judges.absence)) struct SeparateFieldTests {
  private let folder: TemporaryFolder
  private let frames: [UInt8]

  init() throws {
    folder = try TemporaryFolder()
    frames = try Judges.ffmpeg(
      "-f lavfi -i testsrc2=s=128x96:r=25:d=0.4 -vf format=yuv420p -f rawvideo -")
  }

  private static let size = 128 * 96 * 3 / 2

  /// A file whose packets come at this rate.
  private func make(_ stream: FieldCodedH264, _ file: String, rate: Int) throws -> String {
    let (bare, path) = (folder.path("bare.h264"), folder.path(file))
    try folder.write(stream.stream(of: frames), "bare.h264")
    guard file != "bare.h264" else { return bare }
    try Judges.ffmpeg("-r \(rate) -i \(bare) -c copy -video_track_timescale 90000 \(path)")
    return path
  }

  @Test(
    arguments: [
      ("a.mp4", 50), ("a.mov", 50), ("a.mkv", 50), ("a.ts", 50), ("bare.h264", 25),
    ], [FieldOrder.topFieldFirst, .bottomFieldFirst])
  func two_field_packets_make_one_frame_at_the_frame_rate(
    _ form: (file: String, rate: Int), order: FieldOrder
  ) throws {
    let stream = FieldCodedH264(
      width: 128, height: 96, isTopFieldFirst: order == .topFieldFirst)
    let path = try make(stream, form.file, rate: form.rate)
    let reader = try AssetReader(path)
    let track = try #require(reader.videoTrack)
    #expect(track.frameRate == .fps25)
    #expect(track.sampleCount == nil || track.sampleCount == 10)
    let samples = try reader.allSamples()
    let images = samples.compactMap(\.sampleBuffer.imageBuffer)
    #expect(images.allSatisfy { $0.details.fieldOrder == order })
    #expect(samples.map(\.index) == Array(0..<10))
    let start = try #require(samples.first?.sampleBuffer.presentationTimeStamp)
    for (number, sample) in samples.enumerated() {
      let time = sample.sampleBuffer.presentationTimeStamp - start
      #expect(abs(time.seconds - Double(number) / 25) < 0.0011)
      #expect(sample.sampleBuffer.duration == FrameRate.fps25.frameDuration)
    }
    let isSame = images.flatMap(\.tightBytes) == frames
    #expect(isSame)
  }

  @Test(arguments: [("a.mp4", 50), ("a.mkv", 50), ("a.ts", 50), ("bare.h264", 25)])
  func frames_without_their_second_field_are_found(file: String, rate: Int) throws {
    var stream = FieldCodedH264(width: 128, height: 96, isTopFieldFirst: true)
    let whole = try AssetReader(try make(stream, file, rate: rate))
    _ = try whole.allSamples()
    #expect(whole.loneFields(of: 0).isEmpty)
    stream.lacksSecondField = [3, 7]
    // FFmpeg gives the packets of a bare stream their times only for MP4.
    var path = try make(stream, rate == 50 ? "b.mp4" : file, rate: rate)
    let packets = try Judges.packets(path, stream: "v:0").compactMap(\.pts)
    if rate == 50 {
      try Judges.ffmpeg("-i \(path) -c copy \(folder.path(file))", by: "ffmpeg")
      path = folder.path(file)
    }
    let reader = try AssetReader(path)
    let samples = try reader.allSamples()
    let start = try #require(samples.first?.sampleBuffer.presentationTimeStamp)
    #expect(samples.count < 10)
    let times = reader.loneFields(of: 0)
    #expect(times.count == 2)
    // A bare stream has no times.
    guard rate == 50 else { return }
    // FFmpeg leaves out the first frame if it cannot tell its time.
    let lost = 18 - packets.count
    for (time, packet) in zip(times, [6 - lost, 13 - lost]) {
      let wanted = Double(packets[packet] - packets[0]) / 90_000
      #expect(abs((time - start).seconds - wanted) < 0.0011)
    }
  }

  @Test(arguments: ["a.mp4", "a.mkv", "a.ts"])
  func frames_among_fields_do_not_change_the_rate(file: String) throws {
    var stream = FieldCodedH264(width: 128, height: 96, isTopFieldFirst: true)
    stream.isWhole = { $0 % 5 == 3 }
    let reader = try AssetReader(try make(stream, file, rate: 50))
    let samples = try reader.allSamples()
    #expect(samples.count == 10)
    let isSame = samples.compactMap(\.sampleBuffer.imageBuffer).flatMap(\.tightBytes) == frames
    #expect(isSame)
  }
}
