import Foundation
import TestSupport
import Testing

/// Interlaced sources: two fields interleaved in a buffer, or one field per buffer.
extension InLab {
  @Suite struct Interlaced {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// Checks that container, frame header and our own verifier give the same field order.
    private func expectOrder(
      _ take: GuestTake, isTopFirst: Bool, location: SourceLocation = #_sourceLocation
    ) throws {
      // On a slow machine, one of a frame's two buffers may be lost, which is reported.
      #expect(take.status == 0 || take.status == 3, "\(take.errors)", sourceLocation: location)
      try take.expectValidMovie()
      let word = isTopFirst ? "topFieldFirst" : "bottomFieldFirst"
      #expect(try take.text("movie.fieldOrder") == word, sourceLocation: location)
      let frame = try Judges.firstFrame(take.file)
      #expect(frame["interlaced_frame"] == "1", sourceLocation: location)
      #expect(frame["top_field_first"] == (isTopFirst ? "1" : "0"), sourceLocation: location)
      // The container's field order: interleaved rows, with the first row earlier or later.
      #expect(
        try Judges.videoStream(take.file)["field_order"] == (isTopFirst ? "tb" : "bt"),
        sourceLocation: location)
      #expect(
        try Judges.mediaInfo(take.file, "Video", "%ScanOrder%") == (isTopFirst ? "TFF" : "BFF"),
        sourceLocation: location)
    }

    @Test(arguments: [("pal", true, 576), ("ntsc", false, 480)])
    func an_analog_input_has_the_field_order_of_its_standard(
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

    /// An HDMI receiver delivers an interlaced signal with one field per buffer.
    @Test func separate_fields_are_joined_row_by_row() async throws {
      // Alternating black and white rows, so each field has a single color; and one whole frame that the driver
      // makes from a progressive signal. The interlaced signal is of a size that the emulated machine can keep up
      // with.
      let take = try await GuestTake(
        "woven", "--device v4l2:platform:vivid-001 --audio none --codec proxy --duration 40f",
        feeding: """
          number() { v4l2-ctl -d1 -L | sed -n "s/^[[:space:]]*\\([0-9]*\\): $1.*/\\1/p"; }
          v4l2-ctl -d1 -c test_pattern=$(number "Alternating Hor"),osd_text_mode=2
          restore() {
            v4l2-ctl -d1 -c test_pattern=0,osd_text_mode=0
            v4l2-ctl -d1 -c dv_timings_signal_mode=4,dv_timings=0 --set-dv-bt-timings query
            v4l2-ctl -d1 -c dv_timings_signal_mode=0
          }
          trap restore EXIT
          v4l2-ctl -d1 -v pixelformat=GREY
          v4l2-ctl -d1 --stream-mmap --stream-count=1 --stream-to=whole.raw >/dev/null
          v4l2-ctl -d1 --set-dv-bt-timings cvt,width=640,height=480,fps=36,interlaced=1
          """, traced: true)
      #expect(Set(take.trace.map(\.field)).isSuperset(of: ["TOP", "BOTTOM"]))
      try expectOrder(take, isTopFirst: false)
      let stream = try Judges.videoStream(take.file)
      #expect(stream["width"] == "640" && stream["height"] == "480")

      let machine = try #require(LabGuest.machine)
      let whole = try Data(contentsOf: URL(filePath: "\(machine.share)/whole.raw"))
      let isFirstBright = whole[whole.startIndex] > 128
      // If the slow machine lost a field, the other field stands in for both, which is reported.
      let broken = Set(try take.frames("damaged") + take.frames("dropped"))
      let complete = try frames(take.file).enumerated().filter { !broken.contains($0.offset) }
      #expect(!complete.isEmpty, "\(broken.count) of 40 frames lack a field")
      for (index, rows) in complete {
        #expect(rows.count == 480)
        let wrong = rows.enumerated().filter { row, luma in
          (row % 2 == 0) == isFirstBright ? luma < 800 : luma > 200
        }
        #expect(wrong.isEmpty, "frame \(index): \(wrong.count) rows, first \(wrong.prefix(1))")
      }
    }

    /// The mean luma of each row, for each frame of a movie.
    private func frames(_ movie: String) throws -> [[Int]] {
      let raw = folder.path("frames.yuv")
      try Judges.ffmpeg(["-i", movie, "-pix_fmt", "yuv422p10le", "-f", "rawvideo", raw])
      let (width, height) = (640, 480)
      let data = try Data(contentsOf: URL(filePath: raw))
      return data.withUnsafeBytes { bytes in
        // Luma is half of a frame's bytes.
        (0..<bytes.count / (width * height * 4)).map { frame in
          (0..<height).map { row in
            let start = (frame * height * 2 + row) * width * 2
            return stride(from: 0, to: width * 2, by: 2).reduce(0) {
              $0 + Int(bytes.loadUnaligned(fromByteOffset: start + $1, as: UInt16.self))
            } / width
          }
        }
      }
    }
  }
}
