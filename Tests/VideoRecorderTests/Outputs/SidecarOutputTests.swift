import AssetWriter
import CaptureTestSupport
import Foundation
import MediaCore
import MovieTools
import QuickTime
import Synchronization
import TestSupport
import Testing

@testable import CaptureDevices
@testable import TakeReports
@testable import VideoRecorder

/// The sidecars that a recording leaves beside its movies.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct SidecarOutputTests {
  private func sidecar(_ movie: String) throws -> TakeSidecar {
    try #require(try SidecarFile(ofMovie: movie).read())
  }

  /// A movie's checksums, computed by reading it, in the sidecar's form.
  private func sums(_ path: String) throws -> (file: String, frames: [String]) {
    let data = try Data(contentsOf: URL(filePath: path))
    let track = try #require(try MovieIndex(path: path).videoTrack)
    func sum(_ range: Range<Int>) -> String {
      data.withUnsafeBytes {
        XXHash64.text(XXHash64.digest(UnsafeRawBufferPointer(rebasing: $0[range])))
      }
    }
    return (
      sum(0..<data.count),
      track.samples.map { sum(Int($0.offset)..<Int($0.offset) + Int($0.size)) }
    )
  }

  @Test func a_sidecar_holds_the_request_the_report_and_checksums() async throws {
    let rig = try MovieRig()
    defer { rig.cleanUp() }
    rig.output.maxRecordedFrameCount = 12
    let report = try await rig.record { camera, microphone in
      try rig.feed(0..<14, camera, microphone, except: [4])
    }
    await rig.session.stop()
    #expect(report.sidecarError == nil)
    let sidecar = try sidecar(rig.url.path)
    #expect(sidecar.state == .complete && sidecar.fileName == "take.mov")
    #expect(sidecar.schema == "prores-recorder/sidecar" && sidecar.version == DocumentKind.version)
    #expect(sidecar.recording == report)
    #expect(sidecar.movie == report.segments.first)
    #expect(sidecar.request.codec == "hq")
    let (file, frames) = try sums(rig.url.path)
    #expect(sidecar.checksums?.file?.description == file)
    #expect(report.segments.first?.checksum == file)
    #expect(sidecar.checksums?.frames.map(\.description) == frames && frames.count == 12)
    #expect(sidecar.checksums?.audio.first?.runs.reduce(0) { $0 + $1.samples } == 12 * 1920)
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: rig.folder.path).sorted()
        == ["take.mov", "take.mov.json"])
    let verified = try MovieVerifier(path: rig.url.path).run()
    #expect(verified.isValid && verified.checksums?.fileAgrees == true)
    #expect(verified.checksums?.frameCount == 12 && verified.checksums?.sampleCount == 12 * 1920)
  }

  @Test(arguments: [true, false])
  func each_completed_movie_is_reported_once_in_its_final_state(hasSidecars: Bool) async throws {
    let rig = try MovieRig()
    defer { rig.cleanUp() }
    rig.output.segmentPolicy.maximumFrameCount = 10
    rig.output.maxRecordedFrameCount = 30
    rig.output.options.writesSidecar = hasSidecars
    let reported = Mutex<[(path: String, movie: Data?, sidecar: Data?)]>([])
    rig.output.completedMovieHandler = { path in
      let movie = try? Data(contentsOf: URL(filePath: path))
      let sidecar = try? Data(contentsOf: URL(filePath: path + ".json"))
      reported.withLock { $0.append((path, movie, sidecar)) }
    }
    let report = try await rig.record { camera, microphone in
      try rig.feed(0..<32, camera, microphone)
    }
    await rig.session.stop()
    try await eventually("all movies are reported") {
      reported.withLock { $0.count } >= report.segments.count
    }
    let all = reported.withLock { $0 }
    #expect(all.map(\.path) == report.segments.map(\.path) && all.count == 3)
    for movie in all {
      #expect(try Data(contentsOf: URL(filePath: movie.path)) == movie.movie)
      #expect(hasSidecars == (movie.sidecar != nil))
      #expect((try? Data(contentsOf: URL(filePath: movie.path + ".json"))) == movie.sidecar)
    }
  }

  /// The files on the disk while a take's second movie is recorded are what a kill would leave.
  @Test func a_recovered_movies_sidecar_describes_only_that_movie() async throws {
    let rig = try MovieRig()
    defer { rig.cleanUp() }
    rig.output.segmentPolicy.maximumFrameCount = 50
    rig.output.movieFragmentInterval = MediaTime(value: 1, timescale: 5)
    let start = try #require(Timecode("01:00:00:00", frameRate: .fps25))
    rig.output.options.timecodeSource = .start(start)
    let movie = rig.output.segmentPolicy.url(ofSegment: 2, of: rig.url)
    let killed = try TemporaryFolder()
    let copy = killed.url(movie.lastPathComponent)
    let report = try await rig.record { camera, microphone in
      try rig.feed(0..<90, camera, microphone, except: [3])
      try await eventually("the second movie has frames and a sidecar") {
        let frames = (try? MovieIndex(path: movie.path).videoTrack?.samples.count) ?? 0
        return frames >= 10 && FileManager.default.fileExists(atPath: movie.path + ".json")
      }
      try FileManager.default.copyItem(at: movie, to: copy)
      try FileManager.default.copyItem(atPath: movie.path + ".json", toPath: copy.path + ".json")
      rig.output.stopRecording()
    }
    await rig.session.stop()
    let outcome = try TakeRecovery.recover(path: copy.path)
    #expect(outcome.movie.wasRecovered && outcome.sidecarError == nil)
    let recovered = try sidecar(copy.path)
    #expect(recovered.state == .recovered)
    let recording = try #require(recovered.recording)
    let frames = recording.movie.frameCount
    #expect((10...40).contains(frames))
    #expect(recording.movie.path == movie.path)
    #expect(recording.movie.startTimecode == start.advanced(by: 50).description)
    #expect(recording.movie.endTimecode == start.advanced(by: 50 + frames).description)
    #expect(recording.movie.startTime == report.movie.startTime.map { $0 + 2 })
    #expect(recording.segments.isEmpty)
    #expect(report.incidents.contains { $0.frame == 3 })
    #expect(!recording.incidents.contains { $0.kind == .dropped || $0.kind == .repeated })
  }

  @Test func each_segment_has_a_sidecar_with_its_incidents() async throws {
    let rig = try MovieRig()
    defer { rig.cleanUp() }
    rig.output.segmentPolicy.maximumFrameCount = 10
    rig.output.maxRecordedFrameCount = 25
    rig.output.options.timecodeSource = .start(
      try #require(Timecode("01:00:00:00", frameRate: .fps25)))
    let report = try await rig.record { camera, microphone in
      try rig.feed(0..<30, camera, microphone, except: [3, 9, 10, 11, 22])
    }
    await rig.session.stop()
    #expect(report.segments.count == 3)
    var repeats: [[Int64]] = []
    for segment in report.segments {
      let sidecar = try sidecar(segment.path)
      #expect(sidecar.state == .complete && sidecar.movie?.number == segment.number)
      let (file, frames) = try sums(segment.path)
      #expect(sidecar.checksums?.frames.map(\.description) == frames)
      #expect(sidecar.checksums?.file?.description == file)
      #expect(sidecar.recording?.movie.startTimecode == segment.startTimecode)
      #expect(sidecar.recording?.movie.frameCount == segment.frameCount)
      let incidents = sidecar.recording?.incidents.filter { $0.kind == .repeated } ?? []
      repeats.append(
        incidents.flatMap { incident in (0..<Int64(incident.count)).map { incident.frame + $0 } })
      #expect(try MovieVerifier(path: segment.path).run().isValid)
    }
    #expect(repeats == [[3, 9], [0, 1], [2]])
    let last = try sidecar(try #require(report.segments.last?.path))
    #expect(last.recording?.end == .maximumDurationReached)
  }

  @Test func no_sidecar_is_written_unless_requested() async throws {
    let rig = try MovieRig(hasAudio: false)
    defer { rig.cleanUp() }
    rig.output.maxRecordedFrameCount = 3
    rig.output.options.writesSidecar = false
    let report = try await rig.record { camera, _ in try rig.feed(0..<4, camera, nil) }
    await rig.session.stop()
    #expect(report.segments.first?.checksum == nil && report.sidecarError == nil)
    #expect(try FileManager.default.contentsOfDirectory(atPath: rig.folder.path) == ["take.mov"])
    let verified = try MovieVerifier(path: rig.url.path).run()
    #expect(verified.isValid && verified.checksums == nil)
  }

  @Test func a_take_without_a_frame_leaves_no_sidecar() async throws {
    let rig = try MovieRig()
    defer { rig.cleanUp() }
    await #expect(throws: CaptureError.self) {
      try await rig.record { _, _ in rig.output.stopRecording() }
    }
    await rig.session.stop()
    #expect(try FileManager.default.contentsOfDirectory(atPath: rig.folder.path).isEmpty)
  }

  @Test func a_foreign_file_with_the_sidecars_name_is_kept() async throws {
    let rig = try MovieRig(hasAudio: false)
    defer { rig.cleanUp() }
    rig.output.maxRecordedFrameCount = 3
    let place = rig.url.path + ".json"
    try "precious".write(toFile: place, atomically: true, encoding: .utf8)
    let report = try await rig.record { camera, _ in try rig.feed(0..<4, camera, nil) }
    await rig.session.stop()
    #expect(report.isValid && report.outcome == .complete)
    #expect(report.sidecarError?.message.contains(place) == true)
    #expect(try String(contentsOfFile: place, encoding: .utf8) == "precious")
  }

  @Test func a_stale_sidecar_is_replaced_when_the_movie_begins() async throws {
    let rig = try MovieRig(hasAudio: false)
    defer { rig.cleanUp() }
    rig.output.maxRecordedFrameCount = 3
    _ = try await rig.record { camera, _ in try rig.feed(0..<4, camera, nil) }
    try FileManager.default.removeItem(at: rig.url)
    #expect(try sidecar(rig.url.path).state == .complete)
    rig.output.maxRecordedFrameCount = 500
    _ = try await rig.record { camera, _ in
      try rig.feed(0..<4, camera, nil)
      try await eventually("the sidecar describes the recording") {
        try sidecar(rig.url.path).state == .recording
      }
      let now = try sidecar(rig.url.path)
      #expect(now.state == .recording && now.checksums == nil && now.movie == nil)
      #expect(now.recording?.source.deviceID == rig.camera.uniqueID)
      rig.output.stopRecording()
    }
    await rig.session.stop()
    #expect(try sidecar(rig.url.path).checksums?.frames.count == 4)
  }
}
