import AVFoundationCompat
import Synchronization

/// Another device's audio, until it is unplugged.
final class FaultyMicrophone: CaptureDeviceDriver {
  let identity = CaptureDevice.Identity(
    uniqueID: "test:microphone", localizedName: "Microphone", mediaType: .audio)
  private let source: any CaptureDeviceDriver
  private let isIn = Mutex(true)
  private let stream = Mutex<Stream?>(nil)
  private static let gone = CaptureError(.deviceDisconnected, "Microphone was disconnected")

  init(_ source: any CaptureDeviceDriver) { self.source = source }

  var isConnected: Bool { isIn.withLock { $0 } }

  func formats() throws(CaptureError) -> [CaptureDevice.Format] { try source.formats() }

  func openStream(_ request: CaptureStreamRequest) throws(CaptureError) -> any CaptureStream {
    guard isConnected else { throw Self.gone }
    let opened = Stream(try source.openStream(request))
    stream.withLock { $0 = opened }
    return opened
  }

  /// Ends the stream as if the device were gone.
  func unplug() {
    isIn.withLock { $0 = false }
    stream.withLock { $0 }?.fail(Self.gone)
  }

  func plug() { isIn.withLock { $0 = true } }

  private final class Stream: CaptureStream {
    private let source: any CaptureStream
    /// Nil before the start and after the stream has failed.
    private let handler = Mutex<(@Sendable (CaptureEvent) -> Void)?>(nil)

    init(_ source: any CaptureStream) { self.source = source }

    var formatDescription: FormatDescription { source.formatDescription }
    var frameRate: FrameRate? { source.frameRate }

    func start(_ handler: @escaping @Sendable (CaptureEvent) -> Void) throws(CaptureError) {
      self.handler.withLock { $0 = handler }
      // Holds the lock so that nothing follows the failure.
      try source.start { event in self.handler.withLock { $0?(event) } }
    }

    func fail(_ error: CaptureError) {
      handler.withLock { handler in
        handler?(.failed(error))
        handler = nil
      }
    }

    func stop() { source.stop() }
  }
}
