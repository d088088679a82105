import AVFoundationCompat
import TestSupport
import Testing

/// Buffer queues, through Core Media's C functions.
@Suite struct BufferQueueFunctionTests {
  private func time(_ frame: Int) -> CMTime { CMTime(value: Int64(frame), timescale: 25) }

  private func sample(_ frame: Int) throws -> CMSampleBuffer {
    let image = try MutablePixelBuffer(.init(format: .uyvy, width: 16, height: 16)).finish()
    return CMSampleBuffer(.video(image), presentationTimeStamp: time(frame), duration: time(1))
  }

  private func queue(
    _ capacity: Int, _ callbacks: UnsafePointer<CMBufferCallbacks>
  ) throws -> CMBufferQueue {
    var made: CMBufferQueue?
    #expect(
      CMBufferQueueCreate(
        allocator: kCFAllocatorDefault, capacity: capacity, callbacks: callbacks, queueOut: &made)
        == noErr)
    return try #require(made)
  }

  @Test func a_buffer_queue_works_through_its_c_functions() throws {
    let queue = try queue(2, CMBufferQueueGetCallbacksForSampleBuffersSortedByOutputPTS())
    #expect(CMBufferQueueIsEmpty(queue) && CMBufferQueueGetHead(queue) == nil)
    let later: any CMBuffer = try sample(7)
    #expect(CMBufferQueueEnqueue(queue, buffer: later) == noErr)
    #expect(CMBufferQueueEnqueue(queue, buffer: try sample(3)) == noErr)
    #expect(
      CMBufferQueueEnqueue(queue, buffer: try sample(5)) == kCMBufferQueueError_QueueIsFull)
    #expect(CMBufferQueueGetBufferCount(queue) == 2 && CMBufferQueueGetDuration(queue) == time(2))
    #expect(CMBufferQueueGetMinPresentationTimeStamp(queue) == time(3))
    #expect(CMBufferQueueGetFirstPresentationTimeStamp(queue) == time(3))
    #expect(CMBufferQueueGetMaxPresentationTimeStamp(queue) == time(7))
    #expect(CMBufferQueueGetEndPresentationTimeStamp(queue) == time(8))
    #expect(!CMBufferQueueGetMinDecodeTimeStamp(queue).isValid)
    #expect(!CMBufferQueueGetFirstDecodeTimeStamp(queue).isValid)
    #expect(CMBufferQueueGetTotalSize(queue) == 0)
    var frames: [CMTime] = []
    #expect(
      CMBufferQueueCallForEachBuffer(
        queue,
        callback: { buffer, _ in
          frames.append((buffer as! CMSampleBuffer).presentationTimeStamp)
          return frames.count == 2 ? 9 : noErr
        }, refcon: nil) == 9)
    #expect(frames == [time(3), time(7)])
    #expect((CMBufferQueueCopyHead(queue) as? CMSampleBuffer)?.presentationTimeStamp == time(3))
    #expect((CMBufferQueueDequeue(queue) as! CMSampleBuffer).presentationTimeStamp == time(3))
    #expect(CMBufferQueueMarkEndOfData(queue) == noErr && CMBufferQueueContainsEndOfData(queue))
    #expect(!CMBufferQueueIsAtEndOfData(queue))
    #expect(CMBufferQueueDequeueIfDataReady(queue) != nil && CMBufferQueueIsAtEndOfData(queue))
    #expect(
      CMBufferQueueEnqueue(queue, buffer: try sample(9))
        == kCMBufferQueueError_EnqueueAfterEndOfData)
    #expect(CMBufferQueueReset(queue) == noErr)
    #expect(CMBufferQueueEnqueue(queue, buffer: try sample(9)) == noErr)
    var count = 0
    #expect(
      CMBufferQueueResetWithCallback(
        queue, callback: { _, refcon in refcon?.assumingMemoryBound(to: Int.self).pointee += 1 },
        refcon: &count) == noErr)
    #expect(count == 1 && CMBufferQueueIsEmpty(queue))
  }

  @Test func a_queue_uses_the_programs_callbacks() throws {
    var weight = 3
    let time: CMBufferGetTimeCallback = { buffer, refcon in
      let weight = refcon?.assumingMemoryBound(to: Int.self).pointee ?? 0
      return CMTime(value: Int64((buffer as! Int) * weight), timescale: 1)
    }
    let isReady: CMBufferGetBooleanCallback = { buffer, _ in buffer as! Int != 4 }
    let compare: CMBufferCompareCallback = { first, second, _ in
      CFComparisonResult(rawValue: ((first as! Int) - (second as! Int)).signum()) ?? .compareEqualTo
    }
    let size: CMBufferGetSizeCallback = { buffer, _ in buffer as! Int }
    try withUnsafeMutablePointer(to: &weight) { weight in
      var callbacks = CMBufferCallbacks(
        version: 1, refcon: weight, getDecodeTimeStamp: time, getPresentationTimeStamp: time,
        getDuration: time, isDataReady: isReady, compare: compare,
        dataBecameReadyNotification: nil, getSize: size)
      let queue = try queue(0, &callbacks)
      for number in [6, 4, 5] { CMBufferQueueEnqueue(queue, buffer: number) }
      #expect(CMBufferQueueGetDuration(queue).seconds == 45 && queue.totalSize == 15)
      #expect(CMBufferQueueGetFirstDecodeTimeStamp(queue).seconds == 12)
      #expect(CMBufferQueueDequeueIfDataReady(queue) == nil)
      #expect(CMBufferQueueDequeue(queue) as? Int == 4)
      #expect(CMBufferQueueDequeueIfDataReady(queue) as? Int == 5)
      // Version 0 has no size callback.
      callbacks.version = 0
      let old = try self.queue(0, &callbacks)
      CMBufferQueueEnqueue(old, buffer: 6)
      #expect(CMBufferQueueGetTotalSize(old) == 0 && old.bufferCount == 1)
      callbacks.version = 2
      var none: CMBufferQueue? = old
      #expect(
        CMBufferQueueCreate(allocator: nil, capacity: 0, callbacks: &callbacks, queueOut: &none)
          == kCMBufferQueueError_InvalidCMBufferCallbacksStruct)
      #expect(none == nil)
    }
  }

  @Test func a_queue_uses_the_programs_handlers() throws {
    let time: CMBufferGetTimeHandler = { CMTime(value: Int64($0 as! Int), timescale: 1) }
    let isReady: CMBufferGetBooleanHandler = { $0 as! Int > 1 }
    let size: CMBufferGetSizeHandler = { _ in 7 }
    let compare: CMBufferCompareHandler = { _, _ in .compareLessThan }
    var handlers = CMBufferHandlers(
      version: 1, getDecodeTimeStamp: nil, getPresentationTimeStamp: time, getDuration: time,
      isDataReady: isReady, compare: compare, dataBecameReadyNotification: nil, getSize: size)
    var made: CMBufferQueue?
    #expect(CMBufferQueueCreateWithHandlers(nil, 0, &handlers, &made) == noErr)
    let queue = try #require(made)
    for number in [1, 2, 3] { CMBufferQueueEnqueue(queue, buffer: number) }
    // `compare` says that each buffer comes before the others, so the last one enqueued comes
    // first.
    #expect(CMBufferQueueDequeue(queue) as? Int == 3)
    #expect(queue.totalSize == 14 && queue.duration.seconds == 3)
    #expect(CMBufferQueueDequeueIfDataReady(queue) as? Int == 2)
    #expect(CMBufferQueueDequeueIfDataReady(queue) == nil && queue.bufferCount == 1)
    handlers.version = 0
    #expect(
      CMBufferQueueCreateWithHandlers(nil, 0, &handlers, &made)
        == kCMBufferQueueError_InvalidCMBufferCallbacksStruct)
    #expect(made == nil)
  }

  @Test func a_validation_callback_refuses_with_its_own_status() throws {
    let queue = try queue(0, CMBufferQueueGetCallbacksForUnsortedSampleBuffers())
    let limit: CMBufferValidationCallback = { queue, _, refcon in
      let most = refcon?.assumingMemoryBound(to: Int.self).pointee ?? 0
      // The callback may query the queue.
      return queue.bufferCount < most ? noErr : -50
    }
    var most = 1
    let (first, second) = (try sample(0), try sample(1))
    withUnsafeMutablePointer(to: &most) { most in
      #expect(CMBufferQueueSetValidationCallback(queue, callback: limit, refcon: most) == noErr)
      #expect(CMBufferQueueEnqueue(queue, buffer: first) == noErr)
      #expect(CMBufferQueueEnqueue(queue, buffer: second) == -50)
    }
    let never: CMBufferValidationHandler = { _, _ in kCMBufferQueueError_InvalidBuffer }
    #expect(CMBufferQueueSetValidationHandler(queue, never) == noErr)
    #expect(
      CMBufferQueueEnqueue(queue, buffer: try sample(1)) == kCMBufferQueueError_InvalidBuffer)
    #expect(throws: CMBufferQueue.Error.self) { try queue.enqueue(try sample(1)) }
    #expect(queue.bufferCount == 1)
  }
}
