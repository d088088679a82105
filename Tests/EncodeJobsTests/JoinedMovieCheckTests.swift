import AssetReader
import Foundation
import MediaCore
import QuickTime
import TestSupport
import Testing

@testable import EncodeJobs
@testable import MovieExport

/// Reading back a joined movie: every byte must be as it was written.
@Suite(.tags(.judges), .enabled(if: Judges.arePresent, Judges.absence)) struct JoinedMovieCheckTests
{
  @Test func a_changed_byte_anywhere_in_a_joined_movie_is_found() async throws {
    let folder = try TemporaryFolder()
    let input = folder.path("a.mov")
    _ = try Judges.ffmpeg(
      "-f lavfi -i testsrc2=s=192x128:r=25:d=1.2 -f lavfi -i sine=440:d=1.2 -pix_fmt yuv422p10le "
        + "-c:v prores_ks -profile:v 1 -timecode 01:00:00:00 -c:a pcm_s16le \(input)")
    let sources = try ExportSources(
      [input], folder: folder.path("job/movies"), name: "{name}", codec: "lt", reusesNames: false)
    let location = try AssetLocation(input)
    var planner = EncodeJobPlanner(
      sources, as: AssetExportSession(location: location, outputPath: ""),
      folder: folder.path("job"))
    planner.restartInterval = 10
    planner.division = .parts(2)
    let job = try planner.run()
    for number in job.plan.parts.indices { _ = try await PartEncoder(job, part: number).run() }
    let parts = try PartChecklist(job: job, source: 0).complete()
    let frames = PartFrames(parts)
    let path = folder.path("joined.mov")
    let made = try await JoinedExport(
      job: job, planned: job.plan.sources[0], parts: parts, frames: frames, outputPath: path,
      moviePath: path, onProgress: nil
    ).run()
    #expect(try faults(path, made.checksums, frames) == nil)
    #expect(
      made.checksums.file
        == (try folder.bytes("joined.mov").withUnsafeBytes { XXHash64.digest($0) }))

    let index = try MovieIndex(PosixMovieFile(path: path, mode: .read))
    let frame = try #require(index.videoTrack?.samples[7]).offset
    let audio = try #require(index.audioTracks.first?.samples[2000]).offset
    let timecode = try #require(index.tracks.first { $0.mediaType == .timecode }?.samples[0]).offset
    let first = try #require(index.videoTrack?.samples[0]).offset
    let places: [(UInt64, String)] = [
      (frame, "frame 7"), (audio, "audio track"), (timecode, "the file is not"),
      (first - 1, "the file is not"), (made.checksums.head.byteCount - 9, "header or index"),
    ]
    let whole = try folder.bytes("joined.mov")
    for (place, words) in places {
      var bytes = whole
      bytes[Int(place)] ^= 1
      try folder.write(bytes, "joined.mov")
      let fault = try faults(path, made.checksums, frames)
      #expect(fault?.contains(words) == true, "byte \(place): \(fault ?? "passed")")
    }
  }

  private func faults(
    _ path: String, _ written: MovieChecksums, _ frames: PartFrames
  ) throws -> String? {
    var check = JoinedMovieCheck(path: path)
    check.frames = frames.checksums
    check.beginnings = frames.beginnings
    check.written = written
    return switch try check.run() {
    case .whole: nil
    case .frameDiffers(let number, of: _): "frame \(number)"
    case .invalid(let reason): reason
    }
  }
}
