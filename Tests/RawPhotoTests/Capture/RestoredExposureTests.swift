import CaptureDevices
import MediaCore
import Synchronization
import TestSupport
import Testing
import VideoRecorder

@testable import RawPhoto

/// The exposure after a bracket that ends in different ways.
@Suite(.timeLimit(.minutes(5))) struct RestoredExposureTests {
  /// A synthetic sensor whose exposure may refuse to be set.
  private final class Sensor: CaptureDeviceDriver, SensorControl {
    let base: SyntheticSensorDriver
    /// Called before each change of the exposure with its number, from 1; an error refuses the change.
    private let onChange: @Sendable (Int, SyntheticSensorDriver) throws(CaptureError) -> Void
    private let changes = Mutex(0)

    init(
      onChange: @escaping @Sendable (Int, SyntheticSensorDriver) throws(CaptureError) -> Void
    ) {
      var options = SyntheticSensorOptions()
      options.isRealTime = false
      base = SyntheticSensorDriver(options: options)
      self.onChange = onChange
    }

    var identity: CaptureDevice.Identity { base.identity }
    var isConnected: Bool { true }
    var sensorControl: (any SensorControl)? { self }
    var settlingFrames: Int { 0 }
    var calibration: SensorCalibration? { base.calibration }
    func formats() throws(CaptureError) -> [CaptureDevice.Format] { try base.formats() }
    func openStream(_ request: CaptureStreamRequest) throws(CaptureError) -> any CaptureStream {
      try base.openStream(request)
    }
    func exposureLimits() throws(CaptureError) -> ExposureLimits { try base.exposureLimits() }
    func exposure() throws(CaptureError) -> SensorExposure { try base.exposure() }
    func setExposure(_ exposure: SensorExposure) throws(CaptureError) -> SensorExposure {
      let number = changes.withLock { count in
        count += 1
        return count
      }
      try onChange(number, base)
      return try base.setExposure(exposure)
    }
  }

  private static let refusal = CaptureError(.deviceFailed, "the sensor does not answer")

  /// Takes a bracket of three with a sensor.
  private func bracket(with sensor: Sensor) async throws -> [CapturePhoto] {
    let device = CaptureDevice(driver: sensor)
    let format = try #require(
      device.formats.first { $0.video?.pixelFormat == .grbg12 && $0.dimensions.width == 640 })
    try device.configure { device throws(CaptureError) in try device.setActiveFormat(format) }
    let (session, output) = (CaptureSession(), CapturePhotoOutput())
    try session.configure { session throws(CaptureError) in
      try session.add(CaptureDeviceInput(device: device))
      try session.add(output)
    }
    try await session.start()
    let raw = try #require(output.availableRawPhotoPixelFormatTypes.first)
    let settings = CapturePhotoSettings(
      rawPixelFormatType: raw, processedFormat: nil,
      bracketedSettings: [-2, 0, 2].map { .autoExposure(exposureTargetBias: $0) })
    do {
      let photos = try await output.capturePhoto(with: settings)
      await session.stop()
      return photos
    } catch {
      await session.stop()
      throw error
    }
  }

  @Test func a_bracket_that_fails_restores_the_exposure() async throws {
    let sensor = Sensor { number, _ throws(CaptureError) in
      if number == 2 { throw Self.refusal }
    }
    let before = try sensor.exposure()
    let error = await #expect(throws: RawPhotoError.self) { try await bracket(with: sensor) }
    #expect(error?.message == Self.refusal.message)
    #expect(try sensor.exposure() == before)
  }

  @Test func a_canceled_bracket_restores_the_exposure() async throws {
    // No frame of the second exposure arrives.
    let isWaiting = Mutex(false)
    let sensor = Sensor { number, base throws(CaptureError) in
      guard number == 2 else { return }
      base.setResting(true)
      isWaiting.withLock { $0 = true }
    }
    let before = try sensor.exposure()
    let capture = Task { try await bracket(with: sensor) }
    try await eventually("the second exposure is awaited") { isWaiting.withLock { $0 } }
    capture.cancel()
    let error = await #expect(throws: RawPhotoError.self) { try await capture.value }
    #expect(error == .canceled)
    #expect(try sensor.exposure() == before)
  }

  @Test func an_exposure_that_cannot_be_restored_after_a_failure_is_in_the_error() async throws {
    let sensor = Sensor { number, _ throws(CaptureError) in
      if number >= 2 { throw Self.refusal }
    }
    let error = await #expect(throws: RawPhotoError.self) { try await bracket(with: sensor) }
    #expect(error?.code == .deviceFailed)
    #expect(
      error?.message.contains("the previous one could not be restored: the sensor does not answer")
        == true, "\(error?.message ?? "")")
  }

  @Test func an_exposure_that_cannot_be_restored_is_a_warning_of_the_photos() async throws {
    let sensor = Sensor { number, _ throws(CaptureError) in
      if number == 4 { throw Self.refusal }
    }
    let photos = try await bracket(with: sensor)
    #expect(photos.count == 3)
    for photo in photos {
      #expect(
        photo.resolvedSettings.warnings.count { $0.contains("could not be restored") } == 1)
    }
  }
}
