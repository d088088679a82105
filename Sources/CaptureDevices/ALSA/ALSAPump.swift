import Foundation
import MediaCore
import SystemPackage

/// What the thread of an ALSA stream does: waits for a period, reads it, tells its time, and gets
/// the device going again after an overrun.
struct ALSAPump {
  private let port: any ALSAPort
  private let name: String
  private let configuration: ALSAConfiguration
  private let format: AudioFormat
  private var clock: ALSAClockFilter
  private var stored: [UInt8]
  /// When the last delivered frame ended, while it is not known how many were lost since.
  private var endBeforeLoss: Int64?
  private var undelivered = 0
  private var idleMilliseconds: Int32 = 0
  private var failures = 0

  /// How long a device may be silent before it counts as stalled.
  static let stallMilliseconds: Int32 = 5000
  private static let waitMilliseconds: Int32 = 100
  /// Overruns in a row, with nothing read between them, before the device is given up.
  private static let failureLimit = 10

  init(_ port: any ALSAPort, name: String, _ configuration: ALSAConfiguration) {
    self.port = port
    self.name = name
    self.configuration = configuration
    format = AudioFormat(
      sampleRate: configuration.sampleRate, channelCount: configuration.channelCount,
      sampleFormat: configuration.format.sampleFormat)
    clock = ALSAClockFilter(sampleRate: configuration.sampleRate)
    stored = []
  }

  mutating func run(_ handler: (CaptureEvent) -> Void, isOver: () -> Bool) {
    defer { port.drop() }
    while !isOver() {
      do throws(ALSAFailure) {
        guard try port.wait(milliseconds: Self.waitMilliseconds) else {
          idleMilliseconds += Self.waitMilliseconds
          if idleMilliseconds >= Self.stallMilliseconds {
            handler(
              .failed(
                CaptureError(
                  .deviceStalled,
                  "\(name) has delivered no audio for \(Self.stallMilliseconds / 1000) s; "
                    + "check its input, or plug it in again")))
            return
          }
          continue
        }
        try readRun(handler)
      } catch {
        guard recover(from: error, handler) else { return }
      }
    }
  }

  private mutating func readRun(_ handler: (CaptureEvent) -> Void) throws(ALSAFailure) {
    let (ready, measured) = try port.timestamp()
    guard ready > 0 else { return }
    let frames = min(ready, max(configuration.periodFrames * 4, 1))
    let now = measured ?? MonotonicClock.now
    let first = now.addingSaturating(
      -Self.nanoseconds(ofFrames: ready, configuration.sampleRate))
    let frameBytes = configuration.format.byteCount * configuration.channelCount
    if stored.count < frames * frameBytes {
      stored = Array(repeating: 0, count: frames * frameBytes)
    }
    let result: Result<Int, ALSAFailure> = stored.withUnsafeMutableBytes { bytes in
      Result { () throws(ALSAFailure) in try port.read(into: bytes, frames: frames) }
    }
    let count = try result.get()
    guard count > 0 else { return }
    idleMilliseconds = 0
    failures = 0
    tellLoss(before: first, handler)
    let time = clock.take(nanoseconds: first, frames: count)
    deliver(count, at: time, handler)
  }

  /// Counts by time what was lost in an overrun, now that audio flows again.
  private mutating func tellLoss(before first: Int64, _ handler: (CaptureEvent) -> Void) {
    guard let end = endBeforeLoss else { return }
    endBeforeLoss = nil
    let gap = max(Double(first) - Double(end), 0) * 1e-9 * Double(configuration.sampleRate)
    let lost = Int(saturating: gap.rounded())
    undelivered = undelivered.addingSaturating(lost)
    handler(
      .lost(
        count: lost, reason: .overrun,
        time: MediaTime(value: first, timescale: 1_000_000_000)))
  }

  private mutating func deliver(
    _ frames: Int, at time: Int64, _ handler: (CaptureEvent) -> Void
  ) {
    let samples = frames * configuration.channelCount
    let bytes: [UInt8]
    if configuration.format == .s24 {
      bytes = [UInt8](unsafeUninitializedCapacity: samples * 3) { packed, count in
        for sample in 0..<samples {
          for byte in 0..<3 { packed[3 * sample + byte] = stored[4 * sample + byte] }
        }
        count = samples * 3
      }
    } else {
      bytes = Array(stored.prefix(samples * configuration.format.byteCount))
    }
    guard let buffer = try? AudioBuffer(format: format, bytes: bytes) else { return }
    var attachments = SampleBuffer.Attachments()
    attachments.precedingLoss = undelivered
    undelivered = 0
    handler(
      .sample(
        SampleBuffer(
          .audio(buffer),
          presentationTimeStamp: MediaTime(value: time, timescale: 1_000_000_000),
          duration: buffer.duration, attachments: attachments)))
  }

  /// Gets the device going again where it can be; false where the stream has ended.
  private mutating func recover(
    from failure: ALSAFailure, _ handler: (CaptureEvent) -> Void
  ) -> Bool {
    var failure = failure
    switch failure.errno {
    case .resourceTemporarilyUnavailable, .interrupted: return true
    case .brokenPipe, Errno(rawValue: ESTRPIPE), .ioError:
      failures += 1
      if endBeforeLoss == nil { endBeforeLoss = clock.expected }
      clock.reset()
      guard failures <= Self.failureLimit else { break }
      do throws(ALSAFailure) {
        try port.prepare()
        try port.start()
        return true
      } catch {
        failure = error
      }
    default: break
    }
    handler(.failed(CaptureError(alsa: failure, device: name)))
    return false
  }

  private static func nanoseconds(ofFrames frames: Int, _ rate: Int) -> Int64 {
    Int64(frames).multipliedSaturating(by: 1_000_000_000) / Int64(max(rate, 1))
  }
}

extension CaptureError {
  /// The error for a failed call to libasound, with its remedy.
  init(alsa failure: ALSAFailure, device name: String) {
    switch failure.errno {
    case .resourceBusy:
      self.init(
        .deviceBusy,
        "\(name) is in use by another program; end that one ('fuser -v /dev/snd/*' names it)",
        errno: failure.errno)
    // Opening a card that is not there is an invalid argument to ALSA.
    case .noSuchFileOrDirectory, .noSuchAddressOrDevice,
      .invalidArgument where failure.call == "snd_pcm_open":
      self.init(
        .deviceNotFound, "no audio device \(name) found; plug it in, or choose another one",
        errno: failure.errno)
    case .operationNotSupportedByDevice:
      self.init(
        .deviceDisconnected, "\(name) is gone; plug it in again", errno: failure.errno)
    case .permissionDenied, .notPermitted:
      self.init(
        .permissionDenied,
        "no permission for \(name); add your user to the group 'audio' and log in again",
        errno: failure.errno)
    default:
      self.init(
        .deviceFailed,
        "\(name): \(failure.call) failed: \(failure.errno); plug the device in again",
        errno: failure.errno)
    }
  }
}
