import Testing

@testable import AssetWriter

/// Which frames may be in flight, and which are released.
@Suite struct FramesInFlightTests {
  private let pool = EncodedFrame.Pool()

  private func frame(_ index: Int64, bytes: Int = 100) -> EncodedFrame {
    let frame = pool.makeFrame(index: index)
    frame.fill(capacity: bytes) { _ in bytes }
    return frame
  }

  private func queue(
    _ slots: ClosedRange<Int64>, encoded: Int = 0, depth: Int = 4, frames: Int = 3
  ) -> FramesInFlight {
    var queue = FramesInFlight(depth: depth, encoderDepth: frames)
    for slot in slots { queue.append(.init(slot: slot, slots: 1, origin: slot * 1000)) }
    for number in 0..<encoded { #expect(queue.receive(frame(Int64(number))) != nil) }
    return queue
  }

  @Test func the_queue_limits_unencoded_frames_and_all_frames() {
    #expect(!queue(0...1).isFull)
    #expect(queue(0...2).isFull)
    #expect(!queue(0...2, encoded: 1).isFull)
    #expect(queue(0...3, encoded: 2).isFull)
  }

  @Test func waiting_frames_keep_their_origin_and_byte_count() {
    var queue = queue(7...8)
    #expect(queue.receive(frame(0)) == 7000)
    #expect(queue.receive(frame(1, bytes: 50)) == 8000)
    #expect(queue.encodedBytes == 150 && queue.encodedMemory >= 150)
    #expect(queue.popFirst()?.slot == 7)
    #expect(queue.encodedBytes == 50)
    #expect(queue.popFirst()?.slot == 8)
    #expect(queue.popFirst() == nil)
    #expect(queue.encodedBytes == 0 && queue.encodedMemory == 0)
  }

  @Test func a_frame_carried_over_a_split_keeps_its_remaining_slots() {
    var queue = FramesInFlight(depth: 4, encoderDepth: 4)
    queue.append(.init(slot: 10, slots: 5, origin: 1))
    _ = queue.receive(frame(0))
    #expect(queue.carryFirst(to: 13)?.isCarried == false)
    #expect(queue.first?.slot == 13 && queue.first?.slots == 2)
    #expect(queue.first?.isCarried == true)
    #expect(queue.encodedCount == 1)
  }

  @Test func encoded_pre_roll_frames_take_no_room_in_the_queue() {
    var queue = queue(0...9, encoded: 9)
    #expect(queue.isFull)
    queue.hold()
    #expect(!queue.isFull && queue.occupied == 1)
    queue.drop(before: 4)
    #expect(queue.first?.slot == 4)
    #expect(queue.beginTake(at: 6) == 6)
    #expect(queue.count == 4 && queue.encodedCount == 3 && !queue.isFull)
    #expect(queue.occupied == 1, "the reported queue length stays within the limit")
    for slot in 10...12 { queue.append(.init(slot: Int64(slot), slots: 1, origin: 0)) }
    _ = queue.receive(frame(20))
    _ = queue.receive(frame(21))
    #expect(queue.isFull)
    #expect(queue.popFirst() != nil)
    #expect(queue.isFull, "a written pre-roll frame frees no room for new frames")
  }

  @Test func frames_encoded_from_before_the_take_are_discarded() {
    var queue = queue(0...3)
    #expect(queue.beginTake(at: 2) == 2)
    #expect(queue.count == 2)
    for number in 0...1 { #expect(queue.receive(frame(Int64(number))) == nil) }
    #expect(queue.encodedCount == 0)
    #expect(queue.receive(frame(2)) == 2000)
  }

  @Test func discarded_frames_free_their_room_and_stay_discarded() {
    var queue = queue(0...3, encoded: 1)
    queue.hold()
    queue.forget()
    #expect(queue.isEmpty && queue.encodedCount == 0)
    #expect(queue.encodedBytes == 0 && queue.encodedMemory == 0)
    queue.append(.init(slot: 9, slots: 1, origin: 9000))
    for number in 1...3 { #expect(queue.receive(frame(Int64(number))) == nil) }
    #expect(queue.receive(frame(4)) == 9000)
    #expect(queue.beginTake(at: 9) == 9 && queue.count == 1)
  }

  @Test func a_take_that_begins_in_a_gap_starts_with_the_frame_before() {
    var queue = FramesInFlight(depth: 4, encoderDepth: 4)
    queue.append(.init(slot: 0, slots: 1, origin: 0))
    queue.append(.init(slot: 5, slots: 1, origin: 0))
    _ = queue.receive(frame(0))
    #expect(queue.beginTake(at: 3) == 3)
    #expect(queue.first?.slot == 3 && queue.secondSlot == 5)
  }

  @Test func a_frame_has_arrived_once_all_its_copies_have() {
    var arrivals = FileArrivals()
    arrivals.append(origin: 1, copies: 1)
    arrivals.append(origin: nil, copies: 2)
    arrivals.append(origin: 3, copies: 3)
    var arrived: [Int64] = []
    arrivals.settle(waiting: 4) { arrived.append($0) }
    #expect(arrived == [1])
    arrivals.settle(waiting: 1) { arrived.append($0) }
    #expect(arrived == [1])
    arrivals.settle(waiting: 0) { arrived.append($0) }
    #expect(arrived == [1, 3])
  }
}
