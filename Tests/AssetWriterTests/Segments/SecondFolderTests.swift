import Foundation
import MediaCore
import QuickTime
import Synchronization
import TestSupport
import Testing

@testable import AssetWriter

/// Takes that are written to two folders.
@Suite(.tags(.judges)) struct SecondFolderTests {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    for name in ["a", "b"] { _ = try folder.makeFolder(name) }
  }

  private struct Taken {
    var report: AssetWriter.Report
    var error: AssetWriterError?
    var lost: [String]
  }

  /// Records four segments of ten frames; files fail according to the plan for their path.
  private func record(failing plans: [String: FaultyMovieFile.Plan] = [:]) async throws -> Taken {
    var configuration = AssetWriter.Configuration()
    configuration.secondFolder = folder.path("b")
    configuration.segments.maximumFrameCount = 10
    configuration.segments.numbersFirstFile = true
    configuration.movieFragmentInterval = MediaTime(value: 1, timescale: 10)
    let base = folder.url.path + "/"
    let writer = AssetWriter(
      outputURL: folder.url("a/take.mov"), configuration: configuration
    ) { url throws(QuickTimeError) in
      try FaultyMovieFile(
        path: url.path, plan: plans[String(url.path.dropFirst(base.count))] ?? .init())
    }
    let lost = Mutex<[String]>([])
    writer.segmentHandler = { event in
      if case .copyLost(let number, let copy) = event {
        let path = copy.path.dropFirst(base.count)
        lost.withLock { $0.append("\(number) \(path)") }
      }
    }
    let video = try writer.inputReceiver(
      for: AssetWriterInput(outputSettings: Recording.settings(encoder: .native)))
    try writer.start()
    try writer.startSession(atSourceTime: .zero)
    var failure: AssetWriterError?
    do {
      for number in 0..<40 { try await video.append(TestMedia.video(number)) }
      try await writer.finishWriting()
    } catch let error as AssetWriterError {
      failure = error
    }
    return Taken(report: writer.report, error: failure, lost: lost.withLock { $0 })
  }

  private func names(_ place: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.path(place)).sorted()
  }

  private static let all = (1...4).map { "take-00\($0).mov" }

  @Test func each_movie_is_in_both_folders_byte_for_byte() async throws {
    let taken = try await record()
    #expect(taken.error == nil && taken.lost.isEmpty)
    #expect(try names("a") == Self.all && names("b") == Self.all)
    for name in Self.all {
      let first = try Data(contentsOf: folder.url("a/\(name)"))
      #expect(try first == Data(contentsOf: folder.url("b/\(name)")))
    }
    for segment in taken.report.segments {
      #expect(segment.copies?.map(\.isWhole) == [true])
      #expect(try Judges.strictDecode(segment.path) == "")
    }
  }

  @Test(arguments: [AssetWriter.OverwritePolicy.refuse, .replace])
  func files_in_both_folders_are_replaced_only_if_allowed(
    _ policy: AssetWriter.OverwritePolicy
  ) async throws {
    for name in ["a/take.mov", "b/take.mov"] {
      try Data("x".utf8).write(to: folder.url(name))
    }
    var configuration = AssetWriter.Configuration()
    configuration.secondFolder = folder.path("b")
    configuration.overwritePolicy = policy
    // As a program gives it that has not resolved the path.
    let writer = try AssetWriter(
      outputURL: folder.url("b/../a/take.mov"), configuration: configuration)
    let video = try writer.inputReceiver(
      for: AssetWriterInput(outputSettings: Recording.settings(encoder: .native)))
    guard policy == .replace else {
      #expect(throws: AssetWriterError.self) { try writer.start() }
      #expect(try Data(contentsOf: folder.url("b/take.mov")) == Data("x".utf8))
      return
    }
    try writer.start()
    try writer.startSession(atSourceTime: .zero)
    for number in 0..<3 { try await video.append(TestMedia.video(number)) }
    try await writer.finishWriting()
    let movie = try Data(contentsOf: folder.url("a/take.mov"))
    #expect(try movie.count > 1000 && movie == Data(contentsOf: folder.url("b/take.mov")))
  }

  @Test(arguments: ["a", "b"])
  func a_take_continues_in_the_remaining_folder(_ lost: String) async throws {
    let taken = try await record(failing: ["\(lost)/take-002.mov": .init(failingWrite: 6)])
    let left = lost == "a" ? "b" : "a"
    #expect(taken.error == nil)
    #expect(taken.lost == ["2 \(lost)/take-002.mov"])
    #expect(try names(left) == Self.all)
    #expect(taken.report.segments.map(\.frameCount) == [10, 10, 10, 10])
    #expect(taken.report.segments.map(\.isValid) == [true, true, true, true])
    let lasting = folder.path(left)
    for (name, segment) in zip(Self.all, taken.report.segments) {
      let path = "\(lasting)/\(name)"
      #expect(try Judges.strictDecode(path) == "")
      let isInBoth = segment.copies?.map(\.isWhole) == [true]
      if isInBoth {
        // Begun before the fault, or before the slower disk had reached it.
        #expect(segment.number != 2)
        let first = try Data(contentsOf: folder.url("a/\(name)"))
        #expect(try first == Data(contentsOf: folder.url("b/\(name)")))
      } else {
        #expect(segment.number > 1 && segment.path == path)
        #expect(segment.copies?.map(\.isWhole) == [false])
      }
    }
  }

  @Test func a_take_does_not_begin_unless_both_files_can_be_created() async throws {
    try FileManager.default.removeItem(at: folder.url("b"))
    await #expect(throws: AssetWriterError.self) { try await record() }
    #expect(try names("a") == [])
  }
}
