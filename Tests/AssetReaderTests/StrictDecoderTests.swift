import Foundation
import MediaCore
import TestSupport
import Testing

@testable import AssetReader

@Suite(.tags(.judges), .enabled(if: Judges.arePresent, Judges.absence))
struct StrictDecoderTests {
  private static func movie(
    _ folder: TemporaryFolder, _ name: String = "a.mov", options: String = ""
  ) throws -> String {
    let path = folder.path(name)
    try Judges.ffmpeg(
      "-f lavfi -i testsrc2=size=320x180:rate=24000/1001 -f lavfi -i sine=r=48000 -ac 2 "
        + "-t 0.83 -c:v prores_ks -profile:v 3 "
        + "-vf setparams=color_primaries=bt709:color_trc=bt709:colorspace=bt709 -c:a pcm_s24le \(options) \(path)"
    )
    return path
  }

  @Test func a_good_movie_is_clean_and_counted() throws {
    let folder = try TemporaryFolder()
    let path = try Self.movie(folder)
    var decoder = StrictDecoder(path: path)
    var packets = 0
    var frames: [DecodedFrame] = []
    var bytes: [UInt8] = []
    var audioFrames = 0
    decoder.onPacket = { track, packet in
      packets += 1
      #expect(track.codecTag == "apch")
      #expect(packet.withUnsafeBytes { Array($0[4..<8]) } == Array("icpf".utf8))
    }
    decoder.onFrame = { frame, buffer in
      frames.append(frame)
      bytes += buffer?.tightBytes ?? []
    }
    decoder.onAudio = { _, buffer, first in
      #expect(first == Int64(audioFrames))
      audioFrames += buffer.frameCount
    }
    let report = try decoder.run()
    #expect(report.isClean, "\(report.findings)")
    let video = try #require(report.tracks.first { $0.track.mediaType == .video })
    let audio = try #require(report.tracks.first { $0.track.mediaType == .audio })
    #expect(video.sampleCount == 20 && video.packetCount == 20 && packets == 20)
    #expect(video.duration == MediaTime(value: 20 * 1001, timescale: 24000))
    #expect(audio.sampleCount == 39840 && audioFrames == 39840)
    #expect(audio.duration == MediaTime(value: 39840, timescale: 48000))
    #expect(frames.map(\.index) == Array(0..<20))
    #expect(frames.allSatisfy { $0.isKeyFrame && $0.color == .bt709 })
    #expect(frames.allSatisfy { $0.fieldOrder == .progressive })
    #expect(
      frames.map(\.presentationTimeStamp)
        == (0..<20).map { MediaTime(value: $0 * 1001, timescale: 24000) })
    let judge = try Judges.ffmpeg("-i \(path) -map v -f rawvideo -")
    let isSame = bytes == judge
    #expect(isSame)
  }

  @Test func known_frames_are_counted_but_not_decoded() throws {
    let folder = try TemporaryFolder()
    let path = try Self.movie(folder)
    var decoder = StrictDecoder(path: path)
    var decoded: [Int64] = []
    decoder.isKnown = { _, packet in packet.index % 3 != 0 }
    decoder.onFrame = { frame, _ in decoded.append(frame.index) }
    let report = try decoder.run()
    #expect(report.isClean)
    let video = try #require(report.tracks.first { $0.track.mediaType == .video })
    #expect(video.sampleCount == 20 && video.packetCount == 20)
    #expect(video.duration == MediaTime(value: 20 * 1001, timescale: 24000))
    #expect(decoded == [0, 3, 6, 9, 12, 15, 18])
  }

  @Test(arguments: [0, 7, 19])
  func a_damaged_frame_is_found_by_number(frame: Int) throws {
    let folder = try TemporaryFolder()
    let path = try Self.movie(folder)
    let reader = try AssetReader(path)
    try reader.select([try #require(reader.videoTrack).id])
    var position = 0
    while let packet = try reader.nextPacket() {
      if packet.index == frame { position = Int(try #require(packet.filePosition)) }
    }
    var bytes = try folder.bytes("a.mov")
    // The size in the picture header, after the frame header of 148 bytes: the picture now seems
    // larger than the frame.
    let header = Int(bytes[position + 8]) << 8 | Int(bytes[position + 9])
    bytes[position + 8 + header + 1] = 0xFF
    let report = try StrictDecoder(path: try folder.write(bytes, "b.mov").path).run()
    #expect(!report.isClean)
    let first = try #require(report.firstError)
    #expect(first.trackID == reader.videoTrack?.id)
    #expect(first.index == Int64(frame))
    #expect(!first.message.contains("\n"))
    let video = try #require(report.tracks.first { $0.track.mediaType == .video })
    #expect(video.sampleCount == 19)
    #expect(video.errorCount == 1, "\(report.findings)")
    var stopping = StrictDecoder(path: folder.path("b.mov"))
    stopping.stopsAtFirstError = true
    #expect(try stopping.run().findingCount == 1)
  }

  @Test func a_movie_that_ends_early_is_not_clean() throws {
    let folder = try TemporaryFolder()
    _ = try Self.movie(folder, options: "-movflags +faststart")
    let bytes = try folder.bytes("a.mov")
    for part in [3, 5, 9] {
      let path = try folder.write([UInt8](bytes.prefix(bytes.count * part / 10)), "cut.mov").path
      let report = try StrictDecoder(path: path).run()
      #expect(!report.isClean)
      let video = try #require(report.tracks.first { $0.track.mediaType == .video })
      #expect(video.sampleCount < 20)
    }
  }

  @Test(arguments: ["libx264 -g 10 -bf 2", "mpeg2video", "prores_ks", "ffv1 -level 3 -slicecrc 1"])
  func files_with_ffmpeg_errors_are_never_clean(codec: String) throws {
    let folder = try TemporaryFolder()
    let path = folder.path("a.mkv")
    try Judges.ffmpeg("-f lavfi -i testsrc2=size=192x128 -frames:v 20 -c:v \(codec) \(path)")
    #expect(try StrictDecoder(path: path).run().isClean)
    let whole = try folder.bytes("a.mkv")
    var places: [(position: Int, count: Int)] = []
    let reader = try AssetReader(path)
    while let packet = try reader.nextPacket() {
      // Matroska's file position is that of the packet's block; the packet's bytes follow shortly
      // after.
      places.append((Int(try #require(packet.filePosition)) + 16, packet.byteCount - 16))
    }
    var random = SeededGenerator(seed: 5)
    var complaints = 0
    for _ in 0..<6 {
      var bytes = whole
      let place = try #require(places.randomElement(using: &random))
      for _ in 0..<24 {
        bytes[place.position + Int.random(in: 0..<place.count, using: &random)] ^= 0x5A
      }
      let damaged = try folder.write(bytes, "b.mkv").path
      guard try !Judges.strictDecode(damaged, of: "ffmpeg").isEmpty else { continue }
      complaints += 1
      #expect(try !StrictDecoder(path: damaged).run().isClean)
    }
    // Without complaints nothing was tested; only ProRes has almost no redundancy.
    #expect(complaints > 0 || codec == "prores_ks")
  }
}
