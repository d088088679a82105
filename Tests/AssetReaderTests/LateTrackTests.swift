import Foundation
import MediaCore
import TestSupport
import Testing

@testable import AssetReader

/// Tracks that begin after the part of a file that is probed for tracks.
@Suite(.tags(.judges), .enabled(if: Judges.arePresent, Judges.absence)) struct LateTrackTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// A stream with a second audio track from 8 s on.
  ///
  /// - Parameter isHidden: True if neither the beginning nor the end of the file announces that
  ///   track.
  private func stream(isHidden: Bool) throws -> String {
    var parts: [(seconds: Int, audioTracks: Int, offset: Int)] = [(8, 1, 0), (2, 2, 8)]
    if isHidden { parts.append((2, 1, 10)) }
    var bytes: [UInt8] = []
    for part in parts {
      let name = "\(part.offset).ts"
      let audio = " -f lavfi -i sine=440:d=\(part.seconds)"
      let maps = (0...part.audioTracks).map { " -map \($0)" }.joined()
      // Padding, because libavformat probes five million bytes.
      let padding = isHidden && part.audioTracks == 1 ? " -muxrate \(64 / part.seconds)M" : ""
      let inputs =
        "-f lavfi -i testsrc2=s=192x128:r=25:d=\(part.seconds)"
        + String(repeating: audio, count: part.audioTracks)
      let output =
        " -c:v mpeg2video -c:a mp2\(padding) -output_ts_offset \(part.offset) " + folder.path(name)
      try Judges.ffmpeg(inputs + maps + output)
      bytes += try folder.bytes(name)
    }
    try folder.write(bytes, "late.ts")
    return folder.path("late.ts")
  }

  @Test(arguments: [false, true])
  func a_late_track_is_reported_with_its_start_time(isHidden: Bool) throws {
    let reader = try AssetReader(try stream(isHidden: isHidden))
    #expect(reader.tracks.count == 2 && reader.lateTracks.isEmpty)
    // The track is reported once, whether or not the file announces it.
    #expect(reader.contents.otherTracks.isEmpty, "\(reader.contents.otherTracks)")
    while true {
      do { guard try reader.nextSample() != nil else { break } } catch {
        guard error.code == .decodeFailed else { throw error }
      }
    }
    let late = try #require(reader.lateTracks.first)
    #expect(reader.lateTracks.count == 1 && late.id == 2)
    #expect(late.kind == "audio" && late.codecName == "mp2")
    let start = try #require(reader.videoTrack).startTime
    let seconds = (late.startTime - start).seconds
    #expect(seconds > 7.8 && seconds < 8.2, "\(seconds)")
  }

  @Test func a_strict_decode_with_an_undecoded_track_is_not_clean() throws {
    let report = try StrictDecoder(path: try stream(isHidden: true)).run()
    let finding = try #require(report.findings.first { $0.message.contains("starts later") })
    #expect(finding.trackID == 2 && finding.message.contains("audio track 2 (mp2)"))
    #expect(report.tracks.count == 2 && !report.isClean)
  }

  @Test func only_packets_of_selected_tracks_are_read() throws {
    let reader = try AssetReader(try stream(isHidden: true))
    let video = try #require(reader.videoTrack)
    try reader.select([video.id])
    var count = 0
    while let packet = try reader.nextPacket() {
      #expect(packet.trackID == video.id)
      count += 1
    }
    #expect(count == 300 && reader.lateTracks.map(\.id) == [2])
  }
}
