import Foundation
import MediaCore
import Synchronization
import SystemPackage

@testable import CaptureDevices

/// An audio system driven by a script: it sets what each call returns, and the calls are logged.
final class FakeALSA: ALSASystem {
  struct Script: Sendable {
    var devices: [ALSADeviceInfo] = []
    var devicesFailure: ALSAFailure?
    var openFailure: ALSAFailure?
    var configureFailure: ALSAFailure?
    var startFailure: ALSAFailure?
    var prepareFailure: ALSAFailure?
    var capabilities = [
      ALSACapability(format: .s16, sampleRates: [48000, 44100], channelCounts: [1, 2]),
      ALSACapability(format: .s24, sampleRates: [48000], channelCounts: Array(1...16)),
    ]
    /// What `wait` and `read` do, one step a call; nothing comes after the last step.
    var steps: [Step] = []
    /// True if the driver reports no time.
    var hasNoTime = false
    /// The clock's time at the first frame.
    var startNanoseconds: Int64 = 10_000_000_000
    /// The errors of the timestamps, in turn.
    var jitter: [Int64] = [0]
  }

  enum Step: Sendable {
    /// Frames that are ready and are read.
    case run(Int)
    case waitFails(Int32)
    /// `read` fails after frames were ready.
    case readFails(Int32)
    /// Nothing comes for a while.
    case silence
    /// The clock advances without frames, as when frames are lost while the device is down.
    case pause(nanoseconds: Int64)
  }

  let script: Script
  let calls = Mutex<[String]>([])
  let openPorts = Atomic(0)

  init(_ script: Script) { self.script = script }

  func devices() throws(ALSAFailure) -> [ALSADeviceInfo] {
    if let failure = script.devicesFailure { throw failure }
    return script.devices
  }

  func open(_ pcmName: String) throws(ALSAFailure) -> any ALSAPort {
    calls.withLock { $0.append("open \(pcmName)") }
    if let failure = script.openFailure { throw failure }
    return Port(self)
  }

  /// The 24-bit code of channel `channel` at frame `frame`.
  static func code(frame: Int64, channel: Int) -> Int32 {
    (Int32(truncatingIfNeeded: frame &* 7919 &+ Int64(channel) &* 1_000_003) << 8) >> 8
  }

  final class Port: ALSAPort {
    private let system: FakeALSA
    private var configuration: ALSAConfiguration?
    private var step = 0
    private var frame: Int64 = 0
    private var pause: Int64 = 0
    private var stamps = 0
    private var isRunning = false

    init(_ system: FakeALSA) {
      self.system = system
      system.openPorts.add(1, ordering: .relaxed)
    }
    deinit { system.openPorts.subtract(1, ordering: .relaxed) }

    private func note(_ call: String) { system.calls.withLock { $0.append(call) } }

    func capabilities(
      rates: [Int], channelCounts: ClosedRange<Int>
    ) throws(ALSAFailure) -> [ALSACapability] {
      system.script.capabilities.map { capability in
        var capability = capability
        capability.channelCounts = capability.channelCounts.filter(channelCounts.contains)
        return capability
      }
    }

    func configure(_ wanted: ALSAConfiguration) throws(ALSAFailure) -> ALSAConfiguration {
      if let failure = system.script.configureFailure { throw failure }
      configuration = wanted
      return wanted
    }

    func start() throws(ALSAFailure) {
      note("start")
      if let failure = system.script.startFailure { throw failure }
      isRunning = true
    }

    func prepare() throws(ALSAFailure) {
      note("prepare")
      if let failure = system.script.prepareFailure { throw failure }
    }

    func drop() { note("drop") }

    func wait(milliseconds: Int32) throws(ALSAFailure) -> Bool {
      guard isRunning else {
        throw ALSAFailure(errno: Errno(rawValue: EBADFD), call: "snd_pcm_wait")
      }
      while step < system.script.steps.count {
        switch system.script.steps[step] {
        case .run, .readFails: return true
        case .waitFails(let errno):
          step += 1
          isRunning = errno == EAGAIN || errno == EINTR
          throw ALSAFailure(errno: Errno(rawValue: errno), call: "snd_pcm_wait")
        case .silence:
          step += 1
          return false
        case .pause(let nanoseconds):
          step += 1
          pause += nanoseconds
        }
      }
      Thread.sleep(forTimeInterval: 0.001)
      return false
    }

    func timestamp() throws(ALSAFailure) -> (frames: Int, nanoseconds: Int64?) {
      let ready: Int
      if case .run(let frames) = system.script.steps[step] { ready = frames } else { ready = 1 }
      let rate = Int64(configuration?.sampleRate ?? 48000)
      let jitter = system.script.jitter[stamps % system.script.jitter.count]
      stamps += 1
      let time =
        (system.script.startNanoseconds + pause + jitter).addingSaturating(
          frame.addingSaturating(Int64(ready)).multipliedSaturating(by: 1_000_000_000) / rate)
      return (ready, system.script.hasNoTime ? nil : time)
    }

    func read(
      into bytes: UnsafeMutableRawBufferPointer, frames: Int
    ) throws(ALSAFailure) -> Int {
      guard let configuration else {
        throw ALSAFailure(errno: Errno(rawValue: EBADFD), call: "snd_pcm_readi")
      }
      defer { step += 1 }
      if case .readFails(let errno) = system.script.steps[step] {
        isRunning = false
        throw ALSAFailure(errno: Errno(rawValue: errno), call: "snd_pcm_readi")
      }
      let width = configuration.format.byteCount
      for index in 0..<frames {
        for channel in 0..<configuration.channelCount {
          let code = FakeALSA.code(frame: frame + Int64(index), channel: channel)
          for byte in 0..<width {
            // The fourth byte of S24_LE may have any value.
            bytes[(index * configuration.channelCount + channel) * width + byte] =
              byte == 3 ? 0xA5 : UInt8(truncatingIfNeeded: code >> Int32(8 * byte))
          }
        }
      }
      frame += Int64(frames)
      return frames
    }
  }
}
