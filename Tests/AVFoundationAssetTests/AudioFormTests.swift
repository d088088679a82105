import AVFoundationCompat
import Synchronization
import TestSupport
import Testing

/// Audio in the formats that programs ask for, and in their own buffers.
@Suite(.timeLimit(.minutes(10)), .tags(.judges))
struct AudioFormTests {
  private let rig: ReadingRig

  init() throws { rig = try ReadingRig() }

  private static var floats: [String: Any] {
    [AVFormatIDKey: kAudioFormatLinearPCM, AVLinearPCMIsFloatKey: true, AVLinearPCMBitDepthKey: 32]
  }

  // MARK: Reading

  /// The samples of the first channel as floats, and their start time.
  private func read(
    _ asset: AVURLAsset, _ settings: [String: Any]
  ) throws -> (samples: [Float], start: CMTime, format: AudioStreamBasicDescription) {
    let reader = try AVAssetReader(asset: asset)
    let output = AVAssetReaderTrackOutput(track: asset.tracks[1], outputSettings: settings)
    reader.add(output)
    try #require(reader.startReading(), "\(String(describing: reader.error))")
    var (samples, start, format) = ([Float](), CMTime.invalid, AudioStreamBasicDescription())
    while let sample = output.copyNextSampleBuffer() {
      let own = try #require(sample.formatDescription?.audioStreamBasicDescription)
      if samples.isEmpty { (start, format) = (sample.presentationTimeStamp, own) }
      // Runs follow one another without a gap.
      let end = start.seconds + Double(samples.count) / own.mSampleRate
      #expect(abs(sample.presentationTimeStamp.seconds - end) < 2 / own.mSampleRate)
      try sample.withAudioBufferList { list, _ in
        let data = try #require(list[0].mData)
        let step = Int(list[0].mNumberChannels)
        for index in 0..<sample.numSamples {
          samples.append(data.load(fromByteOffset: 4 * index * step, as: Float.self))
        }
      }
    }
    #expect(reader.status == .completed, "\(String(describing: reader.error))")
    return (samples, start, format)
  }

  @Test func a_reader_converts_integers_to_floats_exactly() async throws {
    let asset = try await rig.makeMovie()
    let (samples, start, format) = try read(asset, Self.floats)
    #expect(start == .zero && format.mFormatFlags & kAudioFormatFlagIsFloat != 0)
    #expect(format.mBitsPerChannel == 32 && format.mChannelsPerFrame == 2)
    #expect(samples.count == 38_400)
    // The movie's audio is a 16-bit ramp.
    for (index, sample) in samples.enumerated() {
      let code = Int16(truncatingIfNeeded: index)
      guard sample * 32_768 == Float(code) else {
        Issue.record("sample \(index) is \(sample), not \(code)")
        return
      }
    }
  }

  @Test func a_reader_converts_sample_rate_and_channel_count() async throws {
    let asset = try await rig.makeMovie()
    let (samples, start, format) = try read(
      asset, Self.floats.merging([AVSampleRateKey: 44_100.0, AVNumberOfChannelsKey: 1]) { $1 })
    #expect(start == .zero && format.mSampleRate == 44_100 && format.mChannelsPerFrame == 1)
    #expect(abs(samples.count - 35_280) <= 2)
    // The ramp's slope over the same second.
    let (low, high) = (samples[5000], samples[15_000])
    let rise = 10_000.0 * 48_000 / 44_100 / 32_768
    #expect(abs(Double(high - low) - rise) < 0.001)
  }

  @Test func unsupported_reader_settings_are_named_in_the_error() async throws {
    let asset = try await rig.makeMovie()
    for (key, value, word) in [
      (AVLinearPCMBitDepthKey, 64 as Any, "32 bits"), (AVLinearPCMIsBigEndianKey, true, "little"),
      (AVLinearPCMIsNonInterleaved, true, "interleaved"), (AVSampleRateKey, 4000, "8000"),
      (AVNumberOfChannelsKey, 11, "11"), (AVEncoderBitRateKey, 64_000, "AVEncoderBitRateKey"),
    ] {
      let reader = try AVAssetReader(asset: asset)
      reader.add(
        AVAssetReaderTrackOutput(
          track: asset.tracks[1], outputSettings: Self.floats.merging([key: value]) { $1 }))
      #expect(!reader.startReading(), "\(key)")
      #expect((reader.error as? AVError)?.message.contains(word) == true, "\(reader.error as Any)")
    }
  }

  // MARK: Capture

  private final class Listener: NSObject, AVCaptureAudioDataOutputSampleBufferDelegate {
    let samples = Mutex<[CMSampleBuffer]>([])

    func captureOutput(
      _ output: AVCaptureOutput, didOutput sampleBuffer: CMSampleBuffer,
      from connection: AVCaptureConnection
    ) { samples.withLock { $0.append(sampleBuffer) } }
  }

  private func session(_ output: AVCaptureAudioDataOutput) throws -> AVCaptureSession {
    let session = AVCaptureSession()
    session.addInput(
      try AVCaptureDeviceInput(device: try #require(AVCaptureDevice(uniqueID: "tone"))))
    session.addOutput(output)
    return session
  }

  @Test func an_audio_data_output_delivers_the_requested_format() async throws {
    let output = AVCaptureAudioDataOutput()
    // Before there is a device, as programs do.
    output.audioSettings = Self.floats.merging([
      AVSampleRateKey: 44_100, AVNumberOfChannelsKey: 1, AVLinearPCMIsNonInterleaved: true,
    ]) { $1 }
    let listener = Listener()
    let queue = DispatchQueue(label: "sound")
    output.setSampleBufferDelegate(listener, queue: queue)
    let session = try session(output)
    #expect(output.audioSettings[AVSampleRateKey] as? Double == 44_100)
    #expect(output.audioSettings[AVLinearPCMIsFloatKey] as? Bool == true)
    session.startRunning()
    try await eventually("audio arrives") { listener.samples.withLock { $0.count } >= 20 }
    session.stopRunning()
    queue.sync {}
    let samples = listener.samples.withLock { $0 }
    let basic = try #require(samples.first?.formatDescription?.audioStreamBasicDescription)
    #expect(basic.mSampleRate == 44_100 && basic.mChannelsPerFrame == 1)
    #expect(basic.mFormatFlags & kAudioFormatFlagIsFloat != 0)
    var loudest: Float = 0
    for (one, next) in zip(samples, samples.dropFirst()) {
      let end = one.presentationTimeStamp.seconds + Double(one.numSamples) / 44_100
      // A busy machine loses runs, and the following runs are timed accordingly.
      let hole = next.presentationTimeStamp.seconds - end
      #expect(hole > -0.001, "\(hole)")
      try one.withAudioBufferList { list, _ in
        let data = try #require(list[0].mData)
        for index in 0..<one.numSamples {
          loudest = max(loudest, abs(data.load(fromByteOffset: 4 * index, as: Float.self)))
        }
      }
    }
    #expect(loudest > 0.01 && loudest < 1)
  }

  @Test func unsupported_audio_settings_prevent_the_session_from_running() throws {
    let output = AVCaptureAudioDataOutput()
    let session = try session(output)
    output.audioSettings = [AVFormatIDKey: kAudioFormatMPEG4AAC]
    session.startRunning()
    #expect(!session.isRunning)
    #expect(throws: AVError.self) {
      try output.setAudioSettings(Self.floats.merging([AVNumberOfChannelsKey: 9]) { $1 })
    }
    output.audioSettings = nil
    session.startRunning()
    #expect(session.isRunning)
    session.stopRunning()
  }

  @Test func unmixable_channels_prevent_the_session_from_running() throws {
    let output = AVCaptureAudioDataOutput()
    let session = AVCaptureSession()
    // A new object: other tests choose other formats at the same time.
    let device = try AVCaptureDevice.device(identifier: "tone")
    let many = try #require(
      device.formats.first { format in
        format.formatDescription.audioStreamBasicDescription?.mChannelsPerFrame == 11
      })
    try device.lockForConfiguration()
    device.activeFormat = many
    device.unlockForConfiguration()
    session.addInput(try AVCaptureDeviceInput(device: device))
    session.addOutput(output)
    output.audioSettings = Self.floats.merging([AVNumberOfChannelsKey: 3]) { $1 }
    session.startRunning()
    #expect(!session.isRunning)
    output.audioSettings = Self.floats
    session.startRunning()
    #expect(session.isRunning)
    session.stopRunning()
  }

  @Test func audio_channels_have_power_levels() async throws {
    let output = AVCaptureAudioDataOutput()
    let session = try session(output)
    let connection = try #require(output.connection(with: .audio))
    let channels = connection.audioChannels
    #expect(channels.count == 2 && channels[1].index == 1)
    #expect(channels.allSatisfy { $0.averagePowerLevel == -160 && $0.peakHoldLevel == -160 })
    #expect(connection.inputPorts.first?.input == session.inputs.first)
    session.startRunning()
    // A sine of a tenth of full scale: a peak of -20 dB, and an RMS level 3 dB lower. The beep is
    // louder, and short.
    try await eventually("audio levels are measured") {
      channels.allSatisfy { abs($0.averagePowerLevel + 23) < 0.2 && $0.peakHoldLevel > -20.1 }
    }
    session.stopRunning()
    #expect(channels.allSatisfy { $0.peakHoldLevel < 0.01 })
  }

  // MARK: Buffers

  @Test(arguments: [true, false])
  func a_pcm_buffer_keeps_its_samples_and_a_writer_accepts_it(interleaved: Bool) async throws {
    let format = try #require(
      AVAudioFormat(
        commonFormat: .pcmFormatFloat32, sampleRate: 48_000, channels: 2, interleaved: interleaved))
    #expect(format.isStandard == !interleaved)
    #expect(format.streamDescription.pointee.mBytesPerFrame == (interleaved ? 8 : 4))
    #expect(AVAudioFormat(streamDescription: format.streamDescription) == format)
    #expect(AVAudioFormat(settings: format.settings) == format)
    let (room, channels) = (AVAudioFrameCount(4800), AVAudioChannelCount(2))
    let buffer = try #require(AVAudioPCMBuffer(pcmFormat: format, frameCapacity: room))
    #expect(format.channelCount == channels && (buffer as AVAudioBuffer).format == format)
    let kind: AVAudioCommonFormat = format.commonFormat
    #expect(kind == .pcmFormatFloat32 && AVAudioFramePosition(room) == 4800)
    #expect(buffer.frameLength == 0 && buffer.audioBufferList.pointee.mBuffers.mDataByteSize == 0)
    buffer.frameLength = 9999
    #expect(buffer.frameLength == 4800)
    #expect(buffer.int16ChannelData == nil && buffer.int32ChannelData == nil)
    let data = try #require(buffer.floatChannelData)
    for frame in 0..<4800 {
      data[0][frame * buffer.stride] = Float(frame) / 32_768
      data[1][frame * buffer.stride] = frame == 7 ? 5 : -Float(frame) / 32_768
    }
    let list = UnsafeMutableAudioBufferListPointer(buffer.mutableAudioBufferList)
    #expect(list.count == (interleaved ? 1 : 2))
    let size = UInt32(4800 * 8 / list.count)
    #expect(list.allSatisfy { $0.mDataByteSize == size })
    let folder = try TemporaryFolder()
    let writer = try AVAssetWriter(outputURL: folder.url("a.mov"), fileType: .mov)
    let sample = try #require(buffer.sampleBuffer(at: .zero))
    let input = AVAssetWriterInput(
      mediaType: .audio,
      outputSettings: [
        AVFormatIDKey: kAudioFormatLinearPCM, AVSampleRateKey: 48_000, AVNumberOfChannelsKey: 2,
        AVLinearPCMBitDepthKey: 16,
      ], sourceFormatHint: sample.formatDescription)
    writer.add(input)
    try #require(writer.startWriting())
    writer.startSession(atSourceTime: .zero)
    #expect(input.append(sample))
    input.markAsFinished()
    await writer.finishWriting()
    #expect(writer.status == .completed, "\(String(describing: writer.error))")
    let pcm = try Judges.run(
      Judges.decoder,
      ["-v", "error", "-i", folder.path("a.mov"), "-f", "s16le", "-y", folder.path("pcm")])
    #expect(pcm.status == 0)
    let bytes = try folder.bytes("pcm")
    #expect(bytes.count == 4800 * 4)
    func code(_ index: Int) -> Int16 {
      Int16(bitPattern: UInt16(bytes[2 * index]) | UInt16(bytes[2 * index + 1]) << 8)
    }
    // Too loud a sample is clipped.
    for frame in 0..<4800 {
      let right: Int16 = frame == 7 ? .max : -Int16(frame)
      #expect(code(2 * frame) == Int16(frame) && code(2 * frame + 1) == right)
    }
  }

  @Test func samples_are_deinterleaved_into_one_buffer_per_channel() throws {
    let format = AudioFormat(sampleRate: 48_000, channelCount: 2, sampleFormat: .int16)
    let sample = SampleBuffer(
      .audio(try MediaCore.AudioBuffer(format: format, bytes: (0..<40).map { UInt8($0) })),
      presentationTimeStamp: .zero)
    let description = try #require(sample.formatDescription)
    #expect(AVAudioFormat(cmAudioFormatDescription: description).isInterleaved)
    let planar = try #require(
      AVAudioFormat(
        commonFormat: .pcmFormatInt16, sampleRate: 48_000, channels: 2, interleaved: false))
    let buffer = try #require(AVAudioPCMBuffer(pcmFormat: planar, frameCapacity: 4))
    func copy(_ offset: Int32, _ count: Int32) -> OSStatus {
      CMSampleBufferCopyPCMDataIntoAudioBufferList(
        sample, at: offset, frameCount: count, into: buffer.mutableAudioBufferList)
    }
    // Only the used part of the capacity counts.
    #expect(copy(0, 4) == kCMSampleBufferError_ArrayTooSmall)
    buffer.frameLength = 4
    #expect(copy(3, 4) == noErr && copy(7, 4) == kCMSampleBufferError_ArrayTooSmall)
    let data = try #require(buffer.int16ChannelData)
    #expect((0..<4).map { data[0][$0] } == [0x0D0C, 0x1110, 0x1514, 0x1918])
    #expect((0..<4).map { data[1][$0] } == [0x0F0E, 0x1312, 0x1716, 0x1B1A])
  }

  @Test func a_converter_changes_rate_and_format_of_a_stream() throws {
    let from = try #require(
      AVAudioFormat(
        commonFormat: .pcmFormatInt16, sampleRate: 48_000, channels: 2, interleaved: true))
    let to = try #require(AVAudioFormat(standardFormatWithSampleRate: 44_100, channels: 1))
    let converter = try #require(AVAudioConverter(from: from, to: to))
    #expect(converter.inputFormat == from && converter.outputFormat == to)
    // One second of a sine, in runs of 1000 frames, with a pause in the middle.
    var (place, hasPaused) = (0, false)
    let block: AVAudioConverterInputBlock = { _, status in
      guard place < 48_000 else {
        status.pointee = .endOfStream
        return nil
      }
      if place == 24_000, !hasPaused {
        hasPaused = true
        status.pointee = .noDataNow
        return nil
      }
      status.pointee = .haveData
      guard let run = AVAudioPCMBuffer(pcmFormat: from, frameCapacity: 1000) else { return nil }
      run.frameLength = 1000
      for frame in 0..<1000 {
        let phase = 2 * Double.pi * 440 * Double(place + frame) / 48_000
        run.int16ChannelData?[0][2 * frame] = Int16(8000 * sin(phase))
        run.int16ChannelData?[1][2 * frame] = Int16(8000 * sin(phase))
      }
      place += 1000
      return run
    }
    var samples: [Float] = []
    var statuses: [AVAudioConverterOutputStatus] = []
    repeat {
      let room = AVAudioPacketCount(4096)
      let output = try #require(AVAudioPCMBuffer(pcmFormat: to, frameCapacity: room))
      var error: NSError?
      statuses.append(converter.convert(to: output, error: &error, withInputFrom: block))
      #expect(error == nil)
      let data = try #require(output.floatChannelData)
      for frame in 0..<Int(output.frameLength) { samples.append(data[0][frame]) }
    } while statuses.last != .endOfStream && statuses.last != .error && statuses.count < 100
    #expect(statuses.last == .endOfStream && statuses.count { $0 == .inputRanDry } == 1)
    #expect(abs(samples.count - 44_100) <= 2, "\(samples.count)")
    let loudest = samples.map(abs).max() ?? 0
    for frame in 2000..<42_000 {
      let ideal = Double(loudest) * sin(2 * .pi * 440 * Double(frame) / 44_100)
      guard abs(Double(samples[frame]) - ideal) < 0.002 else {
        Issue.record("frame \(frame): \(samples[frame]), not \(ideal)")
        return
      }
    }
  }

  @Test func a_converter_refuses_buffers_of_other_formats() throws {
    func format(_ rate: Double, _ channels: AVAudioChannelCount) throws -> AVAudioFormat {
      try #require(AVAudioFormat(standardFormatWithSampleRate: rate, channels: channels))
    }
    let (one, two) = (try format(48_000, 1), try format(48_000, 2))
    let converter = try #require(AVAudioConverter(from: two, to: one))
    let input = try #require(AVAudioPCMBuffer(pcmFormat: two, frameCapacity: 10))
    let output = try #require(AVAudioPCMBuffer(pcmFormat: one, frameCapacity: 10))
    input.frameLength = 10
    for channel in 0..<2 { input.floatChannelData?[channel][3] = 0.5 }
    try converter.convert(to: output, from: input)
    #expect(output.frameLength == 10)
    #expect(abs((output.floatChannelData?[0][3] ?? 0) - 0.5) < 1e-6)
    #expect(throws: AVError.self) { try converter.convert(to: input, from: input) }
    let small = try #require(AVAudioPCMBuffer(pcmFormat: one, frameCapacity: 9))
    #expect(throws: AVError.self) { try converter.convert(to: small, from: input) }
    var error: NSError?
    let status = converter.convert(to: output, error: &error) { _, status in
      status.pointee = AVAudioConverterInputStatus.haveData
      return output
    }
    #expect(status == .error && error != nil)
    converter.reset()
    let resampler = try #require(AVAudioConverter(from: two, to: try format(8000, 2)))
    #expect(throws: AVError.self) { try resampler.convert(to: output, from: input) }
  }

  @Test func external_buffer_memory_is_released_once() throws {
    let format = try #require(
      AVAudioFormat(standardFormatWithSampleRate: 44_100, channels: 2))
    let freed = Atomic(0)
    let list = AudioBufferList.allocate(maximumBuffers: 2)
    for index in 0..<2 {
      list[index] = AudioBuffer(
        mNumberChannels: 1, mDataByteSize: 400, mData: calloc(1, 400))
    }
    do {
      let buffer = try #require(
        AVAudioPCMBuffer(
          pcmFormat: format, bufferListNoCopy: list.unsafePointer,
          deallocator: { _ in freed.add(1, ordering: .relaxed) }))
      #expect(buffer.frameLength == 100 && buffer.frameCapacity == 100)
      buffer.floatChannelData?[1][99] = 1
    }
    #expect(freed.load(ordering: .relaxed) == 1)
    #expect(list[1].mData?.load(fromByteOffset: 396, as: Float.self) == 1)
    list[1].mDataByteSize = 396
    #expect(AVAudioPCMBuffer(pcmFormat: format, bufferListNoCopy: list.unsafePointer) == nil)
    for buffer in list { free(buffer.mData) }
    free(list.unsafeMutablePointer)
  }
}
