import AVFoundationCompat
import Synchronization
import Testing

/// Queues of pointers, and small Core Media names.
@Suite struct SimpleQueueTests {
  @Test func addresses_leave_in_arrival_order() throws {
    let queue = try CMSimpleQueue(capacity: 2)
    let first = try #require(UnsafeRawPointer(bitPattern: 8))
    let second = try #require(UnsafeRawPointer(bitPattern: 16))
    #expect(queue.count == 0 && queue.capacity == 2 && queue.fullness == 0)
    #expect(queue.dequeue() == nil && queue.head == nil)
    try queue.enqueue(first)
    #expect(queue.fullness == 0.5)
    try queue.enqueue(second)
    #expect(throws: CMSimpleQueue.Error.queueIsFull) { try queue.enqueue(first) }
    #expect(queue.head == first && queue.count == 2)
    #expect(queue.dequeue() == first && queue.dequeue() == second && queue.dequeue() == nil)
    try queue.enqueue(second)
    try queue.reset()
    #expect(queue.count == 0)
    #expect(throws: CMSimpleQueue.Error.parameterOutOfRange) { try CMSimpleQueue(capacity: -1) }
    let none = try CMSimpleQueue(capacity: 0)
    #expect(none.fullness == 0)
  }

  @Test func order_is_kept_while_enqueuing_and_dequeuing_alternate() throws {
    let queue = try CMSimpleQueue(capacity: 1000)
    var (came, left) = (0, 0)
    for round in 1...300 {
      for _ in 0..<(round % 7) where queue.count < queue.capacity {
        came += 1
        try queue.enqueue(try #require(UnsafeRawPointer(bitPattern: came)))
      }
      for _ in 0..<(round % 5) {
        guard let next = queue.dequeue() else { break }
        left += 1
        #expect(UInt(bitPattern: next) == UInt(left))
      }
      #expect(queue.count == came - left)
      #expect(queue.head.map { Int(bitPattern: $0) } == (came == left ? nil : left + 1))
    }
    try queue.reset()
    #expect(queue.dequeue() == nil)
  }

  @Test func simple_queue_functions_return_core_medias_codes() throws {
    var made: CMSimpleQueue?
    #expect(
      CMSimpleQueueCreate(allocator: kCFAllocatorDefault, capacity: -1, queueOut: &made)
        == kCMSimpleQueueError_ParameterOutOfRange)
    #expect(made == nil)
    #expect(CMSimpleQueueCreate(allocator: nil, capacity: 1, queueOut: &made) == noErr)
    let queue = try #require(made)
    let address = try #require(UnsafeRawPointer(bitPattern: 24))
    #expect(CMSimpleQueueEnqueue(queue, element: address) == noErr)
    #expect(CMSimpleQueueEnqueue(queue, element: address) == kCMSimpleQueueError_QueueIsFull)
    #expect(CMSimpleQueueGetCount(queue) == 1 && CMSimpleQueueGetCapacity(queue) == 1)
    #expect(CMSimpleQueueGetFullness(queue) == 1 && CMSimpleQueueGetHead(queue) == address)
    #expect(CMSimpleQueueDequeue(queue) == address)
    #expect(CMSimpleQueueEnqueue(queue, element: address) == noErr)
    #expect(CMSimpleQueueReset(queue) == noErr && CMSimpleQueueGetCount(queue) == 0)
    #expect(kCMSimpleQueueError_AllocationFailed == -12770)
    #expect(kCMSimpleQueueError_RequiredParameterMissing == -12771)
  }

  @Test func a_time_mapping_with_a_target_is_valid() {
    let range = CMTimeRange(start: .zero, duration: CMTime(value: 1, timescale: 1))
    #expect(CMTimeMapping(source: range, target: range).isValid)
    #expect(!CMTimeMappingMake(source: range, target: range).isEmpty)
    let gap = CMTimeMappingMakeEmpty(target: range)
    #expect(gap.isValid && gap.isEmpty && !CMTimeMapping.invalid.isValid)
  }

  @Test func a_video_description_reports_its_pixel_format_and_size() throws {
    var frame: CVPixelBuffer?
    CVPixelBufferCreate(nil, 64, 48, kCVPixelFormatType_32BGRA, nil, &frame)
    let made = try #require(frame)
    let description = try CMVideoFormatDescription(imageBuffer: made)
    #expect(description.mediaSubType == .pixelFormat_32BGRA)
    #expect(description.mediaSubType != .pixelFormat_32ARGB)
    #expect(description.cleanAperture() == CGRect(x: 0, y: 0, width: 64, height: 48))
    #expect(description.matchesImageBuffer(made) && description.equalTo(description))
    CVPixelBufferCreate(nil, 32, 48, kCVPixelFormatType_32BGRA, nil, &frame)
    let narrow = try #require(frame)
    #expect(!description.matchesImageBuffer(narrow))
    let other = try CMVideoFormatDescription(imageBuffer: narrow)
    #expect(!description.equalTo(other))
    typealias Kind = CMFormatDescription.MediaSubType
    let packed: [Kind] = [
      .pixelFormat_422YpCbCr8, .pixelFormat_422YpCbCr8_yuvs, .pixelFormat_422YpCbCr10,
      .pixelFormat_422YpCbCr16, .pixelFormat_444YpCbCr8, .pixelFormat_444YpCbCr10,
      .pixelFormat_4444YpCbCrA8, .pixelFormat_16BE565, .pixelFormat_16LE555,
      .pixelFormat_16LE565, .pixelFormat_16LE5551,
    ]
    #expect(
      packed.map(\.description) == [
        "2vuy", "yuvs", "v210", "v216", "v308", "v410", "v408", "B565", "L555", "L565", "5551",
      ])
    let numbers: [Kind] = [
      .pixelFormat_24RGB, .pixelFormat_16BE555, .pixelFormat_8IndexedGray_WhiteIsZero,
    ]
    #expect(numbers.map(\.rawValue) == [24, 16, 40])
  }

  @Test func output_duration_equals_the_sample_duration() throws {
    var frame: CVPixelBuffer?
    CVPixelBufferCreate(nil, 64, 48, kCVPixelFormatType_32BGRA, nil, &frame)
    let sample = CMSampleBuffer(
      .video(try #require(frame)), presentationTimeStamp: .zero,
      duration: CMTime(value: 1, timescale: 25))
    #expect(sample.outputDuration == CMTime(value: 1, timescale: 25))
    #expect(CMSampleBufferGetOutputDuration(sample) == sample.duration)
    #expect(!sample.outputDecodeTimeStamp.isValid)
    #expect(!CMSampleBufferGetOutputDecodeTimeStamp(sample).isValid)
    try sample.makeDataReady()
    #expect(CMSampleBufferMakeDataReady(sample) == noErr)
    let format = try #require(AVAudioFormat(standardFormatWithSampleRate: 48_000, channels: 1))
    var awaited: CMSampleBuffer?
    var timing = CMSampleTimingInfo()
    timing.presentationTimeStamp = .zero
    CMSampleBufferCreate(
      allocator: nil, dataBuffer: nil, dataReady: false, makeDataReadyCallback: nil, refcon: nil,
      formatDescription: format.formatDescription, sampleCount: 480, sampleTimingEntryCount: 1,
      sampleTimingArray: &timing, sampleSizeEntryCount: 0, sampleSizeArray: nil,
      sampleBufferOut: &awaited)
    let audio = try #require(awaited)
    #expect(throws: CMSampleBuffer.Error.bufferNotReady) { try audio.makeDataReady() }
    #expect(CMSampleBufferMakeDataReady(audio) == kCMSampleBufferError_BufferNotReady)
  }

  @Test func an_audio_clock_follows_the_host_clock() throws {
    var clock: CMClock?
    #expect(CMAudioClockCreate(allocator: kCFAllocatorDefault, clockOut: &clock) == noErr)
    let made = try #require(clock)
    let host = CMClockGetHostTimeClock()
    #expect(abs((made.time - host.time).seconds) < 1)
    #expect(!made.mightDrift(relativeTo: host) && !CMSyncMightDrift(made, host))
    let timebase = CMTimebase(sourceClock: made)
    #expect(timebase.source is CMClock)
  }
}
