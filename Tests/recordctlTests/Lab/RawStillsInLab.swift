import Foundation
import TestSupport
import Testing

/// Stills of the test driver's Bayer formats, read with dcraw and compared with v4l2-ctl captures of the same test
/// pattern.
extension InLab {
  @Suite(.enabled(if: Judges.find("dcraw") != nil, "dcraw is not installed"))
  struct RawStills {
    /// The four Bayer orders at one bit depth.
    struct Depth: Sendable, CustomTestStringConvertible {
      let bits: Int
      let codes: [String]
      var testDescription: String { "\(bits) bits" }
    }

    static let depths = [
      Depth(bits: 8, codes: ["RGGB", "GRBG", "GBRG", "BA81"]),
      Depth(bits: 10, codes: ["RG10", "BA10", "GB10", "BG10"]),
      Depth(bits: 12, codes: ["RG12", "BA12", "GB12", "BG12"]),
      Depth(bits: 16, codes: ["RG16", "GR16", "GB16", "BYR2"]),
    ]

    @Test(arguments: depths)
    func mosaics_are_stored_exactly_with_their_pattern(_ depth: Depth) async throws {
      // The driver's bars are static once the clock overlay is off.
      try await LabGuest.run(
        """
        v4l2-ctl -d0 -c osd_text_mode=2
        for code in \(depth.codes.joined(separator: " ")); do
          "$R" photo --raw bayer -d /dev/video0 --format $code --size 320x180 --thumbnail none \\
            -o $code.dng 2>$code.errors || { cat $code.errors; exit 1; }
          v4l2-ctl -d0 --set-fmt-video=width=320,height=180,pixelformat=$code --stream-mmap=4 \\
            --stream-count=1 --stream-to=$code.raw
        done
        v4l2-ctl -d0 -c osd_text_mode=0
        """)
      let share = try #require(LabGuest.machine).share
      for code in depth.codes {
        let file = "\(share)/\(code).dng"
        let dump = try Data(contentsOf: URL(filePath: "\(share)/\(code).raw"))
        let stored = try PortableMap(dcraw: ["-E", "-4"], file)
        #expect(stored.width == 320 && stored.height == 180)
        #expect(stored.samples == Self.samples(dump, bits: depth.bits), "\(code)")
        try expectBars(PortableMap(dcraw: ["-h", "-o", "0", "-r", "1", "1", "1", "1", "-W"], file))
        let words = try String(contentsOfFile: "\(share)/\(code).errors", encoding: .utf8)
        #expect(words.contains("no calibration"))
      }
    }

    /// Each color bar, from white to black, has only its own primaries, at 75 % of white, which is 221 with
    /// dcraw's curve.
    private func expectBars(_ frame: PortableMap) {
      let bars = [7, 6, 3, 2, 5, 4, 1, 0]
      for (index, primaries) in bars.enumerated() {
        let column = (2 * index + 1) * frame.width / 16
        let start = 3 * (frame.height / 2 * frame.width + column)
        let color = [4, 2, 1].map { UInt16(primaries & $0 == 0 ? 0 : 221) }
        #expect(Array(frame.samples[start..<start + 3]) == color, "bar \(index)")
      }
    }

    /// The samples of a dump: bytes, or little-endian 16-bit words.
    private static func samples(_ dump: Data, bits: Int) -> [UInt16] {
      let bytes = [UInt8](dump)
      guard bits > 8 else { return bytes.map(UInt16.init) }
      return stride(from: 0, to: bytes.count - 1, by: 2).map {
        UInt16(bytes[$0]) | UInt16(bytes[$0 + 1]) << 8
      }
    }
  }
}

/// An image printed by dcraw: an 8- or 16-bit PGM or PPM.
private struct PortableMap {
  let width: Int
  let height: Int
  let samples: [UInt16]

  init(dcraw options: [String], _ file: String) throws {
    let process = Process()
    let dcraw: URL = try #require(Judges.find("dcraw"))
    process.executableURL = dcraw
    process.arguments = options + ["-c", file]
    let pipe = Pipe()
    process.standardOutput = pipe
    try process.run()
    let bytes = try pipe.fileHandleForReading.readToEnd() ?? Data()
    process.waitForExit()
    try #require(process.terminationStatus == 0, "dcraw on \(file)")
    // Three lines: "P5" or "P6", width and height, and the maximum value.
    let lines = bytes.split(separator: 10, maxSplits: 3, omittingEmptySubsequences: false)
    try #require(lines.count == 4, "dcraw printed no image of \(file)")
    let numbers = String(decoding: lines[1] + [32] + lines[2], as: UTF8.self)
      .split(separator: " ").compactMap { Int($0) }
    try #require(numbers.count == 3)
    (width, height) = (numbers[0], numbers[1])
    let body = [UInt8](lines[3])
    samples =
      numbers[2] < 256
      ? body.map(UInt16.init)
      : stride(from: 0, to: body.count - 1, by: 2).map {
        UInt16(body[$0]) << 8 | UInt16(body[$0 + 1])
      }
  }
}
