import AVFoundationCompat

/// Writes audio in the best format that a writer accepts.
final class AudioFormats {
  static func candidates() -> [[String: Any]] {
    let common: [String: Any] = [AVSampleRateKey: 48_000.0, AVNumberOfChannelsKey: 2]
    return [
      common.merging([
        AVFormatIDKey: kAudioFormatAppleLossless, AVEncoderBitDepthHintKey: 24,
      ]) { $1 },
      common.merging([AVFormatIDKey: kAudioFormatMPEG4AAC, AVEncoderBitRateKey: 128_000]) { $1 },
      common.merging([
        AVFormatIDKey: kAudioFormatLinearPCM, AVLinearPCMBitDepthKey: 16,
        AVLinearPCMIsFloatKey: false, AVLinearPCMIsBigEndianKey: false,
        AVLinearPCMIsNonInterleaved: false,
      ]) { $1 },
    ]
  }

  static func tone(frames: Int) throws -> CMSampleBuffer {
    var basic = AudioStreamBasicDescription(
      mSampleRate: 48_000, mFormatID: kAudioFormatLinearPCM,
      mFormatFlags: kAudioFormatFlagIsSignedInteger | kAudioFormatFlagIsPacked,
      mBytesPerPacket: 4, mFramesPerPacket: 1, mBytesPerFrame: 4, mChannelsPerFrame: 2,
      mBitsPerChannel: 16, mReserved: 0)
    var format: CMAudioFormatDescription?
    CMAudioFormatDescriptionCreate(
      allocator: nil, asbd: &basic, layoutSize: 0, layout: nil, magicCookieSize: 0,
      magicCookie: nil, extensions: nil, formatDescriptionOut: &format)
    var block: CMBlockBuffer?
    CMBlockBufferCreateWithMemoryBlock(
      allocator: kCFAllocatorDefault, memoryBlock: nil, blockLength: frames * 4,
      blockAllocator: kCFAllocatorDefault, customBlockSource: nil, offsetToData: 0,
      dataLength: frames * 4, flags: kCMBlockBufferAssureMemoryNowFlag, blockBufferOut: &block)
    guard let format, let block else { throw AVError(.outOfMemory) }
    let samples = (0..<frames * 2).map { Int16(sin(Double($0 / 2) / 8) * 8000) }
    samples.withUnsafeBytes { bytes in
      guard let base = bytes.baseAddress else { return }
      CMBlockBufferReplaceDataBytes(
        with: base, blockBuffer: block, offsetIntoDestination: 0, dataLength: bytes.count)
    }
    var sample: CMSampleBuffer?
    CMAudioSampleBufferCreateReadyWithPacketDescriptions(
      allocator: kCFAllocatorDefault, dataBuffer: block, formatDescription: format,
      sampleCount: frames, presentationTimeStamp: .zero, packetDescriptions: nil,
      sampleBufferOut: &sample)
    guard let sample else { throw AVError(.invalidSourceMedia) }
    return sample
  }

  static func run() async throws {
    let writer = try AVAssetWriter(outputURL: scratchURL("sound.mov"), fileType: .mov)
    guard
      let settings = candidates().first(where: {
        writer.canApply(outputSettings: $0, forMediaType: .audio)
      })
    else { throw AVError(.encoderNotFound) }
    let input = AVAssetWriterInput(mediaType: .audio, outputSettings: settings)
    input.expectsMediaDataInRealTime = true
    writer.add(input)
    writer.startWriting()
    writer.startSession(atSourceTime: .zero)
    expect(
      input.append(try tone(frames: 9_600)), "sound is refused: \(String(describing: writer.error))"
    )
    input.markAsFinished()
    await writer.finishWriting()
    if let error = writer.error { throw error }
    let asset = AVURLAsset(url: writer.outputURL)
    let tracks = try await asset.loadTracks(withMediaType: .audio)
    expect(tracks.count == 1, "there are \(tracks.count) audio tracks")
    let (duration, formats) = try await (asset.load(.duration), tracks[0].load(.formatDescriptions))
    expect(abs(duration.seconds - 0.2) < 0.06, "the audio's duration is \(duration.seconds) s")
    if let basic = formats.first?.audioStreamBasicDescription {
      expect(basic.mChannelsPerFrame == 2 && basic.mSampleRate == 48_000, "the audio is \(basic)")
    }
  }
}
