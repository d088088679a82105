import MediaCore
import Synchronization
import Testing

@testable import AssetWriter

/// Order and completeness of the encoder threads' output.
@Suite struct EncoderPipelineTests {
  /// Writes the frame's index as its data, after a delay that varies between frames.
  private final class SlowEncoder: FrameEncoder {
    func encode(_ image: PixelBuffer, into frame: EncodedFrame) throws(AssetWriterError) {
      var spin = 0
      for number in 0..<Int(frame.index * 7919 % 5000) { spin &+= number }
      frame.fill(capacity: 8 + (spin & 0)) { room in
        room.storeBytes(of: frame.index, as: Int64.self)
        return 8
      }
    }
  }

  private final class Collector: Sendable {
    let indices = Mutex<[Int64]>([])
    let failures = Mutex(0)
    func take(_ result: Result<EncodedFrame, AssetWriterError>) {
      switch result {
      case .success(let frame):
        let written = frame.withUnsafeBytes { $0.load(as: Int64.self) }
        indices.withLock { $0.append(written) }
      case .failure: failures.withLock { $0 += 1 }
      }
    }
  }

  @Test(arguments: [1, 2, 7])
  func frames_are_delivered_in_order(_ workers: Int) throws {
    let pipeline = EncoderPipeline(name: "slow", workerCount: workers) { SlowEncoder() }
    let collector = Collector()
    try pipeline.start { collector.take($0) }
    let frame = try TestMedia.frame(0, width: 16, height: 16)
    for index in 0..<400 { pipeline.submit(frame, index: Int64(index)) }
    pipeline.finish()
    #expect(collector.indices.withLock { $0 } == Array(0..<400))
  }

  @Test func cancelling_stops_delivery() throws {
    let pipeline = EncoderPipeline(name: "slow", workerCount: 3) { SlowEncoder() }
    let collector = Collector()
    try pipeline.start { collector.take($0) }
    let frame = try TestMedia.frame(0, width: 16, height: 16)
    for index in 0..<10_000 { pipeline.submit(frame, index: Int64(index)) }
    pipeline.cancel()
    let delivered = collector.indices.withLock { $0 }
    #expect(delivered == Array(0..<Int64(delivered.count)))
    pipeline.submit(frame, index: 10_000)
    #expect(collector.indices.withLock { $0.count } == delivered.count)
  }

  @Test func encoded_frames_release_their_buffers() throws {
    let pipeline = EncoderPipeline(name: "slow", workerCount: 2) { SlowEncoder() }
    let collector = Collector()
    try pipeline.start { collector.take($0) }
    let pool = try PixelBufferPool(
      PixelBuffer.Description(format: .yuv422p10, width: 16, height: 16), capacity: 4)
    for index in 0..<4 { pipeline.submit(try pool.makeBuffer().finish(), index: Int64(index)) }
    pipeline.finish()
    #expect(pool.available == 4)
  }

  @Test func distributions_report_mean_maximum_and_quantiles() {
    var tally = Distribution.Tally()
    for number in 1...1000 { tally.add(Int64(number) * 1_000_000) }
    let distribution = tally.distribution
    #expect(distribution.count == 1000)
    #expect(distribution.mean == 500.5)
    #expect(distribution.maximum == 1000)
    #expect((500...570).contains(distribution.median))
    #expect((990...1000).contains(distribution.percentile99))
  }

  @Test func percentiles_99_and_999_separate_rare_waits() {
    var tally = Distribution.Tally()
    for (milliseconds, count) in [(1, 1989), (10, 9), (100, 2)] as [(Int64, Int)] {
      for _ in 0..<count { tally.add(milliseconds * 1_000_000) }
    }
    let distribution = tally.distribution
    #expect((1...1.125).contains(distribution.percentile99))
    #expect((10...11.25).contains(distribution.percentile999))
    #expect(distribution.maximum == 100)
  }
}
