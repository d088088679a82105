import MediaCore
import Synchronization

/// Sound of a device on its way to a program, in buffers of the size that it asked for.
final class SoundTap: Sendable {
  /// The form of the buffers.
  let format: AVAudioFormat
  /// Frames of a buffer.
  private let size: Int
  private let block: AVAudioNodeTapBlock
  private let state = Mutex(State())

  private struct State: Sendable {
    /// Sound that has not been delivered yet.
    var bytes: [UInt8] = []
    /// When its first frame is heard.
    var time = CMTime.invalid
    /// When its last frame ends; invalid before there is sound.
    var end = CMTime.invalid
    /// The first frame's place in the stream.
    var place: Int64 = 0
  }

  /// A buffer's worth of sound.
  private struct Part: Sendable {
    var bytes: ArraySlice<UInt8>
    var time: CMTime
    var place: Int64
  }

  /// Seconds that are no gap: devices' times are a little off.
  private static let tolerance = 0.02

  /// - Parameter size: Frames of a buffer: 1 to a second's.
  init(_ format: AVAudioFormat, size: AVAudioFrameCount, block: @escaping AVAudioNodeTapBlock) {
    (self.format, self.block) = (format, block)
    self.size = min(max(Int(size), 1), max(format.format.sampleRate, 1))
  }

  /// Takes a run of sound, on the queue on which the program's block is called.
  func take(_ sample: CMSampleBuffer) {
    guard let sound = sample.audioBuffer, sound.format == format.format,
      sample.presentationTimeStamp.isNumeric
    else { return }
    let parts = state.withLock { state in
      var parts: [Part] = []
      let start = sample.presentationTimeStamp
      let gap = state.end.isNumeric ? (start - state.end).seconds : 0
      if abs(gap) > Self.tolerance {
        // What is lost is missing between two buffers, and counted in frames.
        parts += rest(of: &state)
        state.place &+= Int64(exactly: (gap * format.sampleRate).rounded()) ?? 0
      }
      if state.bytes.isEmpty { state.time = start }
      state.bytes += sound.bytes
      state.end = start + sound.duration
      return parts + whole(of: &state)
    }
    for part in parts { give(part) }
  }

  /// Gives what is left, on the same queue: nothing more comes for now.
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
