import Foundation
package import MediaCore
import TestPattern

/// A synthetic sensor that exposes frame after frame.
package final class SyntheticSensorStream: CaptureStream {
  private let driver: SyntheticSensorDriver
  private let sensor: SyntheticSensor
  private let pool: PixelBufferPool
  private let rate: FrameRate
  private let threads: ThreadOptions
  private let lifecycle = StreamThread()

  /// What the stream delivers.
  package let formatDescription: FormatDescription
  /// The rate of the frames, where exposures and this machine leave time for it.
  package var frameRate: FrameRate? { rate }
  /// False for frames as fast as they are taken.
  package var isRealTime: Bool { driver.options.isRealTime }

  init(
    driver: SyntheticSensorDriver, sensor: SyntheticSensor, pool: PixelBufferPool,
    offered: CaptureDevice.Format, rate: FrameRate, threads: ThreadOptions
  ) {
    self.driver = driver
    self.sensor = sensor
    self.pool = pool
    self.rate = rate
    self.threads = threads.forSource(isRealTime: driver.options.isRealTime)
    self.formatDescription = offered.formatDescription
  }

  deinit { stop() }

  /// Starts delivery.
  ///
  /// - Throws: ``CaptureError`` where it was started before, or there can be no thread.
  package func start(
    _ handler: @escaping @Sendable (CaptureEvent) -> Void
  ) throws(CaptureError) {
    let run = Run(driver: driver, sensor: sensor, pool: pool, rate: rate)
    try lifecycle.start(name: "sensor", options: threads) { isOver in
      run.deliver(handler, isOver: isOver)
    }
  }

  /// Ends delivery.
  package func stop() { lifecycle.stop() }

  /// Where the camera points at a frame, and where the disc is: the truth that alignment and
  /// ghosts are measured against.
  static func geometry(
    ofFrame index: Int, rate: FrameRate, _ options: SyntheticSensorOptions,
    _ size: (width: Int, height: Int)
  ) -> (offset: (x: Double, y: Double), object: SyntheticScene.Object?) {
    var random = PatternRandom(seed: options.seed &+ UInt64(index) &* 7919)
    func step() -> Double {
      options.shake == 0 ? 0 : Double.random(in: -options.shake...options.shake, using: &random)
    }
    let offset = index == 0 ? (0, 0) : (step(), step())
    guard options.motion > 0 else { return (offset, nil) }
    let radius = Double(size.height) / 12
    let path = Double(index) / rate.framesPerSecond * options.motion
    let x = (0.3 * Double(size.width) + path).truncatingRemainder(dividingBy: Double(size.width))
    return (offset, .init(x: x, y: 0.45 * Double(size.height), radius: radius))
  }

  /// The work of the thread.
  private struct Run: Sendable {
    let driver: SyntheticSensorDriver
    let sensor: SyntheticSensor
    let pool: PixelBufferPool
    let rate: FrameRate

    func deliver(_ handler: (CaptureEvent) -> Void, isOver: () -> Bool) {
      let options = driver.options
      let start = MonotonicClock.now
      let interval = 1e9 / rate.framesPerSecond
      var index = 0
      var slot = 0
      while !isOver() {
        if let end = endAsked(at: index) { return handler(end) }
        if driver.isResting {
          guard rest(isOver) else { return }
          // It wakes into a new exposure; those that it did not take are nobody's loss.
          slot = max(slot, Int((Double(MonotonicClock.now - start) / interval).rounded(.up)))
        }
        let exposure = (try? driver.exposure()) ?? SensorExposure(duration: 1.0 / 120)
        var instant = start + Int64(Double(slot) * interval)
        if options.isRealTime {
          // The frame is there when its exposure is over.
          let ready = instant + Int64(max(exposure.duration * 1e9, 0))
          guard MonotonicClock.sleep(until: ready, unless: isOver) else { return }
          let behind = Int((Double(MonotonicClock.now - ready) / interval).rounded(.down))
          if behind > 0 {
            handler(
              .lost(count: behind, reason: .deviceSequenceGap, time: Self.time(instant)))
            slot += behind
            instant += Int64(Double(behind) * interval)
          }
        }
        guard var buffer = takeBuffer(isOver) else {
          if isOver() { return }
          slot += 1
          continue
        }
        do throws(MediaCoreError) {
          try fill(&buffer, index, exposure)
        } catch {
          handler(.failed(CaptureError(.deviceFailed, error.message)))
          return
        }
        var attachments = SampleBuffer.Attachments()
        attachments.sequenceNumber = UInt32(truncatingIfNeeded: slot)
        attachments.isDamaged = options.damagedFrame == index
        attachments.exposure = exposure
        handler(
          .sample(
            SampleBuffer(
              .video(buffer.finish()), presentationTimeStamp: Self.time(instant),
              duration: rate.frameDuration, attachments: attachments)))
        index += 1
        slot += 1
      }
    }

    /// The event by which the options end the stream before a frame; nil for none.
    private func endAsked(at index: Int) -> CaptureEvent? {
      if driver.options.unplugFrame == index {
        return .failed(
          CaptureError(
            .deviceDisconnected, "the synthetic sensor was unplugged, as its options ask",
            errno: ENODEV))
      }
      return driver.options.formatFrame == index ? .formatChanged : nil
    }

    /// - Parameter instant: Nanoseconds of the monotonic clock.
    private static func time(_ instant: Int64) -> MediaTime {
      MediaTime(value: instant, timescale: 1_000_000_000)
    }

    /// Waits until the sensor is woken; false where the stream is over.
    private func rest(_ isOver: () -> Bool) -> Bool {
      while driver.isResting {
        guard MonotonicClock.sleep(until: MonotonicClock.now + 5_000_000, unless: isOver) else {
          return false
        }
      }
      return true
    }

    private func takeBuffer(_ isOver: () -> Bool) -> MutablePixelBuffer? {
      while !isOver() {
        if let buffer = try? pool.makeBuffer() { return buffer }
        if driver.options.isRealTime { return nil }
        usleep(1000)
      }
      return nil
    }

    private func fill(
      _ buffer: inout MutablePixelBuffer, _ index: Int, _ exposure: SensorExposure
    ) throws(MediaCoreError) {
      let geometry = SyntheticSensorStream.geometry(
        ofFrame: index, rate: rate, driver.options, (buffer.width, buffer.height))
      let scene = SyntheticScene(
        width: buffer.width, height: buffer.height, object: geometry.object)
      let codes = sensor.expose(
        scene, exposure, width: buffer.width, height: buffer.height, offset: geometry.offset,
        seed: driver.options.seed &+ UInt64(index))
      try MosaicWriter.store(codes, into: &buffer)
    }
  }
}
