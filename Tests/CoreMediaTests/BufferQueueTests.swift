import AVFoundationCompat
import TestSupport
import Testing

/// Buffer queues: order, end of data, and their properties.
@Suite struct BufferQueueTests {
  private let frame: CVPixelBuffer

  init() throws {
    frame = try MutablePixelBuffer(.init(format: .uyvy, width: 16, height: 16)).finish()
  }

  private func time(_ frame: Int) -> CMTime { CMTime(value: Int64(frame), timescale: 25) }

  private func sample(_ frame: Int, lasting frames: Int = 1) -> CMSampleBuffer {
    CMSampleBuffer(
      .video(self.frame), presentationTimeStamp: time(frame), duration: time(frames))
  }

  private func frames(_ queue: CMBufferQueue) -> [Int] {
    queue.buffers.compactMap { $0 as? CMSampleBuffer }.map { Int($0.presentationTimeStamp.value) }
  }

  @Test func unsorted_buffers_leave_in_arrival_order() throws {
    let queue = try CMBufferQueue(capacity: 3, handlers: .unsortedSampleBuffers)
    #expect(queue.isEmpty && queue.head == nil && queue.dequeue() == nil)
    for frame in [5, 2, 9] { try queue.enqueue(sample(frame)) }
    #expect(throws: CMBufferQueue.Error.queueIsFull) { try queue.enqueue(sample(1)) }
    #expect(frames(queue) == [5, 2, 9] && queue.bufferCount == 3)
    #expect((queue.head as? CMSampleBuffer)?.presentationTimeStamp == time(5))
    let first = queue.dequeue() as! CMSampleBuffer
    #expect(first.presentationTimeStamp == time(5) && frames(queue) == [2, 9])
    #expect((queue.dequeueIfDataReady() as? CMSampleBuffer)?.presentationTimeStamp == time(2))
    try queue.enqueue(sample(1))
    #expect(frames(queue) == [9, 1])
  }

  @Test func sorted_buffers_leave_in_presentation_order() throws {
    var random = SeededGenerator(seed: 8)
    let queue = try CMBufferQueue(handlers: .outputPTSSortedSampleBuffers)
    var waiting: [(frame: Int, number: Int)] = []
    for number in 0..<400 {
      if Int.random(in: 0..<3, using: &random) == 0, !waiting.isEmpty {
        // Among equals, the first one enqueued.
        let least = waiting.indices.min {
          (waiting[$0].frame, waiting[$0].number) < (waiting[$1].frame, waiting[$1].number)
        }!
        let expected = waiting.remove(at: least)
        let made = queue.dequeue() as! CMSampleBuffer
        #expect(made.presentationTimeStamp == time(expected.frame))
        #expect(made.duration == time(expected.number + 1))
      } else {
        let frame = Int.random(in: 0..<20, using: &random)
        try queue.enqueue(sample(frame, lasting: number + 1))
        waiting.append((frame, number))
      }
      #expect(queue.bufferCount == waiting.count)
      let frames = waiting.map(\.frame)
      #expect(self.frames(queue) == frames.sorted())
      #expect(queue.minPresentationTimeStamp == (frames.min().map(time) ?? .invalid))
      #expect(queue.maxPresentationTimeStamp == (frames.max().map(time) ?? .invalid))
      let length = waiting.reduce(0) { $0 + $1.number + 1 }
      #expect(queue.duration == time(length))
    }
  }

  @Test func a_queue_reports_its_times_and_total_size() throws {
    let queue = try CMBufferQueue(capacity: 0, handlers: .unsortedSampleBuffers)
    #expect(queue.duration == .zero && queue.totalSize == 0)
    for value in [
      queue.minDecodeTimeStamp, queue.firstDecodeTimeStamp, queue.minPresentationTimeStamp,
      queue.firstPresentationTimeStamp, queue.maxPresentationTimeStamp,
      queue.endPresentationTimeStamp,
    ] { #expect(!value.isValid) }
    for (frame, length) in [(4, 1), (2, 9), (7, 2)] {
      try queue.enqueue(sample(frame, lasting: length))
    }
    #expect(queue.duration == time(12) && queue.firstPresentationTimeStamp == time(4))
    #expect(queue.minPresentationTimeStamp == time(2) && queue.maxPresentationTimeStamp == time(7))
    // The longest buffer ends last, although another begins later.
    #expect(queue.endPresentationTimeStamp == time(11))
    // Video samples have no decode timestamps here.
    #expect(!queue.minDecodeTimeStamp.isValid && !queue.firstDecodeTimeStamp.isValid)
    let format = AudioFormat(sampleRate: 48_000, channelCount: 2, sampleFormat: .int16)
    let audio = try MediaCore.AudioBuffer(format: format, bytes: [UInt8](repeating: 1, count: 40))
    try queue.enqueue(CMSampleBuffer(.audio(audio), presentationTimeStamp: time(3)))
    #expect(queue.totalSize == 40)
    // One unknown duration makes the total unknown.
    #expect(!queue.duration.isValid)
  }

  @Test func buffers_after_the_end_of_data_are_refused_until_reset() throws {
    let queue = try CMBufferQueue(capacity: 0, handlers: .unsortedSampleBuffers)
    try queue.enqueue(sample(1))
    try queue.enqueue(sample(2))
    try queue.markEndOfData()
    #expect(queue.containsEndOfData && !queue.isAtEndOfData)
    do {
      try queue.enqueue(sample(3))
      Issue.record("the buffer was accepted")
    } catch CMBufferQueue.Error.enqueueAfterEndOfData {
      // Expected.
    }
    _ = queue.dequeue()
    _ = queue.dequeue()
    #expect(queue.isAtEndOfData && queue.dequeue() == nil)
    try queue.reset()
    #expect(!queue.containsEndOfData && !queue.isAtEndOfData)
    try queue.enqueue(sample(4))
    try queue.enqueue(sample(5))
    var gone: [CMTime] = []
    try queue.reset { gone.append(($0 as! CMSampleBuffer).presentationTimeStamp) }
    #expect(gone == [time(4), time(5)] && queue.isEmpty)
  }

  @Test func handlers_describe_a_programs_own_buffer_type() throws {
    struct Card: Sendable, Equatable {
      var rank: Int
      var isReady = true
    }
    let handlers = CMBufferQueue.Handlers {
      $0.getDuration { CMTime(value: Int64(($0 as! Card).rank), timescale: 10) }
      $0.getDecodeTimeStamp { CMTime(value: Int64(($0 as! Card).rank), timescale: 1) }
      $0.isDataReady { ($0 as! Card).isReady }
      $0.getSize { ($0 as! Card).rank * 100 }
    }
    #expect(handlers.compare == nil && handlers.getPresentationTimeStamp == nil)
    #expect(handlers.dataBecameReadyNotification == nil && handlers.isDataReady != nil)
    // The greatest comes first.
    let sorted = handlers.withHandlers {
      $0.compare { first, second in
        let (first, second) = (first as! Card, second as! Card)
        if first.rank == second.rank { return CFComparisonResult.compareEqualTo }
        return first.rank > second.rank ? .compareLessThan : .compareGreaterThan
      }
    }
    let queue = try CMBufferQueue(capacity: 0, handlers: sorted)
    for card in [Card(rank: 3), Card(rank: 8, isReady: false), Card(rank: 5)] {
      try queue.enqueue(card)
    }
    #expect(queue.buffers.map { ($0 as! Card).rank } == [8, 5, 3])
    #expect(queue.duration.seconds == 1.6 && queue.totalSize == 1600)
    #expect(queue.minDecodeTimeStamp.seconds == 3 && queue.firstDecodeTimeStamp.seconds == 8)
    #expect(!queue.maxPresentationTimeStamp.isValid && !queue.endPresentationTimeStamp.isValid)
    #expect(queue.dequeueIfDataReady() == nil && queue.bufferCount == 3)
    #expect(queue.dequeue() as? Card == Card(rank: 8, isReady: false))
    #expect(queue.dequeueIfDataReady() as? Card == Card(rank: 5))
    struct NotWanted: Error {}
    queue.setValidationHandler { _, buffer in
      if (buffer as! Card).rank > 9 { throw NotWanted() }
    }
    #expect(throws: NotWanted.self) { try queue.enqueue(Card(rank: 10)) }
    try queue.enqueue(Card(rank: 9))
    #expect((queue.head as? Card)?.rank == 9 && queue.bufferCount == 2)
  }

  @Test func concurrent_threads_lose_no_buffers() async throws {
    let queue = try CMBufferQueue(capacity: 0, handlers: .unsortedSampleBuffers)
    let taken = await withTaskGroup(of: [Int].self) { group in
      for task in 0..<4 {
        group.addTask {
          for frame in 0..<100 { try? queue.enqueue(sample(task * 100 + frame)) }
          return []
        }
        group.addTask {
          var taken: [Int] = []
          while taken.count < 100 {
            guard let made = queue.dequeue() as? CMSampleBuffer else {
              await Task.yield()
              continue
            }
            taken.append(Int(made.presentationTimeStamp.value))
          }
          return taken
        }
      }
      return await group.reduce(into: []) { $0 += $1 }
    }
    #expect(taken.sorted() == Array(0..<400) && queue.isEmpty)
  }

  @Test func buffer_queue_errors_have_core_medias_codes() throws {
    let error = CMBufferQueue.Error.queueIsFull
    #expect((error as NSError).domain == "NSOSStatusErrorDomain")
    #expect((error as NSError).code == Int(kCMBufferQueueError_QueueIsFull))
    #expect(error.localizedDescription == error.message)
    let all: [(CMBufferQueue.Error, OSStatus)] = [
      (.allocationFailed, kCMBufferQueueError_AllocationFailed),
      (.requiredParameterMissing, kCMBufferQueueError_RequiredParameterMissing),
      (.invalidCMBufferCallbacksStruct, kCMBufferQueueError_InvalidCMBufferCallbacksStruct),
      (.enqueueAfterEndOfData, kCMBufferQueueError_EnqueueAfterEndOfData),
      (.queueIsFull, kCMBufferQueueError_QueueIsFull),
      (.badTriggerDuration, kCMBufferQueueError_BadTriggerDuration),
      (
        .cannotModifyQueueFromTriggerCallback,
        kCMBufferQueueError_CannotModifyQueueFromTriggerCallback
      ),
      (.invalidTriggerCondition, kCMBufferQueueError_InvalidTriggerCondition),
      (.invalidTriggerToken, kCMBufferQueueError_InvalidTriggerToken),
      (.invalidBuffer, kCMBufferQueueError_InvalidBuffer),
    ]
    for (place, (error, status)) in all.enumerated() {
      #expect(error.status == status && status == -12760 - OSStatus(place))
    }
  }

  @Test func core_media_errors_match_only_their_own_type() {
    let errors: [any CoreMediaError] = [
      CMSimpleQueue.Error.queueIsFull, CMBufferQueue.Error.queueIsFull,
      CMSampleBuffer.Error.arrayTooSmall,
    ]
    for error in errors {
      #expect(type(of: error).errorDomain == "NSOSStatusErrorDomain")
      #expect(error.errorCode == Int(error.status) && "\(error)" == error.message)
      #expect(error.localizedDescription == error.message)
    }
    #expect(CMBufferQueue.Error.queueIsFull ~= CMBufferQueue.Error.queueIsFull)
    #expect(!(CMBufferQueue.Error.queueIsFull ~= CMSimpleQueue.Error.queueIsFull))
  }
}
