import Dispatch
import MediaCore
import Synchronization
import VideoRecorder

/// The number of a node's input or output in an audio engine: always 0 here.
public typealias AVAudioNodeBus = Int
/// Receives audio from a node and the time of its first frame. Called on the node's queue, one buffer at a time.
public typealias AVAudioNodeTapBlock = @Sendable (AVAudioPCMBuffer, AVAudioTime) -> Void

/// The audio input device of an audio engine.
public final class AVAudioInputNode: Sendable {
  private struct State: Sendable {
    var tap: AudioTap?
    /// Why a requested tap could not be installed.
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

  private var tap: AudioTap? { state.withLock { $0.tap } }
  /// Why a requested tap could not be installed; nil if there was no failure.
  var refusal: AVError? { state.withLock { $0.refusal } }

  /// Adds the device to the session, unless the session has one.
  ///
  /// - Throws: ``AVError/Code/deviceNotConnected`` without a device, or the session's error if it cannot add the input.
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

  /// Waits until the tap has received all audio so far, unless called from the tap's block.
  func settle() {
    if DispatchQueue.getSpecific(key: key) == nil { queue.sync {} }
  }

  /// The audio format: 32-bit floats at the device's rate, each channel in its own memory. Without a device, and for a
  /// bus other than 0, the rate and the channel count are 0.
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

  /// As ``outputFormat(forBus:)``: other device formats are converted to floats.
  public func inputFormat(forBus bus: AVAudioNodeBus) -> AVAudioFormat {
    outputFormat(forBus: bus)
  }

  /// Delivers audio to a block. For a bus other than 0, a second tap or a missing device, Apple's implementation stops
  /// the program. Here ``AVAudioEngine/start()`` throws an error with the reason until the tap is removed.
  ///
  /// - Parameters:
  ///   - bus: 0.
  ///   - bufferSize: Frames per buffer, from 1 to one second. A buffer before lost audio and the last one may be
  ///     shorter.
  ///   - format: The buffers' format, converted to by libswresample; it may have a different number of channels than
  ///     the device, 1 to 8. Nil for ``outputFormat(forBus:)``.
  ///   - tapBlock: Called with each buffer.
  public func installTap(
    onBus bus: AVAudioNodeBus, bufferSize: AVAudioFrameCount, format: AVAudioFormat?,
    block tapBlock: @escaping AVAudioNodeTapBlock
  ) {
    do throws(AVError) {
      guard bus == 0 else { throw AVError(.operationNotAllowed, "the input has only bus 0") }
      try connect()
      let format = format ?? outputFormat(forBus: 0)
      guard format.channelCount > 0, format.compression == nil else {
        throw AVError(.formatUnsupported, "the tap's format has no channels or is compressed")
      }
      let tap = AudioTap(format, size: bufferSize, block: tapBlock)
      try state.withLock { state throws(AVError) in
        guard state.tap == nil else {
          throw AVError(.operationNotAllowed, "the bus already has a tap; remove it first")
        }
        state.tap = tap
      }
      var conversion = AudioConversion()
      conversion.sampleRate = format.format.sampleRate
      conversion.channelCount = format.format.channelCount
      conversion.sampleFormat = format.format.sampleFormat
      output.conversion = conversion
    } catch {
      state.withLock { $0.refusal = error }
    }
  }

  /// Delivers all audio so far to the block, then removes it.
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
