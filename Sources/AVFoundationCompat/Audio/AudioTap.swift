import MediaCore
import Synchronization

/// Delivers a device's audio to a program in buffers of the requested size.
final class AudioTap: Sendable {
  /// The format of the buffers.
  let format: AVAudioFormat
  /// Frames per buffer.
  private let size: Int
  private let block: AVAudioNodeTapBlock
  private let state = Mutex(State())

  private struct State: Sendable {
    /// Audio not delivered yet.
    var bytes: [UInt8] = []
    /// The time of its first frame.
    var time = CMTime.invalid
    /// When its last frame ends; invalid before audio arrives.
    var end = CMTime.invalid
    /// The first frame's position in the stream.
    var place: Int64 = 0
  }

  /// One buffer of audio.
  private struct Part: Sendable {
    var bytes: ArraySlice<UInt8>
    var time: CMTime
    var place: Int64
  }

  /// Differences up to this many seconds are not a gap: device times jitter.
  private static let tolerance = 0.02

  /// - Parameter size: Frames per buffer, from 1 to one second.
  init(_ format: AVAudioFormat, size: AVAudioFrameCount, block: @escaping AVAudioNodeTapBlock) {
    (self.format, self.block) = (format, block)
    self.size = min(max(Int(size), 1), max(format.format.sampleRate, 1))
  }

  /// Receives audio, on the queue on which the program's block is called.
  func take(_ sample: CMSampleBuffer) {
    guard let audio = sample.audioBuffer, audio.format == format.format,
      sample.presentationTimeStamp.isNumeric
    else { return }
    let parts = state.withLock { state in
      var parts: [Part] = []
      let start = sample.presentationTimeStamp
      let gap = state.end.isNumeric ? (start - state.end).seconds : 0
      if abs(gap) > Self.tolerance {
        // Lost audio leaves a gap between two buffers; the frame count includes it.
        parts += rest(of: &state)
        state.place &+= Int64(exactly: (gap * format.sampleRate).rounded()) ?? 0
      }
      if state.bytes.isEmpty { state.time = start }
      state.bytes += audio.bytes
      state.end = start + audio.duration
      return parts + whole(of: &state)
    }
    for part in parts { give(part) }
  }

  /// Delivers what is left, on the same queue; called when the stream pauses or ends.
  func finish() {
    let parts = state.withLock { state in
      defer { state = State() }
      return rest(of: &state)
    }
    for part in parts { give(part) }
  }

  private func whole(of state: inout State) -> [Part] {
    let bytes = size * format.format.bytesPerFrame
    var parts: [Part] = []
    while state.bytes.count >= bytes {
      parts.append(Part(bytes: state.bytes[..<bytes], time: state.time, place: state.place))
      state.bytes.removeFirst(bytes)
      state.place &+= Int64(size)
      state.time =
        state.time
        + CMTime(value: Int64(size), timescale: Int32(clamping: format.format.sampleRate))
    }
    return parts
  }

  private func rest(of state: inout State) -> [Part] {
    guard !state.bytes.isEmpty else { return [] }
    defer {
      state.place &+= Int64(state.bytes.count / format.format.bytesPerFrame)
      state.bytes = []
    }
    return [Part(bytes: state.bytes[...], time: state.time, place: state.place)]
  }

  private func give(_ part: Part) {
    let frames = part.bytes.count / format.format.bytesPerFrame
    guard
      let buffer = AVAudioPCMBuffer(
        pcmFormat: format, frameCapacity: AVAudioFrameCount(clamping: frames))
    else { return }
    buffer.fill(part.bytes)
    block(
      buffer,
      AVAudioTime(
        hostTime: CMClockConvertHostTimeToSystemUnits(part.time), sampleTime: part.place,
        atRate: format.sampleRate))
  }
}
