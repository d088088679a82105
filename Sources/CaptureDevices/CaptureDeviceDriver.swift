public import MediaCore

/// One way to reach devices: V4L2, ALSA, the pattern generator, files.
///
/// A driver object represents one device. It keeps nothing open between calls; only a
/// ``CaptureStream`` does.
public protocol CaptureDeviceDriver: AnyObject, Sendable {
  /// The device's identity.
  var identity: CaptureDevice.Identity { get }

  /// False once the device is gone.
  var isConnected: Bool { get }

  /// What the device can deliver now, in its own order. Queries the device each time.
  func formats() throws(CaptureError) -> [CaptureDevice.Format]

  /// Takes the device and agrees on a format. Nothing flows before ``CaptureStream/start(_:)``.
  func openStream(_ request: CaptureStreamRequest) throws(CaptureError) -> any CaptureStream

  /// The way to the sensor's exposure; nil where the device has none.
  var sensorControl: (any SensorControl)? { get }

  /// The way to a camera's settings; nil where the device has none.
  var cameraControl: (any CameraControl)? { get }

  /// A value whenever devices of this kind came or went, from now on; nil where the system does not
  /// tell.
  var arrivals: AsyncStream<Void>? { get }
}

extension CaptureDeviceDriver {
  /// nil: most devices have no exposure control.
  public var sensorControl: (any SensorControl)? { nil }

  /// nil: most devices have no settings of a camera's.
  public var cameraControl: (any CameraControl)? { nil }

  /// nil: whoever waits for a device has to look again and again.
  public var arrivals: AsyncStream<Void>? { nil }
}

/// What a stream is asked for.
public struct CaptureStreamRequest: Sendable {
  /// One of the device's own formats.
  public var format: CaptureDevice.Format
  /// Frames a second, where the format leaves a choice; nil for the format's highest. Ignored
  /// for audio.
  public var frameRate: FrameRate?
  /// Buffers that may be in flight between device and consumer.
  public var bufferCount: Int
  /// The timecode of the first frame, for a device that makes its own (the pattern device burns it
  /// into the frame).
  public var startTimecode: Timecode?
  /// What is asked of the system for the stream's thread. A source that waits for its consumer
  /// takes no raised priority.
  public var threads: ThreadOptions

  /// A request for a format of the device.
  public init(
    format: CaptureDevice.Format, frameRate: FrameRate? = nil,
    bufferCount: Int = CaptureStreamRequest.leastBufferCount,
    startTimecode: Timecode? = nil, threads: ThreadOptions = ThreadOptions()
  ) {
    self.format = format
    self.frameRate = frameRate
    self.bufferCount = bufferCount
    self.startTimecode = startTimecode
    self.threads = threads
  }
}

/// A device that was taken, and what it delivers.
public protocol CaptureStream: AnyObject, Sendable {
  /// What the device agreed to deliver, which the request only asked for.
  var formatDescription: FormatDescription { get }

  /// The rate that the device agreed to; nil for audio and if the device does not report it.
  var frameRate: FrameRate? { get }

  /// True for a source that cannot wait: a consumer that is busy loses what comes. False for one
  /// that is read as fast as its consumer takes it; then the handler may block.
  var isRealTime: Bool { get }

  /// What the source says beyond the format, at the time when the stream was opened.
  var metadata: CaptureStreamMetadata { get }

  /// Starts delivery on a thread of the stream's own.
  ///
  /// `handler` is called for each event, in order, from that one thread; it must return quickly,
  /// for the device's buffers are few. A sample's memory may be the driver's own: it goes back to
  /// the device when the sample's last reference is gone.
  func start(_ handler: @escaping @Sendable (CaptureEvent) -> Void) throws(CaptureError)

  /// Ends delivery, waits for the thread, gives the device back. After it returns the handler is
  /// not called again. Stopping twice does nothing.
  func stop()
}

extension CaptureStream {
  /// True: hardware does not wait.
  public var isRealTime: Bool { true }

  /// Nothing: most sources have no more to say.
  public var metadata: CaptureStreamMetadata { CaptureStreamMetadata() }
}

/// What a stream has to say.
public enum CaptureEvent: Sendable {
  /// A frame or a run of audio, times on CLOCK_MONOTONIC for live devices.
  case sample(SampleBuffer)
  /// The source lost samples (a gap in its sequence, an overrun) just before `time`.
  case lost(count: Int, reason: DropReason, time: MediaTime)
  /// The input has no signal any more; frames may go on arriving, of no worth.
  case signalLost
  /// The signal is back, in the same format.
  case signalRestored
  /// The signal is another one: the stream has ended; query formats and open it again.
  case formatChanged
  /// A file's end.
  case ended
  /// The stream has ended for this reason.
  case failed(CaptureError)

  /// True where nothing comes after it.
  package var endsStream: Bool {
    switch self {
    case .formatChanged, .ended, .failed: true
    case .sample, .lost, .signalLost, .signalRestored: false
    }
  }
}

/// Why a frame or a run of audio is missing.
public enum DropReason: String, Sendable, Hashable, CaseIterable, Codable {
  /// The device's sequence numbers have a gap: it or its driver lost frames.
  case deviceSequenceGap
  /// The device flagged the data as damaged.
  case deviceError
  /// Audio: the device's ring buffer overflowed.
  case overrun
  /// All buffers are held by consumers.
  case outOfBuffers
  /// A frame in another layout than the one that the consumer asked for.
  case formatMismatch
  /// A consumer was not done with the frame before.
  case lateData
  /// The encoder's queue is full.
  case encoderBusy
  /// The disk's queue is full.
  case diskBusy
  /// The time between two frames leaves room for more, and nobody said why they are missing.
  case timestampGap
  /// A break in the source: pause, signal, format.
  case discontinuity
  /// The file could not be written, or others took it away: the frames had come and are in no file.
  case notWritten
}
