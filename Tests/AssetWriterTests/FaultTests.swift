import Foundation
import MediaCore
import QuickTime
import Synchronization
import SystemPackage
import TestSupport
import Testing

@testable import AssetWriter

/// Failures of the disk, the file or an encoder.
@Suite struct FaultTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func writer(
    _ plan: FaultyMovieFile.Plan,
    encoder: @escaping VideoPreparation.MakeEncoder = EncoderFactory.makeEncoder
  ) throws -> (AssetWriter, AssetWriterInput.SampleBufferReceiver) {
    let path = folder.path("a.mov")
    let writer = AssetWriter(
      outputURL: URL(filePath: path), configuration: AssetWriter.Configuration(),
      makeEncoder: encoder
    ) { _ throws(QuickTimeError) in try FaultyMovieFile(path: path, plan: plan) }
    var settings = VideoOutputSettings(codec: .proRes422HQ, width: 128, height: 96)
    settings.frameRate = .fps25
    settings.encoder = .native
    let receiver = try writer.inputReceiver(for: AssetWriterInput(outputSettings: settings))
    try writer.start()
    try writer.startSession(atSourceTime: .zero)
    return (writer, receiver)
  }

  /// Appends until an append fails; returns the error and the number of accepted frames.
  private func fill(
    _ receiver: AssetWriterInput.SampleBufferReceiver, limit: Int = 2000
  ) async throws -> (AssetWriterError?, Int) {
    let frame = try TestMedia.frame(0, noise: 100)
    for number in 0..<limit {
      do throws(AssetWriterError) {
        try await receiver.append(
          SampleBuffer(
            .video(frame), presentationTimeStamp: FrameRate.fps25.time(ofFrame: Int64(number))))
      } catch {
        return (error, number)
      }
    }
    return (nil, limit)
  }

  @Test(.tags(.judges)) func a_full_disk_ends_writing_with_a_complete_movie() async throws {
    let (writer, receiver) = try writer(.init(capacity: (16 << 20) + 600_000))
    let (error, taken) = try await fill(receiver)
    #expect(error?.code == .diskFull)
    #expect(error?.errno == .noSpace)
    #expect(writer.status == .failed)
    #expect(writer.error?.recordingSuccessfullyFinished == true)
    // Every later call gets the error.
    let late = #expect(throws: AssetWriterError.self) {
      _ = try receiver.appendImmediately(TestMedia.video(0))
    }
    #expect(late?.code == .diskFull)
    let end = await #expect(throws: AssetWriterError.self) { try await writer.finishWriting() }
    #expect(end?.code == .diskFull)
    let path = folder.path("a.mov")
    #expect(try Judges.strictDecode(path) == "")
    let written = try Judges.packets(path, stream: "v:0").count
    #expect(written > 12 && written <= taken)
    #expect(writer.report.error?.message.contains("disk is full") == true)
  }

  @Test(.tags(.judges)) func a_failed_write_ends_writing_and_keeps_complete_fragments()
    async throws
  {
    for number in 1...7 {
      let (writer, receiver) = try writer(.init(failingWrite: number))
      let (error, _) = try await fill(receiver)
      #expect(error?.code == .fileFailed)
      #expect(error?.errno == .ioError)
      #expect(writer.status == .failed)
      // Nothing more can be written, not even an index: the file is a fragmented movie or empty.
      #expect(writer.error?.recordingSuccessfullyFinished == false)
      let path = folder.path("a.mov")
      // The header, then the media and the header of the first fragment.
      if number > 3 {
        #expect(try Judges.strictDecode(path) == "")
      } else {
        #expect(folder.contents == [])
      }
      try? FileManager.default.removeItem(atPath: path)
    }
  }

  @Test func a_failed_sync_ends_writing() async throws {
    let (writer, receiver) = try writer(.init(failingSync: 3))
    let (error, _) = try await fill(receiver)
    #expect(error?.code == .fileFailed)
    #expect(writer.status == .failed)
  }

  /// The first sync is that of the file's header, the second that of the first fragment.
  @Test func a_failed_first_fragment_sync_reports_the_movies_path() async throws {
    try "old".write(toFile: folder.path("a.mov"), atomically: true, encoding: .utf8)
    let (writer, receiver) = try writer(.init(onlyFailingSync: 2, mode: .overwrite))
    let events = Mutex<[String]>([])
    writer.segmentHandler = { event in
      switch event {
      case .began(_, let path): events.withLock { $0.append("began " + path) }
      case .changed(_, let change): events.withLock { $0.append("now " + (change.newPath ?? "")) }
      case .ended(let segment, _): events.withLock { $0.append("ended " + segment.path) }
      case .removed, .copyLost: events.withLock { $0.append("gone") }
      }
    }
    _ = try await fill(receiver)
    _ = await #expect(throws: AssetWriterError.self) { try await writer.finishWriting() }
    let own = folder.path("a.new.mov")
    let segment = try #require(writer.report.segments.first)
    #expect(segment.path == own && !segment.isValid && segment.frameCount > 0)
    #expect(events.withLock { $0 } == ["began " + own, "now " + own, "ended " + own])
    #expect(try String(contentsOfFile: folder.path("a.mov"), encoding: .utf8) == "old")
    let index = try MovieIndex(try PosixMovieFile(path: own, mode: .read))
    #expect(index.videoTrack?.samples.count == Int(segment.frameCount))
  }

  @Test(.tags(.judges)) func a_failing_encoder_ends_writing_with_a_valid_movie() async throws {
    let (writer, receiver) = try writer(.init()) { configuration, _ in
      EncoderPipeline(name: "fragile", workerCount: 2) { () throws(AssetWriterError) in
        FragileEncoder(try LibavFrameEncoder(configuration, kind: .proresKS), failingFrame: 40)
      }
    }
    let (error, taken) = try await fill(receiver, limit: 400)
    #expect(error?.code == .encodingFailed)
    #expect(taken >= 40)
    #expect(writer.status == .failed)
    #expect(writer.error?.recordingSuccessfullyFinished == true)
    let path = folder.path("a.mov")
    #expect(try Judges.strictDecode(path) == "")
    #expect((12...40).contains(try Judges.packets(path, stream: "v:0").count))
  }

  @Test(.tags(.judges)) func failure_to_create_an_encoder_refuses_only_that_frame() async throws {
    let attempts = Mutex(0)
    let (writer, receiver) = try writer(.init()) { configuration, choice throws(AssetWriterError) in
      let attempt = attempts.withLock { count in
        count += 1
        return count
      }
      guard attempt > 1 else {
        throw AssetWriterError(.outOfResources, "no memory for an encoder")
      }
      return try EncoderFactory.makeEncoder(configuration, choice)
    }
    let (error, taken) = try await fill(receiver, limit: 1)
    #expect(error?.code == .outOfResources)
    #expect(taken == 0)
    #expect(writer.status == .writing)
    _ = try await fill(receiver, limit: 5)
    try await writer.finishWriting()
    #expect(try Judges.packets(folder.path("a.mov"), stream: "v:0").count == 5)
  }

  /// On two disks, a full one may be noticed by a write that nobody awaited.
  @Test func every_full_disk_error_is_reported_as_disk_full() {
    for number in [Errno.noSpace, .diskQuotaExceeded] {
      let full = QuickTimeError(.diskFull, "no room", errno: number)
      #expect(AssetWriterError(full).code == .diskFull)
      #expect(AssetWriterError(QuickTimeError(.ioFailed, from: full)).code == .diskFull)
    }
    #expect(
      AssetWriterError(QuickTimeError(.ioFailed, "broken", errno: .ioError)).code == .fileFailed)
  }
}

/// An encoder that fails at a given frame.
private final class FragileEncoder: FrameEncoder {
  private let encoder: any FrameEncoder
  private let failingFrame: Int64

  init(_ encoder: any FrameEncoder, failingFrame: Int64) {
    self.encoder = encoder
    self.failingFrame = failingFrame
  }

  func encode(_ image: PixelBuffer, into frame: EncodedFrame) throws(AssetWriterError) {
    if frame.index == failingFrame {
      throw AssetWriterError(.encodingFailed, "frame \(failingFrame) cannot be encoded")
    }
    try encoder.encode(image, into: frame)
  }
}
