public import MediaCore

/// A running pattern device.
public final class PatternStream: CaptureStream {
  private let pump: PatternPump
  private let threads: ThreadOptions
  private let lifecycle = StreamThread()

  /// What the stream delivers.
  public let formatDescription: FormatDescription
  /// The rate of the frames.
  public var frameRate: FrameRate? { pump.schedule.frameRate }
  /// False for pictures as fast as they are taken.
  public var isRealTime: Bool { pump.options.isRealTime }

  init(_ pump: PatternPump, formatDescription: FormatDescription, threads: ThreadOptions) {
    self.pump = pump
    self.threads = threads.forSource(isRealTime: pump.options.isRealTime)
    self.formatDescription = formatDescription
  }

  deinit { stop() }

  /// Starts delivery.
  ///
  /// - Throws: ``CaptureError`` where it was started before, or there can be no thread.
  public func start(
    _ handler: @escaping @Sendable (CaptureEvent) -> Void
  ) throws(CaptureError) {
    let pump = pump
    try lifecycle.start(name: "pattern", options: threads) { isOver in
      pump.run(handler, isOver: isOver)
    }
  }

  /// Ends delivery.
  public func stop() { lifecycle.stop() }
}
