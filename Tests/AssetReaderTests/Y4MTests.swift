import Foundation
import MediaCore
import SystemPackage
import TestSupport
import Testing

@testable import AssetReader

@Suite struct Y4MTests {
  /// The result of reading a file: its whole frames, and the error after them.
  struct Outcome {
    var frames: [[UInt8]] = []
    var error: AssetReaderError?
  }

  static func read(_ path: String) -> Outcome {
    var outcome = Outcome()
    do throws(AssetReaderError) {
      let reader = try AssetReader(path)
      while let sample = try reader.nextSample() {
        outcome.frames.append(sample.sampleBuffer.imageBuffer?.tightBytes ?? [])
      }
    } catch { outcome.error = error }
    return outcome
  }

  static func file(frames: Int, header: String = "YUV4MPEG2 W6 H4 F25:1 Ip A1:1 C422\n") -> [UInt8]
  {
    var bytes = Array(header.utf8)
    for index in 0..<frames {
      bytes += Array("FRAME\n".utf8) + (0..<48).map { UInt8(truncatingIfNeeded: index * 48 + $0) }
    }
    return bytes
  }

  @Test(
    .tags(.judges), .enabled(if: Judges.arePresent, Judges.absence),
    arguments: [
      "yuv420p", "yuv422p", "yuv444p", "yuv420p10le", "yuv422p10le", "yuv444p10le", "yuv422p12le",
      "yuv444p12le", "yuv422p16le", "yuv444p16le", "gray", "gray10le",
    ], ["64x36", "63x35"])
  func y4m_frames_equal_those_of_ffmpeg(layout: String, size: String) throws {
    let folder = try TemporaryFolder()
    let path = folder.path("a.y4m")
    try Judges.ffmpeg(
      "-f lavfi -i testsrc2=size=\(size):rate=24000/1001 -frames:v 3 -pix_fmt \(layout) "
        + "-strict -1 -f yuv4mpegpipe \(path)")
    let outcome = Self.read(path)
    #expect(outcome.error == nil)
    #expect(outcome.frames.count == 3)
    let judge = try Judges.ffmpeg("-i \(path) -f rawvideo -pix_fmt \(layout) -")
    let isGray = layout.hasPrefix("gray")
    let luma = judge.count / 3
    let bytes = outcome.frames.flatMap { isGray ? Array($0.prefix(luma)) : $0 }
    let isSame = bytes == judge
    #expect(isSame)
    if isGray {
      let middle: [UInt8] = layout == "gray" ? [128, 128] : [0, 2]
      let chroma = outcome.frames[0].dropFirst(luma)
      let isMiddle = chroma.enumerated().allSatisfy { $1 == middle[$0 & 1] }
      #expect(isMiddle)
    }
    let track = try #require(try AssetReader(path).videoTrack)
    #expect(track.frameRate == .fps23_976)
  }

  @Test func the_y4m_header_is_read() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write(
      Self.file(
        frames: 2,
        header: "YUV4MPEG2 W6 H4 F30000:1001 It A10:11 C422 XYSCSS=422 XCOLORRANGE=FULL\n"),
      "a.y4m"
    ).path
    let reader = try AssetReader(path)
    let video = try #require(reader.videoTrack?.video)
    #expect(video.fieldOrder == .topFieldFirst)
    #expect(video.pixelAspectRatio == PixelAspectRatio(10, 11))
    #expect(video.color == .unspecified.with(range: .full))
    #expect(video.dimensions == VideoDimensions(width: 6, height: 4))
    let samples = try reader.allSamples()
    #expect(
      samples.map(\.sampleBuffer.presentationTimeStamp).last
        == MediaTime(value: 1001, timescale: 30000))
    #expect(samples.last?.sampleBuffer.duration == MediaTime(value: 1001, timescale: 30000))
    #expect(reader.ledger.outstanding == 2)
  }

  @Test func truncation_anywhere_is_reported_and_whole_frames_are_kept() throws {
    let folder = try TemporaryFolder()
    let whole = Self.file(frames: 3)
    let header = whole.count - 3 * 54
    for length in 10..<whole.count {
      let path = try folder.write([UInt8](whole.prefix(length)), "a.y4m").path
      let outcome = Self.read(path)
      let frames = max(0, (length - header) / 54)
      #expect(outcome.frames.count == frames)
      if length >= header, (length - header) % 54 == 0 {
        #expect(outcome.error == nil)
      } else {
        #expect(
          outcome.error?.code == .truncated, "\(length) bytes: \(String(describing: outcome.error))"
        )
        if length > header {
          #expect(outcome.error?.message.contains("\(frames) frames are complete") == true)
        }
      }
    }
  }

  @Test func a_pipe_is_read_like_a_file() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("pipe")
    #expect(mkfifo(path, 0o600) == 0)
    let bytes = Self.file(frames: 20)
    let thread = Thread {
      guard let handle = FileHandle(forWritingAtPath: path) else { return }
      // Writes that end within headers and frames.
      for start in stride(from: 0, to: bytes.count, by: 7) {
        handle.write(Data(bytes[start..<min(start + 7, bytes.count)]))
      }
      try? handle.close()
    }
    thread.start()
    let outcome = Self.read(path)
    #expect(outcome.error == nil)
    #expect(outcome.frames.count == 20)
  }

  @Test(arguments: [
    ("YUV4MPEG2 W6 F25:1\n", AssetReaderError.Code.corrupt), ("YUV4MPEG2 W6 H4\n", .corrupt),
    ("YUV4MPEG2 W-6 H4 F25:1\n", .corrupt), ("YUV4MPEG2 W6 H4 F0:0\n", .corrupt),
    ("YUV4MPEG2 W99999999999999999999 H4 F25:1\n", .corrupt),
    ("YUV4MPEG2 W20000 H4 F25:1\n", .corrupt), ("YUV4MPEG2 W6 H4 F25:1 C411\n", .unsupported),
    ("YUV4MPEG2 W6 H4 F25:1 Im\n", .unsupported), ("YUV4MPEG2 W6 H4 F25:1 Ix\n", .corrupt),
    ("YUV4MPEG2 W6 H4 F25:1 \u{1}\n", .corrupt),
  ])
  func a_bad_header_is_refused(header: String, code: AssetReaderError.Code) throws {
    let folder = try TemporaryFolder()
    let outcome = Self.read(
      try folder.write([UInt8](Self.file(frames: 1, header: header)), "a.y4m").path)
    #expect(outcome.error?.code == code)
    #expect(outcome.error?.message.contains("\n") == false)
  }

  @Test func endless_lines_are_refused_in_bounded_memory() throws {
    let folder = try TemporaryFolder()
    var bytes = Array("YUV4MPEG2 W6 H4 F25:1 X".utf8)
    bytes += [UInt8](repeating: 0x41, count: 1_000_000)
    #expect(Self.read(try folder.write(bytes, "a.y4m").path).error?.code == .corrupt)
    bytes = Self.file(frames: 1) + Array("FRAME ".utf8) + [UInt8](repeating: 0x41, count: 100_000)
    let outcome = Self.read(try folder.write(bytes, "b.y4m").path)
    #expect(outcome.frames.count == 1)
    #expect(outcome.error?.code == .corrupt)
  }

  @Test func frame_parameters_are_allowed_and_garbage_is_not() throws {
    let folder = try TemporaryFolder()
    var bytes = Array("YUV4MPEG2 W6 H4 F25:1 C422\n".utf8)
    bytes += Array("FRAME Xnote\n".utf8) + [UInt8](repeating: 1, count: 48)
    #expect(Self.read(try folder.write(bytes, "a.y4m").path).frames.count == 1)
    bytes += Array("FRAMES\n".utf8) + [UInt8](repeating: 1, count: 48)
    let outcome = Self.read(try folder.write(bytes, "b.y4m").path)
    #expect(outcome.frames.count == 1)
    #expect(outcome.error?.code == .corrupt)
  }

  @Test func random_damage_never_yields_a_wrong_frame_size_or_a_crash() throws {
    let folder = try TemporaryFolder()
    var random = SeededGenerator(seed: 7)
    let whole = Self.file(frames: 4)
    for _ in 0..<600 {
      var bytes = whole
      for _ in 0..<Int.random(in: 1...6, using: &random) {
        let place = Int.random(in: 0..<bytes.count, using: &random)
        switch Int.random(in: 0..<4, using: &random) {
        case 0: bytes[place] = UInt8.random(in: 0...255, using: &random)
        case 1: bytes.remove(at: place)
        case 2: bytes.insert(UInt8.random(in: 0...255, using: &random), at: place)
        // Damage matters most in headers.
        default: bytes[Int.random(in: 0..<40, using: &random)] = UInt8(ascii: "9")
        }
      }
      let path = try folder.write(bytes, "a.y4m").path
      let outcome = Self.read(path)
      if bytes.starts(with: Y4MHeader.magic) {
        let total = outcome.frames.reduce(0) { $0 + $1.count }
        #expect(total <= bytes.count * 2)
      }
      #expect(outcome.error?.message.contains("\n") != true)
    }
  }

  @Test func a_failing_read_is_reported_with_its_errno() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write([UInt8](Self.file(frames: 3)), "a.y4m").path
    var calls = ByteInput.Calls()
    calls.read = { (descriptor, target) throws(Errno) in
      guard target.count > 4096 - 1 else { throw .ioError }
      return Glibc.read(descriptor, target.baseAddress, min(target.count, 60))
    }
    let input = try ByteInput(location: AssetLocation(path: path), calls: calls)
    let error = #expect(throws: AssetReaderError.self) {
      let source = try Y4MSource(input: input, ledger: FrameLedger())
      while try source.nextSample() != nil {}
    }
    #expect(error?.code == .readFailed)
    #expect(error?.errno == .ioError)
  }
}
