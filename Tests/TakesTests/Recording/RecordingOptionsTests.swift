import AssetWriter
import CaptureDevices
import MediaCore
import QuickTime
import Testing

@testable import Takes
@testable import VideoRecorder

/// How a request sets the options of the output.
struct RecordingOptionsTests {
  private func request(_ duration: RecordingDuration?) -> RecordingRequest {
    var request = RecordingRequest(preset: Preset(name: "test"))
    request.duration = duration
    return request
  }

  @Test func a_duration_is_counted_in_frames_if_the_rate_is_known() {
    let counted = RecordingOptions(request(.seconds(2)), at: .fps25)
    #expect(counted.maxRecordedFrameCount == 50 && !counted.maxRecordedDuration.isValid)
    let timed = RecordingOptions(request(.seconds(2)), at: nil)
    #expect(timed.maxRecordedFrameCount == nil && timed.maxRecordedDuration.seconds == 2)
    #expect(RecordingOptions(request(.frames(7)), at: nil).maxRecordedFrameCount == 7)
  }

  @Test func the_shorter_of_the_presets_limit_and_the_duration_ends_a_take() {
    var request = request(.seconds(60))
    request.preset.limits.maximumSeconds = 10
    #expect(RecordingOptions(request, at: nil).maxRecordedDuration.seconds == 10)
    request.duration = .seconds(5)
    #expect(RecordingOptions(request, at: nil).maxRecordedDuration.seconds == 5)
  }

  @Test func a_presets_segment_limit_numbers_the_first_movie_too() {
    var request = request(nil)
    #expect(!RecordingOptions(request, at: .fps25).segments.numbersFirstFile)
    request.preset.segment = .bytes(1_000_000_000)
    let options = RecordingOptions(request, at: .fps25)
    #expect(options.segments.numbersFirstFile)
    #expect(options.segments.maximumByteCount == 1_000_000_000)
  }

  @Test func only_fallback_allows_tiers_beyond_the_presets() {
    var request = request(nil)
    request.preset.video.tiers = [.native10Bit422]
    #expect(RecordingOptions(request, at: .fps25).allowedTiers == [.native10Bit422])
    request.allowsFallback = true
    #expect(RecordingOptions(request, at: .fps25).allowedTiers.count > 2)
  }
}
