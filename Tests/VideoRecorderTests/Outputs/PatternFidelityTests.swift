import CaptureTestSupport
import Foundation
import MediaCore
import Synchronization
import TestSupport
import Testing

@testable import CaptureDevices
@testable import TestPattern
@testable import VideoRecorder

/// A recorded pattern as decoded by ffmpeg, compared with the generator's frames.
@Suite(.timeLimit(.minutes(20)))
struct PatternFidelityTests {
  /// Keeps the frames on their way to the movie, on the thread that delivers them.
  private final class Tap: CaptureOutput, @unchecked Sendable {
    let movie: CaptureMovieFileOutput
    private let kept = Mutex<[String: PlainFrame]>([:])

    init(besides movie: CaptureMovieFileOutput) {
      self.movie = movie
      super.init()
    }

    override func connectionLimit(for mediaType: MediaType) -> Int { mediaType == .video ? 1 : 0 }

    override func receive(_ event: CaptureEvent, from connection: CaptureConnection) {
      guard case .sample(let sample) = event, let frame = sample.imageBuffer,
        let timecode = sample.attachments.timecode, let plain = try? PlainFrame(frame)
      else { return }
      kept.withLock { $0[timecode.description] = plain }
    }

    func frame(at timecode: Timecode) -> PlainFrame? {
      kept.withLock { $0[timecode.description] }
    }
  }

  static let frameCount = 2
  private let width = 1280
  private let height = 720

  /// Records in HQ, and pairs each decoded frame with its original.
  private func record(
    _ kind: PatternKind
  ) async throws -> [(original: PlainFrame, decoded: PlainFrame)] {
    let folder = try TemporaryFolder()
    let device = try CaptureDevice.device(identifier: "pattern:\(kind)?pace=none")
    let criteria = FormatCriteria(
      dimensions: VideoDimensions(width: width, height: height), frameRate: .fps25)
    let format = try device.findFormat(where: criteria)
    try device.configure { device throws(CaptureError) in
      try device.setActiveFormat(format)
      try device.setActiveFrameRate(.fps25)
    }
    let session = CaptureSession()
    let movie = CaptureMovieFileOutput()
    movie.maxRecordedFrameCount = Self.frameCount
    let tap = Tap(besides: movie)
    try session.add(CaptureDeviceInput(device: device))
    try session.add(movie)
    try session.add(tap)
    try await session.start()
    let take = folder.url("take.mov")
    let report = try await movie.record(to: take)
    await session.stop()
    #expect(report.movie.codec == "apch" && report.outcome == .complete)
    let bytes = try Judges.ffmpeg([
      "-i", take.path, "-f", "rawvideo", "-pix_fmt", "yuv422p10le", "-",
    ])
    let text = try #require(report.movie.startTimecode)
    let start = try #require(Timecode(text, frameRate: .fps25))
    #expect(bytes.count == Self.frameCount * width * height * 4)
    return try (0..<Self.frameCount).map { index in
      var decoded = try #require(tap.frame(at: start.advanced(by: Int64(index))))
      let original = decoded
      var offset = index * width * height * 4
      for plane in 0..<3 {
        let count = decoded.planes[plane].count
        decoded.planes[plane] = bytes[offset..<offset + count * 2].withUnsafeBytes {
          Array($0.bindMemory(to: UInt16.self))
        }
        offset += count * 2
      }
      return (original, decoded)
    }
  }

  @Test(.tags(.judges), arguments: [PatternKind.bars, .ramp])
  func hq_preserves_bars_and_ramp_at_50_db_or_more(kind: PatternKind) async throws {
    for (original, decoded) in try await record(kind) {
      for plane in 0..<3 {
        let quality = Judges.psnr(original.planes[plane], decoded.planes[plane])
        #expect(quality >= 50, "\(kind), plane \(plane): \(quality) dB")
      }
    }
  }

  @Test func every_code_of_the_ramp_stays_distinct() async throws {
    for (original, decoded) in try await record(.ramp) {
      // The rows of the luma ramp, without overlays.
      let rows = CodeRamp(width: width, height: height).lumaRows
      var sums = [Int](repeating: 0, count: 1024)
      var counts = sums
      for row in 0..<rows {
        let codes = original.row(row)
        guard zip(codes, codes.dropFirst()).allSatisfy({ $0 <= $1 }) else { continue }
        for (code, back) in zip(codes, decoded.row(row)) {
          sums[Int(code)] += Int(back)
          counts[Int(code)] += 1
        }
      }
      let carried = (0..<1024).filter { counts[$0] > 0 }
      #expect(carried == Array(4...1019))
      let means = carried.map { Double(sums[$0]) / Double(counts[$0]) }
      // In eight bits, four codes would be the same.
      #expect(zip(means, means.dropFirst()).allSatisfy { $0 < $1 })
      let worst = zip(carried, means).map { abs(Double($0) - $1) }.max() ?? 0
      #expect(worst < 0.5, "the mean of a code is off by \(worst)")
      #expect(Set(decoded.planes[0]).count > 1000)
    }
  }
}
