import Foundation
import MediaCore
import Monitor
import Synchronization
import TestSupport
import Testing

@testable import RecorderControl
@testable import RecorderService

/// Preview frames as JPEG and as messages.
struct FrameTests {
  /// A frame of one color, given as 10-bit codes.
  private func picture(_ y: UInt16, _ cb: UInt16, _ cr: UInt16) throws -> PreviewFrame {
    try PreviewFrame(
      width: 64, height: 36, color: .bt709,
      sourceDimensions: VideoDimensions(width: 1920, height: 1080),
      luma: Array(repeating: y, count: 64 * 36), cb: Array(repeating: cb, count: 32 * 36),
      cr: Array(repeating: cr, count: 32 * 36))
  }

  // 75 % bars as 10-bit BT.709 codes, and the RGB values in full-range 8 bits.
  @Test(arguments: [
    ([940, 512, 512], [255, 255, 255]), ([64, 512, 512], [0, 0, 0]),
    ([674, 176, 543], [191, 191, 0]), ([581, 589, 176], [0, 191, 191]),
    ([204, 435, 848], [191, 0, 0]), ([111, 848, 481], [0, 0, 191]),
  ])
  func jpeg_colors_match_the_video(codes: [UInt16], wanted: [Double]) throws {
    let planes = JPEGPlanes(try picture(codes[0], codes[1], codes[2]))
    // JFIF's conversion to RGB.
    let (y, b, r) = (
      Double(planes.luma[0]), Double(planes.cb[0]) - 128, Double(planes.cr[0]) - 128
    )
    let rgb = [y + 1.402 * r, y - 0.344136 * b - 0.714136 * r, y + 1.772 * b]
    for (found, wanted) in zip(rgb, wanted) { #expect(abs(found - wanted) <= 3, "\(rgb)") }
  }

  @Test(.tags(.judges), .enabled(if: Judges.arePresent, Judges.absence))
  func another_decoder_reads_the_jpeg() throws {
    let folder = try TemporaryFolder()
    let file = try folder.write(
      try JPEGEncoder.encode(try picture(204, 435, 848), quality: 90), "red.jpg")
    let pixels = try Judges.ffmpeg([
      "-i", file.path, "-f", "rawvideo", "-pix_fmt", "rgb24", "-",
    ])
    #expect(pixels.count == 64 * 36 * 3)
    #expect(pixels[0] > 180 && pixels[1] < 12 && pixels[2] < 12)
  }

  @Test func scope_maps_are_compressed_as_zlib_data() throws {
    let bytes = [UInt8](repeating: 7, count: 80_000)
    let packed = try #require(Deflate.pack(bytes))
    #expect(packed.count < 1000 && packed.first == 0x78)
  }

  /// A frame as received from a recorder.
  private func received(_ preview: PreviewFrame, number: Int = 1) throws -> MonitorFrame {
    let parcel = FrameParcel(preview, nil, number: number, timecode: nil, captureTime: 0)
    let line = try #require(parcel.parts(for: [])).line
    let event = try JSONDecoder().decode(RecorderEvent.self, from: Data(line))
    return MonitorFrame(header: try #require(event.picture), bytes: preview.bytes)
  }

  @Test(.timeLimit(.minutes(5)))
  func a_snapshot_that_times_out_does_not_fail_another_one() async throws {
    let folder = try TemporaryFolder()
    let server = try ControlServer(path: folder.path("a.socket"), recorder: StubRecorder())
    defer { server.stop() }
    let client = try ControlClient(path: folder.path("a.socket"))
    let hub = FrameHub()
    async let patient = hub.snapshot(within: 1000)
    try await eventually("it waits") { await hub.snapshotCount == 1 }
    #expect(await hub.snapshot(within: 0.01) == nil)
    #expect(await hub.snapshotCount == 1)
    await hub.take(try received(picture(940, 512, 512)), from: client)
    #expect(await patient?.isEmpty == false)
    client.close()
  }

  /// Records the addresses of the messages sent to viewers.
  private final class Mailbox: Sendable {
    private let messages = Mutex<[[UInt8]]>([])

    func put(_ message: FrameHub.Message) {
      switch message {
      case .picture(let bytes), .levels(let bytes): messages.withLock { $0.append(bytes) }
      }
    }

    var count: Int { messages.withLock { $0.count } }
    var places: Set<UnsafeRawPointer?> {
      messages.withLock { Set($0.map { $0.withUnsafeBytes(\.baseAddress) }) }
    }
  }

  @Test(.timeLimit(.minutes(5)))
  func a_viewer_does_not_get_a_stale_picture() async throws {
    let folder = try TemporaryFolder()
    let server = try ControlServer(path: folder.path("a.socket"), recorder: StubRecorder())
    defer { server.stop() }
    let client = try ControlClient(path: folder.path("a.socket"))
    let now = Mutex<Int64>(1_000_000_000)
    let hub = FrameHub { now.withLock { $0 } }
    await hub.take(try received(picture(940, 512, 512)), from: client)
    let (early, late) = (Mailbox(), Mailbox())
    _ = await hub.add(.init()) { early.put($0) }
    // The signal is lost, and no frame arrives for a minute.
    now.withLock { $0 += 60_000_000_000 }
    _ = await hub.add(.init()) { late.put($0) }
    #expect(early.count == 1 && late.count == 0)
    await hub.take(try received(picture(64, 512, 512), number: 2), from: client)
    #expect(late.count == 1)
    client.close()
  }

  @Test(.timeLimit(.minutes(5)))
  func viewers_with_the_same_wishes_share_one_message() async throws {
    let folder = try TemporaryFolder()
    let server = try ControlServer(path: folder.path("a.socket"), recorder: StubRecorder())
    defer { server.stop() }
    let client = try ControlClient(path: folder.path("a.socket"))
    let hub = FrameHub()
    let (levels, frames) = (Mailbox(), Mailbox())
    for _ in 0..<3 {
      _ = await hub.add(.init()) { message in
        if case .levels = message { levels.put(message) } else { frames.put(message) }
      }
    }
    await hub.tell(levels: [.init(peak: -20)], loudness: nil)
    await hub.take(try received(picture(940, 512, 512)), from: client)
    #expect(levels.count == 3 && levels.places.count == 1)
    #expect(frames.count == 3 && frames.places.count == 1)
    client.close()
  }

  /// A recorder that sends no frames.
  private final class BlindRecorder: SteeredRecorder {
    let asked = Mutex(0)
    let status = StubRecorder().status

    func perform(_ command: RecorderCommand, reply: @escaping @Sendable (RecorderReply) -> Void) {
      asked.withLock { $0 += 1 }
      reply(RecorderReply(ControlError(.unknownCommand, "there is no camera")))
    }

    func observe(_ observer: (@Sendable (RecorderEvent) -> Void)?) {}
  }

  @Test func the_reason_for_missing_pictures_is_reported_once() async throws {
    let folder = try TemporaryFolder()
    let recorder = BlindRecorder()
    let server = try ControlServer(path: folder.path("r.socket"), recorder: recorder)
    defer { server.stop() }
    let reported = Mutex<[String]>([])
    let hub = FrameHub()
    let client = try ControlClient(path: folder.path("r.socket"))
    await hub.connect(client, failed: { text in reported.withLock { $0.append(text) } }) {}
    let viewer = try #require(await hub.add(.init()) { _ in })
    let words = ["no frames for viewers: there is no camera"]
    try await eventually("it is reported") { reported.withLock { $0 } == words }
    await hub.change(viewer, .init(pictureRate: 1))
    try await eventually("it is asked again") { recorder.asked.withLock { $0 } == 2 }
    _ = try await client.send(.status)
    #expect(reported.withLock { $0 } == words)
    await hub.remove(viewer)
  }
}
