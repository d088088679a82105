import Foundation
import MediaCore
import Synchronization
import SystemPackage
import Testing

@testable import CaptureDevices

@Suite struct ALSATests {
  static let loopback = ALSADeviceInfo(
    cardID: "Loopback", cardName: "Loopback", cardLongName: "Loopback 1", driver: "Loopback",
    device: 1, deviceName: "Loopback PCM")
  static let microphone = ALSADeviceInfo(
    cardID: "Camera_1", cardName: "USB Camera",
    cardLongName:
      "Maker USB Camera at usb-0000:00:14.0-2, high speed", driver: "USB-Audio", device: 0,
    deviceName: "USB Audio")

  @Test func a_cards_bus_path_is_found() {
    var card = Self.loopback
    card.pciAddress = "0000:03:00.1"
    let places = [Self.microphone, card, Self.loopback].map {
      ALSADeviceDriver($0, system: FakeALSA(FakeALSA.Script())).identity.busPath
    }
    #expect(places == ["usb-0000:00:14.0-2", "PCI:0000:03:00.1", nil])
  }

  static func driver(_ script: FakeALSA.Script) -> (ALSADeviceDriver, FakeALSA) {
    let system = FakeALSA(script)
    return (ALSADeviceDriver(loopback, system: system), system)
  }

  static func format(_ channels: Int, _ sampleFormat: AudioFormat.SampleFormat)
    -> CaptureStreamRequest
  {
    CaptureStreamRequest(
      format: CaptureDevice.Format(
        formatDescription: .audio(
          AudioFormat(sampleRate: 48000, channelCount: channels, sampleFormat: sampleFormat))))
  }

  /// Runs a script until this many samples have come or the stream has failed.
  static func run(
    _ steps: [FakeALSA.Step], samples: Int, channels: Int = 2,
    _ sampleFormat: AudioFormat.SampleFormat = .int24,
    change: (inout FakeALSA.Script) -> Void = { _ in }
  ) throws -> (StreamRecorder, FakeALSA) {
    var script = FakeALSA.Script(steps: steps)
    change(&script)
    let (driver, system) = driver(script)
    let recorder = try StreamRecorder.run(
      driver.openStream(format(channels, sampleFormat))
    ) { event, count in
      if case .failed = event { return true }
      return count >= samples
    }
    return (recorder, system)
  }

  @Test(arguments: [(2, AudioFormat.SampleFormat.int16), (2, .int24), (16, .int24)])
  func samples_arrive_unchanged(channels: Int, sampleFormat: AudioFormat.SampleFormat) throws {
    let (recorder, system) = try Self.run(
      [.run(480), .run(481), .run(960)], samples: 3, channels: channels, sampleFormat)
    var frame: Int64 = 0
    for sample in recorder.samples {
      let buffer = try #require(sample.audioBuffer)
      #expect(buffer.format.sampleFormat == sampleFormat)
      for channel in 0..<channels {
        let codes = ToneTests.samples(buffer, channel: channel)
        for (index, code) in codes.enumerated() {
          let wanted = FakeALSA.code(frame: frame + Int64(index), channel: channel)
          let shift = Int32(32 - sampleFormat.bitDepth)
          guard code == Int((wanted << shift) >> shift) else {
            Issue.record("channel \(channel), frame \(frame + Int64(index))")
            return
          }
        }
      }
      frame += Int64(buffer.frameCount)
    }
    #expect(frame == 1921)
    #expect(system.calls.withLock { $0.last } == "drop")
    #expect(system.openPorts.load(ordering: .relaxed) == 0, "the device is closed")
  }

  @Test func times_follow_the_drivers_clock_and_not_its_jitter() throws {
    let jitter: [Int64] = [0, 900_000, -700_000, 400_000, -900_000, 800_000, -500_000]
    let (recorder, _) = try Self.run(
      Array(repeating: .run(480), count: 400), samples: 400
    ) { $0.jitter = jitter }
    let times = recorder.samples.compactMap(\.presentationTimeStamp.nanoseconds)
    #expect(times.count == 400)
    #expect(times.first == 10_000_000_000)
    for (index, time) in times.enumerated() {
      let exact = 10_000_000_000 + Int64(index) * 10_000_000
      #expect(abs(time - exact) < 300_000, "run \(index)")
    }
    let steps = zip(times.dropFirst(), times).map { $0 - $1 }
    #expect(
      steps.allSatisfy { (9_900_000...10_100_000).contains($0) }, "a third of the reported jitter")
  }

  @Test func implausible_frame_counts_of_a_driver_are_limited() throws {
    let (recorder, _) = try Self.run(
      [.run(480), .run(.max), .waitFails(EPIPE), .run(.max), .run(480)], samples: 4)
    #expect(recorder.samples.map { $0.audioBuffer?.frameCount } == [480, 1920, 1920, 480])
  }

  @Test func the_clock_filter_follows_a_fast_clock() throws {
    var filter = ALSAClockFilter(sampleRate: 48000)
    var time: Int64 = 0
    // 200 ppm fast: a run of 480 lasts 9.998 ms.
    for _ in 0..<6000 {
      _ = filter.take(nanoseconds: time, frames: 480)
      time += 9_998_000
    }
    let error = filter.take(nanoseconds: time, frames: 480) - time
    #expect(abs(error) < 20_000)
  }

  @Test(arguments: [true, false])
  func an_overruns_lost_frames_are_counted_by_time(failsOnRead: Bool) throws {
    let failure: FakeALSA.Step = failsOnRead ? .readFails(EPIPE) : .waitFails(EPIPE)
    let (recorder, system) = try Self.run(
      [.run(480), .run(480), failure, .pause(nanoseconds: 250_000_000), .run(480), .run(480)],
      samples: 4)
    #expect(recorder.losses.count == 1)
    #expect(recorder.losses.first?.count == 12000)
    #expect(recorder.losses.first?.reason == .overrun)
    let samples = recorder.samples
    #expect(samples.map(\.attachments.precedingLoss) == [0, 0, 12000, 0])
    let gap = samples[2].presentationTimeStamp - samples[1].presentationTimeStamp
    #expect(gap.nanoseconds == 260_000_000)
    #expect(system.calls.withLock { $0.filter { $0 == "prepare" }.count } == 1)
    #expect(system.calls.withLock { $0.filter { $0 == "start" }.count } == 2)
  }

  @Test func consecutive_overruns_are_one_loss() throws {
    let (recorder, _) = try Self.run(
      [
        .run(480), .waitFails(EPIPE), .pause(nanoseconds: 50_000_000), .waitFails(ESTRPIPE),
        .pause(nanoseconds: 50_000_000), .run(480),
      ], samples: 2)
    #expect(recorder.losses.map(\.count) == [4800])
  }

  @Test func interruptions_and_silence_lose_no_samples() throws {
    let (recorder, system) = try Self.run(
      [.waitFails(EINTR), .run(480), .silence, .waitFails(EAGAIN), .silence, .run(480)], samples: 2)
    #expect(recorder.samples.count == 2)
    #expect(recorder.losses.isEmpty)
    #expect(!system.calls.withLock { $0.contains("prepare") })
  }

  @Test func an_unplugged_device_ends_the_stream() throws {
    let (recorder, _) = try Self.run([.run(480), .waitFails(ENODEV)], samples: 99)
    guard case .failed(let error) = recorder.events.last else {
      Issue.record("no failure was reported")
      return
    }
    #expect(error.code == .deviceDisconnected && error.errno == .operationNotSupportedByDevice)
    #expect(recorder.samples.count == 1)
  }

  @Test func a_device_that_never_recovers_ends_the_stream() throws {
    let (recorder, _) = try Self.run(
      Array(repeating: .waitFails(EPIPE), count: 50), samples: 99)
    guard case .failed(let error) = recorder.events.last else {
      Issue.record("no failure was reported")
      return
    }
    #expect(error.errno == .brokenPipe)
    let (second, _) = try Self.run([.run(480), .waitFails(EPIPE)], samples: 99) {
      $0.prepareFailure = ALSAFailure(
        errno: .operationNotSupportedByDevice, call: "snd_pcm_prepare")
    }
    guard case .failed(let error) = second.events.last else {
      Issue.record("no failure was reported")
      return
    }
    #expect(error.code == .deviceDisconnected)
  }

  @Test func a_silent_audio_device_is_reported_as_stalled() throws {
    let (recorder, _) = try Self.run(
      [.run(480)] + Array(repeating: .silence, count: 50), samples: 99)
    guard case .failed(let error) = recorder.events.last else {
      Issue.record("no failure was reported")
      return
    }
    #expect(error.code == .deviceStalled)
  }

  @Test func samples_without_timestamps_get_the_current_time() throws {
    let before = MonotonicClock.now
    let (recorder, _) = try Self.run([.run(480)], samples: 1) { $0.hasNoTime = true }
    let time = try #require(recorder.samples.first?.presentationTimeStamp.nanoseconds)
    #expect(time >= before - 10_000_000 && time <= MonotonicClock.now)
  }

  @Test(arguments: [
    (EBUSY, CaptureError.Code.deviceBusy), (ENOENT, .deviceNotFound), (EACCES, .permissionDenied),
    (EPERM, .permissionDenied), (ENODEV, .deviceDisconnected), (ENOMEM, .deviceFailed),
    (EINVAL, .deviceNotFound),
  ])
  func failures_to_open_are_reported_by_cause(errno: Int32, code: CaptureError.Code) throws {
    let (driver, _) = Self.driver(
      FakeALSA.Script(openFailure: ALSAFailure(errno: Errno(rawValue: errno), call: "snd_pcm_open"))
    )
    for attempt in [
      { _ = try driver.formats() }, { _ = try driver.openStream(Self.format(2, .int24)) },
    ] {
      let error = #expect(throws: CaptureError.self) { try attempt() }
      #expect(error?.code == code)
      #expect(error?.errno == Errno(rawValue: errno))
      #expect(error?.message.contains("alsa:Loopback,1") == true)
      #expect(error?.message.contains("\n") == false)
    }
  }

  @Test func other_failing_calls_are_reported() throws {
    let (refusing, _) = Self.driver(
      FakeALSA.Script(
        configureFailure: ALSAFailure(errno: .invalidArgument, call: "snd_pcm_hw_params")))
    let error = #expect(throws: CaptureError.self) {
      try refusing.openStream(Self.format(2, .int24))
    }
    #expect(error?.code == .formatUnavailable)
    let (mute, system) = Self.driver(
      FakeALSA.Script(startFailure: ALSAFailure(errno: .ioError, call: "snd_pcm_start")))
    let stream = try mute.openStream(Self.format(2, .int24))
    #expect(throws: CaptureError.self) { try stream.start { _ in } }
    stream.stop()
    #expect(system.openPorts.load(ordering: .relaxed) == 0)
    let (fine, _) = Self.driver(FakeALSA.Script())
    let missing = #expect(throws: CaptureError.self) {
      try fine.openStream(Self.format(2, .int32))
    }
    #expect(missing?.code == .formatUnavailable)
    let twice = try fine.openStream(Self.format(2, .int24))
    try twice.start { _ in }
    let again = #expect(throws: CaptureError.self) { try twice.start { _ in } }
    #expect(again?.code == .invalidState)
    twice.stop()
  }

  @Test func formats_are_listed_once_and_best_first() throws {
    let (driver, _) = Self.driver(
      FakeALSA.Script(capabilities: [
        ALSACapability(format: .s16, sampleRates: [48000, 44100], channelCounts: [1, 2]),
        ALSACapability(format: .s24Packed, sampleRates: [48000], channelCounts: [2, 4]),
        ALSACapability(format: .s24, sampleRates: [48000, 96000], channelCounts: [1, 2]),
      ]))
    let formats = try driver.formats().compactMap(\.audio)
    #expect(
      formats.first
        == AudioFormat(sampleRate: 48000, channelCount: 2, sampleFormat: .int24))
    #expect(Set(formats).count == formats.count)
    #expect(formats.count == 3 + 2 + 2 + 2)
    #expect(
      formats.map(\.sampleRate) == [48000, 48000, 48000, 48000, 48000, 96000, 96000, 44100, 44100])
  }

  @Test func a_device_with_too_many_channels_is_refused() throws {
    let wide = ALSACapability(format: .s32, sampleRates: [48000], channelCounts: [32, 64])
    let system = FakeALSA(FakeALSA.Script(devices: [Self.loopback], capabilities: [wide]))
    let driver = ALSADeviceDriver(Self.loopback, system: system)
    let error = #expect(throws: CaptureError.self) { _ = try driver.formats() }
    #expect(error?.code == .formatUnavailable)
    #expect(error?.message.contains("at least 32 channels") == true)
    #expect(error?.message.contains("alsa:plughw:CARD=Loopback,DEV=1") == true)
    // A device without any formats does not report this reason.
    let mute = FakeALSA(FakeALSA.Script(devices: [Self.loopback], capabilities: []))
    #expect(try ALSADeviceDriver(Self.loopback, system: mute).formats().isEmpty)
  }

  @Test func devices_are_found_by_stable_identifiers() throws {
    let system = FakeALSA(FakeALSA.Script(devices: [Self.loopback, Self.microphone]))
    let drivers = ALSADeviceDriver.drivers(system)
    #expect(drivers.map(\.identity.uniqueID) == ["alsa:Loopback,1", "alsa:usb-0000:00:14.0-2"])
    #expect(drivers.allSatisfy { $0.isConnected })
    for name in [
      "alsa:usb-0000:00:14.0-2", "alsa:Camera_1", "alsa:hw:Camera_1", "alsa:hw:CARD=Camera_1,DEV=0",
      "Camera_1,0",
    ] {
      let driver = try ALSADeviceDriver(identifier: name, system: system)
      #expect(driver.identity.uniqueID == "alsa:usb-0000:00:14.0-2", "\(name)")
    }
    let plugged = try ALSADeviceDriver(identifier: "alsa:hw:1,0", system: system)
    #expect(plugged.identity.node == "hw:1,0")
    let error = #expect(throws: CaptureError.self) {
      try ALSADeviceDriver(identifier: "alsa:Loopback,7", system: system)
    }
    #expect(error?.code == .deviceNotFound)
    #expect(error?.message.contains("alsa:Loopback,1") == true)
    let empty = FakeALSA(FakeALSA.Script())
    #expect(!ALSADeviceDriver(Self.loopback, system: empty).isConnected)
    #expect(throws: CaptureError.self) { try ALSADeviceDriver(identifier: "alsa:x", system: empty) }
  }

  @Test func a_card_is_opened_by_its_bus_path_if_its_id_changed() throws {
    var moved = Self.microphone
    moved.cardID = "Camera"
    var other = Self.microphone
    other.cardLongName = "Maker USB Camera at usb-0000:00:14.0-7, high speed"
    let both = FakeALSA(FakeALSA.Script(devices: [moved, other]))
    _ = try ALSADeviceDriver(Self.microphone, system: both).formats()
    _ = try ALSADeviceDriver(Self.microphone, system: both).openStream(Self.format(2, .int24))
    #expect(
      both.calls.withLock { $0 } == ["open hw:CARD=Camera,DEV=0", "open hw:CARD=Camera,DEV=0"])
    let otherAlone = FakeALSA(FakeALSA.Script(devices: [other]))
    let error = #expect(throws: CaptureError.self) {
      try ALSADeviceDriver(Self.microphone, system: otherAlone).openStream(Self.format(2, .int24))
    }
    #expect(error?.code == .deviceDisconnected)
    #expect(otherAlone.calls.withLock { $0.isEmpty }, "no other card is opened")
  }

  @Test func the_real_library_lists_devices_and_refuses_missing_ones() throws {
    let present = try LibALSA().devices()
    #expect(Set(present.map(\.pcmName)).count == present.count)
    let error = #expect(throws: ALSAFailure.self) { try LibALSA().open("hw:CARD=NoSuchCard,DEV=0") }
    #expect([.operationNotSupportedByDevice, .noSuchFileOrDirectory].contains(error?.errno))
  }
}
