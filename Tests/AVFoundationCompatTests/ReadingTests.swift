import AVFoundationCompat
import TestSupport
import Testing

/// What recorders read back of the movies that they made: assets, tracks, samples, pictures.
@Suite struct ReadingTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Luma of a frame's gray field.
  private static func luma(_ frame: Int) -> UInt16 { UInt16(100 + frame * 40) }

  /// A movie of 20 gray frames at 25 a second and a ramp of stereo sound, made with Apple's names.
  private func makeMovie(
    transform: CGAffineTransform = .identity, metadata: [AVMetadataItem] = []
  ) async throws -> AVURLAsset {
    let url = folder.url("made.mov")
    let writer = try AVAssetWriter(outputURL: url, fileType: .mov)
    writer.metadata = metadata
    let pictures = AVAssetWriterInput(
      mediaType: .video,
      outputSettings: [
        AVVideoCodecKey: AVVideoCodecType.proRes422HQ, AVVideoWidthKey: 320, AVVideoHeightKey: 180,
      ])
    pictures.transform = transform
    let sound = AVAssetWriterInput(
      mediaType: .audio,
      outputSettings: [
        AVFormatIDKey: kAudioFormatLinearPCM, AVSampleRateKey: 48_000, AVNumberOfChannelsKey: 2,
        AVLinearPCMBitDepthKey: 16,
      ])
    writer.add(pictures)
    writer.add(sound)
    let adaptor = AVAssetWriterInputPixelBufferAdaptor(
      assetWriterInput: pictures,
      sourcePixelBufferAttributes: [
        kCVPixelBufferPixelFormatTypeKey as String:
          kCVPixelFormatType_422YpCbCr10BiPlanarVideoRange, kCVPixelBufferWidthKey: 320,
        kCVPixelBufferHeightKey: 180,
      ])
    try #require(writer.startWriting(), "\(String(describing: writer.error))")
    writer.startSession(atSourceTime: .zero)
    let format = AudioFormat(sampleRate: 48_000, channelCount: 2, sampleFormat: .int16)
    for frame in 0..<20 {
      let time = CMTime(value: Int64(frame), timescale: 25)
      try append(Self.luma(frame), to: adaptor, at: time)
      let values = (0..<1920).flatMap { index -> [UInt8] in
        let value = UInt16(truncatingIfNeeded: frame * 1920 + index)
        let bytes = [UInt8(value & 0xFF), UInt8(value >> 8)]
        return bytes + bytes
      }
      let buffer = SampleBuffer(
        .audio(try MediaCore.AudioBuffer(format: format, bytes: values)),
        presentationTimeStamp: time)
      while !sound.isReadyForMoreMediaData { usleep(1000) }
      try #require(sound.append(buffer))
    }
    pictures.markAsFinished()
    sound.markAsFinished()
    await writer.finishWriting()
    try #require(writer.status == .completed, "\(String(describing: writer.error))")
    return AVURLAsset(url: url)
  }

  private func append(
    _ luma: UInt16, to adaptor: AVAssetWriterInputPixelBufferAdaptor, at time: CMTime
  ) throws {
    let pool = try #require(adaptor.pixelBufferPool)
    var made: CVPixelBuffer?
    try #require(CVPixelBufferPoolCreatePixelBuffer(nil, pool, &made) == kCVReturnSuccess)
    let picture = try #require(made)
    CVPixelBufferLockBaseAddress(picture, [])
    for (plane, code) in [(0, luma << 6), (1, UInt16(512) << 6)] {
      let base = try #require(CVPixelBufferGetBaseAddressOfPlane(picture, plane))
      let count = CVPixelBufferGetBytesPerRowOfPlane(picture, plane) * 180 / 2
      base.withMemoryRebound(to: UInt16.self, capacity: count) { codes in
        for index in 0..<count { codes[index] = code }
      }
    }
    CVPixelBufferUnlockBaseAddress(picture, [])
    while !adaptor.assetWriterInput.isReadyForMoreMediaData { usleep(1000) }
    try #require(adaptor.append(picture, withPresentationTime: time))
  }

  @Test func an_asset_tells_what_it_holds() async throws {
    let asset = try await makeMovie()
    let (duration, tracks) = try await asset.load(.duration, .tracks)
    #expect(duration.seconds == 0.8 && tracks.count == 2)
    #expect(asset.tracks == tracks && asset.track(withTrackID: tracks[0].trackID) === tracks[0])
    let video: AVAssetTrack = try #require(try await asset.loadTracks(withMediaType: .video).first)
    let (size, rate, range) = try await video.load(.naturalSize, .nominalFrameRate, .timeRange)
    #expect(size == CGSize(width: 320, height: 180) && rate == 25)
    #expect(range.duration.seconds == 0.8 && range.start == .zero)
    #expect(video.minFrameDuration == CMTime(value: 1, timescale: 25))
    let description = try #require(try await video.load(.formatDescriptions).first)
    #expect(
      CMFormatDescriptionGetMediaSubType(description) == kCMVideoCodecType_AppleProRes422HQ)
    #expect(description.dimensions.width == 320 && video.hasMediaCharacteristic(.visual))
    #expect(try await video.load(.preferredTransform).isIdentity)
    // The file's own size, less its index.
    let bytes = try await video.load(.totalSampleDataLength)
    #expect(try bytes > 1000 && bytes < Int64(folder.bytes("made.mov").count))
    #expect(abs(video.estimatedDataRate - Float(bytes) * 10) < 10)
    #expect(video.asset === asset && video.naturalTimeScale > 0 && video.isEnabled)
    let audio = try #require(asset.tracks(withMediaType: .audio).first)
    #expect(audio.hasMediaCharacteristic(.audible) && audio.naturalSize == CGSize())
    #expect(asset.isPlayable && asset.isReadable && asset.isExportable && asset.isComposable)
    #expect(!asset.hasProtectedContent && asset.preferredRate == 1)
    #expect(asset.statusOfValue(forKey: "tracks") == .loaded)
  }

  @Test func names_that_programs_spell_out_are_there() async throws {
    let asset = try await makeMovie()
    func first<Source: AVAsynchronousKeyValueLoading, Value: Sendable>(
      _ property: AVAsyncProperty<Source, Value>, of source: Source
    ) async throws -> Value { try await source.load(property) }
    let property: AVAsyncProperty<AVURLAsset, CMTime> = .duration
    let untyped: AVPartialAsyncProperty<AVURLAsset> = property
    #expect(try await first(property, of: asset).seconds == 0.8 && untyped === property)
    let none: CMPersistentTrackID = kCMPersistentTrackID_Invalid
    #expect(try await asset.loadTrack(withTrackID: none) == nil)
    let status: AVKeyValueStatus = asset.statusOfValue(forKey: "duration")
    #expect(status == .loaded)
    let audible: AVMediaCharacteristic = .audible
    let space: AVMetadataKeySpace = .common
    let format: AVMetadataFormat = .quickTimeMetadata
    #expect(!asset.tracks[0].hasMediaCharacteristic(audible) && space.rawValue == "comn")
    #expect(format.rawValue == "com.apple.quicktime.mdta")
    let (a, b, c, d) = try await asset.load(
      .isPlayable, .isReadable, .isExportable, .preferredTransform)
    #expect(a && b && c && d.isIdentity && asset.preferredTransform.isIdentity)
    let output: AVAssetReaderOutput = AVAssetReaderTrackOutput(
      track: asset.tracks[1], outputSettings: nil)
    output.markConfigurationAsFinal()
    #expect(output.mediaType == .audio && !output.supportsRandomAccess)
  }

  @Test func an_asset_that_is_not_there_says_so() async throws {
    let asset = AVURLAsset(
      url: folder.url("none.mov"),
      options: [AVURLAssetPreferPreciseDurationAndTimingKey: true])
    #expect(asset.statusOfValue(forKey: "tracks") == .unknown)
    let error = await #expect(throws: AVError.self) { try await asset.load(.tracks) }
    #expect(error?.message.contains("none.mov") == true)
    #expect(asset.tracks.isEmpty && !asset.isReadable && !asset.duration.isValid)
    #expect(asset.statusOfValue(forKey: "tracks") == .failed)
    #expect(throws: AVError.self) { try AVAssetReader(asset: asset) }
    let text = folder.url("text.mov")
    try Data("no movie".utf8).write(to: text)
    await #expect { try await AVAsset(url: text).load(.duration) } throws: {
      ($0 as? AVError)?.code == .fileFormatNotRecognized
    }
    await withCheckedContinuation { continuation in
      asset.loadValuesAsynchronously(forKeys: ["tracks"]) { continuation.resume() }
    }
  }

  @Test func pictures_and_sound_come_back_as_they_were_written() async throws {
    let asset = try await makeMovie()
    let reader = try AVAssetReader(asset: asset)
    let tracks = asset.tracks
    let pictures = AVAssetReaderTrackOutput(
      track: tracks[0],
      outputSettings: [
        kCVPixelBufferPixelFormatTypeKey as String:
          kCVPixelFormatType_422YpCbCr10BiPlanarVideoRange
      ])
    let sound = AVAssetReaderTrackOutput(track: tracks[1], outputSettings: nil)
    pictures.alwaysCopiesSampleData = false
    #expect(reader.canAdd(pictures) && reader.status == .unknown)
    reader.add(pictures)
    reader.add(sound)
    #expect(!reader.canAdd(pictures) && reader.outputs == [pictures, sound])
    try #require(reader.startReading(), "\(String(describing: reader.error))")
    #expect(reader.status == .reading)
    // All of one, then all of the other.
    var values: [UInt16] = []
    while let sample = sound.copyNextSampleBuffer() {
      #expect(
        CMSampleBufferGetPresentationTimeStamp(sample)
          == CMTime(value: Int64(values.count), timescale: 48_000))
      let bytes = try #require(sample.audioBuffer).bytes
      for place in stride(from: 0, to: bytes.count, by: 4) {
        values.append(UInt16(bytes[place]) | UInt16(bytes[place + 1]) << 8)
      }
    }
    #expect(values == (0..<38_400).map { UInt16(truncatingIfNeeded: $0) })
    #expect(reader.status == .reading)
    var frame = 0
    while let sample = pictures.copyNextSampleBuffer() {
      #expect(sample.presentationTimeStamp == CMTime(value: Int64(frame), timescale: 25))
      let picture = try #require(CMSampleBufferGetImageBuffer(sample))
      #expect(
        CVPixelBufferGetPixelFormatType(picture)
          == kCVPixelFormatType_422YpCbCr10BiPlanarVideoRange)
      #expect(abs(Int(luma(picture)) - Int(Self.luma(frame))) <= 1, "frame \(frame)")
      frame += 1
    }
    #expect(frame == 20 && reader.status == .completed && reader.error == nil)
    #expect(pictures.copyNextSampleBuffer() == nil && !reader.startReading())
  }

  private func luma(_ picture: CVPixelBuffer) -> UInt16 {
    CVPixelBufferLockBaseAddress(picture, .readOnly)
    defer { CVPixelBufferUnlockBaseAddress(picture, .readOnly) }
    let base = CVPixelBufferGetBaseAddressOfPlane(picture, 0)
    let row = CVPixelBufferGetBytesPerRowOfPlane(picture, 0) * 90
    return (base?.load(fromByteOffset: row + 320, as: UInt16.self) ?? 0) >> 6
  }

  @Test(arguments: [
    (kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange, 125),
    (kCVPixelFormatType_420YpCbCr8BiPlanarFullRange, 127),
    (kCVPixelFormatType_420YpCbCr8Planar, 125),
    (kCVPixelFormatType_422YpCbCr8, 128),
  ])
  func pictures_come_in_the_layout_and_size_that_were_asked_for(
    layout: OSType, expected: Int
  ) async throws {
    let asset = try await makeMovie()
    let reader = try AVAssetReader(asset: asset)
    let output = AVAssetReaderTrackOutput(
      track: asset.tracks[0],
      outputSettings: [
        kCVPixelBufferPixelFormatTypeKey: layout, kCVPixelBufferWidthKey: 160,
        kCVPixelBufferHeightKey: 90,
      ])
    reader.add(output)
    reader.timeRange = CMTimeRange(
      start: CMTime(value: 10, timescale: 25), duration: CMTime(value: 2, timescale: 25))
    try #require(reader.startReading(), "\(String(describing: reader.error))")
    var times: [Double] = []
    while let sample = output.copyNextSampleBuffer() {
      let picture = try #require(sample.imageBuffer)
      #expect(CVPixelBufferGetPixelFormatType(picture) == layout)
      #expect(CVPixelBufferGetWidth(picture) == 160 && CVPixelBufferGetHeight(picture) == 90)
      CVPixelBufferLockBaseAddress(picture, .readOnly)
      let base =
        CVPixelBufferIsPlanar(picture)
        ? CVPixelBufferGetBaseAddressOfPlane(picture, 0) : CVPixelBufferGetBaseAddress(picture)
      // Frame 10 has luma 500 of 10 bits.
      let code = Int(try #require(base).load(fromByteOffset: 40, as: UInt8.self))
      if times.isEmpty { #expect(abs(code - expected) <= 1) }
      CVPixelBufferUnlockBaseAddress(picture, .readOnly)
      times.append(sample.presentationTimeStamp.seconds)
    }
    #expect(times == [0.4, 0.44] && reader.status == .completed)
  }

  @Test func sound_is_cut_to_the_sample() async throws {
    let asset = try await makeMovie()
    let reader = try AVAssetReader(asset: asset)
    let output = AVAssetReaderTrackOutput(
      track: asset.tracks[1],
      outputSettings: [AVFormatIDKey: kAudioFormatLinearPCM, AVLinearPCMBitDepthKey: 16])
    reader.add(output)
    reader.timeRange = CMTimeRange(
      start: CMTime(value: 10_001, timescale: 48_000),
      duration: CMTime(value: 777, timescale: 48_000))
    try #require(reader.startReading())
    var count = 0
    while let sample = output.copyNextSampleBuffer() {
      if count == 0 {
        #expect(sample.presentationTimeStamp == CMTime(value: 10_001, timescale: 48_000))
        let bytes = try #require(sample.audioBuffer).bytes
        #expect(UInt16(bytes[0]) | UInt16(bytes[1]) << 8 == 10_001)
      }
      count += sample.numSamples
    }
    #expect(count == 777)
  }

  @Test func mistakes_fail_the_reader_with_their_reason() async throws {
    let asset = try await makeMovie()
    func refused(_ settings: [String: Any]?, of track: Int) throws -> String {
      let reader = try AVAssetReader(asset: asset)
      reader.add(AVAssetReaderTrackOutput(track: asset.tracks[track], outputSettings: settings))
      #expect(!reader.startReading() && reader.status == .failed)
      return (reader.error as? AVError)?.message ?? ""
    }
    #expect(try refused(nil, of: 0).contains("compressed"))
    #expect(
      try refused([kCVPixelBufferPixelFormatTypeKey: kCVPixelFormatType_32RGBA], of: 0)
        .contains("RGBA"))
    #expect(try refused([AVFormatIDKey: kAudioFormatMPEG4AAC], of: 1).contains("linear PCM"))
    #expect(try refused(["nonsense": 1], of: 0).contains("nonsense"))
    #expect(
      try refused([AVFormatIDKey: kAudioFormatLinearPCM, AVSampleRateKey: 44_100], of: 1)
        .contains("48000"))
    let reader = try AVAssetReader(asset: asset)
    #expect(!reader.startReading() && reader.error != nil)
    let other = try AVAssetReader(asset: asset)
    let output = AVAssetReaderTrackOutput(track: asset.tracks[1], outputSettings: nil)
    other.add(output)
    other.add(output)
    #expect(other.status == .failed)
    let cancelled = try AVAssetReader(asset: asset)
    cancelled.add(AVAssetReaderTrackOutput(track: asset.tracks[1], outputSettings: nil))
    #expect(cancelled.startReading())
    cancelled.cancelReading()
    #expect(cancelled.status == .cancelled && cancelled.outputs[0].copyNextSampleBuffer() == nil)
    cancelled.timeRange = CMTimeRange(start: .zero, duration: .zero)
    #expect(cancelled.status == .cancelled)
  }

  @Test func a_generator_gives_the_picture_that_is_shown_at_a_time() async throws {
    let asset = try await makeMovie(transform: CGAffineTransform(rotationAngle: .pi / 2))
    let generator = AVAssetImageGenerator(asset: asset)
    generator.requestedTimeToleranceBefore = .zero
    generator.requestedTimeToleranceAfter = .zero
    // 8-bit gray of 10-bit luma.
    func gray(_ frame: Int) -> Int { Int((Double(Self.luma(frame)) - 64) / 876 * 255) }
    for (time, frame) in [(0.0, 0), (0.41, 10), (0.4399, 10), (0.44, 11), (0.8, 19), (9, 19)] {
      var actual = CMTime.invalid
      let image = try generator.copyCGImage(
        at: CMTime(seconds: time, preferredTimescale: 10_000), actualTime: &actual)
      #expect(actual == CMTime(value: Int64(frame), timescale: 25), "\(time)")
      #expect(image.width == 320 && image.height == 180)
      let level = Int(image.picture[90, 160, 0] * 255)
      #expect(abs(level - gray(frame)) <= 2, "\(time): \(level)")
    }
    generator.appliesPreferredTrackTransform = true
    generator.maximumSize = CGSize(width: 90, height: 90)
    let (image, _) = try await generator.image(at: .zero)
    #expect(image.width == 50 && image.height == 90)
    let made = await withCheckedContinuation { continuation in
      generator.generateCGImagesAsynchronously(forTimes: [CMTime(value: 1, timescale: 5)]) {
        continuation.resume(returning: ($0, $1?.height, $2, $3, $4 == nil))
      }
    }
    #expect(made.0.seconds == 0.2 && made.1 == 90 && made.2.seconds == 0.2)
    #expect(made.3 == .succeeded && made.4)
    generator.cancelAllCGImageGeneration()
    #expect(throws: AVError.self) {
      try AVAssetImageGenerator(asset: AVAsset(url: folder.url("none.mov")))
        .copyCGImage(at: .zero, actualTime: nil)
    }
  }

  @Test func a_turned_track_says_how_a_player_turns_it() async throws {
    let turn = CGAffineTransform(rotationAngle: .pi / 2)
    let track = try #require(try await makeMovie(transform: turn).tracks.first)
    let transform = try await track.load(.preferredTransform)
    #expect(transform.b == 1 && transform.c == -1 && transform.tx == 180 && transform.ty == 0)
  }

  // MARK: Exporting

  @Test func an_asset_becomes_a_movie_of_another_codec_and_length() async throws {
    let asset = try await makeMovie(metadata: [item(.commonIdentifierTitle, "Scene 1")])
    #expect(
      AVAssetExportSession.exportPresets(compatibleWith: asset)
        == AVAssetExportSession.allExportPresets())
    #expect(
      await AVAssetExportSession.compatibility(
        ofExportPreset: AVAssetExportPresetAppleProRes4444LPCM, with: asset, outputFileType: .mov))
    let session = try #require(
      AVAssetExportSession(asset: asset, presetName: AVAssetExportPresetAppleProRes422LPCM))
    #expect(session.status == .unknown && session.supportedFileTypes == [.mov])
    session.shouldOptimizeForNetworkUse = true
    session.timeRange = CMTimeRange(
      start: CMTime(value: 5, timescale: 25), duration: CMTime(value: 10, timescale: 25))
    try await session.export(to: folder.url("short.mov"), as: .mov)
    #expect(session.status == .completed && session.progress == 1 && session.error == nil)
    let short = AVURLAsset(url: folder.url("short.mov"))
    #expect(try await short.load(.duration).seconds == 0.4)
    #expect(
      short.tracks[0].formatDescriptions.compactMap { $0 as? CMFormatDescription }
        .map(CMFormatDescriptionGetMediaSubType) == [kCMVideoCodecType_AppleProRes422])
    #expect(short.tracks.count == 2)
    #expect(short.commonMetadata.contains { $0.stringValue == "Scene 1" })
    await session.export()
    #expect(session.status == .completed && session.error != nil)
  }

  @Test(.tags(.judges)) func compressed_sound_needs_no_trimming() async throws {
    _ = try Judges.ffmpeg(
      "-f lavfi -i sine=440:r=48000:d=0.5 -c:a aac \(folder.path("a.m4a"))")
    let asset = AVURLAsset(url: folder.url("a.m4a"))
    let reader = try AVAssetReader(asset: asset)
    let output = AVAssetReaderTrackOutput(
      track: try #require(asset.tracks.first),
      outputSettings: [AVFormatIDKey: kAudioFormatLinearPCM])
    reader.add(output)
    try #require(reader.startReading(), "\(String(describing: reader.error))")
    var frames = 0
    while let sample = output.copyNextSampleBuffer() {
      frames += sample.numSamples
      for key in [
        kCMSampleBufferAttachmentKey_TrimDurationAtStart,
        kCMSampleBufferAttachmentKey_TrimDurationAtEnd,
      ] { #expect(CMGetAttachment(sample, key: key, attachmentModeOut: nil) == nil) }
    }
    #expect(frames == 24_000)
    let input = AVAssetWriterInput(
      mediaType: .audio, outputSettings: [AVFormatIDKey: kAudioFormatLinearPCM])
    #expect(input.debugDescription == input.description && input.description.contains("soun"))
  }

  @Test func an_export_that_cannot_be_fails_with_its_reason_and_leaves_nothing() async throws {
    let asset = try await makeMovie()
    #expect(AVAssetExportSession(asset: asset, presetName: "AVAssetExportPresetNone") == nil)
    func session(_ asset: AVAsset) throws -> AVAssetExportSession {
      try #require(
        AVAssetExportSession(asset: asset, presetName: AVAssetExportPresetAppleProRes422LPCM))
    }
    #expect(try session(asset).presetName == AVAssetExportPresetAppleProRes422LPCM)
    let inMP4 = try session(asset)
    await #expect(throws: AVError.self) { try await inMP4.export(to: folder.url("a"), as: .mp4) }
    let nowhere = try session(asset)
    await withCheckedContinuation { done in
      nowhere.exportAsynchronously { done.resume() }
      #expect(nowhere.status != .unknown, "it waits from the call on")
    }
    #expect(nowhere.status == .failed && nowhere.error != nil)
    let missing = try session(AVAsset(url: folder.url("none.mov")))
    await #expect(throws: AVError.self) {
      try await missing.export(to: folder.url("b.mov"), as: .mov)
    }
    // One that exists is not replaced.
    let again = try session(asset)
    await #expect { try await again.export(to: asset.url, as: .mov) } throws: {
      $0 is AVError
    }
    let cancelled = try session(asset)
    cancelled.outputURL = folder.url("c.mov")
    cancelled.cancelExport()
    #expect(folder.contents == ["made.mov"] && asset.isPlayable)
  }

  @Test func a_second_export_of_a_session_is_refused_and_leaves_the_first_alone() async throws {
    let asset = try await makeMovie()
    let session = try #require(
      AVAssetExportSession(asset: asset, presetName: AVAssetExportPresetAppleProRes422LPCM))
    session.outputURL = folder.url("first.mov")
    let (ended, end) = AsyncStream<Void>.makeStream()
    session.exportAsynchronously { end.finish() }
    await #expect {
      try await session.export(to: folder.url("second.mov"), as: .mov)
    } throws: {
      ($0 as? AVError)?.code == .operationNotAllowed
    }
    for await _ in ended {}
    #expect(session.status == .completed && session.error == nil)
    #expect(folder.contents == ["first.mov", "made.mov"])
  }

  // MARK: Metadata

  private func item(_ identifier: AVMetadataIdentifier, _ value: Any) -> AVMutableMetadataItem {
    let item = AVMutableMetadataItem()
    item.identifier = identifier
    item.value = value
    return item
  }

  @Test func metadata_items_are_written_and_read() async throws {
    let title = item(.commonIdentifierTitle, "Scene 1")
    title.dataType = "com.apple.metadata.datatype.UTF-8"
    let day = AVMutableMetadataItem()
    day.keySpace = .quickTimeMetadata
    day.key = AVMetadataKey.quickTimeMetadataKeyCreationDate
    day.value = Date(timeIntervalSince1970: 1_700_000_000)
    let asset = try await makeMovie(metadata: [
      title, day, item(.quickTimeMetadataMake, "Maker"),
      item(AVMetadataIdentifier("mdta/org.example.take"), 7),
    ])
    let (metadata, common) = try await asset.load(.metadata, .commonMetadata)
    func text(_ identifier: AVMetadataIdentifier) -> String? {
      AVMetadataItem.metadataItems(from: metadata, filteredByIdentifier: identifier)
        .first?.stringValue
    }
    #expect(text(.quickTimeMetadataTitle) == "Scene 1" && text(.commonIdentifierTitle) == "Scene 1")
    #expect(text(.commonIdentifierMake) == "Maker")
    #expect(text(AVMetadataIdentifier("mdta/org.example.take")) == "7")
    let take = try #require(
      AVMetadataItem.metadataItems(
        from: metadata, withKey: "org.example.take", keySpace: .quickTimeMetadata
      ).first)
    #expect(take.numberValue == 7 && take.commonKey == nil && take.dataValue == nil)
    #expect(try await take.load(.numberValue) == 7)
    let date = try #require(try await asset.load(.creationDate))
    #expect(date.dateValue == Date(timeIntervalSince1970: 1_700_000_000))
    #expect(common.contains { $0.commonKey == .commonKeyTitle } && !common.contains(take))
    #expect(asset.availableMetadataFormats == [.quickTimeMetadata])
    #expect(asset.metadata(forFormat: .quickTimeMetadata).count == metadata.count)
    #expect(
      AVMetadataItem.identifier(forKey: "make", keySpace: .common) == .commonIdentifierMake)
  }

  @Test func an_item_that_a_movie_cannot_hold_fails_the_writer() throws {
    for (bad, word) in [
      (item(.init("id3/TIT2"), "x"), "id3/TIT2"), (item(.quickTimeMetadataMake, [1]), "Array"),
      (AVMutableMetadataItem(), "no key"),
    ] {
      let writer = try AVAssetWriter(outputURL: folder.url("bad.mov"), fileType: .mov)
      writer.metadata = [bad]
      #expect(writer.status == .failed)
      #expect((writer.error as? AVError)?.message.contains(word) == true)
    }
  }
}
