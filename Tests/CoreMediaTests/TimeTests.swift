import AVFoundationCompat
import Testing

@Suite struct TimeTests {
  @Test func time_functions_compute_as_in_core_media() {
    let third: CMTime = CMTimeMake(value: 1, timescale: 3)
    let half = CMTimeMakeWithEpoch(value: 1, timescale: 2, epoch: 0)
    #expect(CMTimeAdd(third, half) == CMTime(value: 5, timescale: 6))
    #expect(CMTimeSubtract(half, third) == CMTime(value: 1, timescale: 6))
    #expect(CMTimeMultiply(third, multiplier: 3) == CMTimeMake(value: 1, timescale: 1))
    #expect(CMTimeMultiplyByRatio(half, multiplier: 2, divisor: 3) == third)
    #expect(CMTimeCompare(third, half) == -1 && CMTimeCompare(half, third) == 1)
    #expect(CMTimeCompare(half, CMTime(value: 2, timescale: 4)) == 0)
    #expect(CMTimeMinimum(third, half) == third && CMTimeMaximum(third, half) == half)
    #expect(CMTimeAbsoluteValue(CMTimeMake(value: -1, timescale: 3)) == third)
    #expect(CMTimeGetSeconds(half) == 0.5 && half.seconds == 0.5)
    #expect(CMTimeMakeWithSeconds(0.5, preferredTimescale: 600).value == 300 as CMTimeValue)
    let method: CMTimeRoundingMethod = .roundTowardZero
    #expect(CMTimeRoundingMethod.default == .roundHalfAwayFromZero)
    let rounded = CMTimeConvertScale(third, timescale: 100, method: method)
    #expect(rounded.value == 33 && CMTIME_HAS_BEEN_ROUNDED(rounded))
    #expect(third.convertScale(100, method: .roundAwayFromZero).value == 34)
    #expect(third.timescale == 3 as CMTimeScale && third.epoch == 0 as CMTimeEpoch)
    #expect(third.flags == CMTimeFlags.valid && kCMTimeMaxTimescale == CMTimeScale.max)
    CMTimeShow(third)
  }

  @Test func non_numeric_times_are_identified() {
    #expect(CMTIME_IS_VALID(kCMTimeZero) && CMTIME_IS_NUMERIC(kCMTimeZero))
    #expect(CMTIME_IS_INVALID(kCMTimeInvalid) && !CMTIME_IS_VALID(kCMTimeInvalid))
    #expect(CMTIME_IS_INDEFINITE(kCMTimeIndefinite) && !CMTIME_IS_NUMERIC(kCMTimeIndefinite))
    #expect(CMTIME_IS_POSITIVE_INFINITY(kCMTimePositiveInfinity))
    #expect(CMTIME_IS_NEGATIVE_INFINITY(kCMTimeNegativeInfinity))
    #expect(CMTIME_COMPARE_INLINE(kCMTimeZero, <, kCMTimePositiveInfinity))
    #expect(CMTimeAdd(.zero, .invalid) == .invalid)
  }

  @Test func ranges_include_their_start_but_not_their_end() {
    let second = CMTimeMake(value: 1, timescale: 1)
    let range: CMTimeRange = CMTimeRangeMake(start: .zero, duration: second)
    #expect(CMTimeRangeFromTimeToTime(start: .zero, end: second) == range)
    #expect(CMTimeRangeGetEnd(range) == second)
    #expect(CMTimeRangeContainsTime(range, time: .zero) && !range.containsTime(second))
    let later = CMTimeRangeMake(start: CMTime(value: 1, timescale: 2), duration: second)
    #expect(
      CMTimeRangeGetIntersection(range, otherRange: later).duration
        == CMTime(value: 1, timescale: 2))
  }

  @Test func time_mapping_is_exact_for_any_timescales() {
    func seconds(_ value: Int64, _ scale: Int32 = 1) -> CMTime {
      CMTime(value: value, timescale: scale)
    }
    let ten = CMTimeRange(start: .zero, duration: seconds(10))
    let five = CMTimeRange(start: .zero, duration: seconds(5))
    let later = CMTimeRange(start: seconds(2), duration: seconds(3))
    let time = seconds(3, 2)
    let mapped = CMTimeMapTimeFromRangeToRange(time, fromRange: ten, toRange: five)
    #expect(mapped == seconds(3, 4) && !mapped.hasBeenRounded)
    #expect(
      CMTimeMapTimeFromRangeToRange(seconds(4), fromRange: later, toRange: ten) == seconds(20, 3))
    #expect(CMTimeMapDurationFromRangeToRange(time, fromRange: ten, toRange: five) == seconds(3, 4))
    // If both ranges are endless, a time is moved but not scaled.
    let endless = CMTimeRange(start: seconds(2), duration: .positiveInfinity)
    let open = CMTimeRange(start: seconds(7), duration: .positiveInfinity)
    #expect(
      CMTimeMapTimeFromRangeToRange(seconds(3), fromRange: endless, toRange: open) == seconds(8))
    #expect(CMTimeMapDurationFromRangeToRange(time, fromRange: endless, toRange: open) == time)
    let empty = CMTimeRange(start: .zero, duration: .zero)
    for (from, to) in [(ten, empty), (empty, ten), (ten, open), (open, ten)] {
      #expect(!CMTimeMapTimeFromRangeToRange(time, fromRange: from, toRange: to).isValid)
      #expect(!CMTimeMapDurationFromRangeToRange(time, fromRange: from, toRange: to).isValid)
    }
    let other = CMTimeMakeWithEpoch(value: 3, timescale: 2, epoch: 1)
    #expect(!CMTimeMapTimeFromRangeToRange(other, fromRange: ten, toRange: five).isValid)
    #expect(!CMTimeMapDurationFromRangeToRange(other, fromRange: ten, toRange: five).isValid)
  }

  @Test func the_host_clock_never_runs_backwards() {
    let clock: CMClock = CMClockGetHostTimeClock()
    let first = CMClockGetTime(clock)
    #expect(first.isNumeric && CMClockGetTime(.hostTimeClock) >= first)
  }

  @Test func a_sample_reports_its_time_and_image_buffer() throws {
    var made: CVPixelBuffer?
    #expect(
      CVPixelBufferCreate(nil, 64, 48, kCVPixelFormatType_420YpCbCr8Planar, nil, &made)
        == kCVReturnSuccess)
    let frame: CVImageBuffer = try #require(made)
    let time = CMTime(value: 7, timescale: 25)
    let sample: CMSampleBuffer = CMSampleBuffer(
      .video(frame), presentationTimeStamp: time, duration: CMTime(value: 1, timescale: 25))
    #expect(CMSampleBufferGetPresentationTimeStamp(sample) == time)
    #expect(CMSampleBufferGetOutputPresentationTimeStamp(sample) == time)
    #expect(sample.outputPresentationTimeStamp == sample.presentationTimeStamp)
    #expect(CMSampleBufferGetDecodeTimeStamp(sample) == sample.decodeTimeStamp)
    #expect(CMSampleBufferGetDuration(sample) == sample.duration)
    #expect(CMSampleBufferGetImageBuffer(sample) === sample.imageBuffer)
    #expect(CMSampleBufferGetNumSamples(sample) == 1 as CMItemCount && sample.numSamples == 1)
    #expect(CMSampleBufferIsValid(sample) && sample.isValid)
    #expect(CMSampleBufferDataIsReady(sample) && sample.dataReadiness == .ready)
    let description: CMVideoFormatDescription = try #require(
      CMSampleBufferGetFormatDescription(sample))
    #expect(CMFormatDescriptionGetMediaType(description) == kCMMediaType_Video as CMMediaType)
    #expect(
      CMFormatDescriptionGetMediaSubType(description)
        == kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange as FourCharCode)
    #expect(description.mediaSubType.rawValue == CMFormatDescriptionGetMediaSubType(description))
    #expect(
      CMVideoFormatDescriptionGetDimensions(description) == CMVideoDimensions(width: 64, height: 48)
    )
  }

  @Test func audio_descriptions_are_linear_pcm() throws {
    let format = AudioFormat(sampleRate: 48_000, channelCount: 2, sampleFormat: .int16)
    let audio: CMAudioFormatDescription = .audio(format)
    #expect(CMFormatDescriptionGetMediaType(audio) == kCMMediaType_Audio)
    #expect(audio.mediaSubType == CMFormatDescription.MediaSubType.linearPCM)
    #expect(audio.mediaType == AVMediaType.audio && audio.dimensions == CMVideoDimensions())
    #expect(CMFormatDescriptionGetMediaSubType(audio) == kAudioFormatLinearPCM as AudioFormatID)
  }

  @Test func codec_codes_match_their_codec_types() {
    let codes: [(CMVideoCodecType, AVVideoCodecType)] = [
      (kCMVideoCodecType_AppleProRes422Proxy, .proRes422Proxy),
      (kCMVideoCodecType_AppleProRes422LT, .proRes422LT),
      (kCMVideoCodecType_AppleProRes422, .proRes422),
      (kCMVideoCodecType_AppleProRes422HQ, .proRes422HQ),
      (kCMVideoCodecType_AppleProRes4444, .proRes4444),
      (kCMVideoCodecType_AppleProRes4444XQ, .proRes4444XQ),
    ]
    for (code, type) in codes {
      #expect(CMFormatDescription.MediaSubType(rawValue: code).description == type.rawValue)
    }
  }
}
