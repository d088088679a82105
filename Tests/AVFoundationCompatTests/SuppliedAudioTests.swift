import AVFoundationCompat
import Synchronization
import TestSupport
import Testing

/// Samples that are created before their audio is set.
@Suite struct SuppliedAudioTests {
  private static let frames = 480
  private let format = AudioFormat(sampleRate: 48_000, channelCount: 2, sampleFormat: .int16)

  /// A sample without its audio.
  private func sample(at time: CMTime = .zero) throws -> CMSampleBuffer {
    var made: CMSampleBuffer?
    var timing = CMSampleTimingInfo(
      duration: CMTime(value: 1, timescale: 48_000), presentationTimeStamp: time,
      decodeTimeStamp: .invalid)
    #expect(
      CMSampleBufferCreate(
        allocator: kCFAllocatorDefault, dataBuffer: nil, dataReady: false,
        makeDataReadyCallback: nil, refcon: nil, formatDescription: .audio(format),
        sampleCount: Self.frames, sampleTimingEntryCount: 1, sampleTimingArray: &timing,
        sampleSizeEntryCount: 0, sampleSizeArray: nil, sampleBufferOut: &made) == noErr)
    return try #require(made)
  }

  /// Samples of both channels whose values give their positions.
  private func words(_ first: Int16 = 0) -> [Int16] {
    (0..<Int16(Self.frames)).flatMap { [first &+ $0, -$0] }
  }

  /// Sets a sample's audio from lists of samples, one for each buffer.
  @discardableResult
  private func supply(_ sample: CMSampleBuffer, _ buffers: [[Int16]]) -> OSStatus {
    let list = AudioBufferList.allocate(maximumBuffers: buffers.count)
    defer { free(list.unsafeMutablePointer) }
    var memory: [UnsafeMutableBufferPointer<Int16>] = []
    defer { for place in memory { place.deallocate() } }
    for (index, words) in buffers.enumerated() {
      let place = UnsafeMutableBufferPointer<Int16>.allocate(capacity: max(words.count, 1))
      _ = place.initialize(from: words)
      memory.append(place)
      list[index] = AVFoundationCompat.AudioBuffer(
        mNumberChannels: UInt32(2 / buffers.count), mDataByteSize: UInt32(words.count * 2),
        mData: UnsafeMutableRawPointer(place.baseAddress))
    }
    return CMSampleBufferSetDataBufferFromAudioBufferList(
      sample, blockBufferAllocator: kCFAllocatorDefault,
      blockBufferMemoryAllocator: kCFAllocatorDefault, flags: 0,
      bufferList: list.unsafePointer)
  }

  private func contents(_ sample: CMSampleBuffer) throws -> [Int16] {
    let block = try #require(CMSampleBufferGetDataBuffer(sample))
    var words = [Int16](repeating: 0, count: CMBlockBufferGetDataLength(block) / 2)
    let status = CMBlockBufferCopyDataBytes(
      block, atOffset: 0, dataLength: words.count * 2, destination: &words)
    #expect(status == noErr)
    return words
  }

  @Test func audio_supplied_later_reaches_a_sample_and_its_copies() throws {
    let sample = try sample()
    let same = sample
    #expect(!CMSampleBufferDataIsReady(sample) && sample.dataReadiness == .notReady)
    #expect(CMSampleBufferGetDataBuffer(sample) == nil && sample.totalSampleSize == 0)
    #expect(CMSampleBufferGetNumSamples(sample) == Self.frames && sample.duration.seconds == 0.01)
    #expect(supply(sample, [words(7)]) == noErr)
    for ready in [sample, same] {
      #expect(CMSampleBufferDataIsReady(ready) && ready.dataReadiness == .ready)
      #expect(try contents(ready) == words(7) && ready.totalSampleSize == Self.frames * 4)
    }
    let copied = try CMSampleBuffer(
      copying: sample,
      withNewTiming: [
        CMSampleTimingInfo(
          duration: .invalid, presentationTimeStamp: CMTime(value: 3, timescale: 1),
          decodeTimeStamp: .invalid)
      ])
    #expect(try contents(copied) == words(7) && copied.presentationTimeStamp.seconds == 3)
    #expect(supply(sample, [words(8)]) == kCMSampleBufferError_AlreadyHasDataBuffer)
    #expect(try contents(sample) == words(7))
    var bytes = [Int16](repeating: 0, count: Self.frames * 2)
    let status = bytes.withUnsafeMutableBytes { bytes in
      var list = AudioBufferList(
        mNumberBuffers: 1,
        mBuffers: AVFoundationCompat.AudioBuffer(
          mNumberChannels: 2, mDataByteSize: UInt32(bytes.count), mData: bytes.baseAddress))
      return CMSampleBufferCopyPCMDataIntoAudioBufferList(
        sample, at: 0, frameCount: Int32(Self.frames), into: &list)
    }
    #expect(status == noErr && bytes == words(7))
  }

  @Test func a_concurrent_copy_is_either_complete_or_not_ready() throws {
    let words = words(3)
    for _ in 0..<300 {
      let sample = try sample()
      let copies = Mutex<[CMSampleBuffer]>([])
      DispatchQueue.concurrentPerform(iterations: 2) { number in
        guard number == 0 else { return _ = supply(sample, [words]) }
        var copy: CMSampleBuffer?
        CMSampleBufferCreateCopy(allocator: nil, sampleBuffer: sample, sampleBufferOut: &copy)
        if let copy { copies.withLock { $0.append(copy) } }
      }
      let copy = try #require(copies.withLock { $0 }.first)
      if CMSampleBufferDataIsReady(copy) { #expect(try contents(copy) == words) }
    }
  }

  @Test func a_sample_queue_waits_for_the_audio_data() throws {
    let handlers = CMBufferQueue.Handlers.unsortedSampleBuffers
    #expect(handlers.dataBecameReadyNotification == kCMSampleBufferNotification_DataBecameReady)
    let queue = try CMBufferQueue(handlers: handlers)
    var calls = 0
    try queue.installTrigger(condition: .whenDataBecomesReady) { _ in calls += 1 }
    let sample = try sample()
    try queue.enqueue(sample)
    #expect(calls == 0 && queue.dequeueIfDataReady() == nil)
    supply(sample, [words()])
    #expect(calls == 1 && queue.dequeueIfDataReady() != nil)
  }

  @Test func separate_channel_buffers_are_interleaved() throws {
    let sample = try sample()
    let all = words(11)
    let channels = (0..<2).map { channel in
      stride(from: channel, to: all.count, by: 2).map { all[$0] }
    }
    #expect(supply(sample, channels) == noErr)
    #expect(try contents(sample) == all)
  }

  @Test func mismatched_audio_is_refused_and_the_sample_stays_unready() throws {
    let sample = try sample()
    var copy: CMSampleBuffer?
    #expect(
      CMSampleBufferCreateCopy(allocator: nil, sampleBuffer: sample, sampleBufferOut: &copy)
        == noErr)
    #expect(copy.map(CMSampleBufferDataIsReady) == false)
    let half = Array(words().prefix(Self.frames))
    #expect(supply(sample, [half]) == kCMSampleBufferError_InvalidEntryCount)
    #expect(supply(sample, [half, half, half]) == kCMSampleBufferError_InvalidEntryCount)
    #expect(
      supply(sample, [half, Array(half.dropLast())]) == kCMSampleBufferError_InvalidEntryCount)
    var nothing = AudioBufferList(
      mNumberBuffers: 1,
      mBuffers: AVFoundationCompat.AudioBuffer(
        mNumberChannels: 2, mDataByteSize: UInt32(Self.frames * 4), mData: nil))
    #expect(
      CMSampleBufferSetDataBufferFromAudioBufferList(
        sample, blockBufferAllocator: nil, blockBufferMemoryAllocator: nil, flags: 0,
        bufferList: &nothing) == kCMSampleBufferError_RequiredParameterMissing)
    let frame = try MutablePixelBuffer(.init(format: .uyvy, width: 64, height: 48)).finish()
    let still = CMSampleBuffer(.video(frame), presentationTimeStamp: .zero)
    #expect(supply(still, [words()]) == kCMSampleBufferError_InvalidMediaFormat)
    let whole = CMSampleBuffer(
      .audio(try MediaCore.AudioBuffer(format: format, bytes: [UInt8](repeating: 0, count: 4))),
      presentationTimeStamp: .zero)
    #expect(supply(whole, [[1, 2]]) == kCMSampleBufferError_AlreadyHasDataBuffer)
    #expect {
      try sample.withAudioBufferList { _, _ in }
    } throws: {
      ($0 as? AVError)?.message.contains("not set yet") == true
    }
    #expect(!CMSampleBufferDataIsReady(sample) && supply(sample, [words()]) == noErr)
    var none: CMSampleBuffer?
    for count in [0, -1, Int.max] {
      #expect(
        CMAudioSampleBufferCreateWithPacketDescriptions(
          allocator: nil, dataBuffer: nil, dataReady: false, makeDataReadyCallback: nil,
          refcon: nil, formatDescription: .audio(format), sampleCount: count,
          presentationTimeStamp: .zero, packetDescriptions: nil, sampleBufferOut: &none)
          == kCMSampleBufferError_InvalidEntryCount)
    }
    #expect(
      CMAudioSampleBufferCreateWithPacketDescriptions(
        allocator: nil, dataBuffer: nil, dataReady: true, makeDataReadyCallback: nil, refcon: nil,
        formatDescription: .audio(format), sampleCount: 1, presentationTimeStamp: .zero,
        packetDescriptions: nil, sampleBufferOut: &none)
        == kCMSampleBufferError_RequiredParameterMissing)
  }

  @Test func a_writer_refuses_a_sample_until_its_audio_is_set() async throws {
    let folder = try TemporaryFolder()
    let url = folder.url("a.mov")
    let writer = try AVAssetWriter(outputURL: url, fileType: .mov)
    let input = AVAssetWriterInput(
      mediaType: .audio,
      outputSettings: [
        AVFormatIDKey: kAudioFormatLinearPCM, AVSampleRateKey: 48_000, AVNumberOfChannelsKey: 2,
        AVLinearPCMBitDepthKey: 16,
      ])
    writer.add(input)
    writer.startWriting()
    writer.startSession(atSourceTime: .zero)
    let sample = try sample()
    #expect(!input.append(sample))
    #expect((writer.error as? AVError)?.code == .operationNotAllowed)
    supply(sample, [words(5)])
    #expect(input.append(sample) && writer.error == nil)
    await writer.finishWriting()
    #expect(writer.status == .completed, "\(String(describing: writer.error))")
    let reader = try AVAssetReader(asset: AVURLAsset(url: url))
    let track = try #require(reader.asset.tracks.first)
    let output = AVAssetReaderTrackOutput(track: track, outputSettings: nil)
    reader.add(output)
    #expect(reader.startReading())
    var read: [Int16] = []
    while let sample = output.copyNextSampleBuffer() { read += try contents(sample) }
    #expect(read == words(5))
  }
}
