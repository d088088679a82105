import CaptureTestSupport
import MediaCore
import Synchronization
import Testing

@testable import CaptureDevices
@testable import VideoRecorder

@Suite(.timeLimit(.minutes(20)))
struct CaptureSessionTests {
  @Test func inputs_and_outputs_connect_by_media_type() throws {
    let rig = try Rig()
    #expect(rig.session.connections.count == 2)
    #expect(rig.video.connection(with: .video)?.device == rig.camera)
    #expect(rig.video.connection(with: .audio) == nil)
    #expect(rig.audio.connection(with: .audio)?.device == rig.microphone)
    rig.session.removeInput(rig.cameraInput)
    #expect(rig.video.connections.isEmpty)
    #expect(rig.audio.connections.count == 1)
  }

  @Test func invalid_inputs_and_outputs_are_refused() throws {
    let rig = try Rig()
    #expect(!rig.session.canAddInput(rig.cameraInput))
    #expect(!rig.session.canAddOutput(rig.video))
    #expect(!CaptureSession().canAddOutput(rig.video))
    let error = #expect(throws: CaptureError.self) { try rig.session.add(rig.cameraInput) }
    #expect(error?.code == .invalidState)
    rig.session.removeOutput(rig.video)
    #expect(CaptureSession().canAddOutput(rig.video))
    rig.cameraDriver.state.withLock { $0.isConnected = false }
    #expect(throws: CaptureError.self) { try CaptureDeviceInput(device: rig.camera) }
  }

  @Test func connections_can_be_made_manually() throws {
    let rig = try Rig(connected: false)
    rig.session.addInputWithNoConnections(rig.cameraInput)
    rig.session.addOutputWithNoConnections(rig.video)
    #expect(rig.video.connections.isEmpty)
    let port = try #require(rig.cameraInput.port(.video))
    let connection = CaptureConnection(inputPort: port, output: rig.video)
    try rig.session.add(connection)
    #expect(rig.video.connections == [connection])
    let second = CaptureConnection(inputPort: port, output: rig.video)
    #expect(!rig.session.canAddConnection(second))
    rig.session.removeConnection(connection)
    #expect(rig.video.connections.isEmpty)
  }

  @Test func samples_reach_every_output_in_order_and_none_after_the_stop() async throws {
    let rig = try Rig()
    let second = RecordingOutput(.video)
    try rig.session.add(second)
    try await rig.session.start()
    #expect(rig.session.isRunning)
    let camera = try #require(rig.cameraDriver.stream)
    for index in 0..<5 { try camera.sendFrame(index) }
    try #require(rig.microphoneDriver.stream).sendAudio(from: 0, frames: 480)
    let times = (0..<5).map { FrameRate.fps25.time(ofFrame: $0) }
    #expect(rig.video.times == times)
    #expect(second.times == times)
    #expect(rig.audio.times == [.zero])
    await rig.session.stop()
    #expect(!rig.session.isRunning)
    #expect(!camera.isFlowing)
    try camera.sendFrame(5)
    #expect(rig.video.times == times)
    #expect(rig.video.stops == 1)
  }

  @Test func a_disabled_connection_or_port_passes_no_samples() async throws {
    let rig = try Rig()
    try await rig.session.start()
    let camera = try #require(rig.cameraDriver.stream)
    let connection = try #require(rig.video.connection(with: .video))
    #expect(connection.isActive)
    connection.isEnabled = false
    try camera.sendFrame(0)
    connection.isEnabled = true
    connection.inputPorts.first?.isEnabled = false
    try camera.sendFrame(1)
    connection.inputPorts.first?.isEnabled = true
    try camera.sendFrame(2)
    #expect(rig.video.times == [FrameRate.fps25.time(ofFrame: 2)])
    await rig.session.stop()
    #expect(!connection.isActive)
  }

  @Test func a_device_that_fails_to_start_leaves_no_other_running() async throws {
    let rig = try Rig()
    rig.microphoneDriver.state.withLock {
      $0.openError = CaptureError(.deviceBusy, "busy", errno: 16)
    }
    let error = await #expect(throws: CaptureError.self) { try await rig.session.start() }
    #expect(error?.code == .deviceBusy)
    #expect(!rig.session.isRunning)
    #expect(rig.cameraDriver.stream?.isFlowing != true)
    rig.microphoneDriver.state.withLock {
      $0.openError = nil
      $0.startError = CaptureError(.deviceFailed, "start failed", errno: 5)
    }
    await #expect(throws: CaptureError.self) { try await rig.session.start() }
    #expect(rig.cameraDriver.stream?.isFlowing == false)
    rig.microphoneDriver.state.withLock { $0.startError = nil }
    try await rig.session.start()
    #expect(rig.cameraDriver.stream?.isFlowing == true)
    await rig.session.stop()
  }

  @Test func start_running_reports_failures_as_events() async throws {
    let rig = try Rig()
    var events = rig.session.events.makeAsyncIterator()
    rig.cameraDriver.state.withLock { $0.openError = CaptureError(.deviceBusy, "busy") }
    rig.session.startRunning()
    #expect(await events.next() == .runtimeError(CaptureError(.deviceBusy, "busy")))
    rig.cameraDriver.state.withLock { $0.openError = nil }
    rig.session.startRunning()
    #expect(await events.next() == .didStartRunning)
    rig.session.stopRunning()
    #expect(await events.next() == .didStopRunning)
  }

  @Test func a_transaction_takes_effect_at_its_end_or_not_at_all() async throws {
    let rig = try Rig()
    try await rig.session.start()
    let first = try #require(rig.cameraDriver.stream)
    let other = ScriptedDriver("v4l2:other", formats: [.frames(.v210)])
    let otherInput = try CaptureDeviceInput(device: CaptureDevice(driver: other))

    #expect(throws: CaptureError.self) {
      try rig.session.configure { session throws(CaptureError) in
        session.removeInput(rig.cameraInput)
        try session.add(otherInput)
        throw CaptureError(.invalidArgument, "changed my mind")
      }
    }
    #expect(first.isFlowing)
    #expect(other.openings == 0)
    #expect(rig.video.connection(with: .video)?.device == rig.camera)

    rig.session.beginConfiguration()
    rig.session.beginConfiguration()
    rig.session.removeInput(rig.cameraInput)
    rig.session.addInput(otherInput)
    rig.session.commitConfiguration()
    #expect(first.isFlowing && other.openings == 0, "the outer transaction is open")
    #expect(rig.video.connection(with: .video)?.device == otherInput.device)
    rig.session.commitConfiguration()
    #expect(!first.isFlowing)
    #expect(other.stream?.isFlowing == true)
    #expect(rig.microphoneDriver.openings == 1, "an unchanged device keeps running")
    await rig.session.stop()
  }

  @Test func an_output_added_to_a_running_session_gets_samples_without_a_restart() async throws {
    let rig = try Rig()
    try await rig.session.start()
    let late = RecordingOutput(.video)
    try rig.session.add(late)
    #expect(rig.cameraDriver.openings == 1)
    try #require(rig.cameraDriver.stream).sendFrame(7)
    #expect(late.times == [FrameRate.fps25.time(ofFrame: 7)])
    await rig.session.stop()
  }

  @Test func signal_changes_and_unplugging_are_reported_as_events() async throws {
    let rig = try Rig()
    var events = rig.session.events.makeAsyncIterator()
    try await rig.session.start()
    #expect(await events.next() == .didStartRunning)
    let camera = try #require(rig.cameraDriver.stream)
    camera.send(.signalLost)
    camera.send(.signalLost)
    #expect(rig.session.isInterrupted)
    camera.send(.signalRestored)
    #expect(!rig.session.isInterrupted)
    camera.send(.lost(count: 3, reason: .deviceSequenceGap, time: .zero))
    camera.send(.formatChanged)
    let id = "v4l2:test"
    #expect(await events.next() == .wasInterrupted(.signalLost, deviceID: id))
    #expect(await events.next() == .interruptionEnded(deviceID: id))
    #expect(
      await events.next() == .samplesLost(count: 3, reason: .deviceSequenceGap, deviceID: id))
    #expect(await events.next() == .wasInterrupted(.formatChanged, deviceID: id))
    // The new signal has another format; selecting it reopens the device.
    try rig.camera.configure { device throws(CaptureError) in
      try device.setActiveFormat(.frames(.uyvy))
    }
    #expect(await events.next() == .interruptionEnded(deviceID: id))
    #expect(rig.cameraDriver.openings == 2)
    let error = CaptureError(.deviceDisconnected, "unplugged", errno: 19)
    try #require(rig.cameraDriver.stream).send(.failed(error))
    #expect(await events.next() == .runtimeError(error))
    #expect(await events.next() == .wasInterrupted(.deviceDisconnected, deviceID: id))
    #expect(rig.session.isRunning, "the audio continues")
    try #require(rig.microphoneDriver.stream).send(.ended)
    #expect(await events.next() == .deviceEnded(deviceID: "alsa:test"))
    await rig.session.stop()
    #expect(await events.next() == .didStopRunning)
    #expect(!rig.session.isInterrupted)
  }

  @Test func a_device_reopened_without_a_signal_stays_interrupted() async throws {
    let rig = try Rig()
    try await rig.session.start()
    try #require(rig.cameraDriver.stream).send(.formatChanged)
    rig.cameraDriver.state.withLock { $0.firstEvent = .signalLost }
    try rig.camera.configure { device throws(CaptureError) in
      try device.setActiveFormat(.frames(.uyvy))
    }
    #expect(rig.cameraDriver.openings == 2)
    #expect(rig.session.isInterrupted)
    try #require(rig.cameraDriver.stream).send(.signalRestored)
    #expect(!rig.session.isInterrupted)
    await rig.session.stop()
  }

  @Test func concurrent_configuring_starting_and_stopping_is_safe() async throws {
    let rig = try Rig()
    await withTaskGroup(of: Void.self) { group in
      for number in 0..<8 {
        group.addTask {
          for _ in 0..<20 {
            switch number % 4 {
            case 0: try? await rig.session.start()
            case 1: await rig.session.stop()
            case 2:
              let output = RecordingOutput(.video)
              rig.session.addOutput(output)
              rig.session.removeOutput(output)
            default: try? rig.cameraDriver.stream?.sendFrame(0)
            }
          }
        }
      }
    }
    await rig.session.stop()
    #expect(!rig.session.isRunning)
    #expect(rig.session.outputs.count == 2)
    #expect(rig.cameraDriver.state.withLock { $0.streams.allSatisfy { !$0.isFlowing } })
  }
}
