import AVFoundationCompat
import Synchronization
import TestSupport
import Testing

/// Times in `NSValue`, and other small parts of the neighboring frameworks.
@Suite struct ValueTimeTests {
  private let rig: ReadingRig

  init() throws { rig = try ReadingRig() }

  @Test func nsvalue_stores_times_and_ranges() {
    for time in [
      CMTime(value: -7, timescale: 600), .zero, .invalid, .indefinite, .positiveInfinity,
      .negativeInfinity, CMTime(value: .max, timescale: .max),
      CMTime(seconds: 0.3, preferredTimescale: 7),
    ] {
      let value = NSValue(time: time)
      #expect(value.timeValue == time && value.timeValue.flags == time.flags)
      #expect(value.timeValue.timescale == time.timescale && value == NSValue(time: time))
      let range = CMTimeRange(start: time, duration: CMTime(value: 3, timescale: 25))
      #expect(NSValue(timeRange: range).timeRangeValue == range)
      let before = CMTimeRange(start: .zero, duration: time)
      #expect(NSValue(timeRange: before).timeRangeValue == before)
    }
  }

  @Test func images_are_generated_for_times_in_nsvalues() async throws {
    let asset = try await rig.makeMovie()
    let generator = AVAssetImageGenerator(asset: asset)
    let times = [3, 11].map { NSValue(time: CMTime(value: $0, timescale: 25)) }
    let found = Mutex<[CMTime]>([])
    await withCheckedContinuation { continuation in
      generator.generateCGImagesAsynchronously(forTimes: times) { asked, image, _, result, _ in
        #expect(image != nil && result == .succeeded)
        let count = found.withLock { found in
          found.append(asked)
          return found.count
        }
        if count == times.count { continuation.resume() }
      }
    }
    #expect(found.withLock { $0 } == times.map(\.timeValue))
  }

  @Test func ranges_in_nsvalues_are_read() async throws {
    let asset = try await rig.makeMovie()
    let reader = try AVAssetReader(asset: asset)
    let output = AVAssetReaderTrackOutput(
      track: try #require(asset.tracks(withMediaType: .video).first), outputSettings: [:])
    output.supportsRandomAccess = true
    reader.add(output)
    try #require(reader.startReading())
    while output.copyNextSampleBuffer() != nil {}
    let range = CMTimeRange(
      start: CMTime(value: 4, timescale: 25), duration: CMTime(value: 2, timescale: 25))
    output.reset(forReadingTimeRanges: [NSValue(timeRange: range)])
    let first = try #require(output.copyNextSampleBuffer())
    #expect(CMSampleBufferGetPresentationTimeStamp(first) == range.start)
    output.markConfigurationAsFinal()
    reader.cancelReading()
  }

  @Test func an_unset_time_is_invalid() {
    var time = CMTime()
    #expect(time == .invalid && !time.isValid)
    time = CMTime(value: 3, timescale: 25)
    #expect(time.isValid)
  }

  @Test func media_time_is_host_clock_time() {
    let before = CMClockGetTime(CMClockGetHostTimeClock()).seconds
    let now: CFTimeInterval = CACurrentMediaTime()
    #expect(now >= before && now <= CMClockGetTime(CMClockGetHostTimeClock()).seconds)
    let (url, data) = (URL(filePath: "/tmp/a.mov") as CFURL, Data([1]) as CFData)
    #expect(url.lastPathComponent == "a.mov" && data.count == 1)
  }

  @Test func screen_recording_is_not_permitted() {
    #expect(!CGPreflightScreenCaptureAccess() && !CGRequestScreenCaptureAccess())
    var address = CMIOObjectPropertyAddress(
      mSelector: CMIOObjectPropertySelector(kCMIOHardwarePropertyAllowScreenCaptureDevices),
      mScope: CMIOObjectPropertyScope(kCMIOObjectPropertyScopeGlobal),
      mElement: CMIOObjectPropertyElement(kCMIOObjectPropertyElementMain))
    var allow: UInt32 = 1
    let status = CMIOObjectSetPropertyData(
      CMIOObjectID(kCMIOObjectSystemObject), &address, 0, nil,
      UInt32(MemoryLayout<UInt32>.size), &allow)
    #expect(status == kCMIOHardwareUnknownPropertyError)
  }

  @Test func a_core_video_smpte_time_has_its_fields() {
    var address = CVSMPTETime()
    address.hours = 10
    address.type = CVSMPTETimeType.type2997Drop.rawValue
    address.flags = CVSMPTETimeFlags([.valid, .running]).rawValue
    #expect(
      address
        == CVSMPTETime(
          subframes: 0, subframeDivisor: 0, counter: 0, type: 5, flags: 3, hours: 10, minutes: 0,
          seconds: 0, frames: 0))
    #expect(CVSMPTETimeType(rawValue: 1) == .type25 && CVSMPTETimeType.type5994.rawValue == 7)
  }

  @Test func a_null_audio_buffer_list_yields_nil() {
    let none: UnsafeMutablePointer<AudioBufferList>? = nil
    #expect(UnsafeMutableAudioBufferListPointer(none) == nil)
    var list = AudioBufferList()
    withUnsafeMutablePointer(to: &list) { pointer in
      #expect(UnsafeMutableAudioBufferListPointer(Optional(pointer)) != nil)
    }
  }

  @Test func a_flushed_pool_still_creates_buffers() throws {
    var pool: CVPixelBufferPool?
    CVPixelBufferPoolCreate(
      nil, nil,
      [
        kCVPixelBufferPixelFormatTypeKey: kCVPixelFormatType_32BGRA, kCVPixelBufferWidthKey: 64,
        kCVPixelBufferHeightKey: 48,
      ], &pool)
    let made = try #require(pool)
    let flags: CVPixelBufferPoolFlushFlags = .excessBuffers
    CVPixelBufferPoolFlush(made, flags)
    CVPixelBufferPoolFlush(made, [])
    var frame: CVPixelBuffer?
    #expect(CVPixelBufferPoolCreatePixelBuffer(nil, made, &frame) == kCVReturnSuccess)
  }

  @Test func preset_compatibility_is_passed_to_a_handler() async throws {
    let asset = try await rig.makeMovie()
    for (type, fits) in [(AVFileType.mov, true), (.wav, false)] {
      let reported = await withCheckedContinuation { continuation in
        AVAssetExportSession.determineCompatibility(
          ofExportPreset: AVAssetExportPresetAppleProRes422LPCM, with: asset, outputFileType: type
        ) { continuation.resume(returning: $0) }
      }
      #expect(reported == fits)
    }
  }
}
