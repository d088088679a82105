package import MediaCore

/// A running pattern device.
package final class PatternStream: CaptureStream {
  private let pump: PatternPump
  private let threads: ThreadOptions
  private let lifecycle = StreamThread()

  /// What the stream delivers.
  package let formatDescription: FormatDescription
  /// The rate of the frames.
  package var frameRate: FrameRate? { pump.schedule.frameRate }
  /// False for frames as fast as they are taken.
  package var isRealTime: Bool { pump.options.isRealTime }

  init(_ pump: PatternPump, formatDescription: FormatDescription, threads: ThreadOptions) {
    self.pump = pump
    self.threads = threads.forSource(isRealTime: pump.options.isRealTime)
    self.formatDescription = formatDescription
  }

  deinit { stop() }

  /// Starts delivery.
  ///
  /// - Throws: ``CaptureError`` where it was started before, or there can be no thread.
  package func start(
    _ handler: @escaping @Sendable (CaptureEvent) -> Void
  ) throws(CaptureError) {
    let pump = pump
    try lifecycle.start(name: "pattern", options: threads) { isOver in
      pump.run(handler, isOver: isOver)
    }
  }

  /// Ends delivery.
  package func stop() { lifecycle.stop() }
}
