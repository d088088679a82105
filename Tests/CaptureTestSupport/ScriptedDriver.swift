package import CaptureDevices
import Glibc
package import MediaCore
package import Synchronization

/// A device whose events a test sends by hand, and whose calls can all be made to fail.
package final class ScriptedDriver: CaptureDeviceDriver {
  package struct State {
    package var formats: [CaptureDevice.Format]
    package var isConnected = true
    /// False for a source that waits for its consumer.
    package var isRealTime = true
    /// Metadata of the source beyond its formats.
    package var metadata = CaptureStreamMetadata()
    package var formatsError: CaptureError?
    package var openError: CaptureError?
    package var startError: CaptureError?
    /// The format that streams agree to, if it differs from the requested one.
    package var agreedFormat: FormatDescription?
    /// An event that streams send before their start returns.
    package var firstEvent: CaptureEvent?
    package var requests: [CaptureStreamRequest] = []
    package var streams: [ScriptedStream] = []
  }

  package let identity: CaptureDevice.Identity
  package let state: Mutex<State>

  package init(
    _ uniqueID: String = "v4l2:test", mediaType: MediaType = .video,
    node: String? = nil, formats: [CaptureDevice.Format]
  ) {
    identity = CaptureDevice.Identity(
      uniqueID: uniqueID, localizedName: "Test", serialNumber: "S1", node: node,
      mediaType: mediaType)
    state = Mutex(State(formats: formats))
  }

  package var isConnected: Bool { state.withLock { $0.isConnected } }

  package func formats() throws(CaptureError) -> [CaptureDevice.Format] {
    if let error = state.withLock({ $0.formatsError }) { throw error }
    return state.withLock { $0.formats }
  }

  package func openStream(_ request: CaptureStreamRequest) throws(CaptureError) -> any CaptureStream
  {
    if let error = state.withLock({ $0.openError }) { throw error }
    let stream = ScriptedStream(
      request, agreedFormat: state.withLock { $0.agreedFormat },
      isRealTime: state.withLock { $0.isRealTime },
      metadata: state.withLock { $0.metadata }, startError: state.withLock { $0.startError },
      firstEvent: state.withLock { $0.firstEvent })
    state.withLock {
      $0.requests.append(request)
      $0.streams.append(stream)
    }
    return stream
  }

  /// The stream opened last.
  package var stream: ScriptedStream? { state.withLock { $0.streams.last } }
  /// How often the device was opened.
  package var openings: Int { state.withLock { $0.streams.count } }
}

/// A stream that sends what a test tells it to, on the test's own thread.
package final class ScriptedStream: CaptureStream {
  package let formatDescription: FormatDescription
  package let frameRate: FrameRate?
  package let isRealTime: Bool
  package let metadata: CaptureStreamMetadata
  private let startError: CaptureError?
  private let firstEvent: CaptureEvent?
  private let handler = Mutex<(@Sendable (CaptureEvent) -> Void)?>(nil)
  private let stops = Mutex(0)

  package init(
    _ request: CaptureStreamRequest, agreedFormat: FormatDescription?, isRealTime: Bool,
    metadata: CaptureStreamMetadata, startError: CaptureError?, firstEvent: CaptureEvent?
  ) {
    self.isRealTime = isRealTime
    self.metadata = metadata
    formatDescription = agreedFormat ?? request.format.formatDescription
    frameRate = request.frameRate ?? request.format.frameRates.first
    self.startError = startError
    self.firstEvent = firstEvent
  }

  package func start(_ handler: @escaping @Sendable (CaptureEvent) -> Void) throws(CaptureError) {
    if let startError { throw startError }
    self.handler.withLock { $0 = handler }
    if let firstEvent { handler(firstEvent) }
  }

  package func stop() {
    handler.withLock { $0 = nil }
    stops.withLock { $0 += 1 }
  }

  /// True between start and stop.
  package var isFlowing: Bool { handler.withLock { $0 != nil } }

  package func send(_ event: CaptureEvent) {
    let handler = handler.withLock { $0 }
    handler?(event)
  }

  /// A gray frame with its own number.
  package func sendFrame(
    _ index: Int, sequence: UInt32? = nil, jitter: MediaTime = .zero, isDamaged: Bool = false,
    timecode: Timecode? = nil
  ) throws {
    guard case .video(let video) = formatDescription, let format = video.pixelFormat else { return }
    var buffer = try MutablePixelBuffer(
      PixelBuffer.Description(
        format: format, width: video.dimensions.width, height: video.dimensions.height,
        color: video.color, fieldOrder: video.fieldOrder))
    for plane in 0..<buffer.planeCount {
      buffer.withUnsafeMutableBytes(ofPlane: plane) { bytes in
        if let base = bytes.baseAddress { memset(base, Int32(index % 60 * 4), bytes.count) }
      }
    }
    let rate = frameRate ?? .fps25
    var attachments = SampleBuffer.Attachments()
    attachments.sequenceNumber = sequence
    attachments.isDamaged = isDamaged
    attachments.timecode = timecode
    send(
      .sample(
        SampleBuffer(
          .video(buffer.finish()),
          presentationTimeStamp: rate.time(ofFrame: Int64(index)) + jitter,
          duration: rate.frameDuration, attachments: attachments)))
  }

  /// A run of audio from frame `start` of the device's count.
  package func sendAudio(from start: Int, frames: Int, value: Int16 = 1000) throws {
    guard case .audio(let format) = formatDescription else { return }
    let width = format.sampleFormat.byteCount
    var bytes = [UInt8](repeating: 0, count: frames * format.bytesPerFrame)
    for sample in 0..<frames * format.channelCount {
      bytes[sample * width + width - 2] = UInt8(truncatingIfNeeded: value)
      bytes[sample * width + width - 1] = UInt8(truncatingIfNeeded: value >> 8)
    }
    let buffer = try AudioBuffer(format: format, bytes: bytes)
    send(
      .sample(
        SampleBuffer(
          .audio(buffer),
          presentationTimeStamp: MediaTime(
            value: Int64(start), timescale: Int32(format.sampleRate)),
          duration: buffer.duration)))
  }
}

extension CaptureDevice.Format {
  /// Video of one pixel format and size, at some frame rates.
  package static func frames(
    _ format: PixelFormat, _ width: Int = 64, _ height: Int = 32,
    rates: [FrameRate] = [.fps25], fieldOrder: FieldOrder = .progressive, emulated: Bool = false
  ) -> CaptureDevice.Format {
    CaptureDevice.Format(
      formatDescription: .video(
        VideoFormatDescription(
          PixelBuffer.Description(
            format: format, width: width, height: height, fieldOrder: fieldOrder))),
      nativeCode: format.descriptor.v4l2Codes.first, frameRates: rates, isEmulated: emulated)
  }

  package static func audio(
    _ sampleRate: Int = 48_000, channels: Int = 2,
    _ sampleFormat: AudioFormat.SampleFormat = .int24
  ) -> CaptureDevice.Format {
    CaptureDevice.Format(
      formatDescription: .audio(
        AudioFormat(
          sampleRate: sampleRate, channelCount: channels, sampleFormat: sampleFormat)))
  }
}
