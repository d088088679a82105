package import MediaCore
import Synchronization

/// A camera without lens or glass: the synthetic sensor as a capture device, `pattern:raw`.
///
/// Its exposure is set in seconds and gain, its frames say what exposure they are of, and its
/// calibration is known without an error.
package final class SyntheticSensorDriver: CaptureDeviceDriver, SensorControl {
  /// How the sensor is built and held.
  package let options: SyntheticSensorOptions
  /// The device's identity.
  package let identity: CaptureDevice.Identity
  /// Always true.
  package var isConnected: Bool { true }
  private let allFormats: [CaptureDevice.Format]
  private let current = Mutex(SensorExposure(duration: 1.0 / 120))
  private let resting = Mutex(false)

  /// A device with options.
  package convenience init(options: SyntheticSensorOptions = SyntheticSensorOptions()) {
    self.init(options: options, query: "")
  }

  /// The device of what follows `pattern:` in an identifier; nil where that names another one.
  ///
  /// - Throws: ``CaptureError/Code/invalidArgument`` for an option that makes no sense.
  convenience init?(rest: String) throws(CaptureError) {
    let parts = rest.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.first == "raw" else { return nil }
    let query = parts.count > 1 ? String(parts[1]) : ""
    self.init(options: try SyntheticSensorOptions(query: query), query: query)
  }

  private init(options: SyntheticSensorOptions, query: String) {
    self.options = options
    self.allFormats = Self.formats(options)
    self.identity = CaptureDevice.Identity(
      uniqueID: "pattern:raw" + (query.isEmpty ? "" : "?\(query)"),
      localizedName: "Synthetic sensor", modelID: "Synthetic Sensor", mediaType: .video)
  }

  // MARK: CaptureDeviceDriver

  /// Twelve megapixels first, 12 bits first.
  ///
  /// - Throws: Never.
  package func formats() throws(CaptureError) -> [CaptureDevice.Format] { allFormats }

  /// Frames a second.
  static let rates: [Int32] = [30, 10, 5, 1]

  private static func formats(_ options: SyntheticSensorOptions) -> [CaptureDevice.Format] {
    let mosaics = PixelFormat.allCases.filter(\.isBayer)
    let layouts = [PixelFormat.rggb12] + mosaics.filter { $0 != .rggb12 }
    let rates = rates.filter { $0 <= options.highestRate }.compactMap { FrameRate($0, 1) }
    return [(4032, 3024), (2016, 1512), (640, 480)].flatMap { size in
      layouts.map { layout in
        let details = PixelBuffer.Description(
          format: layout, width: size.0, height: size.1, color: .unspecified)
        return CaptureDevice.Format(
          formatDescription: .video(VideoFormatDescription(details)),
          nativeCode: layout.descriptor.v4l2Codes.first, frameRates: rates)
      }
    }
  }

  /// The sensor behind a format.
  package func sensor(for format: PixelFormat) -> SyntheticSensor {
    var sensor = SyntheticSensor()
    sensor.fullWell = options.fullWell
    sensor.readNoise = options.readNoise
    sensor.pattern = format.descriptor.bayerPattern ?? .rggb
    sensor.bitDepth = format.descriptor.bitDepth
    return sensor
  }

  /// Takes the sensor.
  ///
  /// - Throws: ``CaptureError/Code/formatUnavailable`` for a format that is not offered,
  ///   ``CaptureError/Code/deviceFailed`` if memory for the frames runs out.
  package func openStream(
    _ request: CaptureStreamRequest
  ) throws(CaptureError) -> any CaptureStream {
    guard
      let offered = allFormats.first(where: {
        $0.video?.pixelFormat == request.format.video?.pixelFormat
          && $0.dimensions == request.format.dimensions
      }), let layout = offered.video?.pixelFormat
    else {
      throw CaptureError(
        .formatUnavailable,
        "the synthetic sensor does not offer \(request.format); choose one of its formats")
    }
    let details = PixelBuffer.Description(
      format: layout, width: offered.dimensions.width, height: offered.dimensions.height,
      color: .unspecified)
    let pool: PixelBufferPool
    do throws(MediaCoreError) {
      pool = try PixelBufferPool(details, capacity: max(request.bufferCount, 2))
    } catch {
      throw CaptureError(.deviceFailed, error.message)
    }
    return SyntheticSensorStream(
      driver: self, sensor: sensor(for: layout), pool: pool, offered: offered,
      rate: request.frameRate ?? offered.highestFrameRate ?? .fps30, threads: request.threads)
  }

  /// The device itself.
  package var sensorControl: (any SensorControl)? { self }

  // MARK: SensorControl

  /// From 1/16000 s to 4 s, gains of 1 to 16.
  ///
  /// - Throws: Never.
  package func exposureLimits() throws(CaptureError) -> ExposureLimits {
    ExposureLimits(duration: 1.0 / 16_000...4, gain: 1...16)
  }

  /// What was set last; 1/120 s at first, which leaves a stop above white.
  ///
  /// - Throws: Never.
  package func exposure() throws(CaptureError) -> SensorExposure { current.withLock { $0 } }

  /// Takes an exposure as it is.
  ///
  /// - Throws: Never.
  package func setExposure(_ exposure: SensorExposure) throws(CaptureError) -> SensorExposure {
    current.withLock { $0 = exposure }
    return exposure
  }

  /// True while it takes no frames.
  package var isResting: Bool { resting.withLock { $0 } }

  /// Ends exposing after the present frame, or begins again: drawing the scene takes a processor.
  package func setResting(_ isResting: Bool) { resting.withLock { $0 = isResting } }

  /// None: frames say what exposure they are of.
  package var settlingFrames: Int { 0 }

  /// What the sensor was made with.
  package var calibration: SensorCalibration? { sensor(for: .rggb12).calibration }
}
