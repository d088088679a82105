import CVideo4Linux
import Foundation
import MediaCore
import Testing

@testable import CaptureDevices

/// Devices that deliver a frame's fields one by one, with the fake kernel.
@Suite struct V4L2FieldTests {
  private static let top = V4L2_FIELD_TOP
  private static let bottom = V4L2_FIELD_BOTTOM

  /// A device of 64x32 frames at 25 fps, one field in each buffer, with the field order of 525
  /// lines.
  private func device() -> FakeKernel {
    var device = FakeDevice()
    device.field = V4L2_FIELD_ALTERNATE.rawValue
    device.height = 16
    device.sizes = .none
    return FakeKernel(["/dev/video0": device])
  }

  private func record(
    _ kernel: FakeKernel, buffers: Int = 3, holds: Int = 0, keeping: Int = 0
  ) throws -> Recording {
    let driver = try V4L2DeviceDriver(identifier: "/dev/video0", calls: kernel)
    let format = try #require(try driver.formats().first)
    #expect(format.dimensions == VideoDimensions(width: 64, height: 32))
    #expect(format.video?.fieldOrder == .bottomFieldFirst)
    return try driver.record(format, buffers: buffers, holds: holds, keeping: keeping)
  }

  /// Fills a buffer with one field, 20 ms after the previous one.
  private func fill(
    _ kernel: FakeKernel, _ sequence: UInt32, _ field: v4l2_field,
    flags: Int32 = V4L2_BUF_FLAG_TIMESTAMP_MONOTONIC, after milliseconds: Int64 = 20
  ) throws {
    _ = try Guest.wait(for: "a free buffer") {
      kernel.read { !$0.queued.isEmpty } == true ? 1 : nil
    }
    #expect(kernel.fill(sequence, flags: flags, field: field, after: milliseconds))
  }

  @Test func two_fields_are_interleaved_into_a_frame() throws {
    let kernel = device()
    do {
      let recording = try record(kernel, keeping: 1)
      for number in 0..<3 as Range<UInt32> {
        try fill(kernel, number, Self.bottom)
        try fill(kernel, number, Self.top)
      }
      let frames = try recording.frames(3)
      recording.stream.stop()
      #expect(frames.compactMap(\.sequence) == [0, 1, 2])
      #expect(frames.allSatisfy { !$0.isDamaged && $0.details.height == 32 })
      #expect(frames.allSatisfy { $0.details.fieldOrder == .bottomFieldFirst })
      #expect(recording.lost == 0)
      #expect(zip(frames, frames.dropFirst()).allSatisfy { ($1.time - $0.time).seconds == 0.04 })
      // The fake fills buffer n with bytes n: the first buffer was the bottom field.
      let rows = stride(from: 0, to: recording.bytes.count, by: 128).map { recording.bytes[$0] }
      #expect(rows == (0..<32).map { $0 % 2 == 0 ? 1 : 0 })
    }
    #expect(kernel.leaks == (0, 0))
  }

  @Test func field_buffers_are_returned_immediately() throws {
    let kernel = device()
    let recording = try record(kernel, holds: 3)
    let granted = try #require(kernel.read { $0.queued.count })
    #expect(granted == 6, "two for each frame")
    for number in 0..<3 as Range<UInt32> {
      try fill(kernel, number, Self.bottom)
      try fill(kernel, number, Self.top)
    }
    try recording.frames(3)
    #expect(kernel.read { $0.queued.count } == granted)
    recording.releaseFrames()
    recording.stream.stop()
  }

  @Test func missing_fields_damage_frames_and_missing_pairs_are_losses() throws {
    let kernel = device()
    let recording = try record(kernel, keeping: 5)
    try fill(kernel, 0, Self.bottom)
    try fill(kernel, 0, Self.top)
    // 1: the second field is missing; 2: the first; 3: both.
    try fill(kernel, 1, Self.bottom)
    try fill(kernel, 2, Self.top, after: 60)
    try fill(kernel, 4, Self.bottom, after: 60)
    try fill(kernel, 4, Self.top)
    let frames = try recording.frames(4)
    recording.stream.stop()
    #expect(frames.compactMap(\.sequence) == [0, 1, 2, 4])
    #expect(frames.map(\.isDamaged) == [false, true, true, false])
    #expect(recording.losses.map(\.count) == [1])
    #expect(recording.losses.first?.reason == .deviceSequenceGap)
    #expect(recording.stream.statistics.damaged == 2)
    // The field that came fills both.
    let frame = recording.bytes.dropFirst(64 * 2 * 32).prefix(64 * 2 * 32)
    #expect(Set(frame).count == 1)
  }

  @Test func a_damaged_field_damages_its_frame() throws {
    let kernel = device()
    let recording = try record(kernel)
    let flagged = V4L2_BUF_FLAG_TIMESTAMP_MONOTONIC | V4L2_BUF_FLAG_ERROR
    try fill(kernel, 0, Self.bottom)
    try fill(kernel, 0, Self.top, flags: flagged)
    try fill(kernel, 1, Self.bottom)
    try fill(kernel, 1, Self.top)
    let frames = try recording.frames(2)
    recording.stream.stop()
    #expect(frames.map(\.isDamaged) == [true, false])
  }

  @Test func fields_numbered_individually_are_not_counted_as_losses() throws {
    let kernel = device()
    let recording = try record(kernel)
    for number in 0..<4 as Range<UInt32> {
      try fill(kernel, 10 + 2 * number, Self.bottom)
      try fill(kernel, 11 + 2 * number, Self.top)
    }
    let frames = try recording.frames(4)
    recording.stream.stop()
    #expect(recording.lost == 0, "\(frames.map(\.sequence))")
    #expect(frames.allSatisfy { !$0.isDamaged })
  }

  @Test(arguments: [0, 1] as [UInt32])
  func a_second_field_alone_gets_its_frames_number_and_time(before: UInt32) throws {
    let kernel = device()
    let recording = try record(kernel)
    // Fields are numbered one by one; the stream begins with the second or the first field of a
    // frame.
    for number in before..<4 { try fill(kernel, number, number % 2 == 0 ? Self.top : Self.bottom) }
    try fill(kernel, 4, Self.top)
    // 5 is missing.
    try fill(kernel, 6, Self.top, after: 40)
    for number in 7..<11 as Range<UInt32> {
      try fill(kernel, number, number % 2 == 0 ? Self.top : Self.bottom)
    }
    let half = before == 0 ? 1 : 0
    let frames = try recording.frames(half + 5)
    recording.stream.stop()
    let numbers = frames.compactMap(\.sequence)
    #expect(zip(numbers.dropFirst(), numbers).allSatisfy { $0 == $1 + 1 }, "\(numbers)")
    #expect(frames.map(\.isDamaged).suffix(3) == [true, false, false])
    // Half a frame at the device's rate is shorter than the 20 ms between these fields.
    let times = frames.map(\.time.seconds)
    #expect(zip(times, times.dropFirst()).allSatisfy { abs($1 - $0 - 0.04) < 0.005 }, "\(times)")
    #expect(recording.lost == 0 && recording.stream.statistics.sequenceRestarts == 0)
  }

  @Test func a_stream_that_begins_with_a_second_field_is_paired_correctly() throws {
    let kernel = device()
    let recording = try record(kernel)
    for number in 0..<4 as Range<UInt32> {
      try fill(kernel, number, Self.top)
      try fill(kernel, number, Self.bottom)
    }
    // The first field is half a frame; after it, bottom and top fields form pairs.
    let frames = try recording.frames(4)
    recording.stream.stop()
    #expect(frames.map(\.isDamaged) == [true, false, false, false])
    #expect(recording.lost == 0)
  }

  @Test func losses_from_held_frames_are_reported_as_out_of_buffers() throws {
    let kernel = device()
    let recording = try record(kernel, buffers: 2, holds: 100)
    // One frame for two fields.
    let room = try #require(kernel.read { $0.queued.count }) / 2
    #expect(room == 2)
    for number in 0..<UInt32(room + 2) {
      try fill(kernel, number, Self.bottom)
      try fill(kernel, number, Self.top)
      _ = try Guest.wait(for: "the fields") { kernel.read { $0.filled.isEmpty } == true ? 1 : nil }
    }
    _ = try Guest.wait(for: "the losses") { recording.lost == 2 ? true : nil }
    #expect(recording.losses.allSatisfy { $0.reason == .outOfBuffers })
    #expect(recording.frames.count == room)
    recording.releaseFrames()
    recording.stream.stop()
  }

  @Test func a_field_of_unknown_parity_is_reported_as_lost() throws {
    let kernel = device()
    let recording = try record(kernel)
    try fill(kernel, 0, V4L2_FIELD_NONE)
    try fill(kernel, 1, Self.bottom)
    try fill(kernel, 1, Self.top)
    try recording.frames(1)
    recording.stream.stop()
    #expect(recording.losses.first?.reason == .deviceError)
  }

  /// A loopback's writer overwrites buffers that its reader still holds.
  @Test func a_loopbacks_frames_are_copied() throws {
    var device = FakeDevice()
    device.driver = "v4l2 loopback"
    let kernel = FakeKernel(["/dev/video0": device])
    do {
      let driver = try V4L2DeviceDriver(identifier: "/dev/video0", calls: kernel)
      let format = try #require(try driver.formats().first)
      let recording = try driver.record(format, buffers: 3, holds: 3)
      for number in 0..<3 as Range<UInt32> { #expect(kernel.fill(number)) }
      try recording.frames(3)
      _ = try Guest.wait(for: "the buffers") { kernel.read { $0.queued.count } == 3 ? true : nil }
      let bytes = recording.held.compactMap {
        $0.imageBuffer?.withUnsafeBytes(ofPlane: 0) { $0[0] }
      }
      #expect(bytes == [0, 1, 2])
      recording.releaseFrames()
      recording.stream.stop()
    }
    #expect(kernel.leaks == (0, 0))
  }
}
