package import MediaCore

/// An ALSA device that was taken.
package final class ALSAStream: CaptureStream {
  private let format: AudioFormat
  private let name: String
  private let configuration: ALSAConfiguration
  private let port: Handover<any ALSAPort>
  private let threads: ThreadOptions
  private let lifecycle = StreamThread()

  /// What the device agreed to deliver.
  package var formatDescription: FormatDescription { .audio(format) }
  /// Audio has no frame rate.
  package var frameRate: FrameRate? { nil }

  init(
    _ port: sending any ALSAPort, name: String, _ configuration: ALSAConfiguration,
    threads: ThreadOptions
  ) {
    self.port = Handover(port)
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
  package func start(
    _ handler: @escaping @Sendable (CaptureEvent) -> Void
  ) throws(CaptureError) {
    guard let port = port.take() else {
      throw CaptureError(.invalidState, "the stream was started before; open a new one")
    }
    do throws(ALSAFailure) {
      try port.start()
    } catch {
      throw CaptureError(alsa: error, device: name)
    }
    let (name, configuration) = (name, configuration)
    let handover = Handover(port)
    try lifecycle.start(name: "alsa", options: threads) { isOver in
      guard let port = handover.take() else { return }
      var pump = ALSAPump(port, name: name, configuration)
      pump.run(handler, isOver: isOver)
    }
  }

  /// Ends delivery and gives the device back.
  package func stop() {
    lifecycle.stop()
    _ = port.take()
  }
}
