import MediaCore
import Testing

/// Numbers at the ends of their ranges, as from broken devices and files: every function takes them
/// without ending the process.
@Suite struct ExtremeValueTests {
  static let integers: [Int64] = [
    .min, .min + 1, -(1 << 53), -1_000_000_007, -1, 0, 1, 2, 1 << 31, 1 << 53, .max - 1, .max,
  ]
  static let scales: [Int32] = [.min, -1, 0, 1, 25, 1001, 90_000, 1_000_000_000, .max]
  static let numbers: [Double] = [
    -.infinity, -1e300, -9.3e18, -1, -.leastNonzeroMagnitude, 0, 0.1, 9.2233720368547758e18, 1e19,
    1e300, .infinity, .nan,
  ]
  static let rates = [
    FrameRate(1), FrameRate(25), FrameRate(30000, 1001), FrameRate(.max), FrameRate(1, .max),
    FrameRate(.max, .max - 1),
  ].compactMap { $0 }

  private var times: [MediaTime] {
    Self.integers.flatMap { value in Self.scales.map { MediaTime(value: value, timescale: $0) } }
      + [.invalid, .indefinite, .positiveInfinity, .negativeInfinity]
  }

  @Test func arithmetic_on_extreme_times_never_traps() {
    for left in times {
      for right in times {
        let sum = left + right
        #expect(sum.isNumeric || !sum.description.isEmpty)
        #expect((left - right).isNumeric == (left + -right).isNumeric)
        #expect(!(left < right && right < left))
        #expect(left != right || left.hashValue == right.hashValue)
      }
      for value in Self.integers {
        let product = left * value
        if left.isNumeric, value == 1 { #expect(product == left) }
        if left.isNumeric, product.isNumeric, value == 0 { #expect(product == .zero) }
      }
      for top in Self.scales {
        for bottom in Self.scales {
          let part = left.multiplied(by: top, over: bottom)
          #expect(bottom != 0 || !part.isValid)
        }
        #expect(top > 0 || !left.converted(toTimescale: top).isValid)
      }
      #expect(left.nanoseconds == nil || left.isNumeric)
    }
  }

  @Test func a_product_too_large_for_any_timescale_is_infinite() {
    let time = MediaTime(value: .max, timescale: 1000)
    #expect(time * .max == .positiveInfinity && time * .min == .negativeInfinity)
  }

  @Test func any_number_of_seconds_makes_a_time() {
    for seconds in Self.numbers {
      for scale in Self.scales {
        let time = MediaTime(seconds: seconds, preferredTimescale: scale)
        #expect(time.isValid == (scale > 0 && !seconds.isNaN))
      }
    }
  }

  @Test func rates_convert_any_frame_and_any_time() {
    for rate in Self.rates {
      for index in Self.integers {
        let time = rate.time(ofFrame: index)
        if index.magnitude < 1 << 32, time.isNumeric, !time.hasBeenRounded {
          #expect(rate.frameIndex(nearest: time) == index)
        }
      }
      for time in times { #expect(rate.frameIndex(nearest: time) == nil || time.isNumeric) }
      #expect(rate.nominalFramesPerSecond > 0)
    }
    for text in ["1e300", "nan", "-1", "0", "2147483647/1", "1/2147483647", "99999999999", "/", ""]
    {
      if let rate = FrameRate(text) { #expect(rate.framesPerSecond > 0) }
    }
  }

  @Test func timecodes_wrap_for_any_offset() {
    for rate in Self.rates {
      let format = TimecodeFormat(standardFor: rate)
      for number in Self.integers {
        let code = Timecode(frameNumber: number, format: format)
        #expect((0..<format.framesPerDay).contains(code.frameNumber))
        for more in Self.integers {
          let later = code.advanced(by: more)
          #expect((0..<format.framesPerDay).contains(later.frameNumber))
          #expect(code.distance(to: later) >= 0)
        }
        #expect(!code.description.isEmpty)
      }
    }
  }

  @Test func byte_counts_of_any_size_are_not_negative() {
    for format in PixelFormat.allCases {
      for width in Self.integers {
        for height in Self.integers {
          #expect(format.byteCount(width: Int(width), height: Int(height)) >= 0)
        }
        #expect(format.minimumBytesPerRow(plane: 0, width: Int(width)) >= 0)
      }
    }
  }

  @Test func pixel_buffers_of_impossible_sizes_and_strides_are_refused() {
    for value in Self.integers where !(1...16_384).contains(value) {
      #expect(throws: MediaCoreError.self) {
        _ = try MutablePixelBuffer(.init(format: .v210, width: Int(value), height: 16))
      }
      #expect(throws: MediaCoreError.self) {
        _ = try MutablePixelBuffer(.init(format: .v210, width: 16, height: Int(value)))
      }
    }
    withUnsafeTemporaryAllocation(byteCount: 64, alignment: 16) { memory in
      guard let base = memory.baseAddress else { return }
      let plane = PixelBuffer.Plane(baseAddress: base, bytesPerRow: .max, rows: .max)
      #expect(throws: MediaCoreError.self) {
        _ = try PixelBuffer(
          .init(format: .v210, width: 16, height: 16), planes: [plane], release: nil)
      }
    }
  }

  @Test func audio_of_impossible_formats_is_refused() throws {
    for count in Self.integers {
      let format = AudioFormat(
        sampleRate: Int(count), channelCount: Int(count), sampleFormat: .int32)
      _ = format.duration(ofFrames: Int(count))
      guard count <= 0 || count > 100 else { continue }
      #expect(throws: MediaCoreError.self) {
        _ = try AudioBuffer(format: format, bytes: [1, 2, 3, 4, 5])
      }
    }
  }

  @Test func saturating_arithmetic_handles_any_number() {
    #expect(Int64(saturating: 1e300) == .max && Int64(saturating: -1e300) == .min)
    #expect(Int64(saturating: .nan) == 0 && Int32(saturating: -2.9) == -2)
    #expect(Int64(saturating: 9.2233720368547758e18) == .max)
    for left in Self.integers {
      for right in Self.integers {
        _ = left.addingSaturating(right)
        _ = left.multipliedSaturating(by: right)
      }
    }
    #expect(Int64.max.addingSaturating(1) == .max && Int64.min.addingSaturating(-1) == .min)
    #expect(Int64.min.multipliedSaturating(by: -1) == .max)
    #expect(Int64.min.multipliedSaturating(by: 2) == .min)
  }
}
