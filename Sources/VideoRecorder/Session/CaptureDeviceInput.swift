import CaptureDevices
public import MediaCore
import Synchronization

/// A device as an input of a session, as `AVCaptureDeviceInput` is.
///
/// Unchecked because its superclass is: it adds a `let` of a `Sendable` type and a `Mutex`.
public final class CaptureDeviceInput: CaptureInput, @unchecked Sendable {
  public let device: CaptureDevice
  private let options = Mutex(Options())

  private struct Options: Sendable {
    var startTimecode: Timecode?
    var bufferCount: Int?
    var threads = ThreadOptions()
  }

  /// An input from a device.
  ///
  /// - Throws: `CaptureError.Code.deviceDisconnected` where the device is gone,
  ///   `CaptureError.Code.formatUnavailable` where it offers nothing, and what its driver says.
  public init(device: CaptureDevice) throws(CaptureError) {
    guard device.isConnected else {
      throw CaptureError(
        .deviceDisconnected, "\(device) is disconnected; plug it in again and look it up again")
    }
    let chosen = device.configuration.withLock { $0.activeFormat }
    let formats = try device.queryFormats()
    if let chosen, device.configuration.withLock({ $0.activeFormat }) == nil {
      // Never stream another format than the chosen one silently.
      throw CaptureError(
        .formatUnavailable, "\(device) no longer offers \(chosen); choose another format")
    }
    let types = [MediaType.video, .audio].filter { type in
      formats.contains { $0.formatDescription.mediaType == type }
    }
    guard !types.isEmpty else {
      throw CaptureError(
        .formatUnavailable, "\(device) offers no format now; check that it has a signal")
    }
    self.device = device
    super.init(ports: types.map { CaptureInputPort(mediaType: $0, device: device) })
  }

  /// ``init(device:)`` under a name that no other module declares.
  package convenience init(_ device: CaptureDevice) throws(CaptureError) {
    try self.init(device: device)
  }

  /// The port of a type of media, where there is one.
  public func port(_ mediaType: MediaType) -> CaptureInputPort? {
    ports.first { $0.mediaType == mediaType }
  }

  /// The address of the first frame, for a device that makes its own. Taken when the session
  /// starts.
  public var startTimecode: Timecode? {
    get { options.withLock { $0.startTimecode } }
    set { options.withLock { $0.startTimecode = newValue } }
  }

  /// Buffers that may be in flight between the device and the outputs, at least 2. Taken when the
  /// session starts.
  ///
  /// By default half a second of video in the active format, at most 224 MB, so that a machine which stalls
  /// for that long loses no frame. At least eight and at most 32; eight for audio. A device may grant
  /// fewer.
  public var bufferCount: Int {
    get {
      options.withLock { $0.bufferCount }
        ?? CaptureStreamRequest.bufferCount(for: device.activeFormat, device.activeFrameRate)
    }
    set { options.withLock { $0.bufferCount = max(newValue, 2) } }
  }

  /// The priority and processors to request for the device's thread. Read when the
  /// session starts.
  public var threadOptions: ThreadOptions {
    get { options.withLock { $0.threads } }
    set { options.withLock { $0.threads = newValue } }
  }

  /// What the device is asked for when the session starts.
  ///
  /// - Throws: Also what was wrong with the last assignment of a format or a frame duration.
  func request() throws(CaptureError) -> CaptureStreamRequest {
    if let refusal = device.refusal { throw refusal }
    guard let format = device.activeFormat else {
      throw CaptureError(
        .formatUnavailable, "\(device) offers no format now; check that it has a signal")
    }
    let isVideo = format.video != nil
    let rate = isVideo ? device.activeFrameRate : nil
    let options = options.withLock { $0 }
    return CaptureStreamRequest(
      format: format, frameRate: rate,
      bufferCount: options.bufferCount ?? CaptureStreamRequest.bufferCount(for: format, rate),
      startTimecode: isVideo ? options.startTimecode : nil, threads: options.threads)
  }
}

extension CaptureStreamRequest {
  /// True where a stream for one request is a stream for the other.
  func isSame(as other: CaptureStreamRequest) -> Bool {
    format == other.format && frameRate == other.frameRate && bufferCount == other.bufferCount
  }
}
