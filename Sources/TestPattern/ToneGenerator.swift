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

  package let format: AudioFormat
  private let tone: [Int32]
  private let beep: [Int32]

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
    tone = table(decibels: -20, times: 1)
    beep = table(decibels: -6, times: Self.beepFrequency / 10)
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
  /// - Parameter beepIndex: The place of a sample in a beep, by its index.
  package func run(
    from first: Int64, frames: Int, beepIndex: (Int64) -> Int64?
  ) throws(MediaCoreError) -> AudioBuffer {
    let width = format.sampleFormat.byteCount
    let channels = format.channelCount
    let bytes = [UInt8](unsafeUninitializedCapacity: frames * format.bytesPerFrame) {
      bytes, count in
      var place = 0
      for frame in 0..<frames {
        let index = first + Int64(frame)
        let beepIndex = beepIndex(index)
        for channel in 0..<channels {
          let sample = Self.stored(
            sample(channel: channel, index: index, beepIndex: beepIndex), format.sampleFormat)
          for byte in 0..<width {
            bytes[place] = UInt8(truncatingIfNeeded: sample &>> Int32(8 * byte))
            place += 1
          }
        }
      }
      count = place
    }
    return try AudioBuffer(format: format, bytes: bytes)
  }
}
