import AssetReader
import Foundation
import MediaCore
import Synchronization

/// A file that plays.
final class FileCaptureStream: CaptureStream {
  /// What is played, and how.
  struct Source: Sendable {
    var location: AssetLocation
    var playback: FileDeviceDriver.Playback
    var track: AssetTrack
    var bufferCount: Int
  }

  /// A reader on its way to the one thread that uses it.
  private struct Handover: @unchecked Sendable {
    // Sendable: opened by one thread, then used by the stream's own thread alone.
    let reader: AssetReader
  }

  private struct Lifecycle {
    var handover: Handover?
    var isRunning = false
  }

  let formatDescription: FormatDescription
  let frameRate: FrameRate?
  private let source: Source
  private let gate = PlaybackGate()
  private let lifecycle: Mutex<Lifecycle>
  private let finished = DispatchSemaphore(value: 0)
  private let thread = Atomic<UInt>(0)

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
    let (source, gate, finished) = (source, gate, finished)
    let thread = Thread { [weak self] in
      self?.thread.store(UInt(pthread_self()), ordering: .releasing)
      let player = FilePlayer(source, reader: handover.reader, gate: gate, handler: handler)
      player.run()
      finished.signal()
    }
    thread.name = "file-capture"
    thread.qualityOfService = .userInteractive
    lifecycle.withLock { $0.isRunning = true }
    thread.start()
  }

  func stop() {
    gate.stop()
    let isRunning = lifecycle.withLock { state in
      state.handover = nil
      defer { state.isRunning = false }
      return state.isRunning
    }
    // From inside the handler there is nothing to wait for: the thread ends when it returns.
    let isOwnThread = thread.load(ordering: .acquiring) == UInt(pthread_self())
    if isRunning, !isOwnThread { finished.wait() }
  }
}
