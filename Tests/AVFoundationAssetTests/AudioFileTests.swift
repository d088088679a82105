import AVFoundationCompat
import TestSupport
import Testing

/// Audio files that are read and written in buffers.
@Suite(.timeLimit(.minutes(10)))
struct AudioFileTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private static func settings(_ bits: Int = 16, channels: Int = 2) -> [String: Any] {
    [
      AVFormatIDKey: kAudioFormatLinearPCM, AVSampleRateKey: 48_000.0,
      AVNumberOfChannelsKey: channels, AVLinearPCMBitDepthKey: bits,
    ]
  }

  /// The left channel's sample at a frame; the right channel has its negative.
  private static func level(_ frame: Int) -> Float {
    Float(Int16(truncatingIfNeeded: frame * 37 % 20_011)) / 32_768
  }

  private func buffer(_ format: AVAudioFormat, _ frames: Range<Int>) throws -> AVAudioPCMBuffer {
    let buffer = try #require(
      AVAudioPCMBuffer(pcmFormat: format, frameCapacity: AVAudioFrameCount(frames.count)))
    buffer.frameLength = buffer.frameCapacity
    let data = try #require(buffer.floatChannelData)
    for (place, frame) in frames.enumerated() {
      data[0][place * buffer.stride] = Self.level(frame)
      data[1][place * buffer.stride] = -Self.level(frame)
    }
    return buffer
  }

  /// A file of this many frames, written in uneven runs.
  private func make(_ name: String, frames: Int = 100_003) throws -> URL {
    let url = folder.url(name)
    let file = try AVAudioFile(forWriting: url, settings: Self.settings())
    #expect(file.processingFormat.isStandard && file.isOpen)
    #expect(file.fileFormat.commonFormat == .pcmFormatInt16)
    for start in stride(from: 0, to: frames, by: 7001) {
      let part = start..<min(start + 7001, frames)
      try file.write(from: buffer(file.processingFormat, part))
      #expect(file.length == Int64(part.upperBound) && file.framePosition == file.length)
    }
    file.close()
    #expect(!file.isOpen && file.error == nil && file.notes.isEmpty)
    return url
  }

  @Test(arguments: ["a.wav", "a.caf", "a.mov"])
  func written_samples_are_read_back_exactly(name: String) throws {
    let url = try make(name)
    let file = try AVAudioFile(forReading: url)
    #expect(file.url == url && file.length == 100_003 && file.framePosition == 0)
    #expect(file.fileFormat.sampleRate == 48_000 && file.fileFormat.channelCount == 2)
    let buffer = try #require(
      AVAudioPCMBuffer(pcmFormat: file.processingFormat, frameCapacity: 4096))
    var frame = 0
    while file.framePosition < file.length {
      try file.read(into: buffer)
      let data = try #require(buffer.floatChannelData)
      try #require(buffer.frameLength > 0)
      for place in 0..<Int(buffer.frameLength) {
        let wanted = Self.level(frame + place)
        try #require(data[0][place] == wanted && data[1][place] == -wanted, "\(frame + place)")
      }
      frame += Int(buffer.frameLength)
    }
    #expect(frame == 100_003)
    try file.read(into: buffer)
    #expect(buffer.frameLength == 0)
  }

  @Test func an_audio_file_is_read_from_any_frame_in_the_requested_format() throws {
    let url = try make("a.wav")
    let file = try AVAudioFile(
      forReading: url, commonFormat: .pcmFormatInt16, interleaved: true)
    #expect(file.processingFormat.commonFormat == .pcmFormatInt16)
    #expect(file.processingFormat.isInterleaved)
    let buffer = try #require(
      AVAudioPCMBuffer(pcmFormat: file.processingFormat, frameCapacity: 100))
    for start in [70_000, 12, 99_950] {
      file.framePosition = Int64(start)
      try file.read(into: buffer, frameCount: 60)
      let count = min(60, 100_003 - start)
      #expect(buffer.frameLength == UInt32(count))
      #expect(file.framePosition == Int64(start + count))
      let data = try #require(buffer.int16ChannelData)
      for place in 0..<count {
        let wanted = Int16(Self.level(start + place) * 32_768)
        #expect(data[0][place * buffer.stride] == wanted)
      }
    }
    for (set, there) in [(-5, 0), (Int64.min, 0), (Int64.max, 100_003)] as [(Int64, Int64)] {
      file.framePosition = set
      #expect(file.framePosition == there)
    }
    try file.read(into: buffer, frameCount: .max)
    #expect(buffer.frameLength == 0)
    file.framePosition = 0
    try file.read(into: buffer, frameCount: .max)
    #expect(buffer.frameLength == 100)
  }

  @Test func float_samples_are_written_as_integers_with_a_note() throws {
    let format = try #require(AVAudioFormat(standardFormatWithSampleRate: 48_000, channels: 2))
    let url = folder.url("a.caf")
    let file = try AVAudioFile(forWriting: url, settings: format.settings)
    #expect(file.processingFormat == format)
    #expect(file.notes.count == 1 && file.notes.first?.contains("24-bit") == true)
    let loud = try buffer(format, 0..<100)
    loud.floatChannelData?[0][3] = 1.5
    try file.write(from: loud)
    #expect(file.notes.last?.contains("1 samples above full scale, up to 1.5 times") == true)
    file.close()
    let back = try AVAudioFile(forReading: url)
    #expect(back.length == 100 && back.fileFormat.commonFormat != .pcmFormatInt16)
    let read = try #require(AVAudioPCMBuffer(pcmFormat: format, frameCapacity: 100))
    try back.read(into: read)
    let data = try #require(read.floatChannelData)
    #expect(data[0][7] == Self.level(7) && data[0][3] > 0.99 && data[0][3] <= 1)
  }

  @Test func aac_is_written_and_read() throws {
    let url = folder.url("a.m4a")
    var file: AVAudioFile? = try AVAudioFile(
      forWriting: url,
      settings: [
        AVFormatIDKey: kAudioFormatMPEG4AAC, AVSampleRateKey: 48_000, AVNumberOfChannelsKey: 2,
      ])
    if let file { try file.write(from: buffer(file.processingFormat, 0..<48_000)) }
    // Releasing a file completes it.
    file = nil
    let back = try AVAudioFile(forReading: url)
    #expect(back.length == 48_000 && back.processingFormat.channelCount == 2)
    let read = try #require(
      AVAudioPCMBuffer(pcmFormat: back.processingFormat, frameCapacity: 60_000))
    try back.read(into: read)
    #expect(read.frameLength == 48_000)
  }

  private func code(_ body: () throws -> Void) -> AVError.Code? {
    do { try body() } catch { return (error as? AVError)?.code }
    return nil
  }

  @Test func audio_files_that_cannot_be_opened_are_refused() throws {
    let there = try make("there.wav", frames: 10)
    let before = try Data(contentsOf: there)
    let all = Self.settings()
    #expect(
      code { _ = try AVAudioFile(forWriting: there, settings: all) } == .fileAlreadyExists)
    #expect(try Data(contentsOf: there) == before)
    #expect(
      code { _ = try AVAudioFile(forWriting: folder.url("a.mp3"), settings: all) }
        == .fileFormatNotRecognized)
    #expect(
      code { _ = try AVAudioFile(forWriting: folder.url("a.wav"), settings: [:]) }
        == .unsupportedOutputSettings)
    for format in [AVAudioCommonFormat.otherFormat, .pcmFormatFloat64] {
      #expect(
        code {
          _ = try AVAudioFile(
            forWriting: folder.url("a.wav"), settings: all, commonFormat: format, interleaved: true)
        } == .formatUnsupported)
      #expect(
        code {
          _ = try AVAudioFile(forReading: there, commonFormat: format, interleaved: true)
        } == .formatUnsupported)
    }
    #expect(folder.contents == ["there.wav"])
    #expect(code { _ = try AVAudioFile(forReading: folder.url("none.wav")) } != nil)
    let web = try #require(URL(string: "https://example.org/a.wav"))
    #expect(code { _ = try AVAudioFile(forReading: web) } == .operationNotAllowed)
  }

  @Test func reading_or_writing_in_the_wrong_state_throws() throws {
    let file = try AVAudioFile(forWriting: folder.url("a.wav"), settings: Self.settings())
    let own = try buffer(file.processingFormat, 0..<10)
    let other = try #require(
      AVAudioFormat(
        commonFormat: .pcmFormatFloat32, sampleRate: 44_100, channels: 2, interleaved: false))
    #expect(code { try file.write(from: buffer(other, 0..<10)) } == .operationNotAllowed)
    #expect(code { try file.read(into: own) } == .operationNotAllowed)
    try file.write(from: own)
    file.framePosition = 3
    #expect(file.framePosition == 10)
    file.close()
    file.close()
    #expect(code { try file.write(from: own) } == .operationNotAllowed)
    let back = try AVAudioFile(forReading: folder.url("a.wav"))
    #expect(back.length == 10)
    #expect(code { try back.write(from: own) } == .operationNotAllowed)
    back.close()
    #expect(code { try back.read(into: own) } == .operationNotAllowed)
  }
}
