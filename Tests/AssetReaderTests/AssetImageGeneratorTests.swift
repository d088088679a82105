import AssetReader
import Foundation
import MediaCore
import TestSupport
import Testing

/// Which frame of a movie becomes the image at a given time.
@Suite(.tags(.judges), .enabled(if: Judges.arePresent, Judges.absence))
struct AssetImageGeneratorTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func make(_ name: String, seconds: Double, rate: Int = 25, _ arguments: String) throws
    -> String
  {
    let path = folder.path(name)
    try Judges.ffmpeg(
      ["-f", "lavfi", "-i", "testsrc2=s=128x96:r=\(rate):d=\(seconds)"]
        + arguments.split(separator: " ").map(String.init) + [path])
    return path
  }

  /// The time in seconds of the frame that is shown at a time.
  private func shown(_ path: String, at seconds: Double) throws -> Double {
    var generator = AssetImageGenerator(path: path)
    generator.time = MediaTime(seconds: seconds, preferredTimescale: 90_000)
    return try generator.image().time.seconds
  }

  private func shown(_ path: String, atPlace place: Double) throws -> Double {
    var generator = AssetImageGenerator(path: path)
    generator.place = place
    return try generator.image().time.seconds
  }

  @Test(arguments: [
    "a.mkv libx264", "a.webm libvpx", "a.flv flv", "a.mkv ffv1", "a.avi mpeg4", "a.nut ffv1",
    "a.mov prores_ks", "a.mp4 libx264",
  ])
  func a_time_is_found_with_or_without_track_durations(form: String) throws {
    let words = form.split(separator: " ").map(String.init)
    let path = try make(words[0], seconds: 6, "-c:v \(words[1]) -pix_fmt \(Self.layout(words[1]))")
    for (seconds, frame) in [(0, 0), (0.07, 1), (3.3, 82), (3.32, 83), (5.979, 149), (60, 149)] {
      let time = try shown(path, at: seconds)
      #expect(abs(time - Double(frame) / 25) < 0.0011, "\(seconds): \(time)")
    }
    for (place, frame) in [(0.0, 0), (0.5, 74), (1, 149)] {
      let time = try shown(path, atPlace: place)
      #expect(abs(time - Double(frame) / 25) < 0.0611, "\(place): \(time)")
    }
  }

  private static func layout(_ codec: String) -> String {
    codec == "prores_ks" ? "yuv422p10le" : "yuv420p"
  }

  /// A millisecond clock rounds thirtieths of a second up or down.
  @Test(arguments: ["a.mkv ffv1", "a.mov prores_ks"], [25, 30])
  func a_frame_starting_at_the_end_of_a_range_is_not_shown(form: String, rate: Int) throws {
    let words = form.split(separator: " ").map(String.init)
    let path = try make(
      words[0], seconds: 1, rate: rate, "-c:v \(words[1]) -pix_fmt \(Self.layout(words[1]))")
    var generator = AssetImageGenerator(path: path)
    for end in 1..<Int64(rate) {
      let limit = MediaTime(value: end, timescale: Int32(rate))
      generator.end = limit
      for time in [limit, MediaTime(value: 9, timescale: 1)] {
        generator.time = time
        let shown = try generator.image().time.seconds
        #expect(abs(shown - Double(end - 1) / Double(rate)) < 0.0011, "\(end): \(shown)")
      }
      // Half a frame later the next frame has begun.
      generator.end = MediaTime(value: end * 2 + 1, timescale: Int32(rate) * 2)
      let shown = try generator.image().time.seconds
      #expect(abs(shown - Double(end) / Double(rate)) < 0.0011, "\(end): \(shown)")
    }
  }

  @Test func frames_come_from_the_chosen_track() throws {
    let path = folder.path("two.mov")
    try Judges.ffmpeg([
      "-f", "lavfi", "-i", "color=black:s=128x96:d=0.2", "-f", "lavfi", "-i",
      "color=white:s=128x96:d=0.2", "-map", "0", "-map", "1", "-c:v", "ffv1", path,
    ])
    var generator = AssetImageGenerator(path: path)
    for (track, isBright) in [(nil, false), (0, false), (1, true)] as [(Int?, Bool)] {
      generator.track = track
      let level = try generator.image().samples[5000]
      #expect((level > 128) == isBright, "\(track ?? -1): \(level)")
    }
    generator.track = 2
    let error = #expect(throws: AssetReaderError.self) { try generator.image() }
    #expect(error?.code == .noSuchTrack)
  }

  @Test(arguments: ["a.ts mpeg2video", "a.mpg mpeg2video", "a.ts libx264"])
  func a_time_is_found_in_files_searched_by_byte_position(form: String) throws {
    let words = form.split(separator: " ")
    let path = try make(
      String(words[0]), seconds: 8, "-c:v \(words[1]) -pix_fmt yuv420p -g 100 -bf 2 -b:v 1M")
    let start = try #require(try AssetReader(path).videoTrack?.startTime).seconds
    for (seconds, frame) in [(0.07, 1), (3.3, 82), (3.9, 97), (5.979, 149), (60, 199)] {
      let time = try shown(path, at: start + seconds) - start
      #expect(abs(time - Double(frame) / 25) < 0.0011, "\(seconds): \(time)")
    }
  }

  /// 10-bit white in video range is 940; the same code tagged as full range is 234 of 255.
  @Test(arguments: [("tv", 255), ("pc", 234)])
  func a_jpeg_has_the_levels_of_the_source(range: String, white: Int) throws {
    let (path, jpeg) = (folder.path("a.mkv"), folder.path("a.jpg"))
    try Judges.ffmpeg([
      "-f", "lavfi", "-i", "color=white:s=128x96:d=0.2", "-vf",
      "format=yuv422p10le,setparams=range=\(range)", "-c:v", "ffv1", path,
    ])
    try Data(AssetImageGenerator(path: path).jpeg()).write(to: URL(filePath: jpeg))
    let luma = try Judges.ffmpeg(["-i", jpeg, "-f", "rawvideo", "-pix_fmt", "gray", "-"])
    #expect(luma.count == 128 * 96 && abs(Int(luma[5000]) - white) <= 2, "\(luma[5000])")
  }

  /// Frames at 0, 1, 4, 9 … 100 seconds.
  @Test(arguments: ["a.mkv ffv1", "a.mov prores_ks"])
  func at_a_variable_rate_the_latest_started_frame_is_shown(form: String) throws {
    let words = form.split(separator: " ").map(String.init)
    let path = folder.path(words[0])
    // FFmpeg 7.1 gives the last frame no duration unless told to, so the movie would end before it.
    try Judges.ffmpeg([
      "-f", "lavfi", "-i", "testsrc2=s=128x96:r=1:d=11", "-vf", "setpts=N*N/TB", "-vsync",
      "passthrough", "-c:v", words[1], "-pix_fmt", Self.layout(words[1]), "-bsf:v",
      "setts=duration=1/TB", path,
    ])
    for (seconds, image) in [
      (0.9, 0.0), (1, 1), (3.9, 1), (80.9, 64), (93, 81), (99.5, 81), (100, 100), (300, 100),
    ] {
      #expect(try shown(path, at: seconds) == image, "\(seconds)")
    }
  }

  @Test func a_frame_far_after_its_sync_frame_is_found() throws {
    let path = try make(
      "a.mp4", seconds: 28, "-c:v libx264 -preset ultrafast -g 1000 -sc_threshold 0")
    #expect(try shown(path, at: 25.01) == 25)
    #expect(try shown(path, atPlace: 1) == 27.96)
  }

  /// Zeroes the headers of some PNG frames.
  private func damage(_ path: String, _ isMeant: (Int) -> Bool) throws {
    let reader = try AssetReader(path)
    var bytes = try Data(contentsOf: URL(filePath: path))
    while let packet = try reader.nextPacket() {
      guard isMeant(packet.index) else { continue }
      let place = Int(try #require(packet.filePosition))
      bytes.replaceSubrange(place + 4..<place + 40, with: repeatElement(0, count: 36))
    }
    try bytes.write(to: URL(filePath: path))
  }

  @Test func undecodable_frames_are_skipped() throws {
    let path = try make("a.mov", seconds: 1, "-c:v png")
    try damage(path) { [0, 10].contains($0) }
    #expect(try shown(path, at: 0.41) == 0.36)
    #expect(try shown(path, at: 0.6) == 0.6)
    #expect(try shown(path, atPlace: 0) == 0.04)
  }

  @Test func a_movie_without_decodable_frames_is_refused() throws {
    let path = try make("a.mov", seconds: 1, "-c:v png")
    try damage(path) { _ in true }
    for seconds in [0, 0.5, 9] {
      let error = #expect(throws: AssetReaderError.self) { try shown(path, at: seconds) }
      #expect(error?.code == .decodeFailed)
    }
  }
}
