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

  private struct Lifecycle {
    var reader: Handover<AssetReader>?
    var thread: MediaThread?
  }

  let formatDescription: FormatDescription
  let frameRate: FrameRate?
  /// What the container says.
  let metadata: CaptureStreamMetadata
  /// False where the consumer sets the pace: it may take its time.
  var isRealTime: Bool { source.playback.isPaced }
  private let source: Source
  private let gate = PlaybackGate()
  private let lifecycle: Mutex<Lifecycle>

  init(_ source: Source, reader: sending AssetReader) throws(CaptureError) {
    do throws(AssetReaderError) { try reader.select([source.track.id]) } catch {
      throw CaptureError(error)
    }
    self.source = source
    formatDescription = source.track.formatDescription
    frameRate = source.track.frameRate
    metadata = CaptureStreamMetadata(source.track)
    lifecycle = Mutex(Lifecycle(reader: Handover(reader)))
  }

  deinit { stop() }

  func start(_ handler: @escaping @Sendable (CaptureEvent) -> Void) throws(CaptureError) {
    let reader = lifecycle.withLock { $0.reader.take() }
    guard let reader, !gate.isStopped else {
      throw CaptureError(
        .invalidState,
        "the stream of \(source.location.displayName) has already run; open another one")
    }
    let (source, gate) = (source, gate)
    try lifecycle.withLock { state throws(CaptureError) in
      state.thread = try .capture(
        name: "file-capture",
        options: source.threads.forSource(isRealTime: source.playback.isPaced)
      ) {
        guard let reader = reader.take() else { return }
        FilePlayer(source, reader: reader, gate: gate, handler: handler).run()
      }
    }
  }

  func stop() {
    gate.stop()
    let thread = lifecycle.withLock { state in
      state.reader = nil
      return state.thread
    }
    // From inside the handler there is nothing to wait for: the thread ends when it returns.
    thread?.join()
  }
}
