public import MediaCore
import Synchronization

/// An ALSA device that was taken.
public final class ALSAStream: CaptureStream {
  private let format: AudioFormat
  private let name: String
  private let configuration: ALSAConfiguration
  private let port: Mutex<PortBox?>
  private let threads: ThreadOptions
  private let lifecycle = StreamThread()

  /// What the device agreed to deliver.
  public var formatDescription: FormatDescription { .audio(format) }
  /// Sound has no frame rate.
  public var frameRate: FrameRate? { nil }

  /// Carries the port to the one thread that uses it.
  ///
  /// Sendable: the box is taken out of its mutex once, by whoever starts or stops the stream, and
  /// from then on used by the thread alone.
  private final class PortBox: @unchecked Sendable {
    private(set) var port: (any ALSAPort)?
    init(_ port: any ALSAPort) { self.port = port }

    /// The port, for its last owner: the device is closed when that one lets it go.
    func take() -> (any ALSAPort)? { port.take() }
  }

  init(
    _ port: any ALSAPort, name: String, _ configuration: ALSAConfiguration, threads: ThreadOptions
  ) {
    self.port = Mutex(PortBox(port))
    self.name = name
    self.configuration = configuration
    self.threads = threads
    format = AudioFormat(
      sampleRate: configuration.sampleRate, channelCount: configuration.channelCount,
      sampleFormat: configuration.format.sampleFormat)
  }

  deinit { stop() }

  /// Starts delivery.
  ///
  /// - Throws: ``CaptureError/Code/invalidState`` where it was started before, and the sound card's errors.
  public func start(
    _ handler: @escaping @Sendable (CaptureEvent) -> Void
  ) throws(CaptureError) {
    guard let box = port.withLock({ $0.take() }) else {
      throw CaptureError(.invalidState, "the stream was started before; open a new one")
    }
    do throws(ALSAFailure) {
      try box.port?.start()
    } catch {
      throw CaptureError(alsa: error, device: name)
    }
    let (name, configuration) = (name, configuration)
    try lifecycle.start(name: "alsa", options: threads) { isOver in
      guard let port = box.take() else { return }
      var pump = ALSAPump(port, name: name, configuration)
      pump.run(handler, isOver: isOver)
    }
  }

  /// Ends delivery and gives the device back.
  public func stop() {
    lifecycle.stop()
    port.withLock { $0 = nil }
  }
}
