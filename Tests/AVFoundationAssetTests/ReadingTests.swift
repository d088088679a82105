import AVFoundationCompat
import TestSupport
import Testing

/// What recorders read back from the movies they made: assets, tracks, samples, images.
@Suite struct ReadingTests {
  private let rig: ReadingRig

  init() throws { rig = try ReadingRig() }

  @Test func an_asset_reports_its_tracks_and_properties() async throws {
    let asset = try await rig.makeMovie()
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
    // The file's size less its index.
    let bytes = try await video.load(.totalSampleDataLength)
    #expect(try bytes > 1000 && bytes < Int64(rig.folder.bytes("made.mov").count))
    #expect(abs(video.estimatedDataRate - Float(bytes) * 10) < 10)
    #expect(video.asset === asset && video.naturalTimeScale > 0 && video.isEnabled)
    let audio = try #require(asset.tracks(withMediaType: .audio).first)
    #expect(audio.hasMediaCharacteristic(.audible) && audio.naturalSize == CGSize())
    #expect(asset.isPlayable && asset.isReadable && asset.isExportable && asset.isComposable)
    #expect(!asset.hasProtectedContent && asset.preferredRate == 1)
    #expect(asset.statusOfValue(forKey: "tracks") == .loaded)
  }

  @Test func explicit_type_names_compile_and_work() async throws {
    let asset = try await rig.makeMovie()
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

  @Test func a_missing_asset_reports_an_error() async throws {
    let asset = AVURLAsset(
      url: rig.folder.url("none.mov"),
      options: [AVURLAssetPreferPreciseDurationAndTimingKey: true])
    #expect(asset.statusOfValue(forKey: "tracks") == .unknown)
    let error = await #expect(throws: AVError.self) { try await asset.load(.tracks) }
    #expect(error?.message.contains("none.mov") == true)
    #expect(asset.tracks.isEmpty && !asset.isReadable && !asset.duration.isValid)
    #expect(asset.statusOfValue(forKey: "tracks") == .failed)
    #expect(asset.statusOfValue(forKey: "tracks", error: nil) == .failed)
    var reason: NSError?
    #expect(asset.statusOfValue(forKey: "tracks", error: &reason) == .failed)
    #expect(reason?.domain == AVFoundationErrorDomain)
    var untyped: (any Error)?
    #expect(asset.statusOfValue(forKey: "tracks", error: &untyped) == .failed)
    #expect((untyped as? AVError)?.code.rawValue == reason?.code)
    #expect(throws: AVError.self) { try AVAssetReader(asset: asset) }
    let text = rig.folder.url("text.mov")
    try Data("no movie".utf8).write(to: text)
    await #expect { try await AVAsset(url: text).load(.duration) } throws: {
      ($0 as? AVError)?.code == .fileFormatNotRecognized
    }
    await withCheckedContinuation { continuation in
      asset.loadValuesAsynchronously(forKeys: ["tracks"]) { continuation.resume() }
    }
    let message = await withCheckedContinuation { continuation in
      asset.loadTracks(withMediaType: .video) { tracks, error in
        continuation.resume(returning: tracks == nil ? "\(error ?? AVError(.unknown))" : "")
      }
    }
    #expect(message.contains("none.mov"))
  }

  @Test func tracks_and_images_are_passed_to_completion_handlers() async throws {
    let asset = try await rig.makeMovie()
    let audio = await withCheckedContinuation { continuation in
      asset.loadTracks(withMediaType: .audio) { tracks, _ in
        continuation.resume(returning: tracks)
      }
    }
    #expect(audio == asset.tracks(withMediaType: .audio) && audio?.count == 1)
    let number = asset.tracks[0].trackID
    let found = await withCheckedContinuation { continuation in
      asset.loadTrack(withTrackID: number) { track, error in
        continuation.resume(returning: error == nil ? track : nil)
      }
    }
    #expect(found === asset.tracks[0])
    #expect(try await asset.tracks[0].load(.segments).count == 1)
    let generator = AVAssetImageGenerator(asset: asset)
    let width = await withCheckedContinuation { continuation in
      let take: AVAssetImageGeneratorCompletionHandler = { _, image, _, result, _ in
        continuation.resume(returning: result == .succeeded ? image?.width : nil)
      }
      generator.generateCGImagesAsynchronously(forTimes: [.zero], completionHandler: take)
    }
    #expect(width == 320)
  }

  @Test func video_and_audio_are_read_back_as_written() async throws {
    let asset = try await rig.makeMovie()
    let reader = try AVAssetReader(asset: asset)
    let tracks = asset.tracks
    let frames = AVAssetReaderTrackOutput(
      track: tracks[0],
      outputSettings: [
        kCVPixelBufferPixelFormatTypeKey as String:
          kCVPixelFormatType_422YpCbCr10BiPlanarVideoRange
      ])
    let audio = AVAssetReaderTrackOutput(track: tracks[1], outputSettings: nil)
    frames.alwaysCopiesSampleData = false
    #expect(reader.canAdd(frames) && reader.status == .unknown)
    reader.add(frames)
    reader.add(audio)
    #expect(!reader.canAdd(frames) && reader.outputs == [frames, audio])
    try #require(reader.startReading(), "\(String(describing: reader.error))")
    #expect(reader.status == .reading)
    // All of one, then all of the other.
    var values: [UInt16] = []
    while let sample = audio.copyNextSampleBuffer() {
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
    while let sample = frames.copyNextSampleBuffer() {
      #expect(sample.presentationTimeStamp == CMTime(value: Int64(frame), timescale: 25))
      let image = try #require(CMSampleBufferGetImageBuffer(sample))
      #expect(
        CVPixelBufferGetPixelFormatType(image)
          == kCVPixelFormatType_422YpCbCr10BiPlanarVideoRange)
      #expect(abs(Int(luma(image)) - Int(ReadingRig.luma(frame))) <= 1, "frame \(frame)")
      frame += 1
    }
    #expect(frame == 20 && reader.status == .completed && reader.error == nil)
    #expect(frames.copyNextSampleBuffer() == nil && !reader.startReading())
  }

  private func luma(_ frame: CVPixelBuffer) -> UInt16 {
    CVPixelBufferLockBaseAddress(frame, .readOnly)
    defer { CVPixelBufferUnlockBaseAddress(frame, .readOnly) }
    let base = CVPixelBufferGetBaseAddressOfPlane(frame, 0)
    let row = CVPixelBufferGetBytesPerRowOfPlane(frame, 0) * 90
    return (base?.load(fromByteOffset: row + 320, as: UInt16.self) ?? 0) >> 6
  }

  @Test(arguments: [
    (kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange, 125),
    (kCVPixelFormatType_420YpCbCr8BiPlanarFullRange, 127),
    (kCVPixelFormatType_420YpCbCr8Planar, 125),
    (kCVPixelFormatType_422YpCbCr8, 128),
  ])
  func frames_have_the_requested_pixel_format_and_size(
    layout: OSType, expected: Int
  ) async throws {
    let asset = try await rig.makeMovie()
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
      let frame = try #require(sample.imageBuffer)
      #expect(CVPixelBufferGetPixelFormatType(frame) == layout)
      #expect(CVPixelBufferGetWidth(frame) == 160 && CVPixelBufferGetHeight(frame) == 90)
      CVPixelBufferLockBaseAddress(frame, .readOnly)
      let base =
        CVPixelBufferIsPlanar(frame)
        ? CVPixelBufferGetBaseAddressOfPlane(frame, 0) : CVPixelBufferGetBaseAddress(frame)
      // Frame 10 has a 10-bit luma of 500.
      let code = Int(try #require(base).load(fromByteOffset: 40, as: UInt8.self))
      if times.isEmpty { #expect(abs(code - expected) <= 1) }
      CVPixelBufferUnlockBaseAddress(frame, .readOnly)
      times.append(sample.presentationTimeStamp.seconds)
    }
    #expect(times == [0.4, 0.44] && reader.status == .completed)
  }

  @Test func audio_is_cut_sample_accurately() async throws {
    let asset = try await rig.makeMovie()
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

  @Test func reader_misuse_fails_with_a_reason() async throws {
    let asset = try await rig.makeMovie()
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
      try refused([AVFormatIDKey: kAudioFormatLinearPCM, AVSampleRateKey: 4410], of: 1)
        .contains("8000"))
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

  @Test func a_generator_returns_the_frame_shown_at_a_time() async throws {
    let asset = try await rig.makeMovie(transform: CGAffineTransform(rotationAngle: .pi / 2))
    let generator = AVAssetImageGenerator(asset: asset)
    generator.requestedTimeToleranceBefore = .zero
    generator.requestedTimeToleranceAfter = .zero
    // 8-bit gray from 10-bit luma.
    func gray(_ frame: Int) -> Int { Int((Double(ReadingRig.luma(frame)) - 64) / 876 * 255) }
    for (time, frame) in [(0.0, 0), (0.41, 10), (0.4399, 10), (0.44, 11), (0.8, 19)] {
      var actual = CMTime.invalid
      let image = try generator.copyCGImage(
        at: CMTime(seconds: time, preferredTimescale: 10_000), actualTime: &actual)
      #expect(actual == CMTime(value: Int64(frame), timescale: 25), "\(time)")
      #expect(image.width == 320 && image.height == 180)
      let level = Int(image.image[90, 160, 0] * 255)
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
      try AVAssetImageGenerator(asset: AVAsset(url: rig.folder.url("none.mov")))
        .copyCGImage(at: .zero, actualTime: nil)
    }
  }

  @Test func a_generator_without_tolerance_has_no_image_outside_the_movie() async throws {
    let asset = try await rig.makeMovie()
    let generator = AVAssetImageGenerator(asset: asset)
    func frame(_ time: Double) throws -> Int64 {
      var actual = CMTime.invalid
      _ = try generator.copyCGImage(
        at: CMTime(seconds: time, preferredTimescale: 600), actualTime: &actual)
      return Int64((actual.seconds * 25).rounded())
    }
    // By default any frame may be returned.
    #expect(try frame(50) == 19 && frame(-1) == 0)
    generator.requestedTimeToleranceBefore = .zero
    generator.requestedTimeToleranceAfter = .zero
    #expect(try frame(0.79) == 19 && frame(0.8) == 19 && frame(0) == 0)
    for time in [1.3, 50, -1] {
      let error = #expect(throws: AVError.self, "\(time) s") { try frame(time) }
      #expect(error?.code == .noImageAtTime && error?.errorCode == -11832)
    }
    // Each tolerance applies to its own side.
    generator.requestedTimeToleranceBefore = CMTime(value: 1, timescale: 1)
    #expect(try frame(1.3) == 19)
    #expect(throws: AVError.self) { try frame(2) }
    #expect(throws: AVError.self) { try frame(-1) }
    generator.requestedTimeToleranceAfter = CMTime(value: 1, timescale: 1)
    #expect(try frame(-1) == 0)
    #expect(throws: AVError.self) { try frame(-1.5) }
  }

  @Test func a_rotated_track_has_the_players_transform() async throws {
    let turn = CGAffineTransform(rotationAngle: .pi / 2)
    let track = try #require(try await rig.makeMovie(transform: turn).tracks.first)
    let transform = try await track.load(.preferredTransform)
    #expect(transform.b == 1 && transform.c == -1 && transform.tx == 180 && transform.ty == 0)
  }
}
