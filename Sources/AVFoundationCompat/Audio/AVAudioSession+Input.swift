public import Foundation
import MediaCore
import Synchronization

extension AVAudioSession {
  /// The device that ``AVAudioRecorder`` and ``AVAudioEngine`` use: the preferred input while it is connected, else the
  /// default one.
  var inputDevice: AVCaptureDevice? {
    preferredInput?.device ?? AVCaptureDevice.default(for: .audio)
  }

  /// True if this machine has a device that gives sound.
  public var isInputAvailable: Bool { AVCaptureDevice.default(for: .audio) != nil }

  /// This machine's devices that give sound, whatever the category.
  public var availableInputs: [AVAudioSessionPortDescription]? {
    AVCaptureDevice.devices(for: .audio).map(AVAudioSessionPortDescription.init)
  }

  /// The input that the program chose; nil if it chose none, and once that one is gone.
  public var preferredInput: AVAudioSessionPortDescription? {
    state.withLock { $0.input }.flatMap { $0.device.isConnected ? $0 : nil }
  }

  /// Chooses the device that recorders and engines without one of their own look for next; nil for the default one. A
  /// capture session's device is the one that its input names.
  ///
  /// - Throws: ``AVError/Code/deviceNotConnected`` for a device that is gone.
  public func setPreferredInput(_ inPort: AVAudioSessionPortDescription?) throws {
    if let inPort, !inPort.device.isConnected {
      throw AVError(.deviceNotConnected, "\(inPort.device) is disconnected; choose another input")
    }
    state.withLock { $0.input = inPort }
  }

  /// The input that is used next, and no outputs: nothing is played here.
  public var currentRoute: AVAudioSessionRouteDescription {
    AVAudioSessionRouteDescription(
      inputs: inputDevice.map { [AVAudioSessionPortDescription($0)] } ?? [])
  }

  // MARK: Form

  /// Samples a second of the input's active format; 0 if there is no input.
  public var sampleRate: Double { Double(inputDevice?.activeSound?.sampleRate ?? 0) }
  /// Channels of the input's active format; 0 if there is no input.
  public var inputNumberOfChannels: Int { inputDevice?.activeSound?.channelCount ?? 0 }
  /// The most channels that a format of the input has; 0 if there is no input.
  public var maximumInputNumberOfChannels: Int {
    inputDevice?.formats.compactMap(\.sound?.channelCount).max() ?? 0
  }
  /// 0: nothing is played here.
  public var outputNumberOfChannels: Int { 0 }
  /// 0: nothing is played here.
  public var maximumOutputNumberOfChannels: Int { 0 }

  /// What was set; 0 at first. Sound comes at ``sampleRate``, and recorders convert it to the rate of their settings.
  public var preferredSampleRate: Double { state.withLock { $0.sampleRate } }
  /// What was set, in seconds; 0 at first. Buffers are as long as the device makes them.
  public var preferredIOBufferDuration: TimeInterval { state.withLock { $0.bufferDuration } }
  /// What was set; 0 at first.
  public var preferredInputNumberOfChannels: Int { state.withLock { $0.channelCount } }

  /// Keeps a rate.
  ///
  /// - Parameter sampleRate: Samples a second, 0 or more.
  /// - Throws: ``AVError/Code/operationNotAllowed`` for what is no rate.
  public func setPreferredSampleRate(_ sampleRate: Double) throws {
    guard sampleRate.isFinite, sampleRate >= 0 else {
      throw AVError(.operationNotAllowed, "\(sampleRate) is not a valid sample rate")
    }
    state.withLock { $0.sampleRate = sampleRate }
  }

  /// Keeps a duration.
  ///
  /// - Parameter duration: Seconds, 0 or more.
  /// - Throws: ``AVError/Code/operationNotAllowed`` for what is no duration.
  public func setPreferredIOBufferDuration(_ duration: TimeInterval) throws {
    guard duration.isFinite, duration >= 0 else {
      throw AVError(.operationNotAllowed, "\(duration) s is not a valid buffer duration")
    }
    state.withLock { $0.bufferDuration = duration }
  }

  /// Keeps a number of channels. Sound has those of the device's format.
  ///
  /// - Throws: ``AVError/Code/operationNotAllowed`` for more than ``maximumInputNumberOfChannels``, or fewer than 0.
  public func setPreferredInputNumberOfChannels(_ count: Int) throws {
    let most = maximumInputNumberOfChannels
    guard (0...most).contains(count) else {
      throw AVError(.operationNotAllowed, "the input has \(most) channels at most, not \(count)")
    }
    state.withLock { $0.channelCount = count }
  }

  /// 0: not known. Times of samples are those of the device.
  public var inputLatency: TimeInterval { 0 }
  /// 0: nothing is played here.
  public var outputLatency: TimeInterval { 0 }
  /// 0: not known; each buffer says how long it is.
  public var ioBufferDuration: TimeInterval { 0 }

  // MARK: Gain, sources and sides

  /// False: a sound card's gain is set by the system's mixer.
  public var isInputGainSettable: Bool { false }
  /// 1: sound is as loud as the device gives it.
  public var inputGain: Float { 1 }
  /// - Throws: ``AVError/Code/operationNotAllowed``: ask ``isInputGainSettable`` before.
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
  /// Nil changes nothing.
  ///
  /// - Throws: ``AVError/Code/operationNotAllowed`` for a source: ``inputDataSources`` has none.
  public func setInputDataSource(_ dataSource: AVAudioSessionDataSourceDescription?) throws {
    if dataSource != nil { throw AVAudioSessionPortDescription.noSource }
  }

  /// None: nobody knows how this machine is held.
  public var inputOrientation: StereoOrientation { .none }
  /// What was set; none at first. Changes nothing: left and right are the device's.
  public var preferredInputOrientation: StereoOrientation { state.withLock { $0.orientation } }
  /// Keeps a side.
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
  /// The sound that the device gives now: of a device of sound alone its active format, else the first of sound.
  fileprivate var activeSound: AudioFormat? {
    activeFormat.sound ?? formats.lazy.compactMap(\.sound).first
  }
}

extension AVCaptureDevice.Format {
  fileprivate var sound: AudioFormat? {
    if case .audio(let format) = formatDescription { format } else { nil }
  }
}
