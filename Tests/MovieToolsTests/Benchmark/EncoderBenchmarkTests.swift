import AssetReader
import AssetWriter
import Foundation
import MediaCore
import Synchronization
import TestSupport
import Testing

@testable import MovieTools
@testable import VideoRecorder

/// The comparison of encoders, with frames so small that it takes hardly any time.
@Suite struct EncoderBenchmarkTests {
  private let size = VideoDimensions(width: 160, height: 96)

  @Test func every_encoder_is_measured_and_its_frames_decode() throws {
    var benchmark = EncoderBenchmark()
    benchmark.sizes = [size]
    benchmark.codecs = [.proRes422HQ, .proRes4444]
    benchmark.duration = 2
    var report = try benchmark.runBlocking()
    // On a busy machine it takes longer until each encoder has had its turn.
    while report.results.contains(where: { $0.omission != nil }), benchmark.duration < 120 {
      benchmark.duration *= 4
      report = try benchmark.runBlocking()
    }
    #expect(report.results.count == 6)
    #expect(Set(report.results.map(\.encoder)).count == 3)
    for result in report.results {
      #expect(result.omission == nil)
      #expect(result.frameCount > 0 && result.framesInParallel >= result.roundsInParallel)
      // A machine too busy for a single round gives no figure.
      let hasRounds = result.roundsInParallel > 0
      #expect(hasRounds == (result.framesPerSecond > 0))
      // An encoder uses some processor time in any round.
      #expect(hasRounds == (result.processorsInParallel > 0))
      #expect((result.framesPerSecondSpread == nil) == (result.roundsInParallel < 3))
      #expect(result.leastMilliseconds > 0)
      #expect(result.leastMilliseconds <= result.medianMilliseconds)
      #expect((result.cores - result.medianMilliseconds / 1000 * 60).magnitude < 1e-9)
      // The wrong frame would be below 20.
      #expect(result.psnr > 30, "\(result)")
      #expect(result.bytesPerFrame > 1000)
      #expect(result.attemptsPerFrame >= 1)
    }
    #expect(report.results.contains { $0.roundsInParallel > 0 })
    #expect(report.machine.processors == ProcessInfo.processInfo.activeProcessorCount)
    #expect(!report.machine.processor.isEmpty)
    #expect(report.machine.library.hasPrefix("libavcodec "))
  }

  @Test func results_are_reported_when_measured_and_no_frames_are_made_later() throws {
    let reported = Mutex<[EncoderBenchmarkReport.Result]>([])
    let begun = Mutex<[String]>([])
    var benchmark = EncoderBenchmark()
    // Frames of the second size would take longer than the test may.
    benchmark.sizes = [size, VideoDimensions(width: 7680, height: 4320)]
    benchmark.codecs = [.proRes422HQ, .proRes4444]
    benchmark.duration = 0
    benchmark.onProgress = { turn in begun.withLock { $0.append(turn) } }
    benchmark.onResults = { results in reported.withLock { $0 += results } }
    let report = try benchmark.runBlocking()
    #expect(reported.withLock { $0 } == report.results)
    #expect(report.results.count == 12)
    let measured = report.results.filter { $0.omission == nil }
    #expect(measured.map(\.encoder) == ["native"])
    #expect(measured.first?.width == 160 && measured.first?.codec == "apch")
    #expect(begun.withLock { $0 }.allSatisfy { $0.hasPrefix("160x96") })
  }

  @Test func without_time_all_encoders_but_the_native_one_are_left_out() throws {
    var benchmark = EncoderBenchmark()
    benchmark.sizes = [size]
    benchmark.codecs = [.proRes422HQ]
    benchmark.duration = 0
    let report = try benchmark.runBlocking()
    #expect(report.results.count == 3)
    let native = try #require(report.results.first)
    #expect(native.encoder == "native")
    #expect(native.frameCount > 0)
    for result in report.results where result.encoder != "native" {
      #expect(result.frameCount == 0)
      #expect(result.omission?.contains("omitted") == true)
    }
  }

  @Test func benchmark_frames_can_come_from_a_file() throws {
    let folder = try TemporaryFolder()
    let path = folder.url("a.y4m").path
    var bytes = Data("YUV4MPEG2 W64 H48 F25:1 Ip C422\n".utf8)
    for frame in 0..<3 {
      bytes += Data("FRAME\n".utf8)
      bytes += Data((0..<64 * 48 * 2).map { UInt8(truncatingIfNeeded: 64 + ($0 * 7 + frame) % 90) })
    }
    try bytes.write(to: URL(filePath: path))
    var benchmark = EncoderBenchmark()
    benchmark.input = try AssetLocation(path)
    benchmark.codecs = [.proRes422]
    benchmark.encoders = [.native]
    benchmark.duration = 1
    let report = try benchmark.runBlocking()
    #expect(report.results.map(\.width) == [64])
    #expect(report.results.first?.psnr ?? 0 > 30)
  }
}

/// Frames per second on all processors.
@Suite struct ParallelRoundsTests {
  private func rounds(_ rates: [Double]) -> ParallelRounds {
    ParallelRounds(rates.map { .init(framesPerSecond: $0, processors: $0 / 100) })
  }

  private func isSteady(_ rounds: ParallelRounds) -> Bool {
    var result = EncoderBenchmarkReport.Result(
      encoder: "native", codec: "apch", codecName: "Apple ProRes 422 HQ", width: 2, height: 2)
    result.framesPerSecondSpread = rounds.spread
    return result.isSteady
  }

  @Test func rounds_are_summarized_by_median_and_relative_spread() {
    let odd = rounds([200, 51, 221, 205, 210])
    #expect(odd.framesPerSecond == 205)
    #expect(odd.processors == 2.05)
    let spread: Double = (221 - 51) / 205
    #expect(odd.spread == spread)
    #expect(!isSteady(odd))
    let even = rounds([100, 104, 102, 98])
    #expect(even.framesPerSecond == 101)
    #expect(isSteady(even))
  }

  @Test func fewer_than_three_rounds_are_never_called_steady() {
    #expect(rounds([]).framesPerSecond == 0)
    for few in [rounds([]), rounds([100]), rounds([100, 100])] {
      #expect(few.spread == nil)
      #expect(!isSteady(few))
    }
    #expect(isSteady(rounds([100, 100, 100])))
  }

  @Test func a_run_fills_its_time_with_rounds_and_has_at_least_one() throws {
    let size = VideoDimensions(width: 160, height: 96)
    let frames = try BenchmarkFrames(size, isFullChroma: false, count: 2).frames
    func measure(frameTime: Double, duration: Double) throws -> ParallelRounds {
      let encoder = try BenchmarkedEncoder(
        .native, .proRes422, size, rate: .fps25, threads: 2)
      var rounds = ParallelRounds()
      try rounds.run(
        encoder, frames, threads: 2, frameTime: frameTime, duration: duration)
      return rounds
    }
    let several = try measure(frameTime: 10, duration: 100)
    #expect(several.rounds.count == 9)
    #expect(several.frames == 9 * 2)
    let hasty = try measure(frameTime: 10, duration: 0)
    #expect(hasty.rounds.count == 1)
    #expect(hasty.frames == 2)
  }
}

/// The images and measures of a comparison.
@Suite struct BenchmarkFramesTests {
  private func unpack(_ frame: PixelBuffer, to format: PixelFormat) throws -> PixelBuffer {
    try FrameUnpacker(from: frame.details, to: format).unpacked(frame)
  }

  @Test(arguments: [
    PixelFormat.v210, .p210, .y210,
  ])
  func busy_frames_are_the_same_in_every_10_bit_4_2_2_layout(_ format: PixelFormat) throws {
    let (width, height) = (100, 40)
    let plain = try BusyFrames.make(
      .init(format: .yuv422p10, width: width, height: height), count: 2)
    let other = try BusyFrames.make(.init(format: format, width: width, height: height), count: 2)
    for number in 0..<2 {
      let difference = try FrameDifference(plain[number], unpack(other[number], to: .yuv422p10))
      #expect(difference.psnr == 99)
    }
    #expect(try FrameDifference(plain[0], plain[1]).psnr < 30)
  }

  @Test func the_clips_grain_is_like_film() throws {
    let frame = try #require(
      try BusyFrames.make(.init(format: .yuv422p10, width: 512, height: 64), count: 1).first)
    var sum = 0.0
    var count = 0.0
    frame.withUnsafeBytes(ofPlane: 0) { bytes in
      for row in 0..<64 {
        for x in 1..<511 {
          let at = { (x: Int) in
            Double(
              bytes.load(
                fromByteOffset: row * frame.bytesPerRow(plane: 0) + 2 * x, as: UInt16.self))
          }
          // The second difference removes slopes; for white noise it has six times the variance.
          let second = at(x - 1) - 2 * at(x) + at(x + 1)
          // Contours are not grain.
          guard second.magnitude < 90 else { continue }
          sum += second * second / 6
          count += 1
        }
      }
    }
    #expect((8...12).contains((sum / count).squareRoot()))
    #expect(count > 30_000)
  }

  @Test func every_layout_holds_the_same_frame_to_its_depth() throws {
    let size = (width: 62, height: 34)
    let plain = try BusyFrames.make(
      .init(format: .yuv422p10, width: size.width, height: size.height), count: 1)
    for format in PixelFormat.allCases {
      let frames = try BusyFrames.make(
        .init(format: format, width: size.width, height: size.height), count: 1)
      #expect(frames.count == 1)
      guard [.yuyv, .uyvy, .nv16, .yuv422p8].contains(format) else { continue }
      // Eight bits differ from ten by at most half a step, which is two codes.
      let difference = try FrameDifference(plain[0], unpack(frames[0], to: .yuv422p10))
      #expect(difference.psnr > 20 * log10(1023.0 / 2), "\(format)")
    }
  }

  @Test func a_known_difference_has_the_expected_psnr_at_any_depth() throws {
    func flat(_ format: PixelFormat, _ code: UInt16) throws -> PixelBuffer {
      var frame = try MutablePixelBuffer(.init(format: format, width: 32, height: 16))
      for plane in 0..<3 {
        frame.withUnsafeMutableBytes(ofPlane: plane) { bytes in
          for offset in stride(from: 0, to: bytes.count, by: 2) {
            bytes.storeBytes(of: code, toByteOffset: offset, as: UInt16.self)
          }
        }
      }
      return frame.finish()
    }
    let four = try FrameDifference(flat(.yuv444p10, 500), flat(.yuv444p10, 504))
    #expect((four.psnr - 20 * log10(1023.0 / 4)).magnitude < 1e-9)
    #expect(four.lumaPSNR == four.psnr)
    let deep = try FrameDifference(flat(.yuv444p10, 500), flat(.yuv444p12, 2000))
    #expect(deep.psnr == 99)
    #expect(throws: MediaCoreError.self) {
      try FrameDifference(flat(.yuv444p10, 500), flat(.yuv422p10, 500))
    }
  }

  @Test func bytes_that_are_not_a_frame_are_refused() throws {
    let decoder = try EncodedFrameDecoder(
      .proRes422HQ, size: VideoDimensions(width: 64, height: 48))
    for count in [0, 7, 300] {
      let bytes = [UInt8](repeating: 0xA5, count: count)
      #expect(throws: AssetReaderError.self) {
        try bytes.withUnsafeBytes { bytes in
          _ = try decoder.decode(bytes)
        }
      }
    }
  }
}
