package import MediaCore

/// The audio of the tone device, sample by sample: a function of the sample's time alone.
///
/// Channel `n` carries a sine of 400 + 100 n hertz at -20 dBFS, the first 400; while the pattern
/// flashes all of them carry 2000 hertz at -6 dBFS instead.
package struct ToneGenerator: Sendable {
  /// The tone of a channel, in hertz, a multiple of ten.
  static func frequency(ofChannel channel: Int) -> Int { 400 + 100 * channel }
  /// The tone of the beep, in hertz.
  package static let beepFrequency = 2000
  /// How long a beep is, in seconds: a 25th.
  package static let beepsPerSecond = 25

  /// Consecutive samples that all belong to one beep, or to none.
  package struct Stretch {
    /// The place of the first one in the beep; nil outside.
    package let beepIndex: Int64?
    /// How many they are, at least 1.
    package let count: Int

    package init(beepIndex: Int64?, count: Int) {
      self.beepIndex = beepIndex
      self.count = count
    }
  }

  package let format: AudioFormat
  private let tone: [Int32]
  private let beep: [Int32]
  /// A period of all channels, interleaved as the format stores them.
  private let storedTone: [UInt8]
  private let storedBeep: [UInt8]

  package init(_ format: AudioFormat) {
    self.format = format
    // A period of ten hertz holds whole periods of every tone.
    let length = max(format.sampleRate / 10, 1)
    func table(decibels: Double, times: Int) -> [Int32] {
      let peak = 2_147_483_647 * PatternMath.powerOfTen(decibels / 20)
      return (0..<length).map {
        Int32((peak * PatternMath.sine(turns: Double($0 * times) / Double(length))).rounded())
      }
    }
    let tone = table(decibels: -20, times: 1)
    let beep = table(decibels: -6, times: Self.beepFrequency / 10)
    (self.tone, self.beep) = (tone, beep)
    storedTone = Self.stored(format, length) { channel, index in
      tone[index * (Self.frequency(ofChannel: channel) / 10) % length]
    }
    storedBeep = Self.stored(format, length) { _, index in beep[index] }
  }

  /// Interleaved samples as a format stores them.
  private static func stored(
    _ format: AudioFormat, _ count: Int, _ sample: (_ channel: Int, _ index: Int) -> Int32
  ) -> [UInt8] {
    let width = format.sampleFormat.byteCount
    return [UInt8](unsafeUninitializedCapacity: count * format.bytesPerFrame) { bytes, place in
      for index in 0..<count {
        for channel in 0..<format.channelCount {
          let sample = stored(sample(channel, index), format.sampleFormat)
          for byte in 0..<width {
            bytes[place] = UInt8(truncatingIfNeeded: sample &>> Int32(8 * byte))
            place += 1
          }
        }
      }
    }
  }

  /// A sample at 32 bits.
  ///
  /// - Parameters:
  ///   - index: Its place since the clock's zero.
  ///   - beepIndex: Its place in a beep; nil outside.
  package func sample(channel: Int, index: Int64, beepIndex: Int64?) -> Int32 {
    if let beepIndex { return beep[Int(beepIndex % Int64(beep.count))] }
    let step = Int64(Self.frequency(ofChannel: channel) / 10)
    let place = (index % Int64(tone.count)) * step % Int64(tone.count)
    return tone[Int(place)]
  }

  /// A sample as its format stores it: the upper bits.
  package static func stored(_ sample: Int32, _ format: AudioFormat.SampleFormat) -> Int32 {
    sample &>> Int32(32 - format.bitDepth)
  }

  /// A run of interleaved samples.
  ///
  /// - Parameter stretch: The samples from an index on that belong to one beep, or to none.
  package func run(
    from first: Int64, frames: Int,
    stretch: (Int64) -> Stretch = { _ in Stretch(beepIndex: nil, count: .max) }
  ) throws(MediaCoreError) -> AudioBuffer {
    let bytes = [UInt8](unsafeUninitializedCapacity: frames * format.bytesPerFrame) {
      bytes, count in
      var left = UnsafeMutableRawBufferPointer(bytes)
      var index = first
      while !left.isEmpty {
        let stretch = stretch(index)
        let (period, place) =
          stretch.beepIndex.map { (storedBeep, $0) } ?? (storedTone, index)
        let start = Int(place % Int64(tone.count)) * format.bytesPerFrame
        let most = min(period.count - start, left.count)
        let length =
          stretch.count < most / format.bytesPerFrame
          ? stretch.count * format.bytesPerFrame : most
        left.copyBytes(from: period[start..<start + length])
        left = UnsafeMutableRawBufferPointer(rebasing: left[length...])
        index += Int64(length / format.bytesPerFrame)
      }
      count = bytes.count
    }
    return try AudioBuffer(format: format, bytes: bytes)
  }
}
