import Dispatch
import Foundation
import MediaCore
import QuickTime
import Synchronization
import TestSupport
import Testing

@testable import AssetWriter

/// When a program is asked for samples.
@Suite struct RequestTests {
  private let folder: TemporaryFolder
  private let queue = DispatchQueue(label: "feeder")

  init() throws { folder = try TemporaryFolder() }

  private func begin() throws -> (AssetWriter, AssetWriterInput) {
    let writer = try AssetWriter(path: folder.path("a.mov"))
    let input = AssetWriterInput(outputSettings: Recording.settings(encoder: .native))
    try writer.add(input)
    try writer.start()
    try writer.startSession(atSourceTime: .zero)
    return (writer, input)
  }

  @Test func a_block_that_appends_one_frame_is_called_until_it_finishes() async throws {
    let (writer, input) = try begin()
    let frames = FrameSource(count: 60)
    try input.requestMediaDataWhenReady(on: queue) {
      if let sample = frames.next() {
        do { try input.append(sample) } catch { Issue.record(error) }
      } else {
        try? input.markAsFinished()
        frames.finish()
      }
    }
    await frames.waitForEnd()
    let report = try await writer.finishWriting()
    #expect(report.video.first?.framesWritten == 60)
  }

  @Test func a_block_that_appends_nothing_is_called_again_after_a_pause() async throws {
    let (writer, input) = try begin()
    let calls = Atomic(0)
    let begun = ContinuousClock.now
    try input.requestMediaDataWhenReady(on: queue) {
      guard calls.add(1, ordering: .relaxed).newValue == 10 else { return }
      do {
        try input.append(TestMedia.video(0))
        try input.markAsFinished()
      } catch { Issue.record(error) }
    }
    try await eventually("the block is called ten times") { calls.load(ordering: .relaxed) >= 10 }
    #expect(begun.duration(to: .now) > .milliseconds(80))
    try await Task.sleep(for: .milliseconds(50))
    #expect(calls.load(ordering: .relaxed) == 10, "the input is finished")
    #expect(try await writer.finishWriting().video.first?.framesWritten == 1)
  }

  @Test(arguments: [true, false])
  func no_block_is_called_after_writing_finishes_or_is_cancelled(finishes: Bool) async throws {
    let (writer, input) = try begin()
    let calls = Atomic(0)
    let isOver = Atomic(false)
    let late = Atomic(0)
    try input.append(TestMedia.video(0))
    try input.requestMediaDataWhenReady(on: queue) {
      calls.add(1, ordering: .relaxed)
      if isOver.load(ordering: .acquiring) { late.add(1, ordering: .relaxed) }
    }
    try await eventually("the block is called") { calls.load(ordering: .relaxed) > 1 }
    if finishes { _ = try await writer.finishWriting() } else { writer.cancelWriting() }
    // A call that began earlier may still be running.
    queue.sync {}
    isOver.store(true, ordering: .releasing)
    try await Task.sleep(for: .milliseconds(60))
    #expect(late.load(ordering: .relaxed) == 0)
  }

  @Test func a_newer_request_replaces_the_earlier_one() async throws {
    let (writer, input) = try begin()
    let first = Atomic(0)
    let second = Atomic(0)
    try input.requestMediaDataWhenReady(on: queue) { first.add(1, ordering: .relaxed) }
    try await eventually("the block is called") { first.load(ordering: .relaxed) > 1 }
    try input.requestMediaDataWhenReady(on: queue) { second.add(1, ordering: .relaxed) }
    queue.sync {}
    let before = first.load(ordering: .relaxed)
    try await eventually("the newer block is called") { second.load(ordering: .relaxed) > 5 }
    #expect(first.load(ordering: .relaxed) == before)
    writer.cancelWriting()
  }

  @Test func a_block_is_called_once_after_a_failure() async throws {
    let path = folder.path("a.mov")
    let writer = AssetWriter(
      outputURL: URL(filePath: path), configuration: AssetWriter.Configuration(),
      makeEncoder: EncoderFactory.makeEncoder
    ) { _ throws(QuickTimeError) in
      try FaultyMovieFile(path: path, plan: .init(failingSync: 3))
    }
    let input = AssetWriterInput(outputSettings: Recording.settings(encoder: .native))
    try writer.add(input)
    try writer.start()
    try writer.startSession(atSourceTime: .zero)
    let number = Atomic(0)
    let after = Atomic(0)
    try input.requestMediaDataWhenReady(on: queue) {
      guard writer.status == .writing else {
        after.add(1, ordering: .relaxed)
        return
      }
      while input.isReadyForMoreMediaData {
        let next = number.add(1, ordering: .relaxed).oldValue
        guard (try? input.append(TestMedia.video(next))) != nil else { return }
      }
    }
    try await eventually("the failure is reported") { after.load(ordering: .relaxed) > 0 }
    try await Task.sleep(for: .milliseconds(60))
    #expect(after.load(ordering: .relaxed) == 1 && writer.status == .failed)
  }

  /// The loop of Apple's documentation, which ends at a failed append.
  private func pull(_ input: AssetWriterInput, _ loops: DispatchGroup, _ sample: @escaping Source) {
    loops.enter()
    let number = Atomic(0)
    do {
      try input.requestMediaDataWhenReady(on: DispatchQueue(label: "pull")) {
        while input.isReadyForMoreMediaData {
          let next = number.add(1, ordering: .relaxed).oldValue
          guard (try? input.append(sample(next))) == nil else { continue }
          try? input.markAsFinished()
          loops.leave()
          return
        }
      }
    } catch { Issue.record(error) }
  }

  private typealias Source = @Sendable (Int) throws -> SampleBuffer

  @Test func loops_of_two_inputs_end_when_the_file_fails() async throws {
    let path = folder.path("a.mov")
    let writer = AssetWriter(
      outputURL: URL(filePath: path), configuration: AssetWriter.Configuration(),
      makeEncoder: EncoderFactory.makeEncoder
    ) { _ throws(QuickTimeError) in
      try FaultyMovieFile(path: path, plan: .init(failingSync: 3))
    }
    let video = AssetWriterInput(outputSettings: Recording.settings(encoder: .native))
    let audio = AssetWriterInput(outputSettings: AudioOutputSettings(format: TestMedia.stereo24))
    for input in [video, audio] { try writer.add(input) }
    try writer.start()
    try writer.startSession(atSourceTime: .zero)
    let loops = DispatchGroup()
    pull(video, loops) { try TestMedia.video($0) }
    pull(audio, loops) { try TestMedia.audio(from: $0 * 1920, count: 1920) }
    #expect(await ends(loops))
    try await eventually("the writer fails") { writer.status == .failed }
    #expect(!video.isReadyForMoreMediaData && !audio.isReadyForMoreMediaData, "both are finished")
  }

  @Test func a_loop_that_begins_after_a_failure_ends() async throws {
    let path = folder.path("a.mov")
    let writer = AssetWriter(
      outputURL: URL(filePath: path), configuration: AssetWriter.Configuration(),
      makeEncoder: EncoderFactory.makeEncoder
    ) { _ throws(QuickTimeError) in
      try FaultyMovieFile(path: path, plan: .init(failingSync: 1))
    }
    let input = AssetWriterInput(outputSettings: Recording.settings(encoder: .native))
    try writer.add(input)
    try writer.start()
    try writer.startSession(atSourceTime: .zero)
    var number = 0
    try await eventually("the writer fails") {
      while writer.status == .writing, input.isReadyForMoreMediaData {
        try? input.append(TestMedia.video(number))
        number += 1
      }
      return writer.status == .failed
    }
    #expect(input.isReadyForMoreMediaData)
    let loops = DispatchGroup()
    pull(input, loops) { try TestMedia.video($0) }
    #expect(await ends(loops))
    #expect(!input.isReadyForMoreMediaData)
  }

  private func ends(_ loops: DispatchGroup) async -> Bool {
    await withCheckedContinuation { continuation in
      DispatchQueue.global().async {
        continuation.resume(returning: loops.wait(timeout: .now() + 30) == .success)
      }
    }
  }

  @Test func the_completion_handler_runs_outside_any_task() async throws {
    let (writer, input) = try begin()
    try input.append(TestMedia.video(0))
    let isTask = await withCheckedContinuation { continuation in
      writer.finishWriting {
        continuation.resume(returning: withUnsafeCurrentTask { $0 != nil })
      }
      // Refused from here on, as in AVFoundation.
      #expect(!input.isReadyForMoreMediaData)
    }
    #expect(!isTask && writer.status == .completed)
    await withCheckedContinuation { continuation in writer.finishWriting { continuation.resume() } }
  }
}
