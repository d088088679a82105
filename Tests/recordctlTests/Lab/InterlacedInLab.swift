import Foundation
import LabSupport
import Testing

/// Interlaced sources: fields row by row in a buffer, and a field a buffer.
extension InLab {
  @Suite struct Interlaced {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// The order of the fields is the same in container, frame header and our own judgement.
    private func expectOrder(
      _ take: GuestTake, isTopFirst: Bool, location: SourceLocation = #_sourceLocation
    ) throws {
      // Half a frame's buffers may be lost on a slow machine, and told.
      #expect(take.status == 0 || take.status == 3, "\(take.errors)", sourceLocation: location)
      try take.expectValidMovie()
      let word = isTopFirst ? "topFieldFirst" : "bottomFieldFirst"
      #expect(try take.text("movie.fieldOrder") == word, sourceLocation: location)
      let frame = try Judges.firstFrame(take.file)
      #expect(frame["interlaced_frame"] == "1", sourceLocation: location)
      #expect(frame["top_field_first"] == (isTopFirst ? "1" : "0"), sourceLocation: location)
      // The container's field: interleaved rows, the first of them earlier or later.
      #expect(
        try Judges.videoStream(take.file)["field_order"] == (isTopFirst ? "tb" : "bt"),
        sourceLocation: location)
      #expect(
        try Judges.mediaInfo(take.file, "Video;%ScanOrder%") == (isTopFirst ? "TFF" : "BFF"),
        sourceLocation: location)
    }

    @Test(arguments: [("pal", true, 576), ("ntsc", false, 480)])
    func an_analogue_input_has_the_order_of_its_standard(
      _ standard: String, _ isTopFirst: Bool, _ height: Int
    ) async throws {
      let take = try await GuestTake(
        standard, "--device v4l2:platform:vivid-003 --audio none --codec proxy --duration 3f",
        feeding: "v4l2-ctl -d3 -s \(standard) >/dev/null", traced: true)
      #expect(
        take.trace.allSatisfy { $0.field == "INTERLACED" }, "\(take.trace.first?.field ?? "")")
      #expect(try take.count("movie.height") == height)
      try expectOrder(take, isTopFirst: isTopFirst)
    }

    /// A receiver of HDMI gives an interlaced signal a field a buffer.
    @Test func fields_that_come_apart_are_joined_row_by_row() async throws {
      // Rows in turn black and white, so that each field is of one colour; one whole frame of them
      // as the driver makes it from a progressive signal.
      let take = try await GuestTake(
        "woven",
        "--preset 1080i50-422 --device v4l2:platform:vivid-001 --audio none --duration 2f",
        feeding: """
          number() { v4l2-ctl -d1 -L | sed -n "s/^[[:space:]]*\\([0-9]*\\): $1.*/\\1/p"; }
          v4l2-ctl -d1 -c test_pattern=$(number "Alternating Hor"),osd_text_mode=2
          trap 'v4l2-ctl -d1 -c test_pattern=0,osd_text_mode=0,dv_timings_signal_mode=0' EXIT
          v4l2-ctl -d1 -v pixelformat=GREY
          v4l2-ctl -d1 --stream-mmap --stream-count=1 --stream-to=whole.raw >/dev/null
          v4l2-ctl -d1 -c dv_timings_signal_mode=4 -c dv_timings=$(number 1920x1080i25)
          """, traced: true)
      #expect(Set(take.trace.map(\.field)).isSuperset(of: ["TOP", "BOTTOM"]))
      try expectOrder(take, isTopFirst: true)
      let stream = try Judges.videoStream(take.file)
      #expect(stream["width"] == "1920" && stream["height"] == "1080")
      #expect(stream["r_frame_rate"] == "25/1")

      let machine = try #require(LabGuest.machine)
      let whole = try Data(contentsOf: URL(filePath: "\(machine.share)/whole.raw"))
      let isFirstBright = whole[whole.startIndex] > 128
      let rows = try rows(take.file)
      #expect(rows.count == 1080)
      for (row, luma) in rows.enumerated() {
        let isBright = (row % 2 == 0) == isFirstBright
        #expect(isBright ? luma > 800 : luma < 200, "row \(row) is \(luma)")
      }
    }

    /// The mean luma of each row of a movie's first frame.
    private func rows(_ movie: String) throws -> [Int] {
      let raw = folder.path("frame.yuv")
      try Judges.ffmpeg([
        "-i", movie, "-frames:v", "1", "-pix_fmt", "yuv422p10le", "-f", "rawvideo", raw,
      ])
      let data = try Data(contentsOf: URL(filePath: raw))
      return data.withUnsafeBytes { bytes in
        // Every 40th sample of each luma row, which is half of the bytes.
        (0..<bytes.count / (1920 * 4)).map { row in
          stride(from: 0, to: 1920, by: 40).reduce(0) {
            $0 + Int(bytes.loadUnaligned(fromByteOffset: (row * 1920 + $1) * 2, as: UInt16.self))
          } / 48
        }
      }
    }
  }
}
