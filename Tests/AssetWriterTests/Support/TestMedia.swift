import MediaCore
import TestSupport

/// Video and audio whose every sample is known.
enum TestMedia {
  /// A planar frame: a ramp that moves with `number`, chroma ramps, and a fine texture if `noise`
  /// is greater than 0.
  static func frame(
    _ number: Int, width: Int = 128, height: Int = 96, format: PixelFormat = .yuv422p10,
    color: ColorDescription = .bt709, fieldOrder: FieldOrder = .progressive,
    pixelAspectRatio: PixelAspectRatio = .square, noise: Int = 0
  ) throws -> PixelBuffer {
    var buffer = try MutablePixelBuffer(
      PixelBuffer.Description(
        format: format, width: width, height: height, color: color, fieldOrder: fieldOrder,
        pixelAspectRatio: pixelAspectRatio))
    var generator = SeededGenerator(seed: UInt64(number) &* 7919 &+ 17)
    let spread = UInt64(2 * noise + 1)
    for plane in 0..<format.planeCount {
      let stride = buffer.bytesPerRow(plane: plane)
      let columns = format.minimumBytesPerRow(plane: plane, width: width) / 2
      let ramp = (0..<columns).map { plane == 3 ? $0 * 1023 / max(columns - 1, 1) : $0 * 3 }
      let (low, high) = plane == 3 ? (0, 1023) : (4, 1019)
      buffer.withUnsafeMutableBytes(ofPlane: plane) { bytes in
        for row in 0..<format.rows(plane: plane, height: height) {
          let start = row * 2 + number * 5 + plane * 200
          let codes = bytes[(row * stride)..<(row * stride + columns * 2)]
          UnsafeMutableRawBufferPointer(rebasing: codes).withMemoryRebound(to: UInt16.self) {
            // A loop without iterators, because tests are built without optimization.
            var column = 0
            while column < columns {
              var code = plane == 3 ? ramp[column] : 128 + (ramp[column] + start) % 700
              if noise > 0 { code += Int(generator.next() % spread) - noise }
              $0[column] = UInt16(truncatingIfNeeded: code < low ? low : code > high ? high : code)
              column += 1
            }
          }
        }
      }
    }
    return buffer.finish()
  }

  /// A planar frame's samples as in ffmpeg's raw video: plane by plane, row by row.
  static func samples(_ frame: PixelBuffer) -> [UInt16] {
    var samples: [UInt16] = []
    for plane in 0..<frame.planeCount {
      let stride = frame.bytesPerRow(plane: plane)
      let length = frame.format.minimumBytesPerRow(plane: plane, width: frame.width)
      frame.withUnsafeBytes(ofPlane: plane) { bytes in
        for row in 0..<frame.format.rows(plane: plane, height: frame.height) {
          let codes = bytes[(row * stride)..<(row * stride + length)]
          samples += UnsafeRawBufferPointer(rebasing: codes).bindMemory(to: UInt16.self)
        }
      }
    }
    return samples
  }

  static func video(
    _ number: Int, rate: FrameRate = .fps25, start: MediaTime = .zero, timecode: Timecode? = nil,
    frame: PixelBuffer? = nil
  ) throws -> SampleBuffer {
    var attachments = SampleBuffer.Attachments()
    attachments.timecode = timecode
    return SampleBuffer(
      .video(try frame ?? self.frame(number)),
      presentationTimeStamp: start + rate.time(ofFrame: Int64(number)),
      duration: rate.frameDuration, attachments: attachments)
  }

  /// Audio in which each sample gives its position: sample `n` of channel `c` is `n * 16 + c` in 24
  /// bits.
  static func audio(
    from first: Int, count: Int, format: AudioFormat = stereo24, at time: MediaTime? = nil
  ) throws -> SampleBuffer {
    let width = format.sampleFormat.byteCount
    let total = count * format.channelCount * width
    let bytes = [UInt8](unsafeUninitializedCapacity: total) { bytes, filled in
      for frame in first..<(first + count) {
        for channel in 0..<format.channelCount {
          let value = Int32(truncatingIfNeeded: (frame * 16 + channel) << 8)
          let top = UInt32(bitPattern: value) >> UInt32(32 - width * 8)
          var byte = 0
          while byte < width {
            bytes[filled] = UInt8(truncatingIfNeeded: top >> UInt32(byte * 8))
            filled += 1
            byte += 1
          }
        }
      }
    }
    return SampleBuffer(
      .audio(try AudioBuffer(format: format, bytes: bytes)),
      presentationTimeStamp: time
        ?? MediaTime(value: Int64(first), timescale: Int32(format.sampleRate)))
  }

  static let stereo24 = AudioFormat(sampleRate: 48_000, channelCount: 2, sampleFormat: .int24)
}
