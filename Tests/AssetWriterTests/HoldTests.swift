import AssetWriter
import MediaCore
import TestSupport
import Testing

/// A frame that lasts although no other follows.
@Suite(.tags(.judges)) struct HoldTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func time(_ frame: Int) -> MediaTime { MediaTime(value: Int64(frame), timescale: 25) }

  @Test func a_held_frame_is_written_before_the_next_frame_arrives() async throws {
    let path = folder.path("a.mov")
    let writer = try AssetWriter(path: path)
    let video = try writer.inputReceiver(
      for: AssetWriterInput(outputSettings: Recording.settings()))
    try writer.start()
    try writer.startSession(atSourceTime: .zero)
    try video.holdLastFrame(until: time(5))
    for number in 0..<2 { try await video.append(TestMedia.video(number)) }
    for end in [4, 10, 10, 7] { try video.holdLastFrame(until: time(end)) }
    try await eventually("ten frames are written") {
      writer.report.video.first?.framesWritten == 10
    }
    #expect(throws: AssetWriterError.self) { try video.appendImmediately(TestMedia.video(9)) }
    try await video.append(TestMedia.video(12))
    let report = try await writer.finishWriting()
    #expect(report.video.first?.framesWritten == 13)
    #expect(report.video.first?.framesRepeated == 10)
    #expect(report.video.first?.framesTrimmed == 0)
    let packets = try Judges.packetBytes(path)
    #expect(packets.count == 13)
    #expect(packets[1...11].allSatisfy { $0 == packets[1] })
    #expect(packets[12] != packets[1])
    #expect(try Judges.strictDecode(path).isEmpty)
  }

  @Test func a_take_may_end_with_a_held_frame() async throws {
    let path = folder.path("a.mov")
    let writer = try AssetWriter(path: path)
    let video = try writer.inputReceiver(
      for: AssetWriterInput(outputSettings: Recording.settings()))
    try writer.start()
    try writer.startSession(atSourceTime: .zero)
    try await video.append(TestMedia.video(0))
    try video.holdLastFrame(until: time(6))
    let report = try await writer.finishWriting()
    #expect(report.video.first?.framesWritten == 6)
    #expect(try Judges.packetBytes(path).count == 6)
    #expect(try Judges.strictDecode(path).isEmpty)
  }
}
