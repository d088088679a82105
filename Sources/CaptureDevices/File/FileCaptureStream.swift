import AssetReader
import MediaCore
import Synchronization

/// A file that plays.
final class FileCaptureStream: CaptureStream {
  /// What is played, and how.
  package struct Source: Sendable {
    var location: AssetLocation
    var playback: FileDeviceDriver.Playback
    var track: AssetTrack
    var bufferCount: Int
    var threads: ThreadOptions
  }

  /// A reader on its way to the one thread that uses it.
  private struct Handover: @unchecked Sendable {
    // Sendable: opened by one thread, then used by the stream's own thread alone.
    let reader: AssetReader
  }

  private struct Lifecycle {
    var handover: Handover?
    var thread: MediaThread?
  }

  let formatDescription: FormatDescription
  let frameRate: FrameRate?
  /// False where the consumer sets the pace: it may take its time.
  var isRealTime: Bool { source.playback.isPaced }
  private let source: Source
  private let gate = PlaybackGate()
  private let lifecycle: Mutex<Lifecycle>

  init(_ source: Source, reader: AssetReader) throws(CaptureError) {
    do throws(AssetReaderError) { try reader.select([source.track.id]) } catch {
      throw CaptureError(error)
    }
    self.source = source
    formatDescription = source.track.formatDescription
    frameRate = source.track.frameRate
    lifecycle = Mutex(Lifecycle(handover: Handover(reader: reader)))
  }

  deinit { stop() }

  func start(_ handler: @escaping @Sendable (CaptureEvent) -> Void) throws(CaptureError) {
    let handover = lifecycle.withLock { state in
      defer { state.handover = nil }
      return state.handover
    }
    guard let handover, !gate.isStopped else {
      throw CaptureError(
        .invalidState,
        "the stream of \(source.location.displayName) has run already: open another one")
    }
    let (source, gate) = (source, gate)
    try lifecycle.withLock { state throws(CaptureError) in
      state.thread = try .capture(
        name: "file-capture",
        options: source.threads.forSource(isRealTime: source.playback.isPaced)
      ) {
        let player = FilePlayer(source, reader: handover.reader, gate: gate, handler: handler)
        player.run()
      }
    }
  }

  func stop() {
    gate.stop()
    let thread = lifecycle.withLock { state in
      state.handover = nil
      return state.thread
    }
    // From inside the handler there is nothing to wait for: the thread ends when it returns.
    thread?.join()
  }
}
