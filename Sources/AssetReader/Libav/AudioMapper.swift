import CFFmpeg
import MediaCore

/// Turns decoded audio into interleaved PCM of one format.
struct AudioMapper {
  /// The format of the result.
  let format: AudioFormat
  /// The samples of the last run that were clipped.
  private(set) var clipped: [AudioExcess.Sample] = []
  private let name: String

  init(format: AudioFormat, name: String) {
    self.format = format
    self.name = name
  }

  /// The sample format for a decoder's output: integers unchanged, floating point of lossy codecs
  /// at 24 bits, other floating point at 32.
  static func sampleFormat(
    decoded: AVSampleFormat, bits: Int, isLossy: Bool
  ) -> AudioFormat.SampleFormat {
    switch av_get_packed_sample_fmt(decoded) {
    case AV_SAMPLE_FMT_U8, AV_SAMPLE_FMT_S16: .int16
    case AV_SAMPLE_FMT_S32:
      (1...16).contains(bits) ? .int16 : (1...24).contains(bits) ? .int24 : .int32
    case AV_SAMPLE_FMT_FLT, AV_SAMPLE_FMT_DBL: isLossy ? .int24 : .int32
    default: .int32
    }
  }

  /// The audio of a frame.
  ///
  /// - Parameter place: Its start time in words, for messages.
  /// - Throws: ``AssetReaderError/Code/unsupported`` if the channels or the rate changed within the
  ///   track.
  mutating func audio(
    _ frame: UnsafeMutablePointer<AVFrame>, at place: @autoclosure () -> String = ""
  ) throws(AssetReaderError) -> AudioBuffer {
    let channels = Int(cffmpeg_frame_channels(frame))
    let rate = Int(frame.pointee.sample_rate)
    guard channels == format.channelCount, rate == format.sampleRate else {
      throw AssetReaderError(
        .unsupported,
        "\(name): the samples\(place()) have \(channels) channels at \(rate) Hz, and elsewhere "
          + "\(format.channelCount) at \(format.sampleRate) Hz; encode each part separately, or leave this track out"
      )
    }
    let decoded = AVSampleFormat(rawValue: frame.pointee.format)
    let frames = max(0, Int(frame.pointee.nb_samples))
    let isPlanar = av_sample_fmt_is_planar(decoded) != 0
    let size = Int(av_get_bytes_per_sample(decoded))
    var clipped: [AudioExcess.Sample] = []
    let bytes = [UInt8](unsafeUninitializedCapacity: frames * format.bytesPerFrame) {
      output, count in
      let output = UnsafeMutableRawBufferPointer(output)
      for channel in 0..<channels {
        let plane = cffmpeg_frame_audio_data(frame, isPlanar ? Int32(channel) : 0)
        guard let plane, size > 0 else { continue }
        let input = UnsafeRawPointer(plane) + (isPlanar ? 0 : channel * size)
        convert(
          decoded, input, step: isPlanar ? size : size * channels, frames: frames,
          output, channel: channel, &clipped)
      }
      count = frames * format.bytesPerFrame
    }
    self.clipped = clipped
    do throws(MediaCoreError) { return try AudioBuffer(format: format, bytes: bytes) } catch {
      throw AssetReaderError(.unsupported, "\(name): \(error.message)")
    }
  }

  /// libav's description of a frame's channel layout; nil if unspecified.
  static func layout(_ frame: UnsafeMutablePointer<AVFrame>) -> String? {
    withUnsafeTemporaryAllocation(of: CChar.self, capacity: 128) { buffer in
      guard let base = buffer.baseAddress else { return nil }
      cffmpeg_frame_layout_name(frame, base, Int32(buffer.count))
      return libavText(base)
    }
  }

  private func convert(
    _ decoded: AVSampleFormat, _ input: UnsafeRawPointer, step: Int, frames: Int,
    _ output: UnsafeMutableRawBufferPointer, channel: Int,
    _ clipped: inout [AudioExcess.Sample]
  ) {
    // Samples are converted through 32 bits, with the value in the upper bits.
    switch av_get_packed_sample_fmt(decoded) {
    case AV_SAMPLE_FMT_U8:
      store(frames, output, channel) {
        (Int32(input.load(fromByteOffset: $0 * step, as: UInt8.self)) - 128) << 24
      }
    case AV_SAMPLE_FMT_S16:
      store(frames, output, channel) {
        Int32(input.load(fromByteOffset: $0 * step, as: Int16.self)) << 16
      }
    case AV_SAMPLE_FMT_S32:
      store(frames, output, channel) { input.load(fromByteOffset: $0 * step, as: Int32.self) }
    case AV_SAMPLE_FMT_S64:
      store(frames, output, channel) {
        Int32(truncatingIfNeeded: input.load(fromByteOffset: $0 * step, as: Int64.self) >> 32)
      }
    case AV_SAMPLE_FMT_FLT:
      storeFixed(frames, output, channel, &clipped) {
        Double(input.load(fromByteOffset: $0 * step, as: Float.self))
      }
    case AV_SAMPLE_FMT_DBL:
      storeFixed(frames, output, channel, &clipped) {
        input.load(fromByteOffset: $0 * step, as: Double.self)
      }
    default: store(frames, output, channel) { _ in 0 }
    }
  }

  /// Stores the codes nearest to numbers from -1 to 1; others are clipped.
  @inline(__always)
  private func storeFixed(
    _ frames: Int, _ output: UnsafeMutableRawBufferPointer, _ channel: Int,
    _ clipped: inout [AudioExcess.Sample], _ number: (Int) -> Double
  ) {
    let depth = format.sampleFormat.bitDepth
    let scale = Double(Int64(1) << (depth - 1))
    store(frames, output, channel) { frame in
      let value = number(frame)
      let code = (value * scale).rounded(.toNearestOrEven)
      if code.isNaN { return 0 }
      // Exactly full scale is one code too high, but does not count as clipped.
      if code.magnitude > scale {
        clipped.append(.init(frame: frame, channel: channel, level: value.magnitude))
      }
      return Int32(min(max(code, -scale), scale - 1)) << Int32(32 - depth)
    }
  }

  @inline(__always)
  private func store(
    _ frames: Int, _ output: UnsafeMutableRawBufferPointer, _ channel: Int,
    _ sample: (Int) -> Int32
  ) {
    let size = format.sampleFormat.byteCount
    var offset = channel * size
    for index in 0..<frames {
      let value = sample(index)
      switch format.sampleFormat {
      case .int16:
        output.storeBytes(of: Int16(value >> 16), toByteOffset: offset, as: Int16.self)
      case .int24:
        output[offset] = UInt8(truncatingIfNeeded: value >> 8)
        output[offset + 1] = UInt8(truncatingIfNeeded: value >> 16)
        output[offset + 2] = UInt8(truncatingIfNeeded: value >> 24)
      case .int32: output.storeBytes(of: value, toByteOffset: offset, as: Int32.self)
      case .float32:
        output.storeBytes(of: Float(value) * 0x1p-31, toByteOffset: offset, as: Float.self)
      }
      offset += format.bytesPerFrame
    }
  }
}
