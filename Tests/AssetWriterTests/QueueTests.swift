import Foundation
import MediaCore
import ProRes
import TestSupport
import Testing

@testable import AssetWriter

/// How much may wait between a live source, the encoder and the disk, and what the report says
/// about it.
@Suite struct QueueTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func queue(
    _ codec: VideoCodecType, _ width: Int, _ height: Int, _ rate: FrameRate
  ) throws -> (queue: VideoPreparation.Queue, frameBytes: Int) {
    let profile = try #require(ProResProfile(codec))
    let frameBytes = profile.targetFrameBytes(width: width, height: height)
    let queue = VideoPreparation.Queue(
      VideoOutputSettings(codec: codec, width: width, height: height, frameRate: rate),
      preferred: 3, rate: rate,
      frameByteCount: PixelFormat.v210.byteCount(width: width, height: height),
      frameBytes: frameBytes, isRealTime: true)
    return (queue, frameBytes)
  }

  @Test func a_live_sources_queue_holds_one_to_two_seconds() throws {
    let sizes = [(1280, 720), (1920, 1080), (3840, 2160), (7680, 4320), (8192, 4320)]
    for (width, height) in sizes {
      for rate in [FrameRate.fps24, .fps25, .fps29_97, .fps50, .fps59_94, .fps60] {
        for codec in VideoCodecType.allProRes {
          let (queue, frameBytes) = try queue(codec, width, height, rate)
          let seconds = Double(queue.frames) / rate.framesPerSecond
          #expect((1...2.1).contains(seconds), "\(codec) \(width)x\(height) at \(rate)")
          let bytes = queue.frames * frameBytes
          #expect(
            bytes <= VideoPreparation.Queue.frameBytes + frameBytes
              || seconds < 1 + 1.1 / rate.framesPerSecond)
        }
      }
    }
  }

  @Test func the_queue_for_uhd_at_60_fps_takes_less_than_500_mb() throws {
    let (queue, frameBytes) = try queue(.proRes422HQ, 3840, 2160, .fps60)
    let encoderDepth = queue.encoderDepth * PixelFormat.v210.byteCount(width: 3840, height: 2160)
    #expect(queue.frames * frameBytes + encoderDepth < 500_000_000)
    // As many as a device has buffers, so that what it kept in a stall is accepted immediately.
    #expect(
      queue.encoderDepth
        >= FrameBudget.affordableFrames(
          ofBytes: PixelFormat.v210.byteCount(width: 3840, height: 2160)))
  }

  @Test func the_queue_for_8k_holds_eight_unencoded_frames() throws {
    let (queue, _) = try queue(.proRes422HQ, 7680, 4320, .fps30)
    #expect(queue.frames >= 30)
    #expect(queue.encoderDepth == 8)
  }

  @Test func latencies_count_from_the_capture_time_of_each_frame() async throws {
    let writer = try AssetWriter(path: folder.path("a.mov"))
    writer.configuration.movieFragmentInterval = MediaTime(value: 1, timescale: 5)
    let input = AssetWriterInput(outputSettings: Recording.settings(encoder: .native))
    input.expectsMediaDataInRealTime = true
    let receiver = try writer.inputReceiver(for: input)
    try writer.start()
    try writer.startSession(atSourceTime: .zero)
    let second: Int64 = 1_000_000_000
    for number in 0..<20 {
      var sample = try TestMedia.video(number)
      // Captured two seconds ago; every other frame has no capture time and counts from now.
      if number % 2 == 0 {
        sample.attachments.captureTime = MediaTime(
          value: MonotonicClock.now - 2 * second, timescale: Int32(second))
      }
      try await receiver.append(sample)
    }
    let report = try await writer.finishWriting()
    let track = try #require(report.video.first)
    #expect(track.latency.count == 20)
    #expect(track.fileLatency.count == 20)
    #expect(track.latency.maximum >= 2000)
    #expect(track.latency.mean >= 1000)
    #expect(track.fileLatency.mean >= track.latency.mean)
    #expect(track.fileLatency.percentile999 <= track.fileLatency.maximum)
    #expect(track.largestQueue > 0)
    #expect(track.queueDuration == Double(track.queueDepth) / 25)
  }

  @Test func a_repeated_frames_latency_is_counted_once() async throws {
    let writer = try AssetWriter(path: folder.path("a.mov"))
    let receiver = try writer.inputReceiver(
      for: AssetWriterInput(outputSettings: Recording.settings(encoder: .native)))
    try writer.start()
    try writer.startSession(atSourceTime: .zero)
    for number in [0, 1, 5, 6, 20] { try await receiver.append(TestMedia.video(number)) }
    let report = try await writer.finishWriting()
    #expect(report.video.first?.framesWritten == 21)
    #expect(report.video.first?.fileLatency.count == 5)
  }

  @Test func only_live_sources_raise_thread_priority() async throws {
    for isRealTime in [false, true] {
      let writer = try AssetWriter(path: folder.path("\(isRealTime).mov"))
      var settings = Recording.settings(encoder: .native)
      settings.encoderThreads = 3
      let input = AssetWriterInput(outputSettings: settings)
      input.expectsMediaDataInRealTime = isRealTime
      let receiver = try writer.inputReceiver(for: input)
      try writer.start()
      try writer.startSession(atSourceTime: .zero)
      for number in 0..<3 { try await receiver.append(TestMedia.video(number)) }
      let report = try await writer.finishWriting()
      #expect(
        report.threads.map(\.thread).sorted() == [
          "encode-0", "movie-writer", "prores-1", "prores-2",
        ])
      let plain = ThreadScheduling.current
      for thread in report.threads where !isRealTime || getuid() != 0 {
        #expect(thread.policy == .timeSharing)
        if !isRealTime { #expect(thread.niceness == plain.niceness) }
      }
    }
  }
}
