import AVFoundationCompat
import TestSupport
import Testing

/// Timecode that a program appends, from a source other than its video.
@Suite(.tags(.judges)) struct TimecodeTrackTests {
  private func description(
    _ type: CMTimeCodeFormatType = kCMTimeCodeFormatType_TimeCode32, quanta: UInt32 = 25
  ) throws -> CMTimeCodeFormatDescription {
    var description: CMTimeCodeFormatDescription?
    let status = CMTimeCodeFormatDescriptionCreate(
      allocator: kCFAllocatorDefault, timeCodeFormatType: type,
      frameDuration: CMTime(value: 1, timescale: 25), frameQuanta: quanta,
      flags: kCMTimeCodeFlag_24HourMax, extensions: nil, formatDescriptionOut: &description)
    #expect(status == noErr)
    return try #require(description)
  }

  /// A sample of a frame number, as Technote 2310 makes it.
  private func sample(
    _ number: Int64, at time: CMTime, _ description: CMTimeCodeFormatDescription
  ) throws -> CMSampleBuffer {
    let is64 = CMFormatDescriptionGetMediaSubType(description) == kCMTimeCodeFormatType_TimeCode64
    var size = is64 ? 8 : 4
    var block: CMBlockBuffer?
    CMBlockBufferCreateWithMemoryBlock(
      allocator: kCFAllocatorDefault, memoryBlock: nil, blockLength: size,
      blockAllocator: kCFAllocatorDefault, customBlockSource: nil, offsetToData: 0,
      dataLength: size, flags: kCMBlockBufferAssureMemoryNowFlag, blockBufferOut: &block)
    let data = try #require(block)
    var (short, long) = (Int32(truncatingIfNeeded: number).bigEndian, number.bigEndian)
    let written =
      is64
      ? CMBlockBufferReplaceDataBytes(
        with: &long, blockBuffer: data, offsetIntoDestination: 0, dataLength: size)
      : CMBlockBufferReplaceDataBytes(
        with: &short, blockBuffer: data, offsetIntoDestination: 0, dataLength: size)
    #expect(written == kCMBlockBufferNoErr)
    var timing = CMSampleTimingInfo(
      duration: CMTime(value: 1, timescale: 25), presentationTimeStamp: time,
      decodeTimeStamp: .invalid)
    var made: CMSampleBuffer?
    let status = CMSampleBufferCreate(
      allocator: kCFAllocatorDefault, dataBuffer: data, dataReady: true, makeDataReadyCallback: nil,
      refcon: nil, formatDescription: description, sampleCount: 1, sampleTimingEntryCount: 1,
      sampleTimingArray: &timing, sampleSizeEntryCount: 1, sampleSizeArray: &size,
      sampleBufferOut: &made)
    #expect(status == noErr)
    return try #require(made)
  }

  @Test(arguments: [kCMTimeCodeFormatType_TimeCode32, kCMTimeCodeFormatType_TimeCode64])
  func appended_timecode_becomes_the_movies_timecode(type: CMTimeCodeFormatType) async throws {
    let rig = try DataTrackRig()
    let format = try description(type)
    let input = AVAssetWriterInput(mediaType: .timecode, outputSettings: nil)
    rig.writer.add(rig.video)
    #expect(rig.writer.canAdd(input))
    rig.writer.add(input)
    let relation = AVAssetTrack.AssociationType.timecode.rawValue
    #expect(rig.video.canAddTrackAssociation(withTrackOf: input, type: relation))
    rig.video.addTrackAssociation(withTrackOf: input, type: relation)
    let second = AVAssetWriterInput(mediaType: .timecode, outputSettings: nil)
    #expect(!rig.writer.canAdd(second))
    try rig.begin()
    // One for each frame, as in recorders that take the timecode from frames.
    for frame in 0..<20 {
      let sample = try sample(90_000 + Int64(frame), at: rig.time(Int64(frame)), format)
      try #require(input.append(sample), "\(String(describing: rig.writer.error))")
    }
    input.markAsFinished()
    try await rig.finish()
    let probe = try Judges.probe(rig.folder.path("a.mov"))
    let stream = try probe.stream("data")
    #expect(stream.codec_tag_string == "tmcd" && stream.nb_frames == "1")
    #expect(try probe.stream("video").tags?["timecode"] == "01:00:00:00")
    #expect(probe.streams.count == 2)
  }

  @Test func a_timecode_sample_is_neither_video_nor_audio() throws {
    let format = try description()
    #expect(CMFormatDescriptionGetMediaType(format) == kCMMediaType_TimeCode)
    #expect(format.mediaType == .timecode && format.mediaSubType == .timeCode32)
    #expect(CMTimeCodeFormatDescriptionGetFrameQuanta(format) == 25 && format.frameQuanta == 25)
    #expect(CMTimeCodeFormatDescriptionGetFrameDuration(format) == format.frameDuration)
    #expect(CMTimeCodeFormatDescriptionGetTimeCodeFlags(format) == kCMTimeCodeFlag_24HourMax)
    #expect(format.timeCodeFlags == .twentyFourHourMax)
    let time = CMTime(value: 3, timescale: 25)
    let sample = try sample(7, at: time, format)
    #expect(sample.formatDescription == format && sample.presentationTimeStamp == time)
    #expect(sample.imageBuffer == nil && CMSampleBufferGetNumSamples(sample) == 1)
    #expect(CMSampleBufferGetTotalSampleSize(sample) == 4)
    let bytes = try #require(CMSampleBufferGetDataBuffer(sample)).dataBytes()
    #expect([UInt8](bytes) == [0, 0, 0, 7])
    // No video or audio input accepts it.
    let rig = try DataTrackRig()
    rig.writer.add(rig.video)
    try rig.begin()
    #expect(!rig.video.append(sample))
    #expect((rig.writer.error as? AVError)?.message.contains("timecode") == true)
    rig.writer.cancelWriting()
  }

  @Test func timecode_descriptions_need_a_known_type_and_valid_frames() throws {
    let flags: CMFormatDescription.TimeCode.Flag = [.dropFrame, .twentyFourHourMax, .negTimesOK]
    let made = try CMTimeCodeFormatDescription(
      timeCodeFormatType: .timeCode64, frameDuration: CMTime(value: 1001, timescale: 30_000),
      frameQuanta: 30, flags: flags)
    #expect(made.timeCodeFlags == flags && made.mediaSubType == .timeCode64)
    #expect(flags.rawValue == 4 | kCMTimeCodeFlag_DropFrame | kCMTimeCodeFlag_24HourMax)
    #expect(kCMTimeCodeFlag_NegTimesOK == 4)
    for (type, quanta, frame) in [
      (kCMTimeCodeFormatType_TimeCode32, 0, 1), (kCMTimeCodeFormatType_TimeCode32, 256, 1),
      (kCMTimeCodeFormatType_TimeCode32, 25, 0), (0x636E_3332, 25, 1),
    ] as [(CMTimeCodeFormatType, UInt32, Int64)] {
      var description: CMTimeCodeFormatDescription?
      #expect(
        CMTimeCodeFormatDescriptionCreate(
          allocator: nil, timeCodeFormatType: type,
          frameDuration: CMTime(value: frame, timescale: 25), frameQuanta: quanta, flags: 0,
          extensions: nil, formatDescriptionOut: &description)
          == kCMFormatDescriptionError_InvalidParameter)
      #expect(description == nil)
    }
    let error = #expect(throws: AVError.self) {
      try CMTimeCodeFormatDescription(
        timeCodeFormatType: .timeCode32, frameDuration: .invalid, frameQuanta: 25, flags: [])
    }
    #expect(error?.code == .formatUnsupported)
    #expect(
      CMFormatDescription.audio(
        .init(
          sampleRate: 48_000, channelCount: 1, sampleFormat: .int16)
      ).frameQuanta == 0)
  }

  @Test(arguments: [CMTime.zero, .invalid, CMTime(value: -1, timescale: 25)])
  func a_timecode_hint_without_frame_duration_is_refused(duration: CMTime) throws {
    let rig = try DataTrackRig()
    let input = AVAssetWriterInput(
      mediaType: .timecode, outputSettings: nil,
      sourceFormatHint: .timecode(
        .init(frameDuration: duration, frameQuanta: 25, isDropFrame: false)))
    rig.writer.add(rig.video)
    #expect(!rig.writer.canAdd(input))
    rig.writer.add(input)
    #expect((rig.writer.error as? AVError)?.message.contains("sourceFormatHint") == true)
  }

  @Test func the_timecode_format_cannot_change_within_a_track() async throws {
    let rig = try DataTrackRig()
    let input = AVAssetWriterInput(
      mediaType: .timecode, outputSettings: nil, sourceFormatHint: try description())
    rig.writer.add(rig.video)
    rig.writer.add(input)
    try rig.begin()
    let first = try sample(100, at: rig.time(4), try description())
    #expect(input.append(first))
    #expect(!input.append(try sample(1, at: rig.time(5), try description(quanta: 24))))
    #expect((rig.writer.error as? AVError)?.message.contains("cannot change") == true)
    #expect(!input.append(try sample(1, at: .invalid, try description())))
    try await rig.finish()
    let packets = try Judges.packets(rig.folder.path("a.mov"), stream: "d:0")
    let video = try Judges.packets(rig.folder.path("a.mov"), stream: "v:0")
    #expect(packets.count == 1 && packets.first?.pts == video[4].pts)
  }

  @Test func a_timecode_track_is_read_as_stored() async throws {
    let rig = try DataTrackRig()
    let input = AVAssetWriterInput(mediaType: .timecode, outputSettings: nil)
    rig.writer.add(rig.video)
    rig.writer.add(input)
    try rig.begin()
    for (frame, number) in [(0, 90_000), (8, 5)] as [(Int64, Int64)] {
      try #require(input.append(try sample(number, at: rig.time(frame), try description())))
    }
    try await rig.finish()
    let asset = AVURLAsset(url: rig.folder.url("a.mov"))
    #expect(asset.tracks.map(\.mediaType) == [.video, .timecode])
    let track = try #require(asset.tracks(withMediaType: .timecode).first)
    #expect(track.formatDescriptions.first as? CMFormatDescription == (try description()))
    #expect(track.timeRange == asset.tracks[0].timeRange)
    let reader = try AVAssetReader(asset: asset)
    let output = AVAssetReaderTrackOutput(track: track, outputSettings: nil)
    reader.add(output)
    try #require(reader.startReading(), "\(String(describing: reader.error))")
    var numbers: [[UInt8]] = []
    var times: [CMTime] = []
    while let sample = output.copyNextSampleBuffer() {
      numbers.append([UInt8](try #require(CMSampleBufferGetDataBuffer(sample)).dataBytes()))
      times.append(sample.presentationTimeStamp)
    }
    #expect(reader.status == .completed && numbers == [[0, 1, 0x5F, 0x90], [0, 0, 0, 5]])
    #expect(times == [.zero, CMTime(value: 8, timescale: 25)])
  }

  @Test func unstorable_timecode_numbers_are_refused() throws {
    let rig = try DataTrackRig()
    let input = AVAssetWriterInput(mediaType: .timecode, outputSettings: nil)
    rig.writer.add(rig.video)
    rig.writer.add(input)
    try rig.begin()
    let format = try description(kCMTimeCodeFormatType_TimeCode64)
    for number in [Int64.max, .min, 1 << 31] {
      #expect(!input.append(try sample(number, at: rig.time(0), format)))
      #expect((rig.writer.error as? AVError)?.message.contains("\(number)") == true)
    }
    #expect(input.append(try sample((1 << 31) - 1, at: rig.time(0), format)))
    rig.writer.cancelWriting()
  }
}
