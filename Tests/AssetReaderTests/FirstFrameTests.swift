import Foundation
import MediaCore
import TestSupport
import Testing

@testable import AssetReader

/// Sources whose first frames cannot be decoded.
@Suite(.tags(.judges), .enabled(if: Judges.arePresent, Judges.absence)) struct FirstFrameTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// The first frame that decodes, and its frame number by the packets' timestamps.
  private func first(_ path: String) throws -> (sample: AssetSample, place: Int64?) {
    let reader = try AssetReader(path)
    try reader.select([try #require(reader.videoTrack).id])
    var sample: AssetSample?
    while sample == nil {
      do { sample = try reader.nextSample() } catch {
        guard error.code == .decodeFailed else { throw error }
      }
    }
    let packets = try AssetReader(path)
    try packets.select(reader.selectedTracks)
    var earliest: MediaTime?
    for _ in 0..<12 {
      guard let time = try packets.nextPacket()?.presentationTimeStamp else { break }
      earliest = min(earliest ?? time, time)
    }
    let frame = try #require(sample)
    let time = frame.sampleBuffer.presentationTimeStamp - (try #require(earliest))
    return (frame, FrameRate.fps25.frameIndex(nearest: time))
  }

  @Test(arguments: ["mpeg2video -bf 2 -g 12", "libx264 -preset ultrafast -bf 2 -g 12"])
  func the_first_frame_is_numbered_by_its_packet(codec: String) throws {
    let path = folder.path("long.ts")
    try Judges.ffmpeg(
      "-f lavfi -i testsrc2=s=192x128:r=25:d=2 -pix_fmt yuv420p -c:v \(codec) \(path)")
    #expect(try first(path).sample.index == 0)
    try Judges.ffmpeg("-ss 0.6 -i \(path) -c copy \(folder.path("cut.ts"))")
    let (sample, place) = try first(folder.path("cut.ts"))
    #expect(sample.index == place)
    #expect(place == (codec.hasPrefix("mpeg2") ? 2 : 0))
  }

  /// The first timestamp is 5 s, ahead of those that follow; no frame may be lost.
  @Test(arguments: [1, 4]) func a_first_timestamp_far_ahead_loses_no_frame(
    threads: Int
  ) throws {
    let path = folder.path("even.flv")
    try Judges.ffmpeg(
      "-f lavfi -i testsrc2=s=192x128:r=25:d=2 -pix_fmt yuv420p -c:v libx264 -preset ultrafast -bf 0 \(path)"
    )
    let odd = folder.path("odd.flv")
    try Judges.ffmpeg("-i \(path) -c copy -bsf:v setts=pts=if(eq(N\\,0)\\,5000\\,PTS) \(odd)")
    var options = AssetReader.Options()
    options.threadCount = threads
    let reader = try AssetReader(odd, options: options)
    try reader.select([try #require(reader.videoTrack).id])
    #expect(try reader.nextSample()?.index == 0)
  }

  @Test func a_decode_failure_has_the_time_of_its_packet() throws {
    let path = folder.path("a.mov")
    try Judges.ffmpeg("-f lavfi -i testsrc2=s=192x128:r=25:d=1 -c:v mjpeg -q:v 4 \(path)")
    var bytes = try folder.bytes("a.mov")
    let packet = try #require(try Judges.packets(path, stream: "v:0").dropFirst(7).first)
    let start = try #require(packet.pos.flatMap { Int($0) })
    for place in start..<start + (try #require(Int(packet.size))) { bytes[place] = 0 }
    let reader = try AssetReader(try folder.write(bytes, "b.mov").path)
    var failures: [ClosedRange<MediaTime>?] = []
    while true {
      do { guard try reader.nextSample() != nil else { break } } catch {
        failures.append(error.times)
      }
    }
    let time = MediaTime(value: 7, timescale: 25)
    #expect(failures == [time...time])
  }
}
