import CaptureTestSupport
import MediaCore
import Synchronization
import TestSupport
import Testing

@testable import CaptureDevices
@testable import VideoRecorder

@Suite(.timeLimit(.minutes(20)))
struct CaptureSessionTests {
  @Test func inputs_and_outputs_connect_by_what_they_carry() throws {
    let rig = try Rig()
    #expect(rig.session.connections.count == 2)
    #expect(rig.pictures.connection(with: .video)?.device == rig.camera)
    #expect(rig.pictures.connection(with: .audio) == nil)
    #expect(rig.sound.connection(with: .audio)?.device == rig.microphone)
    rig.session.removeInput(rig.cameraInput)
    #expect(rig.pictures.connections.isEmpty)
    #expect(rig.sound.connections.count == 1)
  }

  @Test func what_cannot_be_added_is_refused_with_the_reason() throws {
    let rig = try Rig()
    #expect(!rig.session.canAddInput(rig.cameraInput))
    #expect(!rig.session.canAddOutput(rig.pictures))
    #expect(!CaptureSession().canAddOutput(rig.pictures))
    let error = #expect(throws: CaptureError.self) { try rig.session.add(rig.cameraInput) }
    #expect(error?.code == .invalidState)
    rig.session.removeOutput(rig.pictures)
    #expect(CaptureSession().canAddOutput(rig.pictures))
    rig.cameraDriver.state.withLock { $0.isConnected = false }
    #expect(throws: CaptureError.self) { try CaptureDeviceInput(device: rig.camera) }
  }

  @Test func connections_can_be_made_by_hand() throws {
    let rig = try Rig(connected: false)
    rig.session.addInputWithNoConnections(rig.cameraInput)
    rig.session.addOutputWithNoConnections(rig.pictures)
    #expect(rig.pictures.connections.isEmpty)
    let port = try #require(rig.cameraInput.port(.video))
    let connection = CaptureConnection(inputPort: port, output: rig.pictures)
    try rig.session.add(connection)
    #expect(rig.pictures.connections == [connection])
    let second = CaptureConnection(inputPort: port, output: rig.pictures)
    #expect(!rig.session.canAddConnection(second))
    rig.session.removeConnection(connection)
    #expect(rig.pictures.connections.isEmpty)
  }

  @Test func samples_reach_every_output_in_order_and_none_after_the_stop() async throws {
    let rig = try Rig()
    let second = RecordingOutput(.video)
    try rig.session.add(second)
    try await rig.session.start()
    #expect(rig.session.isRunning)
    let camera = try #require(rig.cameraDriver.stream)
    for index in 0..<5 { try camera.sendFrame(index) }
    try #require(rig.microphoneDriver.stream).sendSound(from: 0, frames: 480)
    let times = (0..<5).map { FrameRate.fps25.time(ofFrame: $0) }
    #expect(rig.pictures.times == times)
    #expect(second.times == times)
    #expect(rig.sound.times == [.zero])
    await rig.session.stop()
    #expect(!rig.session.isRunning)
    #expect(!camera.isFlowing)
    try camera.sendFrame(5)
    #expect(rig.pictures.times == times)
    #expect(rig.pictures.stops == 1)
  }

  @Test func a_disabled_connection_or_port_lets_nothing_through() async throws {
    let rig = try Rig()
    try await rig.session.start()
    let camera = try #require(rig.cameraDriver.stream)
    let connection = try #require(rig.pictures.connection(with: .video))
    #expect(connection.isActive)
    connection.isEnabled = false
    try camera.sendFrame(0)
    connection.isEnabled = true
    connection.inputPorts.first?.isEnabled = false
    try camera.sendFrame(1)
    connection.inputPorts.first?.isEnabled = true
    try camera.sendFrame(2)
    #expect(rig.pictures.times == [FrameRate.fps25.time(ofFrame: 2)])
    await rig.session.stop()
    #expect(!connection.isActive)
  }

  @Test func a_device_that_refuses_leaves_no_other_one_taken() async throws {
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

  @Test func apples_blocking_start_tells_of_a_failure_through_the_events() async throws {
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

  @Test func a_transaction_takes_effect_as_one_at_its_end_or_not_at_all() async throws {
    let rig = try Rig()
    try await rig.session.start()
    let first = try #require(rig.cameraDriver.stream)
    let other = ScriptedDriver("v4l2:other", formats: [.pictures(.v210)])
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
    #expect(rig.pictures.connection(with: .video)?.device == rig.camera)

    rig.session.beginConfiguration()
    rig.session.beginConfiguration()
    rig.session.removeInput(rig.cameraInput)
    rig.session.addInput(otherInput)
    rig.session.commitConfiguration()
    #expect(first.isFlowing && other.openings == 0, "the outer transaction is open")
    #expect(rig.pictures.connection(with: .video)?.device == otherInput.device)
    rig.session.commitConfiguration()
    #expect(!first.isFlowing)
    #expect(other.stream?.isFlowing == true)
    #expect(rig.microphoneDriver.openings == 1, "what did not change goes on")
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

  @Test func another_active_format_restarts_that_devices_stream_alone() async throws {
    let rig = try Rig()
    rig.session.sessionPreset = .high
    try await rig.session.start()
    try rig.camera.configure { device throws(CaptureError) in
      try device.setActiveFormat(.pictures(.uyvy))
    }
    #expect(rig.session.sessionPreset == .inputPriority)
    #expect(rig.cameraDriver.openings == 2)
    #expect(rig.microphoneDriver.openings == 1)
    let request = try #require(rig.cameraDriver.state.withLock { $0.requests.last })
    #expect(request.format == .pictures(.uyvy))
    await rig.session.stop()
  }

  @Test func a_format_chosen_by_hand_stays_in_a_transaction_with_a_preset() throws {
    let small = CaptureDevice.Format.pictures(.uyvy, 1280, 720)
    let device = CaptureDevice(
      driver: ScriptedDriver(formats: [.pictures(.v210, 1920, 1080), small]))
    let session = CaptureSession()
    try session.add(CaptureDeviceInput(device: device))
    try device.configure { device throws(CaptureError) in try device.setActiveFormat(small) }
    // The preset is for the best format; the choice that follows is the one that the device has.
    session.beginConfiguration()
    session.sessionPreset = .high
    try device.configure { device throws(CaptureError) in try device.setActiveFormat(small) }
    session.commitConfiguration()
    #expect(device.activeFormat == small)
    #expect(session.sessionPreset == .inputPriority)
  }

  @Test func a_preset_chooses_formats_and_one_that_fits_none_is_refused() throws {
    let driver = ScriptedDriver(formats: [
      .pictures(.v210, 3840, 2160), .pictures(.v210, 1920, 1080), .pictures(.uyvy, 1280, 720),
    ])
    let device = CaptureDevice(driver: driver)
    let session = CaptureSession()
    try session.add(CaptureDeviceInput(device: device))
    #expect(session.sessionPreset == .inputPriority)
    session.sessionPreset = .hd1280x720
    #expect(device.activeFormat == .pictures(.uyvy, 1280, 720))
    #expect(session.sessionPreset == .hd1280x720)
    driver.state.withLock { _ = $0.formats.removeLast() }
    try device.queryFormats()
    #expect(!session.canSetSessionPreset(.hd1280x720))
    #expect(session.canSetSessionPreset(.hd1920x1080))
    #expect(!session.canSetSessionPreset(CaptureSession.Preset(rawValue: "nonsense")))
  }

  @Test func a_rate_keeps_the_preset_and_finds_its_format_that_has_the_rate() throws {
    let (slow, fast) = (
      CaptureDevice.Format.pictures(.v210, 1280, 720, rates: [.fps25]),
      CaptureDevice.Format.pictures(.uyvy, 1280, 720, rates: [.fps25, .fps50])
    )
    let device = CaptureDevice(
      driver: ScriptedDriver(formats: [
        .pictures(.v210, 1920, 1080, rates: [.fps25, .fps50]), slow, fast,
      ]))
    let session = CaptureSession()
    try session.add(CaptureDeviceInput(device: device))
    session.sessionPreset = .hd1280x720
    #expect(device.activeFormat == slow)
    try device.lockForConfiguration()
    device.activeVideoMinFrameDuration = FrameRate.fps50.frameDuration
    device.activeVideoMaxFrameDuration = FrameRate.fps50.frameDuration
    device.unlockForConfiguration()
    #expect(session.sessionPreset == .hd1280x720)
    #expect(device.activeFormat == fast && device.activeFrameRate == .fps50)
    session.sessionPreset = .hd1920x1080
    #expect(device.activeFormat?.dimensions == VideoDimensions(width: 1920, height: 1080))
    #expect(device.activeFrameRate == .fps50)
  }

  @Test func a_device_without_a_format_for_the_chosen_preset_is_not_added() throws {
    let device = CaptureDevice(driver: ScriptedDriver(formats: [.pictures(.v210, 1920, 1080)]))
    let input = try CaptureDeviceInput(device: device)
    let session = CaptureSession()
    session.sessionPreset = .hd1280x720
    #expect(!session.canAddInput(input))
    #expect(throws: CaptureError.self) { try session.add(input) }
    session.sessionPreset = .high
    #expect(session.canAddInput(input))
    try session.add(input)
  }

  @Test func signal_loss_and_return_change_end_and_unplugging_are_events() async throws {
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
    // The new signal has another format; choosing it opens the device anew.
    try rig.camera.configure { device throws(CaptureError) in
      try device.setActiveFormat(.pictures(.uyvy))
    }
    #expect(await events.next() == .interruptionEnded(deviceID: id))
    #expect(rig.cameraDriver.openings == 2)
    let error = CaptureError(.deviceDisconnected, "unplugged", errno: 19)
    try #require(rig.cameraDriver.stream).send(.failed(error))
    #expect(await events.next() == .runtimeError(error))
    #expect(await events.next() == .wasInterrupted(.deviceDisconnected, deviceID: id))
    #expect(rig.session.isRunning, "the sound goes on")
    try #require(rig.microphoneDriver.stream).send(.ended)
    #expect(await events.next() == .deviceEnded(deviceID: "alsa:test"))
    await rig.session.stop()
    #expect(await events.next() == .didStopRunning)
    #expect(!rig.session.isInterrupted)
  }

  @Test func the_start_timecode_and_the_rate_reach_the_device() async throws {
    let rig = try Rig()
    let format = try #require(TimecodeFormat(frameRate: .fps25, isDropFrame: false))
    let timecode = Timecode(frameNumber: 90_000, format: format)
    rig.cameraInput.startTimecode = timecode
    rig.cameraInput.bufferCount = 1
    try await rig.session.start()
    let request = try #require(rig.cameraDriver.state.withLock { $0.requests.last })
    #expect(request.startTimecode == timecode)
    #expect(request.frameRate == .fps25)
    #expect(request.bufferCount == 2)
    await rig.session.stop()
  }

  @Test(arguments: [
    (PixelFormat.v210, 1920, 1080, FrameRate.fps25, 13), (.v210, 1920, 1080, .fps60, 30),
    (.p210, 1280, 720, .fps24, 12), (.p210, 1920, 1080, .fps60, 28),
    (.v210, 3840, 2160, .fps60, 10),
    (.p210, 3840, 2160, .fps60, 8), (.v210, 7680, 4320, .fps25, 8),
  ])
  func a_device_has_buffers_for_half_a_second_as_memory_allows(
    _ layout: PixelFormat, _ width: Int, _ height: Int, _ rate: FrameRate, _ count: Int
  ) async throws {
    let slow = try #require(FrameRate(5, 1))
    let camera = ScriptedDriver(formats: [.pictures(layout, width, height, rates: [rate, slow])])
    let input = try CaptureDeviceInput(device: CaptureDevice(driver: camera))
    #expect(input.bufferCount == count)
    let session = CaptureSession()
    try session.add(input)
    try session.add(RecordingOutput(.video))
    try await session.start()
    #expect(camera.state.withLock { $0.requests.last?.bufferCount } == count)
    try input.device.configure { device throws(CaptureError) in
      try device.setActiveFrameRate(slow)
    }
    #expect(camera.state.withLock { $0.requests.last?.bufferCount } == 8)
    await session.stop()
    input.bufferCount = 5
    #expect(input.bufferCount == 5)
    let sound = ScriptedDriver("alsa:test", mediaType: .audio, formats: [.sound()])
    #expect(try CaptureDeviceInput(device: CaptureDevice(driver: sound)).bufferCount == 8)
  }

  @Test func buffers_hold_half_a_second_or_224_mb_and_never_fewer_than_eight() {
    for layout in [PixelFormat.v210, .p210, .uyvy, .yuv444p12] {
      for (width, height) in [(320, 180), (1920, 1080), (3840, 2160), (8192, 4320)] {
        for rate in FrameRate.standard {
          let count = CaptureStreamRequest.bufferCount(
            for: .pictures(layout, width, height, rates: [rate]), rate)
          let bytes = layout.byteCount(width: width, height: height)
          #expect((8...32).contains(count))
          #expect(count == 8 || count * bytes <= 224 << 20, "\(layout) \(width) at \(rate)")
          let isFull = count == 32 || (count + 1) * bytes > 224 << 20
          #expect(isFull || Double(count) >= rate.framesPerSecond / 2)
          #expect(count == 8 || Double(count - 1) < rate.framesPerSecond / 2)
        }
      }
    }
  }

  @Test func configuring_starting_and_stopping_from_many_threads_ends_in_order() async throws {
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

/// A session with a camera, a microphone, and an output for each.
struct Rig {
  let cameraDriver = ScriptedDriver(formats: [.pictures(.v210), .pictures(.uyvy)])
  let microphoneDriver = ScriptedDriver("alsa:test", mediaType: .audio, formats: [.sound()])
  let camera: CaptureDevice
  let microphone: CaptureDevice
  let cameraInput: CaptureDeviceInput
  let microphoneInput: CaptureDeviceInput
  let pictures = RecordingOutput(.video)
  let sound = RecordingOutput(.audio)
  let session = CaptureSession()

  init(connected: Bool = true) throws {
    camera = CaptureDevice(driver: cameraDriver)
    microphone = CaptureDevice(driver: microphoneDriver)
    cameraInput = try CaptureDeviceInput(device: camera)
    microphoneInput = try CaptureDeviceInput(device: microphone)
    guard connected else { return }
    try session.configure { [self] session throws(CaptureError) in
      try session.add(cameraInput)
      try session.add(microphoneInput)
      try session.add(pictures)
      try session.add(sound)
    }
  }
}

/// An output that remembers what it was given.
final class RecordingOutput: CaptureOutput, @unchecked Sendable {
  private let mediaType: MediaType
  private let seen = Mutex<[MediaTime]>([])
  private let stopped = Counter()

  init(_ mediaType: MediaType) {
    self.mediaType = mediaType
    super.init()
  }

  var times: [MediaTime] { seen.withLock { $0 } }
  var stops: Int { stopped.value }

  override func connectionLimit(for mediaType: MediaType) -> Int {
    mediaType == self.mediaType ? 1 : 0
  }
  override func receive(_ event: CaptureEvent, from connection: CaptureConnection) {
    guard case .sample(let sample) = event else { return }
    seen.withLock { $0.append(sample.presentationTimeStamp) }
  }
  override func sessionDidStop() { stopped.add() }
}
