import AVFoundationCompat
import TestSupport
import Testing

/// Type numbers by which programs tell values apart.
@Suite struct TypeNumberTests {
  @Test func each_type_has_a_unique_type_id() throws {
    let frame = try MutablePixelBuffer(.init(format: .uyvy, width: 16, height: 16)).finish()
    let clock = CMClockGetHostTimeClock()
    var block: CMBlockBuffer?
    CMBlockBufferCreateEmpty(
      allocator: nil, capacity: 0, flags: 0, blockBufferOut: &block)
    let values: [(CFTypeRef, CFTypeID)] = [
      (frame, CVPixelBufferGetTypeID()),
      (try CVPixelBufferPool(frame.details, capacity: 1), CVPixelBufferPoolGetTypeID()),
      (CMSampleBuffer(.video(frame), presentationTimeStamp: .zero), CMSampleBufferGetTypeID()),
      (try #require(block), CMBlockBufferGetTypeID()),
      (
        CMFormatDescription.video(VideoFormatDescription(frame.details)),
        CMFormatDescriptionGetTypeID()
      ),
      (try CMBufferQueue(handlers: .unsortedSampleBuffers), CMBufferQueueGetTypeID()),
      (clock, CMClockGetTypeID()), (CMTimebase(sourceClock: clock), CMTimebaseGetTypeID()),
    ]
    for (value, number) in values { #expect(CFGetTypeID(value) == number && number != 0) }
    #expect(Set(values.map(\.1)).count == values.count)
    #expect(CFGetTypeID("text") == 0)
  }
}
