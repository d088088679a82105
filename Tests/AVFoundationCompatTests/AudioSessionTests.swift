import Foundation
import Synchronization
import TestSupport
import Testing

@testable import AVFoundationCompat

/// How phone recorders set up the audio session before recording.
@Suite struct AudioSessionTests {
  private let tone: AVCaptureDevice

  init() throws { tone = try #require(AVCaptureDevice(uniqueID: "tone")) }

  private func code(_ body: () throws -> Void) -> AVError.Code? {
    do { try body() } catch { return (error as? AVError)?.code }
    return nil
  }

  @Test func categories_modes_and_options_are_stored() throws {
    let session = AVAudioSession()
    #expect(session.category == .soloAmbient && session.mode == .default)
    #expect(session.categoryOptions.isEmpty && session.routeSharingPolicy == .default)
    try session.setCategory(
      .playAndRecord, mode: .videoRecording, options: [.defaultToSpeaker, .allowBluetooth])
    #expect(session.category == .playAndRecord && session.mode == .videoRecording)
    #expect(session.categoryOptions == [.defaultToSpeaker, .allowBluetoothHFP])
    try session.setMode(.measurement)
    #expect(session.mode == .measurement)
    try session.setCategory(.record, mode: .default, policy: .independent)
    #expect(session.routeSharingPolicy == .independent && session.categoryOptions.isEmpty)
    try session.setCategory(.playback, options: [.mixWithOthers, .duckOthers])
    #expect(session.mode == .default && session.categoryOptions.rawValue == 3)
    try session.setCategory(.record)
    try session.setActive(true)
    try session.setActive(false, options: .notifyOthersOnDeactivation)
    #expect(session.availableCategories.contains(.multiRoute))
    #expect(session.availableModes.contains(.videoChat) && session.availableModes.count == 9)
    // Categories and modes unknown to Apple are refused, and the previous ones stay.
    #expect(
      code { try session.setCategory(AVAudioSession.Category(rawValue: "loud")) }
        == .operationNotAllowed)
    #expect(code { try session.setMode(.init(rawValue: "loud")) } == .operationNotAllowed)
    #expect(
      code { try session.setCategory(.ambient, mode: .init(rawValue: "loud")) }
        == .operationNotAllowed)
    #expect(session.category == .record && session.mode == .default)
  }

  @Test func record_permission_is_always_granted() {
    let session = AVAudioSession.sharedInstance()
    #expect(session === AVAudioSession.sharedInstance())
    #expect(session.recordPermission == AVAudioSession.RecordPermission.granted)
    var answer = false
    session.requestRecordPermission { answer = $0 }
    #expect(answer)
  }

  @Test func preferences_are_stored_and_impossible_ones_throw() throws {
    let session = AVAudioSession()
    try session.setPreferredInput(AVAudioSessionPortDescription(tone))
    #expect(session.preferredSampleRate == 0 && session.preferredIOBufferDuration == 0)
    try session.setPreferredSampleRate(44_100)
    try session.setPreferredIOBufferDuration(0.005)
    try session.setPreferredInputNumberOfChannels(1)
    try session.setPreferredInputOrientation(.landscapeRight)
    try session.setAllowHapticsAndSystemSoundsDuringRecording(true)
    try session.setPrefersNoInterruptionsFromSystemAlerts(true)
    try session.overrideOutputAudioPort(.speaker)
    #expect(session.preferredSampleRate == 44_100 && session.preferredIOBufferDuration == 0.005)
    #expect(session.preferredInputNumberOfChannels == 1)
    #expect(session.preferredInputOrientation == AVAudioSession.StereoOrientation.landscapeRight)
    #expect(session.inputOrientation == .none)
    #expect(session.allowHapticsAndSystemSoundsDuringRecording)
    #expect(session.prefersNoInterruptionsFromSystemAlerts)
    #expect(!session.isInputGainSettable && session.inputGain == 1 && session.outputVolume == 1)
    #expect(session.inputDataSources == nil && session.inputDataSource == nil)
    #expect(session.outputDataSources == nil && session.outputDataSource == nil)
    #expect(!session.isOtherAudioPlaying && !session.secondaryAudioShouldBeSilencedHint)
    #expect(session.inputLatency == 0 && session.outputLatency == 0)
    #expect(session.ioBufferDuration == 0)
    #expect(session.outputNumberOfChannels == 0 && session.maximumOutputNumberOfChannels == 0)
    try session.setInputDataSource(nil)
    #expect(code { try session.setInputGain(0.5) } == .operationNotAllowed)
    #expect(code { try session.setPreferredSampleRate(-.infinity) } == .operationNotAllowed)
    #expect(code { try session.setPreferredIOBufferDuration(-1) } == .operationNotAllowed)
    #expect(code { try session.setPreferredInputNumberOfChannels(999) } == .operationNotAllowed)
    #expect(code { try session.setPreferredInputNumberOfChannels(-1) } == .operationNotAllowed)
    #expect(session.preferredSampleRate == 44_100 && session.preferredInputNumberOfChannels == 1)
  }

  @Test func available_inputs_are_the_machines_audio_devices() throws {
    let session = AVAudioSession()
    let devices = AVCaptureDevice.devices(for: .audio)
    #expect(session.availableInputs?.map(\.uid) == devices.map(\.uniqueID))
    #expect(session.isInputAvailable == (AVCaptureDevice.default(for: .audio) != nil))
    #expect(session.preferredInput == nil)
    #expect(
      session.currentRoute.inputs.first?.uid == AVCaptureDevice.default(for: .audio)?.uniqueID)
    let port = AVAudioSessionPortDescription(tone)
    #expect(port.portName == tone.localizedName && port.uid == tone.uniqueID)
    #expect(port.portType == AVAudioSession.Port.virtual && "\(port)" == "\(tone)")
    #expect(port.dataSources == nil && port.selectedDataSource == nil)
    #expect(port.preferredDataSource == nil && !port.isSpatialAudioEnabled)
    #expect(!port.hasHardwareVoiceCallProcessing && port == AVAudioSessionPortDescription(tone))
    try port.setPreferredDataSource(nil)
    let channels = try #require(port.channels)
    #expect(channels.map(\.channelNumber) == Array(1...max(channels.count, 1)))
    let first: AVAudioSessionChannelDescription? = channels.first
    #expect(first?.owningPortUID == port.uid)
    #expect(channels.first?.channelLabel == kAudioChannelLabel_Unknown)
    #expect(channels.first?.channelName == "Channel 1")
  }

  @Test func the_preferred_input_becomes_the_current_route() throws {
    let session = AVAudioSession()
    let port = AVAudioSessionPortDescription(tone)
    try session.setPreferredInput(port)
    #expect(session.preferredInput == port && session.inputDevice === tone)
    let route: AVAudioSessionRouteDescription = session.currentRoute
    #expect(route.inputs == [port] && route.outputs.isEmpty && route == session.currentRoute)
    guard case .audio(let format) = tone.activeFormat.formatDescription else {
      Issue.record("the tone has no audio format")
      return
    }
    #expect(session.sampleRate == Double(format.sampleRate))
    #expect(session.inputNumberOfChannels == format.channelCount)
    #expect(session.maximumInputNumberOfChannels == port.channels?.count)
    try session.setPreferredInput(nil)
    #expect(session.preferredInput == nil)
    #expect(session.inputDevice === AVCaptureDevice.default(for: .audio))
  }

  @Test func connecting_or_removing_an_audio_device_changes_the_route() async throws {
    let name = AVAudioSession.routeChangeNotification
    #expect(name == .AVAudioSessionRouteChange)
    let device = tone
    let reasons = Mutex<[AVAudioSession.RouteChangeReason]>([])
    let observer = NotificationCenter.default.addObserver(forName: name, object: nil, queue: nil) {
      guard let info = $0.userInfo,
        $0.object as? AVAudioSession === AVAudioSession.sharedInstance(),
        info[AVAudioSessionRouteChangePreviousRouteKey] is AVAudioSessionRouteDescription,
        let reason = (info[AVAudioSessionRouteChangeReasonKey] as? UInt)
          .flatMap(AVAudioSession.RouteChangeReason.init)
      else { return }
      reasons.withLock { $0.append(reason) }
    }
    defer { NotificationCenter.default.removeObserver(observer) }
    NotificationCenter.default.post(name: .AVCaptureDeviceWasConnected, object: device)
    NotificationCenter.default.post(name: .AVCaptureDeviceWasDisconnected, object: device)
    let pattern = try #require(AVCaptureDevice(uniqueID: "pattern:bars"))
    NotificationCenter.default.post(name: .AVCaptureDeviceWasConnected, object: pattern)
    let seen = reasons.withLock { $0 }
    #expect(seen.contains(.newDeviceAvailable) && seen.contains(.oldDeviceUnavailable))
  }

  @Test func code_that_handles_audio_session_notifications_compiles() {
    func handle(_ notification: Notification) {
      guard let info = notification.userInfo,
        let type = (info[AVAudioSessionInterruptionTypeKey] as? UInt)
          .flatMap(AVAudioSession.InterruptionType.init)
      else { return }
      switch type {
      case .began: print(info[AVAudioSessionInterruptionReasonKey] ?? "")
      case .ended:
        let options = info[AVAudioSessionInterruptionOptionKey] as? UInt ?? 0
        if AVAudioSession.InterruptionOptions(rawValue: options).contains(.shouldResume) {}
      }
    }
    // A phone's microphone with several capsules.
    func aim(_ port: AVAudioSessionPortDescription) throws {
      let front = port.dataSources?.first {
        $0.orientation == AVAudioSession.Orientation.front
          && $0.location != AVAudioSession.Location.lower
      }
      guard let front, front.supportedPolarPatterns?.contains(.stereo) == true else { return }
      if front.preferredPolarPattern != AVAudioSession.PolarPattern.stereo {
        try front.setPreferredPolarPattern(.stereo)
      }
      print(front.dataSourceName, front.dataSourceID, front.selectedPolarPattern as Any)
      try port.setPreferredDataSource(front as AVAudioSessionDataSourceDescription)
    }
    let names: [Notification.Name] = [
      AVAudioSession.interruptionNotification, AVAudioSession.mediaServicesWereLostNotification,
      AVAudioSession.mediaServicesWereResetNotification,
      AVAudioSession.silenceSecondaryAudioHintNotification, .AVAudioSessionInterruption,
      .AVAudioSessionMediaServicesWereReset,
    ]
    #expect(Set(names).count == 4)
    #expect(AVAudioSessionSilenceSecondaryAudioHintTypeKey.hasSuffix("HintTypeKey"))
    #expect(AVAudioSession.SilenceSecondaryAudioHintType.begin.rawValue == 1)
    #expect(AVAudioSession.InterruptionReason.routeDisconnected.rawValue == 4)
    #expect(AVAudioSession.RouteSharingPolicy.independent.rawValue == 2)
    #expect(AVAudioSession.PortOverride.none != .speaker)
    #expect(AVAudioSession.SetActiveOptions().isEmpty)
    #expect(AVAudioSession.CategoryOptions().isEmpty)
    #expect(AVAudioSession.Mode.default.rawValue == "AVAudioSessionModeDefault")
    for port in AVAudioSession.sharedInstance().availableInputs ?? [] { try? aim(port) }
    handle(Notification(name: names[0]))
  }
}
