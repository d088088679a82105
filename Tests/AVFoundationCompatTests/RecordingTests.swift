import AVFoundationCompat
import AssetReader
import Synchronization
import TestSupport
import Testing

/// The code of Apple's articles, rewritten in the same names.
@Suite(.serialized, .timeLimit(.minutes(10)))
struct RecordingTests {
  @Test func a_session_accepts_valid_outputs_and_connections() throws {
    let rig = try PatternRig()
    #expect(rig.session.canSetSessionPreset(.inputPriority))
    #expect(!rig.session.canAddOutput(rig.output))
    let output: AVCaptureOutput = rig.output
    #expect(output == rig.output && output != AVCaptureVideoDataOutput())
    #expect(rig.session.outputs.first.map { $0 == rig.output } == true)
    let port = try #require(rig.session.inputs.first?.ports.first as AVCaptureInput.Port?)
    let data = AVCaptureVideoDataOutput()
    rig.session.addOutputWithNoConnections(data)
    #expect(data.connections.isEmpty)
    let connection = AVCaptureConnection(inputPorts: [port], output: data)
    #expect(rig.session.canAddConnection(connection))
    rig.session.addConnection(connection)
    #expect(data.connection(with: .video) == connection && connection.mediaType == .video)
    for ports in [[], [port, port]] {
      #expect(!rig.session.canAddConnection(AVCaptureConnection(inputPorts: ports, output: data)))
    }
    #expect(rig.device.activeFormat.formatDescription.dimensions.width == 640)
    #expect(rig.device.activeFormat.mediaType == .video && rig.device.position == .unspecified)
    let range = try #require(rig.device.activeFormat.videoSupportedFrameRateRanges.first)
    #expect(range.minFrameRate <= range.maxFrameRate && range.maxFrameRate >= 25.0)
    #expect(AVCaptureDevice.authorizationStatus(for: .video) == .authorized)
    let discovery = AVCaptureDevice.DiscoverySession(
      deviceTypes: [.builtInWideAngleCamera], mediaType: .video, position: .back)
    #expect(discovery.devices.isEmpty)
    #expect(AVCaptureDevice.default(.builtInWideAngleCamera, for: .video, position: .back) == nil)
    #expect(AVCaptureDevice.default(for: .video) != nil)
  }

  @Test func a_session_and_its_device_describe_themselves() throws {
    let rig = try PatternRig()
    #expect(rig.session.sessionPreset == .inputPriority && !rig.session.isInterrupted)
    let device = rig.device
    #expect(!device.localizedName.isEmpty && device.uniqueID == "pattern:bars")
    #expect(device.modelID == "pattern" && device.manufacturer == device.identity.manufacturer)
    #expect(device.isConnected && device.hasMediaType(.video) && device.deviceType == .pattern)
    #expect(device.position == AVCaptureDevice.Position.unspecified)
    let format: AVCaptureDevice.Format = device.activeFormat
    #expect(format.supportedMaxPhotoDimensions == [CMVideoDimensions(width: 640, height: 360)])
    let range: AVFrameRateRange = try #require(format.videoSupportedFrameRateRanges.first)
    #expect(range.minFrameDuration <= range.maxFrameDuration)
    for type: AVCaptureDevice.DeviceType in [
      .builtInTelephotoCamera, .builtInUltraWideCamera, .builtInDualCamera, .builtInTripleCamera,
    ] {
      #expect(AVCaptureDevice.default(type, for: .video, position: .unspecified) == nil)
    }
    #expect(AVCaptureDevice.DeviceType.externalUnknown == .external)
    #expect(AVCaptureDevice.DeviceType.builtInMicrophone == .microphone)
    #expect(throws: CaptureError.self) {
      try device.setExposureModeCustom(SensorExposure(duration: 1))
    }
    let sensor = try #require(AVCaptureDevice(uniqueID: "pattern:raw"))
    #expect(try sensor.setExposureModeCustom(SensorExposure(duration: 0.01)).duration == 0.01)

    let data = AVCaptureVideoDataOutput()
    rig.session.addInputWithNoConnections(
      try AVCaptureDeviceInput(device: AVCaptureDevice.device(identifier: "tone")))
    rig.session.addOutput(data)
    #expect(data.sampleBufferDelegate == nil && rig.session.inputs.count == 2)
    #expect(data.availableVideoCodecTypesForAssetWriter(writingTo: .mov).contains(.proRes422HQ))
    #expect(data.recommendedVideoSettingsForAssetWriter(writingTo: .mov)?.isEmpty == false)
    let connection = try #require(data.connection(with: .video))
    #expect(connection.isEnabled && !connection.isActive)
    rig.session.removeConnection(connection)
    #expect(data.connections.isEmpty)
    rig.session.removeInput(try #require(rig.session.inputs.last))
    #expect(rig.session.inputs.count == 1)
  }

  @Test(.tags(.judges))
  func removing_the_device_ends_a_recording_with_a_valid_movie()
    async throws
  {
    let rig = try PatternRig()
    let folder = try TemporaryFolder()
    let finished = AsyncStream.makeStream(of: AVError?.self)
    let listener = InputRemover(rig.session) { finished.continuation.yield($0) }
    rig.session.startRunning()
    rig.output.startRecording(to: folder.url("take.mov"), recordingDelegate: listener)
    var ends = finished.stream.makeAsyncIterator()
    let end = await ends.next()
    let error = try #require(end ?? nil)
    #expect(error.code == .sessionConfigurationChanged)
    #expect(error.recordingSuccessfullyFinished == true)
    rig.session.stopRunning()
    #expect(try Judges.strictDecode(folder.path("take.mov")) == "")
    #expect(AVError(CaptureError(.nothingRecorded, "none")).code == .noDataCaptured)
  }

  @Test func session_events_are_posted_in_order() async throws {
    let rig = try PatternRig()
    let posted = Mutex<[String]>([])
    let error = Mutex<AVError?>(nil)
    let names: [Notification.Name] = [
      .AVCaptureSessionRuntimeError, .AVCaptureSessionDidStartRunning,
      .AVCaptureSessionDidStopRunning, .AVCaptureSessionWasInterrupted,
      .AVCaptureSessionInterruptionEnded,
    ]
    #expect(
      names == [
        AVCaptureSession.runtimeErrorNotification, AVCaptureSession.didStartRunningNotification,
        AVCaptureSession.didStopRunningNotification, AVCaptureSession.wasInterruptedNotification,
        AVCaptureSession.interruptionEndedNotification,
      ])
    let observers = names.map { name in
      NotificationCenter.default.addObserver(forName: name, object: rig.session, queue: nil) {
        notification in
        if let found = notification.userInfo?[AVCaptureSessionErrorKey] as? AVError {
          error.withLock { $0 = found }
        }
        posted.withLock { $0.append(notification.name.rawValue) }
      }
    }
    rig.session.startRunning()
    rig.session.addOutput(rig.output)
    rig.session.stopRunning()
    try await eventually("three notifications arrive") { posted.withLock { $0.count } >= 3 }
    for observer in observers { NotificationCenter.default.removeObserver(observer) }
    #expect(posted.withLock { $0 } == [names[1], names[0], names[2]].map(\.rawValue))
    #expect(error.withLock { $0 }?.code == .operationNotAllowed)
  }

  @Test func a_lost_signal_is_posted_as_an_interruption() async throws {
    let rig = try PatternRig("pattern:bars?signal=3,0.2")
    let reason = Mutex<AVError?>(nil)
    let hasEnded = Atomic<Bool>(false)
    let center = NotificationCenter.default
    let observers = [
      center.addObserver(
        forName: AVCaptureSession.wasInterruptedNotification, object: rig.session, queue: nil
      ) { notification in
        let found = notification.userInfo?[AVCaptureSessionErrorKey] as? AVError
        reason.withLock { $0 = found }
      },
      center.addObserver(
        forName: AVCaptureSession.interruptionEndedNotification, object: rig.session, queue: nil
      ) { _ in hasEnded.store(true, ordering: .relaxed) },
    ]
    rig.session.startRunning()
    try await eventually("the interruption ends") { hasEnded.load(ordering: .relaxed) }
    rig.session.stopRunning()
    for observer in observers { center.removeObserver(observer) }
    #expect(reason.withLock { $0 }?.code == .sessionWasInterrupted)
  }

  @Test func capture_access_is_always_granted() async {
    #expect(await AVCaptureDevice.requestAccess(for: .audio))
    let status: AVAuthorizationStatus = AVCaptureDevice.authorizationStatus(for: .audio)
    let isGranted = await withCheckedContinuation { continuation in
      AVCaptureDevice.requestAccess(for: .video) { continuation.resume(returning: $0) }
    }
    #expect(isGranted && status == .authorized)
  }

  @Test func a_recording_is_paused_resumed_and_stopped() async throws {
    final class Delegate: NSObject, AVCaptureFileOutputRecordingDelegate {
      let calls = Mutex<[String]>([])
      var has: Set<String> { Set(calls.withLock { $0 }) }
      private func note(_ call: String) { calls.withLock { $0.append(call) } }
      func fileOutput(
        _ output: AVCaptureFileOutput, didStartRecordingTo fileURL: URL,
        from connections: [AVCaptureConnection]
      ) { note("start") }
      func fileOutput(
        _ output: AVCaptureFileOutput, didPauseRecordingTo fileURL: URL,
        from connections: [AVCaptureConnection]
      ) { note("pause") }
      func fileOutput(
        _ output: AVCaptureFileOutput, didResumeRecordingTo fileURL: URL,
        from connections: [AVCaptureConnection]
      ) { note("resume") }
      func fileOutput(
        _ output: AVCaptureFileOutput, didFinishRecordingTo outputFileURL: URL,
        from connections: [AVCaptureConnection], error: (any Error)?
      ) { note(error == nil ? "finish" : "\(error.map { "\($0)" } ?? "")") }
    }
    func wait(_ isSo: () -> Bool) async throws {
      try await eventually("the delegate is notified") { isSo() }
    }
    let folder = try TemporaryFolder()
    let rig = try PatternRig()
    let output = rig.output
    output.maxRecordedFileSize = 1 << 40
    output.movieFragmentInterval = CMTime(value: 1, timescale: 1)
    output.options.metadata.make = "Maker"
    #expect(output.availableVideoCodecTypes.contains(.proRes422Proxy))
    #expect(!output.availableVideoCodecTypes.contains(.proRes4444XQ))
    rig.session.startRunning()
    #expect(rig.session.isRunning)
    let delegate = Delegate()
    let url = folder.url("paused.mov")
    output.startRecording(to: url, recordingDelegate: delegate)
    try await wait { output.recordedDuration.seconds > 0.2 && delegate.has.contains("start") }
    #expect(output.isRecording && output.outputFileURL == url && output.recordedFileSize >= 0)
    output.pauseRecording()
    #expect(output.isRecordingPaused)
    output.resumeRecording()
    #expect(!output.isRecordingPaused)
    output.stopRecording()
    try await wait { delegate.calls.withLock { $0.count } == 4 }
    rig.session.stopRunning()
    #expect(delegate.calls.withLock { $0 } == ["start", "pause", "resume", "finish"])
    #expect(try StrictDecoder(path: url.path).run().isClean)
  }
}

/// Removes a session's inputs as soon as it records, and reports the end of the recording.
private final class InputRemover: NSObject, AVCaptureFileOutputRecordingDelegate {
  private let session: AVCaptureSession
  private let finish: @Sendable (AVError?) -> Void

  init(_ session: AVCaptureSession, finish: @escaping @Sendable (AVError?) -> Void) {
    (self.session, self.finish) = (session, finish)
  }

  func fileOutput(
    _ output: AVCaptureFileOutput, didStartRecordingTo fileURL: URL,
    from connections: [AVCaptureConnection]
  ) { for input in session.inputs { session.removeInput(input) } }

  func fileOutput(
    _ output: AVCaptureFileOutput, didFinishRecordingTo outputFileURL: URL,
    from connections: [AVCaptureConnection], error: (any Error)?
  ) { finish(error as? AVError) }
}
