import Dispatch
import MediaCore
import Synchronization
import VideoRecorder

/// A way out of or into a node of an audio engine: 0 alone here.
public typealias AVAudioNodeBus = Int
/// Takes sound from a node, and when it begins. Called on a queue of the node's own, one buffer after the other.
public typealias AVAudioNodeTapBlock = @Sendable (AVAudioPCMBuffer, AVAudioTime) -> Void

/// The sound device of an audio engine.
public final class AVAudioInputNode: Sendable {
  private struct State: Sendable {
    var tap: SoundTap?
    /// Why there is no tap though one is wanted.
    var refusal: AVError?
    var input: CaptureDeviceInput?
  }

  private let session: CaptureSession
  private let output = CaptureAudioDataOutput()
  private let device: @Sendable () -> AVCaptureDevice?
  private let queue = DispatchQueue(label: "audio-input-node")
  private let key = DispatchSpecificKey<Bool>()
  private let state = Mutex(State())

  init(_ session: CaptureSession, _ device: @escaping @Sendable () -> AVCaptureDevice?) {
    (self.session, self.device) = (session, device)
    queue.setSpecific(key: key, value: true)
    output.setSampleBufferHandler(
      SampleHandler(
        queue: queue,
        isWanted: { [weak self] in self?.state.withLock { $0.tap != nil } ?? false },
        deliver: { [weak self] sample, _ in self?.tap?.take(sample) },
        stop: { [weak self] in self?.tap?.finish() }))
  }

  private var tap: SoundTap? { state.withLock { $0.tap } }
  /// Why the tap that is wanted is not there; nil for no reason.
  var refusal: AVError? { state.withLock { $0.refusal } }

  /// Takes the device into the session, unless it has one.
  ///
  /// - Throws: ``AVError/Code/deviceNotConnected`` where there is none, and what the session says.
  func connect() throws(AVError) {
    try state.withLock { state throws(AVError) in
      guard state.input == nil else { return }
      guard let device = device() else {
        throw AVError(.deviceNotConnected, "no audio device; connect a microphone")
      }
      do throws(CaptureError) {
        let input = try CaptureDeviceInput(device)
        try session.add(input)
        if !session.outputs.contains(output) { try session.add(output) }
        state.input = input
      } catch { throw AVError(error) }
    }
  }

  /// Waits until what has come is with the tap, unless its block asks for that.
  func settle() {
    if DispatchQueue.getSpecific(key: key) == nil { queue.sync {} }
  }

  /// The form of the sound: floats of 32 bits at the device's rate, each channel in memory of its own. Without a
  /// device, and of another bus than 0, it has a rate of 0 and no channel.
  public func outputFormat(forBus bus: AVAudioNodeBus) -> AVAudioFormat {
    let none = AVAudioFormat(
      AudioFormat(sampleRate: 0, channelCount: 0, sampleFormat: .float32), isInterleaved: false)
    guard bus == 0, (try? connect()) != nil,
      case .audio(let given)? = output.connection(with: .audio)?.formatDescription
    else { return none }
    return AVAudioFormat(
      standardFormatWithSampleRate: Double(given.sampleRate),
      channels: AVAudioChannelCount(clamping: given.channelCount)) ?? none
  }

  /// As ``outputFormat(forBus:)``: what the device has in another form is brought to floats.
  public func inputFormat(forBus bus: AVAudioNodeBus) -> AVAudioFormat {
    outputFormat(forBus: bus)
  }

  /// Has sound given to a block. Where that cannot be, for another bus than 0, a second tap and without a device,
  /// Apple's stops the program: here the engine does not start, for an error that says so, until the tap is removed.
  ///
  /// - Parameters:
  ///   - bus: 0.
  ///   - bufferSize: Frames of a buffer, 1 to a second's. One before lost sound, and the last one, have fewer.
  ///   - format: The form of the buffers, which sound is brought to by libswresample: with another number of channels
  ///     than the device's, 1 to 8. Nil for ``outputFormat(forBus:)``.
  ///   - tapBlock: Called with each buffer.
  public func installTap(
    onBus bus: AVAudioNodeBus, bufferSize: AVAudioFrameCount, format: AVAudioFormat?,
    block tapBlock: @escaping AVAudioNodeTapBlock
  ) {
    do throws(AVError) {
      guard bus == 0 else { throw AVError(.operationNotAllowed, "the input has bus 0 alone") }
      try connect()
      let format = format ?? outputFormat(forBus: 0)
      guard format.channelCount > 0, format.compression == nil else {
        throw AVError(.formatUnsupported, "the tap's format has no channels, or is compressed")
      }
      let tap = SoundTap(format, size: bufferSize, block: tapBlock)
      try state.withLock { state throws(AVError) in
        guard state.tap == nil else {
          throw AVError(.operationNotAllowed, "the bus has a tap; remove that first")
        }
        state.tap = tap
      }
      var conversion = SoundConversion()
      conversion.sampleRate = format.format.sampleRate
      conversion.channelCount = format.format.channelCount
      conversion.sampleFormat = format.format.sampleFormat
      output.conversion = conversion
    } catch {
      state.withLock { $0.refusal = error }
    }
  }

  /// Gives the block what has come, and nothing more.
  public func removeTap(onBus bus: AVAudioNodeBus) {
    guard bus == 0 else { return }
    settle()
    let tap = state.withLock { state in
      defer { (state.tap, state.refusal) = (nil, nil) }
      return state.tap
    }
    guard let tap else { return }
    if DispatchQueue.getSpecific(key: key) == nil {
      queue.sync { tap.finish() }
    } else {
      tap.finish()
    }
  }
}
