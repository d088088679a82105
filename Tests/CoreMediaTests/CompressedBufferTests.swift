import AVFoundationCompat
import TestSupport
import Testing

/// Audio that a converter compresses packet by packet, and decodes again.
@Suite(.timeLimit(.minutes(5))) struct CompressedBufferTests {
  private func plain(_ rate: Double = 48_000, _ channels: AVAudioChannelCount = 2) throws
    -> AVAudioFormat
  { try #require(AVAudioFormat(standardFormatWithSampleRate: rate, channels: channels)) }

  private func packed(_ code: AudioFormatID, _ channels: Int = 2) throws -> AVAudioFormat {
    try #require(
      AVAudioFormat(settings: [
        AVFormatIDKey: code, AVSampleRateKey: 48_000, AVNumberOfChannelsKey: channels,
      ]))
  }

  /// One second of two tones, 480 and 960 Hz.
  private func tones(_ format: AVAudioFormat) throws -> AVAudioPCMBuffer {
    let buffer = try #require(AVAudioPCMBuffer(pcmFormat: format, frameCapacity: 48_000))
    buffer.frameLength = 48_000
    for channel in 0..<Int(format.channelCount) {
      for frame in 0..<48_000 {
        let turns = Double(frame) * Double(channel + 1) / 100
        buffer.floatChannelData?[channel][frame] = Float(sin(2 * .pi * turns) / 2)
      }
    }
    return buffer
  }

  /// All packets of one second, in buffers of seven.
  private func compress(
    _ source: AVAudioPCMBuffer, with converter: AVAudioConverter
  ) throws -> [AVAudioCompressedBuffer] {
    var (buffers, isGiven): ([AVAudioCompressedBuffer], Bool) = ([], false)
    while true {
      let buffer = AVAudioCompressedBuffer(
        format: converter.outputFormat, packetCapacity: 7,
        maximumPacketSize: converter.maximumOutputPacketSize)
      var error: NSError?
      let status = converter.convert(to: buffer, error: &error) { wanted, status in
        #expect(wanted > 0)
        status.pointee = isGiven ? .endOfStream : .haveData
        defer { isGiven = true }
        return isGiven ? nil : source
      }
      try #require(status != .error, "\(String(describing: error))")
      if buffer.packetCount > 0 { buffers.append(buffer) }
      if status == .endOfStream { return buffers }
    }
  }

  private func expand(
    _ buffers: [AVAudioCompressedBuffer], with converter: AVAudioConverter
  ) throws -> AVAudioPCMBuffer {
    let output = try #require(
      AVAudioPCMBuffer(pcmFormat: converter.outputFormat, frameCapacity: 60_000))
    var rest = buffers[...]
    var error: NSError?
    let status = converter.convert(to: output, error: &error) { _, status in
      let next = rest.popFirst()
      status.pointee = next == nil ? .endOfStream : .haveData
      return next
    }
    #expect(status == .haveData && error == nil, "\(String(describing: error))")
    return output
  }

  @Test func apple_lossless_round_trips_unchanged() throws {
    let (from, lossless) = (try plain(), try packed(kAudioFormatAppleLossless))
    let source = try tones(from)
    let converter = try #require(AVAudioConverter(from: from, to: lossless))
    let buffers = try compress(source, with: converter)
    #expect(buffers.reduce(0) { $0 + Int($1.packetCount) } == 12)
    #expect(converter.magicCookie?.count == 24)
    let back = try #require(AVAudioConverter(from: lossless, to: from))
    back.magicCookie = converter.magicCookie
    let made = try expand(buffers, with: back)
    #expect(made.frameLength == 48_000)
    for channel in 0..<2 {
      let one = try #require(made.floatChannelData)[channel]
      let other = try #require(source.floatChannelData)[channel]
      let worst = (0..<48_000).reduce(Float(0)) { max($0, abs(one[$1] - other[$1])) }
      #expect(worst < 1e-6)
    }
  }

  @Test(arguments: [nil, 96_000])
  func aac_packets_hold_1024_frames_and_keep_the_level(bitRate: Int?) throws {
    let (from, aac) = (try plain(), try packed(kAudioFormatMPEG4AAC))
    let source = try tones(from)
    let converter = try #require(AVAudioConverter(from: from, to: aac))
    if let bitRate { converter.bitRate = bitRate }
    #expect(converter.bitRate == bitRate ?? 128_000)
    let buffers = try compress(source, with: converter)
    let packets = buffers.reduce(0) { $0 + Int($1.packetCount) }
    #expect((47...49).contains(packets))
    for buffer in buffers {
      #expect(buffer.packetCount <= 7 && buffer.byteLength <= buffer.byteCapacity)
      let last = try #require(buffer.packetDescriptions?[Int(buffer.packetCount) - 1])
      #expect(last.mStartOffset + Int64(last.mDataByteSize) == Int64(buffer.byteLength))
    }
    let numbers = aac.streamDescription.pointee
    #expect(numbers.mFormatID == kAudioFormatMPEG4AAC && numbers.mFramesPerPacket == 1024)
    // For AAC, the rate and the channels are enough.
    let plainest = try #require(AVAudioFormat(streamDescription: aac.streamDescription))
    #expect(plainest == aac && plainest.magicCookie == nil)
    let back = try #require(AVAudioConverter(from: plainest, to: from))
    let made = try expand(buffers, with: back)
    #expect(made.frameLength == UInt32(1024 * packets))
    // After the encoder's delay the tones have their original level: half of full scale.
    for channel in 0..<2 {
      let samples = try #require(made.floatChannelData)[channel]
      let squares = (8000..<40_000).reduce(0.0) { $0 + Double(samples[$1] * samples[$1]) }
      let power = squares / 32_000
      #expect(abs(power - 0.125) < 0.01, "\(power)")
    }
  }

  @Test func unsupported_compressed_formats_are_refused() throws {
    let many = [AVFormatIDKey: kAudioFormatMPEG4AAC, AVSampleRateKey: 48_000] as [String: Any]
    #expect(AVAudioFormat(settings: many) == nil)
    let six = many.merging([AVNumberOfChannelsKey: 6]) { $1 }
    #expect(AVAudioFormat(settings: six) == nil)
    let aac = try packed(kAudioFormatMPEG4AAC)
    #expect(aac.commonFormat == .otherFormat && !aac.isStandard)
    #expect(aac.settings[AVFormatIDKey] as? AudioFormatID == kAudioFormatMPEG4AAC)
    #expect(AVAudioPCMBuffer(pcmFormat: aac, frameCapacity: 10) == nil)
    #expect(AVAudioConverter(from: aac, to: try packed(kAudioFormatAppleLossless)) == nil)
    #expect(AVAudioCompressedBuffer(format: try plain(), packetCapacity: 4).packetCapacity == 0)
    let decoder = try #require(
      AVAudioConverter(from: try packed(kAudioFormatAppleLossless), to: try plain()))
    let buffer = AVAudioCompressedBuffer(format: decoder.inputFormat, packetCapacity: 1)
    (buffer.byteLength, buffer.packetCount) = (10, 1)
    buffer.packetDescriptions?[0].mDataByteSize = 10
    let output = try #require(
      AVAudioPCMBuffer(pcmFormat: decoder.outputFormat, frameCapacity: 10))
    var error: NSError?
    let status = decoder.convert(to: output, error: &error) { _, status in
      status.pointee = .haveData
      return buffer
    }
    #expect(status == .error && error != nil, "Apple Lossless is not decoded without its cookie")
    #expect(decoder.bitRate == 0 && decoder.maximumOutputPacketSize == 8)
  }
}
