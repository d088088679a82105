public import Foundation
import MediaCore
import Synchronization

extension AVAudioSession {
  /// The device that ``AVAudioRecorder`` and ``AVAudioEngine`` use: the preferred input while it is connected,
  /// otherwise the default one.
  var inputDevice: AVCaptureDevice? {
    preferredInput?.device ?? AVCaptureDevice.default(for: .audio)
  }

  /// True if this machine has an audio input device.
  public var isInputAvailable: Bool { AVCaptureDevice.default(for: .audio) != nil }

  /// This machine's audio input devices, regardless of the category.
  public var availableInputs: [AVAudioSessionPortDescription]? {
    AVCaptureDevice.devices(for: .audio).map(AVAudioSessionPortDescription.init)
  }

  /// The input that the program chose; nil if it chose none or that device is gone.
  public var preferredInput: AVAudioSessionPortDescription? {
    state.withLock { $0.input }.flatMap { $0.device.isConnected ? $0 : nil }
  }

  /// Chooses the device that recorders and engines look up next unless they were given one; nil for the default device.
  /// A capture session uses the device of its input.
  ///
  /// - Throws: ``AVError/Code/deviceNotConnected`` for a device that is gone.
  public func setPreferredInput(_ inPort: AVAudioSessionPortDescription?) throws {
    if let inPort, !inPort.device.isConnected {
      throw AVError(.deviceNotConnected, "\(inPort.device) is disconnected; choose another input")
    }
    state.withLock { $0.input = inPort }
  }

  /// The input that will be used next, and no outputs because nothing is played here.
  public var currentRoute: AVAudioSessionRouteDescription {
    AVAudioSessionRouteDescription(
      inputs: inputDevice.map { [AVAudioSessionPortDescription($0)] } ?? [])
  }

  // MARK: Format

  /// Samples per second of the input's active format; 0 if there is no input.
  public var sampleRate: Double { Double(inputDevice?.activeAudio?.sampleRate ?? 0) }
  /// Channels of the input's active format; 0 if there is no input.
  public var inputNumberOfChannels: Int { inputDevice?.activeAudio?.channelCount ?? 0 }
  /// The highest channel count among the input's formats; 0 if there is no input.
  public var maximumInputNumberOfChannels: Int {
    inputDevice?.formats.compactMap(\.audio?.channelCount).max() ?? 0
  }
  /// 0: nothing is played here.
  public var outputNumberOfChannels: Int { 0 }
  /// 0: nothing is played here.
  public var maximumOutputNumberOfChannels: Int { 0 }

  /// The value that was set; 0 initially. Audio arrives at ``sampleRate``; recorders convert it to the rate in their
  /// settings.
  public var preferredSampleRate: Double { state.withLock { $0.sampleRate } }
  /// The value that was set, in seconds; 0 initially. The device determines the actual buffer duration.
  public var preferredIOBufferDuration: TimeInterval { state.withLock { $0.bufferDuration } }
  /// The value that was set; 0 initially.
  public var preferredInputNumberOfChannels: Int { state.withLock { $0.channelCount } }

  /// Stores a rate. It does not change the device's rate.
  ///
  /// - Parameter sampleRate: Samples per second, 0 or more.
  /// - Throws: ``AVError/Code/operationNotAllowed`` for an invalid rate.
  public func setPreferredSampleRate(_ sampleRate: Double) throws {
    guard sampleRate.isFinite, sampleRate >= 0 else {
      throw AVError(.operationNotAllowed, "\(sampleRate) is not a valid sample rate")
    }
    state.withLock { $0.sampleRate = sampleRate }
  }

  /// Stores a duration. It does not change the device's buffers.
  ///
  /// - Parameter duration: Seconds, 0 or more.
  /// - Throws: ``AVError/Code/operationNotAllowed`` for an invalid duration.
  public func setPreferredIOBufferDuration(_ duration: TimeInterval) throws {
    guard duration.isFinite, duration >= 0 else {
      throw AVError(.operationNotAllowed, "\(duration) s is not a valid buffer duration")
    }
    state.withLock { $0.bufferDuration = duration }
  }

  /// Stores a channel count. Audio keeps the channels of the device's format.
  ///
  /// - Throws: ``AVError/Code/operationNotAllowed`` for more than ``maximumInputNumberOfChannels`` or a negative count.
  public func setPreferredInputNumberOfChannels(_ count: Int) throws {
    let most = maximumInputNumberOfChannels
    guard (0...most).contains(count) else {
      throw AVError(.operationNotAllowed, "the input has \(most) channels at most, not \(count)")
    }
    state.withLock { $0.channelCount = count }
  }

  /// 0: unknown. Sample times come from the device.
  public var inputLatency: TimeInterval { 0 }
  /// 0: nothing is played here.
  public var outputLatency: TimeInterval { 0 }
  /// 0: unknown; each buffer has its own duration.
  public var ioBufferDuration: TimeInterval { 0 }

  // MARK: Gain, sources and orientation

  /// False: the system's mixer sets a sound card's gain.
  public var isInputGainSettable: Bool { false }
  /// 1: the device's level is unchanged.
  public var inputGain: Float { 1 }
  /// - Throws: ``AVError/Code/operationNotAllowed``, always; check ``isInputGainSettable`` first.
  public func setInputGain(_ gain: Float) throws {
    throw AVError(
      .operationNotAllowed, "the gain of an input is set by the system's mixer, such as alsamixer")
  }
  /// 1: nothing is played here.
  public var outputVolume: Float { 1 }

  /// Nil: a device's capsules are its channels.
  public var inputDataSources: [AVAudioSessionDataSourceDescription]? { nil }
  /// Nil, as ``inputDataSources``.
  public var inputDataSource: AVAudioSessionDataSourceDescription? { nil }
  /// Nil: nothing is played here.
  public var outputDataSources: [AVAudioSessionDataSourceDescription]? { nil }
  /// Nil: nothing is played here.
  public var outputDataSource: AVAudioSessionDataSourceDescription? { nil }
  /// Nil has no effect.
  ///
  /// - Throws: ``AVError/Code/operationNotAllowed`` for any source, because ``inputDataSources`` is nil.
  public func setInputDataSource(_ dataSource: AVAudioSessionDataSourceDescription?) throws {
    if dataSource != nil { throw AVAudioSessionPortDescription.noSource }
  }

  /// None: the machine's orientation is unknown.
  public var inputOrientation: StereoOrientation { .none }
  /// The value that was set; none initially. It has no effect: left and right are the device's.
  public var preferredInputOrientation: StereoOrientation { state.withLock { $0.orientation } }
  /// Stores an orientation.
  ///
  /// - Throws: Nothing; Apple's declaration throws.
  public func setPreferredInputOrientation(_ orientation: StereoOrientation) throws {
    state.withLock { $0.orientation = orientation }
  }

  /// Does nothing: nothing is played here.
  ///
  /// - Throws: Nothing; Apple's declaration throws.
  public func overrideOutputAudioPort(_ portOverride: PortOverride) throws {}
}

extension AVCaptureDevice {
  /// The device's current audio format: the active format of an audio-only device, otherwise the first audio format.
  fileprivate var activeAudio: AudioFormat? {
    activeFormat.audio ?? formats.lazy.compactMap(\.audio).first
  }
}

extension AVCaptureDevice.Format {
  fileprivate var audio: AudioFormat? {
    if case .audio(let format) = formatDescription { format } else { nil }
  }
}
