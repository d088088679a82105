import AssetWriter
import MediaCore
import Synchronization

/// A video encoder that accepts frames immediately and encodes none before its gate opens.
final class GatedEncoder: VideoEncoder {
  /// Holds back every encoder made with it.
  final class Gate: Sendable {
    private let state = Mutex<(isOpen: Bool, waiting: [@Sendable () -> Void])>((false, []))

    /// Runs the work now, or when the gate opens, in the order of the calls.
    func pass(_ work: @escaping @Sendable () -> Void) {
      state.withLock { state in
        if state.isOpen { work() } else { state.waiting.append(work) }
      }
    }

    func open() {
      state.withLock { state in
        state.isOpen = true
        for work in state.waiting { work() }
        state.waiting = []
      }
    }

    @Sendable func makeEncoder(
      _ configuration: VideoEncoderConfiguration, _ choice: EncoderChoice
    ) throws(AssetWriterError) -> any VideoEncoder {
      GatedEncoder(try EncoderFactory.makeEncoder(configuration, choice), self)
    }
  }

  private let encoder: any VideoEncoder
  private let gate: Gate
  var name: String { encoder.name }
  var preferredDepth: Int { encoder.preferredDepth }
  var threadScheduling: [ThreadScheduling] { encoder.threadScheduling }

  private init(_ encoder: any VideoEncoder, _ gate: Gate) {
    self.encoder = encoder
    self.gate = gate
  }

  func start(
    _ deliver: @escaping @Sendable (Result<EncodedFrame, AssetWriterError>) -> Void
  ) throws(AssetWriterError) { try encoder.start(deliver) }

  func submit(_ frame: PixelBuffer, index: Int64) {
    let encoder = encoder
    gate.pass { encoder.submit(frame, index: index) }
  }

  func finish() {
    gate.open()
    encoder.finish()
  }

  func cancel() { encoder.cancel() }
}
