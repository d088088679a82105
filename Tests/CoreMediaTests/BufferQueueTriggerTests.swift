import AVFoundationCompat
import Synchronization
import TestSupport
import Testing

/// Triggers of queues: their conditions, when they are called, and what they must not do.
@Suite struct BufferQueueTriggerTests {
  private let queue: CMBufferQueue
  private let frame: CVPixelBuffer

  init() throws {
    queue = try CMBufferQueue(capacity: 0, handlers: .unsortedSampleBuffers)
    frame = try MutablePixelBuffer(.init(format: .uyvy, width: 16, height: 16)).finish()
  }

  private func time(_ frame: Int) -> CMTime { CMTime(value: Int64(frame), timescale: 25) }

  private func enqueue(_ frames: Int...) throws {
    for frame in frames {
      try queue.enqueue(
        CMSampleBuffer(
          .video(self.frame), presentationTimeStamp: time(frame), duration: time(1)))
    }
  }

  /// How often a trigger was called.
  private final class Count: Sendable {
    private let count = Atomic(0)
    var value: Int { count.load(ordering: .relaxed) }
    func add() { count.add(1, ordering: .relaxed) }
  }

  private func count(_ condition: CMBufferQueue.TriggerCondition) throws -> Count {
    let count = Count()
    try queue.installTrigger(condition: condition) { _ in count.add() }
    return count
  }

  @Test func a_trigger_fires_only_when_its_condition_becomes_true() throws {
    let full = try count(.whenDurationBecomesGreaterThanOrEqualTo(time(2)))
    let over = try count(.whenDurationBecomesGreaterThan(time(2)))
    let short = try count(.whenDurationBecomesLessThan(time(1)))
    let low = try count(.whenDurationBecomesLessThanOrEqualTo(time(1)))
    // Already true.
    #expect([full, over, short, low].map(\.value) == [0, 0, 1, 1])
    try enqueue(0, 1)
    #expect([full, over, short, low].map(\.value) == [1, 0, 1, 1])
    try enqueue(2, 3)
    #expect([full, over, short, low].map(\.value) == [1, 1, 1, 1])
    for _ in 0..<3 { _ = queue.dequeue() }
    #expect([full, over, short, low].map(\.value) == [1, 1, 1, 2])
    _ = queue.dequeue()
    #expect([full, over, short, low].map(\.value) == [1, 1, 2, 2])
    try enqueue(4, 5)
    #expect([full, over, short, low].map(\.value) == [2, 1, 2, 2])
  }

  @Test func triggers_report_counts_times_end_of_data_and_resets() throws {
    let many = try count(.whenBufferCountBecomesGreaterThan(1))
    let few = try count(.whenBufferCountBecomesLessThan(1))
    let first = try count(.whenMinPresentationTimeStampChanges)
    let last = try count(.whenMaxPresentationTimeStampChanges)
    let ready = try count(.whenDataBecomesReady)
    let end = try count(.whenEndOfDataReached)
    let reset = try count(.whenReset)
    let all = [many, few, first, last, ready, end, reset]
    #expect(all.map(\.value) == [0, 1, 0, 0, 0, 0, 0])
    try enqueue(3)
    #expect(all.map(\.value) == [0, 1, 1, 1, 1, 0, 0])
    try enqueue(5)
    #expect(all.map(\.value) == [1, 1, 1, 2, 1, 0, 0])
    try queue.markEndOfData()
    _ = queue.dequeue()
    #expect(all.map(\.value) == [1, 1, 2, 2, 1, 0, 0])
    _ = queue.dequeue()
    #expect(all.map(\.value) == [1, 2, 3, 3, 1, 1, 0])
    try queue.reset()
    #expect(all.map(\.value) == [1, 2, 3, 3, 1, 1, 1])
    try queue.reset()
    #expect(reset.value == 2)
  }

  @Test func a_notification_fires_the_data_ready_trigger() throws {
    final class Media: Sendable {
      let isReady = Atomic(false)
    }
    let name = "BufferQueueTriggerTests.ready"
    let own = try CMBufferQueue(
      capacity: 0,
      handlers: CMBufferQueue.Handlers {
        $0.getDuration { _ in .zero }
        $0.isDataReady { ($0 as! Media).isReady.load(ordering: .relaxed) }
        $0.dataBecameReadyNotification = name
      })
    let count = Count()
    let token = try own.installTrigger(condition: .whenDataBecomesReady) { _ in count.add() }
    let media = Media()
    try own.enqueue(media)
    #expect(count.value == 0 && !own.testTrigger(token) && own.dequeueIfDataReady() == nil)
    media.isReady.store(true, ordering: .relaxed)
    NotificationCenter.default.post(name: Notification.Name(name), object: media)
    #expect(count.value == 1 && own.testTrigger(token))
    #expect(own.dequeueIfDataReady() as? Media === media && !own.testTrigger(token))
  }

  @Test func a_trigger_may_query_but_not_modify_the_queue() throws {
    try enqueue(0)
    let seen = Mutex<[String]>([])
    try queue.installTrigger(condition: .whenBufferCountBecomesGreaterThan(1)) {
      [queue, frame] _ in
      let refused = Result {
        try queue.enqueue(CMSampleBuffer(.video(frame), presentationTimeStamp: .zero))
      }
      seen.withLock { $0.append("\(queue.bufferCount)") }
      if case .failure(let error) = refused,
        case CMBufferQueue.Error.cannotModifyQueueFromTriggerCallback = error
      {
        seen.withLock { $0.append("refused") }
      }
      seen.withLock { $0.append(queue.dequeue() == nil ? "nothing" : "something") }
      if CMBufferQueueReset(queue) == kCMBufferQueueError_CannotModifyQueueFromTriggerCallback {
        seen.withLock { $0.append("kept") }
      }
    }
    try enqueue(1)
    #expect(seen.withLock { $0 } == ["2", "refused", "nothing", "kept"])
    // The queue works again once the trigger has returned.
    #expect(queue.dequeue() != nil && queue.bufferCount == 1)
  }

  @Test func a_trigger_is_removed_by_its_token() throws {
    let count = Count()
    let token: CMBufferQueue.TriggerToken = try queue.installTrigger(
      condition: .whenBufferCountBecomesGreaterThan(0)
    ) { _ in count.add() }
    try enqueue(0)
    #expect(count.value == 1 && queue.testTrigger(token))
    try queue.removeTrigger(token)
    #expect(!queue.testTrigger(token))
    try queue.reset()
    try enqueue(0)
    #expect(count.value == 1)
    #expect(throws: CMBufferQueue.Error.invalidTriggerToken) { try queue.removeTrigger(token) }
    let other = try CMBufferQueue(handlers: .unsortedSampleBuffers)
    let foreign = try other.installTrigger(condition: .whenReset)
    #expect(throws: CMBufferQueue.Error.invalidTriggerToken) { try queue.removeTrigger(foreign) }
    #expect(throws: CMBufferQueue.Error.badTriggerDuration) {
      try queue.installTrigger(condition: .whenDurationBecomesLessThan(.indefinite))
    }
  }

  @Test func a_trigger_removed_by_another_trigger_is_not_called() throws {
    let count = Count()
    var second: CMBufferQueue.TriggerToken?
    try queue.installTrigger(condition: .whenBufferCountBecomesGreaterThan(0)) { [queue] _ in
      if let second { try? queue.removeTrigger(second) }
    }
    second = try queue.installTrigger(condition: .whenBufferCountBecomesGreaterThan(0)) { _ in
      count.add()
    }
    try enqueue(0)
    #expect(count.value == 0)
  }

  @Test func triggers_are_installed_and_tested_through_c_functions() throws {
    let callback: CMBufferQueueTriggerCallback = { refcon, _ in
      refcon?.assumingMemoryBound(to: Int.self).pointee += 1
    }
    let calls = UnsafeMutablePointer<Int>.allocate(capacity: 1)
    calls.initialize(to: 0)
    defer { calls.deallocate() }
    var token: CMBufferQueueTriggerToken?
    let condition: CMBufferQueueTriggerCondition =
      kCMBufferQueueTrigger_WhenDurationBecomesGreaterThanOrEqualTo
    #expect(
      CMBufferQueueInstallTrigger(
        queue, callback: callback, refcon: calls, condition: condition, time: time(1),
        triggerTokenOut: &token) == noErr)
    let duration = try #require(token)
    #expect(
      CMBufferQueueInstallTriggerWithIntegerThreshold(
        queue, callback: callback, refcon: calls,
        condition: kCMBufferQueueTrigger_WhenBufferCountBecomesGreaterThan, threshold: 1,
        triggerTokenOut: nil) == noErr)
    #expect(!CMBufferQueueTestTrigger(queue, triggerToken: duration) && calls.pointee == 0)
    try enqueue(0)
    #expect(CMBufferQueueTestTrigger(queue, triggerToken: duration) && calls.pointee == 1)
    try enqueue(1)
    #expect(calls.pointee == 2)
    #expect(CMBufferQueueRemoveTrigger(queue, triggerToken: duration) == noErr)
    #expect(
      CMBufferQueueRemoveTrigger(queue, triggerToken: duration)
        == kCMBufferQueueError_InvalidTriggerToken)
    // The token is set before the function is called, which here is immediately.
    let place = UnsafeMutablePointer<CMBufferQueueTriggerToken?>.allocate(capacity: 1)
    place.initialize(to: nil)
    defer { place.deallocate() }
    let isKnown = Count()
    let handler: CMBufferQueueTriggerHandler = { if place.pointee == $0 { isKnown.add() } }
    #expect(
      CMBufferQueueInstallTriggerHandlerWithIntegerThreshold(
        queue, kCMBufferQueueTrigger_WhenBufferCountBecomesLessThan, 5, place, handler) == noErr)
    #expect(isKnown.value == 1)
  }

  @Test func meaningless_trigger_conditions_are_refused() throws {
    var token: CMBufferQueueTriggerToken?
    func install(_ condition: CMBufferQueueTriggerCondition, _ time: CMTime) -> OSStatus {
      CMBufferQueueInstallTriggerHandler(queue, condition, time, &token, nil)
    }
    func install(_ condition: CMBufferQueueTriggerCondition) -> OSStatus {
      CMBufferQueueInstallTriggerHandlerWithIntegerThreshold(queue, condition, 1, &token, nil)
    }
    let lengths = [
      kCMBufferQueueTrigger_WhenDurationBecomesLessThan,
      kCMBufferQueueTrigger_WhenDurationBecomesLessThanOrEqualTo,
      kCMBufferQueueTrigger_WhenDurationBecomesGreaterThan,
      kCMBufferQueueTrigger_WhenDurationBecomesGreaterThanOrEqualTo,
    ]
    let events = [
      kCMBufferQueueTrigger_WhenMinPresentationTimeStampChanges,
      kCMBufferQueueTrigger_WhenMaxPresentationTimeStampChanges,
      kCMBufferQueueTrigger_WhenDataBecomesReady, kCMBufferQueueTrigger_WhenEndOfDataReached,
      kCMBufferQueueTrigger_WhenReset,
    ]
    let counts = [
      kCMBufferQueueTrigger_WhenBufferCountBecomesLessThan,
      kCMBufferQueueTrigger_WhenBufferCountBecomesGreaterThan,
    ]
    #expect(lengths + events + counts == Array(1...11))
    for condition in lengths {
      #expect(install(condition, .positiveInfinity) == kCMBufferQueueError_BadTriggerDuration)
      #expect(token == nil && install(condition, .zero) == noErr)
      token = nil
    }
    for condition in events { #expect(install(condition, .invalid) == noErr) }
    for condition in counts {
      #expect(install(condition, .zero) == kCMBufferQueueError_InvalidTriggerCondition)
      #expect(install(condition) == noErr)
    }
    for condition in lengths + events + [0, 99] {
      #expect(install(condition) == kCMBufferQueueError_InvalidTriggerCondition)
    }
    #expect(
      CMBufferQueueInstallTriggerHandler(
        queue, kCMBufferQueueTrigger_WhenReset, .invalid, nil, nil)
        == kCMBufferQueueError_RequiredParameterMissing)
  }
}
