import AssetReader
import Foundation
import MediaCore
import TestSupport
import Testing

@testable import EncodeJobs
@testable import MovieExport

/// Where the decoding of a part begins: at its own sync frame if that is certainly sufficient.
@Suite(.tags(.judges), .enabled(if: Judges.arePresent, Judges.absence)) struct SourceFramesTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// A source with groups of ten frames.
  struct Source: Sendable, CustomTestStringConvertible {
    var name: String
    var options: String
    /// True if a part that begins with a group needs nothing from the group before.
    var isClosed: Bool

    var testDescription: String { name }
  }

  private static let x265 = "-c:v libx265 -preset ultrafast -x265-params log-level=none:keyint=10"
  static let sources = [
    Source(
      name: "closed.mp4", options: "-c:v libx264 -preset ultrafast -bf 2 -g 10", isClosed: true),
    Source(
      name: "closed.ts", options: "-c:v libx264 -preset ultrafast -bf 2 -g 10", isClosed: true),
    Source(
      name: "open.mp4",
      options: "-c:v libx264 -preset ultrafast -bf 2 -g 10 -x264-params open-gop=1",
      isClosed: false),
    Source(
      name: "closed.mkv", options: "\(x265):min-keyint=10:open-gop=0:bframes=2", isClosed: true),
    Source(
      name: "leading.mkv", options: "\(x265):min-keyint=10:open-gop=1:bframes=2", isClosed: true),
    Source(name: "mpeg2.mkv", options: "-c:v mpeg2video -bf 2 -g 10", isClosed: false),
    Source(name: "intra.mov", options: "-c:v prores_ks -profile:v 0", isClosed: true),
  ]

  /// A job with five parts of a source, and its session.
  private func plan(_ source: Source) throws -> (job: EncodeJob, session: AssetExportSession) {
    let path = folder.path(source.name)
    _ = try Judges.ffmpeg(
      "-f lavfi -i testsrc2=s=192x128:r=25:d=2 -pix_fmt "
        + "\(source.name == "intra.mov" ? "yuv422p10le" : "yuv420p") \(source.options) \(path)")
    let location = try AssetLocation(path)
    let sources = try ExportSources(
      [path], folder: folder.path("job/movies"), name: "{name}", codec: "lt", reusesNames: false)
    var planner = EncodeJobPlanner(
      sources, as: AssetExportSession(location: location, outputPath: ""),
      folder: folder.path("job"))
    planner.restartInterval = 10
    planner.division = .parts(5)
    let job = try planner.run()
    return (job, try job.plan.options.session(location, outputPath: ""))
  }

  @Test(arguments: sources)
  func a_part_is_decoded_from_the_nearest_sufficient_sync_frame(
    source: Source
  ) throws {
    let (job, session) = try plan(source)
    let index = try job.index(of: job.plan.sources[0])
    let opening = try JobOpening(session, threads: 1)
    let first = job.plan.parts[3].firstFrame
    let sync = try #require(index.sync(for: first))
    #expect(index.syncs[sync] <= first && sync > 1)
    let frames = try SourceFrames(index, from: first, through: index.count - 1, opening)
    let place = try #require(try frames.nextPicture()?.place)
    #expect(place == first)
    if source.isClosed {
      #expect(index.isClosed(sync) && frames.passedCount == first - index.syncs[sync])
    } else {
      #expect(!index.isClosed(sync) && frames.passedCount > first - index.syncs[sync])
      #expect(frames.passedCount < first, "not from the source's beginning")
    }
  }

  /// MPEG transport streams are searched by bytes, and begin with packets before the sync frame.
  @Test(arguments: sources.filter { $0.isClosed && $0.name != "closed.ts" })
  func nothing_is_decoded_beyond_the_wanted_frames(source: Source) throws {
    let (job, session) = try plan(source)
    let index = try job.index(of: job.plan.sources[0])
    for part in job.plan.parts.dropLast() {
      let (first, end) = (part.firstFrame, part.firstFrame + part.frameCount)
      var count = 0
      let opening = try JobOpening(session, for: first...end, of: index, threads: 8) { _ in
        count += 1
      }
      let frames = try SourceFrames(index, from: first, through: end, opening)
      for place in first...end { #expect(try frames.nextPicture()?.place == place) }
      // Besides its own: the source's first one, and two that are shown before an open group.
      #expect(count <= part.frameCount + 1 + 1 + 2, "\(first)")
      #expect(frames.passedCount == 0)
    }
  }

  /// The number of packets that a decoder takes before it outputs a source's first frame.
  private func packets(
    _ session: AssetExportSession, threads: Int, readsOn: Bool = true,
    overlapsFrames: Bool = true, readsAudio: Bool = false
  ) throws -> Int {
    var count = 0
    _ = try JobOpening(
      session, threads: threads, readsOn: readsOn, overlapsFrames: overlapsFrames,
      readsAudio: readsAudio
    ) { _ in count += 1 }
    return count
  }

  /// The decoders of the others do not delay frames for threads.
  @Test(arguments: sources.filter { !["intra.mov", "mpeg2.mkv"].contains($0.name) })
  func no_extra_packets_are_decoded_if_only_the_first_frame_is_wanted(
    source: Source
  ) throws {
    let (_, session) = try plan(source)
    let least = try packets(session, threads: 1)
    #expect(try packets(session, threads: 8) > least)
    #expect(try packets(session, threads: 8, readsOn: false) == least)
    #expect(try packets(session, threads: 8, overlapsFrames: false) == least)
    #expect(try packets(session, threads: 8, readsAudio: true) == least)
  }

  @Test(arguments: sources)
  func a_part_has_the_same_frames_however_the_source_is_opened(source: Source) throws {
    let (job, session) = try plan(source)
    let index = try job.index(of: job.plan.sources[0])
    for part in job.plan.parts {
      let isRead = SourceFrames.areFromBeginning(index, from: part.firstFrame)
      #expect(
        isRead == (index.sync(for: part.firstFrame).map { $0 < 1 } ?? true) || !source.isClosed)
      let digests = try [true, false].map { readsOn in
        let opening = try JobOpening(session, threads: 3, readsOn: readsOn)
        let frames = try SourceFrames(
          index, from: part.firstFrame, through: part.firstFrame + part.frameCount - 1, opening)
        return try (0..<part.frameCount).map { _ in
          let next = try #require(try frames.nextPicture())
          return FrameDigest.digest(try #require(next.sample.sampleBuffer.imageBuffer))
        }
      }
      #expect(digests[0] == digests[1] && Set(digests[0]).count > 1)
    }
  }
}
