import AVFoundationCompat
import Synchronization
import TestSupport
import Testing

/// Frames that a program enqueues, passed to the drawer. The width of a frame identifies it.
@Suite(.timeLimit(.minutes(5))) struct DisplayLayerTests {
  /// What a drawer received: widths, and nil once no frame is to be shown.
  private final class Screen: Sendable {
    private let all = Mutex<[Int?]>([])

    func draw(_ frame: CVPixelBuffer?) {
      let width = frame.map(CVPixelBufferGetWidth)
      all.withLock { $0.append(width) }
    }

    var shown: [Int?] { all.withLock { $0 } }
  }

  private let layer = AVSampleBufferDisplayLayer()
  private let timebase = CMTimebase(sourceClock: CMClockGetHostTimeClock())
  private let screen = Screen()

  init() {
    let screen = screen
    layer.setFrameHandler(queue: DispatchQueue(label: "screen")) { screen.draw($0) }
  }

  private func at(_ seconds: Int64) -> CMTime { CMTime(value: seconds, timescale: 1) }

  private func sample(_ width: Int, _ time: CMTime) throws -> CMSampleBuffer {
    var frame: CVPixelBuffer?
    CVPixelBufferCreate(nil, width, 48, kCVPixelFormatType_32BGRA, nil, &frame)
    let made = try #require(frame)
    return try CMSampleBuffer(
      imageBuffer: made, formatDescription: CMVideoFormatDescription(imageBuffer: made),
      sampleTiming: CMSampleTimingInfo(
        duration: .invalid, presentationTimeStamp: time, decodeTimeStamp: .invalid))
  }

  /// True as soon as the condition holds, false after two seconds.
  private func holds(_ condition: () -> Bool) async throws -> Bool {
    for _ in 0..<200 where !condition() { try await Task.sleep(for: .milliseconds(10)) }
    return condition()
  }

  @Test func frames_are_shown_when_due() async throws {
    layer.controlTimebase = timebase
    #expect(layer.timebase === timebase && layer.status == .unknown && layer.error == nil)
    for second in [3, 1, 2, 5] { layer.enqueue(try sample(60 + second * 2, at(Int64(second)))) }
    #expect(layer.status == AVQueuedSampleBufferRenderingStatus.rendering)
    try await Task.sleep(for: .milliseconds(50))
    #expect(screen.shown.isEmpty && !layer.isReadyForDisplay)
    CMTimebaseSetTime(timebase, time: at(1))
    #expect(try await holds { screen.shown == [62] })
    // If two frames are due, the later one is shown.
    CMTimebaseSetTime(timebase, time: at(4))
    #expect(try await holds { screen.shown == [62, 66] })
    let renderer: AVSampleBufferVideoRenderer = layer.sampleBufferRenderer
    #expect(renderer.droppedFrameCount == 1 && layer.isReadyForDisplay)
    #expect(renderer.copyDisplayedPixelBuffer().map(CVPixelBufferGetWidth) == 66)
    let queue: any AVQueuedSampleBufferRendering = layer
    #expect(queue.hasSufficientMediaDataForReliablePlaybackStart && queue.timebase === timebase)
    // The timeline runs from one second before the last frame.
    let now = CMClockGetTime(CMClockGetHostTimeClock())
    #expect(
      CMTimebaseSetRateAndAnchorTime(
        timebase, rate: 20, anchorTime: at(4), immediateSourceTime: now) == noErr)
    #expect(CMTimebaseGetEffectiveRate(timebase) == 20)
    #expect(try await holds { screen.shown == [62, 66, 70] })
    #expect(CMTimebaseGetTime(timebase) >= at(5))
  }

  @Test func a_timebase_can_be_anchored_to_its_clock() throws {
    let now = CMClockGetTime(CMClockGetHostTimeClock())
    try timebase.setRate(1, anchorTime: .zero, immediateSourceTime: now + at(100))
    #expect(timebase.time <= at(-99) && timebase.effectiveRate == 1)
    try timebase.setAnchorTime(at(7), immediateSourceTime: now)
    #expect(timebase.time >= at(7))
    #expect(
      CMTimebaseSetAnchorTime(timebase, timebaseTime: at(50), immediateSourceTime: now) == noErr)
    #expect(timebase.time >= at(50))
    #expect(
      CMTimebaseSetRateAndAnchorTime(
        timebase, rate: .infinity, anchorTime: .zero, immediateSourceTime: now) != noErr)
    #expect(
      CMTimebaseSetAnchorTime(timebase, timebaseTime: .invalid, immediateSourceTime: now) != noErr)
    #expect(CMTimebaseSetTime(timebase, time: .indefinite) != noErr && timebase.time.isNumeric)
  }

  @Test func a_layer_without_a_timebase_follows_the_host_clock() async throws {
    let now = CMClockGetTime(CMClockGetHostTimeClock())
    #expect(abs((layer.timebase.time - now).seconds) < 1)
    layer.enqueue(try sample(64, now + CMTime(value: 1, timescale: 10)))
    #expect(screen.shown.isEmpty)
    #expect(try await holds { screen.shown == [64] })
    #expect(CMClockGetTime(CMClockGetHostTimeClock()) >= now + CMTime(value: 1, timescale: 10))
  }

  @Test func an_immediate_frame_replaces_waiting_frames() async throws {
    layer.controlTimebase = timebase
    layer.enqueue(try sample(64, at(10)))
    layer.enqueue(try sample(66, at(11)))
    let immediate = try sample(68, at(12))
    immediate.sampleAttachments[0][.displayImmediately] = true
    layer.enqueue(immediate)
    let hidden = try sample(70, .zero)
    hidden.sampleAttachments[0][.doNotDisplay] = true
    layer.enqueue(hidden)
    #expect(try await holds { screen.shown == [68] })
    #expect(layer.sampleBufferRenderer.droppedFrameCount == 2)
    CMTimebaseSetTime(timebase, time: at(20))
    try await Task.sleep(for: .milliseconds(50))
    #expect(screen.shown == [68])
  }

  @Test func a_flush_discards_waiting_frames_and_can_clear_the_display() async throws {
    layer.controlTimebase = timebase
    layer.enqueue(try sample(64, .zero))
    layer.enqueue(try sample(66, at(1)))
    #expect(try await holds { screen.shown == [64] })
    layer.flush()
    CMTimebaseSetTime(timebase, time: at(2))
    layer.enqueue(try sample(68, at(1)))
    #expect(try await holds { screen.shown == [64, 68] })
    layer.flushAndRemoveImage()
    #expect(try await holds { screen.shown == [64, 68, nil] })
    #expect(!layer.isReadyForDisplay && layer.status == .unknown)
    await confirmation { removed in
      await withCheckedContinuation { continuation in
        layer.sampleBufferRenderer.flush(removingDisplayedImage: false) {
          removed()
          continuation.resume()
        }
      }
    }
  }

  @Test func frames_are_requested_until_enough_are_queued() async throws {
    layer.controlTimebase = timebase
    let samples = try (0..<20).map { try sample(64, at(Int64(1 + $0))) }
    let given = Mutex(0)
    layer.requestMediaDataWhenReady(on: DispatchQueue(label: "source")) { [layer] in
      while layer.isReadyForMoreMediaData {
        let next = given.withLock { count in
          defer { count += 1 }
          return count
        }
        guard next < samples.count else { return layer.stopRequestingMediaData() }
        layer.enqueue(samples[next])
      }
    }
    #expect(try await holds { given.withLock { $0 } == 8 })
    try await Task.sleep(for: .milliseconds(50))
    #expect(given.withLock { $0 } == 8 && !layer.isReadyForMoreMediaData)
    CMTimebaseSetTime(timebase, time: at(2))
    #expect(try await holds { given.withLock { $0 } == 10 })
    layer.stopRequestingMediaData()
    CMTimebaseSetTime(timebase, time: at(6))
    #expect(try await holds { layer.isReadyForMoreMediaData })
    try await Task.sleep(for: .milliseconds(50))
    #expect(given.withLock { $0 } == 10)
  }

  @Test func compressed_frames_are_decoded_for_display() async throws {
    let session = try CompressionRig.session(kCMVideoCodecType_AppleProRes422)
    let results = try CompressionRig.compress(0..<3, with: session)
    #expect(
      VTCompressionSessionCompleteFrames(session, untilPresentationTimeStamp: .invalid) == noErr)
    layer.controlTimebase = timebase
    for sample in results.samples { layer.enqueue(sample) }
    CMTimebaseSetTime(timebase, time: at(1))
    #expect(try await holds { screen.shown.last == 64 }, "\(String(describing: layer.error))")
  }

  /// H.264 frames whose decode order differs from their display order; empty if there is no
  /// encoder.
  private func reordered() throws -> [CMSampleBuffer] {
    guard EncoderCapabilities.current.interframeCodecs.contains(.h264) else { return [] }
    let session = try CompressionRig.session(kCMVideoCodecType_H264)
    let key = kVTCompressionPropertyKey_AllowFrameReordering
    #expect(VTSessionSetProperty(session, key: key, value: kCFBooleanTrue) == noErr)
    let results = try CompressionRig.compress(0..<12, with: session)
    VTCompressionSessionCompleteFrames(session, untilPresentationTimeStamp: .invalid)
    #expect(results.samples.count == 12)
    return results.samples
  }

  @Test func a_format_change_loses_no_earlier_frame() async throws {
    let samples = try reordered()
    guard !samples.isEmpty else { return }
    let session = try CompressionRig.session(kCMVideoCodecType_AppleProRes422)
    let results = try CompressionRig.compress(0..<1, with: session)
    VTCompressionSessionCompleteFrames(session, untilPresentationTimeStamp: .invalid)
    try timebase.setTime(at(-1))
    layer.controlTimebase = timebase
    for sample in samples + results.samples { layer.enqueue(sample) }
    CMTimebaseSetTime(timebase, time: at(1))
    let renderer = layer.sampleBufferRenderer
    #expect(
      try await holds { screen.shown.count + renderer.droppedFrameCount == 13 },
      "\(screen.shown), \(renderer.droppedFrameCount), \(String(describing: layer.error))")
  }

  @Test func a_flush_releases_the_decoder_and_its_queued_samples() async throws {
    final class Token: Sendable {
      let ended: @Sendable () -> Void
      init(_ ended: @escaping @Sendable () -> Void) { self.ended = ended }
      deinit { ended() }
    }
    let count = Mutex(0)
    func enqueue() throws -> Int {
      let samples = try reordered()
      for sample in samples {
        let token = Token { count.withLock { $0 += 1 } }
        CMSetAttachment(
          sample, key: "token" as CFString, value: token,
          attachmentMode: kCMAttachmentMode_ShouldNotPropagate)
        layer.enqueue(sample)
      }
      return samples.count
    }
    layer.controlTimebase = timebase
    let given = try enqueue()
    #expect(
      try await holds { given == 0 || layer.hasSufficientMediaDataForReliablePlaybackStart })
    layer.flush()
    #expect(try await holds { count.withLock { $0 } == given })
  }

  @Test func a_decoding_failure_carries_the_decoders_error() async throws {
    let session = try CompressionRig.session(kCMVideoCodecType_AppleProRes422)
    let results = try CompressionRig.compress(0..<1, with: session)
    VTCompressionSessionCompleteFrames(session, untilPresentationTimeStamp: .invalid)
    let format = try #require(results.samples.first?.formatDescription)
    let block = try CMBlockBuffer(length: 64)
    try block.fillDataBytes(with: 7)
    layer.enqueue(
      try CMSampleBuffer(
        dataBuffer: block, formatDescription: format, numSamples: 1,
        sampleTimings: [
          CMSampleTimingInfo(
            duration: .invalid, presentationTimeStamp: .zero, decodeTimeStamp: .invalid)
        ], sampleSizes: [64]))
    #expect(try await holds { layer.status == .failed })
    let error = try #require(layer.error as? AVError)
    #expect(error.code == .decodeFailed && error.underlyingError != nil)
  }

  @Test func an_audio_sample_fails_the_layer_until_a_flush() async throws {
    let reported = Mutex(0)
    let token = NotificationCenter.default.addObserver(
      forName: .AVSampleBufferDisplayLayerFailedToDecode, object: layer, queue: nil
    ) { note in
      let key = AVSampleBufferDisplayLayerFailedToDecodeNotificationErrorKey
      guard note.userInfo?[key] is AVError else { return }
      reported.withLock { $0 += 1 }
    }
    defer { NotificationCenter.default.removeObserver(token) }
    let format = try #require(AVAudioFormat(standardFormatWithSampleRate: 48_000, channels: 1))
    let buffer = try #require(AVAudioPCMBuffer(pcmFormat: format, frameCapacity: 480))
    buffer.frameLength = 480
    layer.enqueue(try #require(buffer.sampleBuffer(at: .zero)))
    #expect(try await holds { layer.status == .failed })
    #expect((layer.error as? AVError)?.code == .invalidSourceMedia)
    #expect(try await holds { reported.withLock { $0 } == 1 })
    layer.enqueue(try sample(64, .zero))
    layer.flush()
    #expect(layer.status == .unknown && layer.error == nil)
    layer.enqueue(try sample(66, .zero))
    #expect(try await holds { screen.shown == [66] })
  }

  @Test func a_failed_layer_requests_no_frames_until_a_flush() async throws {
    let format = try #require(AVAudioFormat(standardFormatWithSampleRate: 48_000, channels: 1))
    let buffer = try #require(AVAudioPCMBuffer(pcmFormat: format, frameCapacity: 480))
    buffer.frameLength = 480
    #expect(layer.isReadyForMoreMediaData)
    layer.enqueue(try #require(buffer.sampleBuffer(at: .zero)))
    #expect(try await holds { layer.status == .failed })
    #expect(!layer.isReadyForMoreMediaData && !layer.sampleBufferRenderer.isReadyForMoreMediaData)
    let count = Mutex(0)
    layer.requestMediaDataWhenReady(on: DispatchQueue(label: "source")) { [layer] in
      #expect(layer.isReadyForMoreMediaData)
      layer.stopRequestingMediaData()
      count.withLock { $0 += 1 }
    }
    layer.enqueue(try sample(64, .zero))
    try await Task.sleep(for: .milliseconds(50))
    #expect(count.withLock { $0 } == 0 && layer.status == .failed)
    layer.flush()
    #expect(layer.isReadyForMoreMediaData)
    #expect(try await holds { count.withLock { $0 } == 1 })
  }

  /// Queries the layer on deinit, as a program's object may.
  private final class Feeder: Sendable {
    let layer: AVSampleBufferDisplayLayer
    private let ended: @Sendable () -> Void

    init(_ layer: AVSampleBufferDisplayLayer, _ ended: @escaping @Sendable () -> Void) {
      (self.layer, self.ended) = (layer, ended)
    }

    deinit {
      if layer.isReadyForMoreMediaData { ended() }
    }
  }

  /// A frame that queries the layer when the layer releases it.
  private func asking(_ time: CMTime, _ ended: @escaping @Sendable () -> Void) throws
    -> CMSampleBuffer
  {
    let memory = UnsafeMutableRawPointer.allocate(byteCount: 64 * 48 * 4, alignment: 16)
    let feeder = Unmanaged.passRetained(Feeder(layer, ended)).toOpaque()
    var frame: CVPixelBuffer?
    CVPixelBufferCreateWithBytes(
      nil, 64, 48, kCVPixelFormatType_32BGRA, memory, 256,
      { feeder, memory in
        memory?.deallocate()
        feeder.map { Unmanaged<Feeder>.fromOpaque($0).release() }
      }, feeder, nil, &frame)
    let made = try #require(frame)
    return try CMSampleBuffer(
      imageBuffer: made, formatDescription: CMVideoFormatDescription(imageBuffer: made),
      sampleTiming: CMSampleTimingInfo(
        duration: .invalid, presentationTimeStamp: time, decodeTimeStamp: .invalid))
  }

  @Test func released_objects_may_call_the_layer() async throws {
    let count = Mutex(0)
    let ended: @Sendable () -> Void = { count.withLock { $0 += 1 } }
    func request() {
      let feeder = Feeder(layer, ended)
      layer.requestMediaDataWhenReady(on: DispatchQueue(label: "source")) { _ = feeder }
    }
    request()
    request()
    #expect(try await holds { count.withLock { $0 } == 1 })
    layer.stopRequestingMediaData()
    #expect(try await holds { count.withLock { $0 } == 2 })
    layer.controlTimebase = timebase
    // Frames are skipped, shown and replaced, displaced by an immediate one, and flushed.
    for second in 1...2 { layer.enqueue(try asking(at(Int64(second)), ended)) }
    try await Task.sleep(for: .milliseconds(50))
    CMTimebaseSetTime(timebase, time: at(2))
    #expect(try await holds { count.withLock { $0 } == 3 })
    layer.enqueue(try asking(at(5), ended))
    let immediate = try sample(68, at(6))
    immediate.sampleAttachments[0][.displayImmediately] = true
    layer.enqueue(immediate)
    #expect(try await holds { count.withLock { $0 } == 5 })
    layer.enqueue(try asking(at(9), ended))
    try await Task.sleep(for: .milliseconds(50))
    layer.flush()
    #expect(try await holds { count.withLock { $0 } == 6 })
    layer.enqueue(try asking(.zero, ended))
    try await Task.sleep(for: .milliseconds(50))
    layer.flushAndRemoveImage()
    #expect(try await holds { count.withLock { $0 } == 7 })
  }

  @Test func layout_properties_are_stored_for_the_drawing_program() {
    layer.videoGravity = AVLayerVideoGravity.resizeAspectFill
    layer.frame = CGRect(x: 10, y: 20, width: 320, height: 180)
    #expect(layer.bounds == CGRect(x: 0, y: 0, width: 320, height: 180))
    layer.bounds = CGRect(x: 0, y: 0, width: 160, height: 90)
    #expect(layer.frame == CGRect(x: 10, y: 20, width: 160, height: 90))
    layer.preventsCapture = true
    layer.preventsDisplaySleepDuringVideoPlayback = true
    #expect(!layer.preventsCapture && !layer.preventsDisplaySleepDuringVideoPlayback)
    #expect(!layer.requiresFlushToResumeDecoding && layer.videoGravity == .resizeAspectFill)
    let name = NSNotification.Name
      .AVSampleBufferDisplayLayerRequiresFlushToResumeDecodingDidChange
    #expect(name.rawValue.hasSuffix("Notification"))
  }
}
