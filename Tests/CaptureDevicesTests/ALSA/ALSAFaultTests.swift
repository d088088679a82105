import CaptureTestSupport
import Foundation
import Glibc
import MediaCore
import MovieTools
import Synchronization
import SystemPackage
import TestSupport
import Testing

@testable import CaptureDevices
@testable import TakeReports
@testable import VideoRecorder

/// Recordings with audio in which one call to the audio system fails.
@Suite(.tags(.slow)) struct ALSAFaultTests {
  /// An audio system in which one call fails once.
  private final class Failing: ALSASystem {
    let inner: FakeALSA
    let fault: (call: String, occurrence: Int, errno: Int32)?
    let counts = Mutex<[String: Int]>([:])
    /// Set once the recording has begun; before that, the device delivers nothing.
    let isOpen = Atomic(false)
    /// Set once the recording ends; until then, a device without unread audio waits as if more were
    /// coming.
    let isOver = Atomic(false)

    /// Waits for a minute at most, so that a failing test ends.
    static func await(_ flag: borrowing Atomic<Bool>) {
      for _ in 0..<60_000 where !flag.load(ordering: .acquiring) { usleep(1000) }
    }

    init(_ inner: FakeALSA, _ fault: (call: String, occurrence: Int, errno: Int32)? = nil) {
      self.inner = inner
      self.fault = fault
    }

    func enter(_ call: String) throws(ALSAFailure) {
      let count = counts.withLock { counts in
        counts[call, default: 0] += 1
        return counts[call, default: 0]
      }
      if let fault, fault.call == call, fault.occurrence == count {
        throw ALSAFailure(errno: Errno(rawValue: fault.errno), call: call)
      }
    }

    func devices() throws(ALSAFailure) -> [ALSADeviceInfo] {
      try enter("snd_card_next")
      return try inner.devices()
    }

    func open(_ pcmName: String) throws(ALSAFailure) -> any ALSAPort {
      try enter("snd_pcm_open")
      return Port(try inner.open(pcmName), self)
    }
  }

  private final class Port: ALSAPort {
    let inner: any ALSAPort
    let system: Failing

    init(_ inner: any ALSAPort, _ system: Failing) {
      self.inner = inner
      self.system = system
    }

    func capabilities(
      rates: [Int], channelCounts: ClosedRange<Int>
    ) throws(ALSAFailure) -> [ALSACapability] {
      try system.enter("snd_pcm_hw_params_any")
      return try inner.capabilities(rates: rates, channelCounts: channelCounts)
    }

    func configure(_ wanted: ALSAConfiguration) throws(ALSAFailure) -> ALSAConfiguration {
      try system.enter("snd_pcm_hw_params")
      return try inner.configure(wanted)
    }

    func start() throws(ALSAFailure) {
      try system.enter("snd_pcm_start")
      try inner.start()
    }

    func prepare() throws(ALSAFailure) {
      try system.enter("snd_pcm_prepare")
      try inner.prepare()
    }

    func wait(milliseconds: Int32) throws(ALSAFailure) -> Bool {
      try system.enter("snd_pcm_wait")
      Failing.await(system.isOpen)
      let isReady = try inner.wait(milliseconds: milliseconds)
      if !isReady { Failing.await(system.isOver) }
      return isReady
    }

    func timestamp() throws(ALSAFailure) -> (frames: Int, nanoseconds: Int64?) {
      try system.enter("snd_pcm_htimestamp")
      return try inner.timestamp()
    }

    func read(
      into bytes: UnsafeMutableRawBufferPointer, frames: Int
    ) throws(ALSAFailure) -> Int {
      try system.enter("snd_pcm_readi")
      return try inner.read(into: bytes, frames: frames)
    }

    func drop() { inner.drop() }
  }

  private static let frameCount = 8

  /// Records some frames with audio; returns the report, or the error with which the recording was
  /// refused.
  private func record(
    _ system: Failing, _ rig: MovieRig
  ) async throws -> Result<RecordingReport, CaptureError> {
    do throws(CaptureError) {
      let driver = try ALSADeviceDriver(identifier: "alsa:Loopback,1", system: system)
      let microphone = CaptureDevice(driver: driver)
      let format = try microphone.findAudioFormat(where: AudioFormatCriteria())
      try microphone.configure { device throws(CaptureError) in
        try device.setActiveFormat(format)
      }
      try rig.session.add(CaptureDeviceInput(device: microphone))
      try await rig.session.start()
    } catch {
      return .failure(error)
    }
    let report = try await rig.record { camera, _ in
      system.isOpen.store(true, ordering: .releasing)
      // At the first sample, the script's clock is at ten seconds.
      for index in 250..<250 + Self.frameCount { try camera.sendFrame(index) }
      try await eventually("the sound is read or its device fails") {
        system.inner.calls.withLock { $0.last } == "drop"
          || system.counts.withLock { $0["snd_pcm_readi"] ?? 0 } >= Self.frameCount + 2
      }
      rig.output.stopRecording()
      system.isOver.store(true, ordering: .releasing)
    }
    await rig.session.stop()
    return .success(report)
  }

  private func system(_ fault: (call: String, occurrence: Int, errno: Int32)? = nil) -> Failing {
    Failing(
      FakeALSA(
        FakeALSA.Script(
          devices: [ALSATests.loopback],
          steps: Array(repeating: .run(1920), count: Self.frameCount + 3))), fault)
  }

  @Test(.timeLimit(.minutes(20)))
  func failed_audio_device_calls_are_reported_or_become_silence() async throws {
    let clean = system()
    let cleanRig = try MovieRig(hasAudio: false)
    defer { cleanRig.cleanUp() }
    let report = try await record(clean, cleanRig).get()
    #expect(report.outcome == .complete, "\(report.incidents)")
    #expect(clean.inner.openPorts.load(ordering: .relaxed) == 0)
    let counts = clean.counts.withLock { $0 }
    #expect(counts.count >= 7)
    let errors = [ENODEV, EIO, EPIPE, EINTR, EAGAIN, ENOMEM, EBUSY]
    for (call, count) in counts.sorted(by: { $0.key < $1.key }) {
      // The clock determines the number of waits; the first few show everything.
      for occurrence in 1...min(count, 4) {
        for (index, errno) in errors.enumerated()
        where TestRun.isThorough || (occurrence + call.utf8.count + index) % 12 == 0 {
          let what = "\(call) \(occurrence): \(String(cString: strerror(errno)))"
          let system = system((call, occurrence, errno))
          let rig = try MovieRig(hasAudio: false)
          defer { rig.cleanUp() }
          switch try await record(system, rig) {
          case .failure(let error):
            // If the list of cards cannot be read, the card is not found.
            #expect(
              error.errno == Errno(rawValue: errno) || error.code == .deviceNotFound,
              "\(what): \(error)")
            #expect(!error.message.contains("\n"), "\(what)")
            #expect(!FileManager.default.fileExists(atPath: rig.url.path), "\(what)")
          case .success(let report):
            #expect(report.isValid && report.movie.frameCount == Self.frameCount, "\(what)")
            let audio = try #require(report.audio.first)
            #expect(audio.written >= Int64(Self.frameCount) * 1920, "\(what): \(audio)")
            let isWhole = audio.silence == 0 && audio.lost == 0
            #expect(report.outcome == (isWhole ? .complete : .imperfect), "\(what)")
            #expect(isWhole || [ENODEV, EIO, EPIPE, ENOMEM, EBUSY].contains(errno), "\(what)")
            let verified = try MovieVerifier(path: rig.url.path).run()
            #expect(verified.isValid, "\(what): \(verified.findings)")
          }
          #expect(system.inner.openPorts.load(ordering: .relaxed) == 0, "\(what)")
        }
      }
    }
  }
}
