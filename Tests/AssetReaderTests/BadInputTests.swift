import Foundation
import MediaCore
import TestSupport
import Testing

@testable import AssetReader

@Suite(.serialized)
struct BadInputTests {
  private static func openDescriptors() -> Int {
    (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count) ?? -1
  }

  @Test(.tags(.judges)) func an_encrypted_movie_is_refused_as_such() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("secret.mp4")
    let made = try Judges.run(
      "ffmpeg",
      [
        "-v", "error", "-f", "lavfi", "-i", "testsrc=s=64x48:r=25:d=1", "-c:v", "libx264",
        "-encryption_scheme", "cenc-aes-ctr", "-encryption_key", "00112233445566778899aabbccddeeff",
        "-encryption_kid", "a7e61c373e219033c21091fa607bf3b8", path,
      ])
    try #require(made.status == 0, "\(made)")
    let reader = try AssetReader(path)
    let error = #expect(throws: AssetReaderError.self) { while try reader.nextSample() != nil {} }
    #expect(error?.code == .unsupported && error?.message.contains("encrypted") == true)
  }

  @Test func files_that_are_not_movies_are_refused_in_one_line() throws {
    let folder = try TemporaryFolder()
    let prose = Array("Dear diary, today I filmed a duck.\n".utf8)
    var text: [UInt8] = []
    for _ in 0..<200 { text += prose }
    let cases: [(String, AssetReaderError.Code, String)] = [
      (folder.path("none.mov"), .fileNotFound, "no such file"),
      (folder.path, .notAMovie, "is a folder"),
      (try folder.write(text, "a.mov").path, .notAMovie, "text file"),
      (try folder.write(text, "a.txt").path, .notAMovie, "text file"),
      (try folder.write([], "empty.mov").path, .notAMovie, "not a readable movie"),
      (try folder.write([0, 0, 0, 20], "short.mov").path, .notAMovie, "not a readable movie"),
      (
        try folder.write([UInt8](Array("#EXTM3U\n#EXTINF:1,\n/etc/passwd\n".utf8)), "list.m3u8")
          .path,
        .notAMovie, "text file"
      ),
      (
        try folder.write([UInt8](Array("ffconcat version 1.0\nfile a.mov\n".utf8)), "list.txt")
          .path,
        .notAMovie, "text file"
      ),
    ]
    for (path, code, part) in cases {
      let error = #expect(throws: AssetReaderError.self) { try AssetReader(path) }
      #expect(error?.code == code, "\(path): \(error?.message ?? "")")
      #expect(error?.message.contains(part) == true, "\(error?.message ?? "")")
      #expect(error?.message.contains(path) == true)
      #expect(error?.message.contains("\n") == false)
    }
  }

  @Test(.tags(.judges), .enabled(if: Judges.arePresent, Judges.absence))
  func a_movie_without_its_index_says_so() throws {
    let folder = try TemporaryFolder()
    try Judges.ffmpeg(
      "-f lavfi -i testsrc2=size=320x180 -frames:v 10 -c:v prores_ks \(folder.path("a.mov"))")
    let bytes = try folder.bytes("a.mov")
    let path = try folder.write([UInt8](bytes.prefix(bytes.count / 2)), "cut.mov").path
    let error = #expect(throws: AssetReaderError.self) { try AssetReader(path) }
    // The message contains libavformat's last log line, which appears nowhere else.
    #expect(error?.message.contains("moov atom not found") == true, "\(error?.message ?? "")")
  }

  @Test(.tags(.judges), .enabled(if: Judges.arePresent, Judges.absence))
  func a_movie_that_ends_early_yields_whole_frames_and_an_error() throws {
    let folder = try TemporaryFolder()
    try Judges.ffmpeg(
      "-f lavfi -i testsrc2=size=320x180 -frames:v 10 -c:v prores_ks -movflags +faststart "
        + folder.path("a.mov"))
    let bytes = try folder.bytes("a.mov")
    let path = try folder.write([UInt8](bytes.prefix(bytes.count * 2 / 3)), "cut.mov").path
    let reader = try AssetReader(path)
    var frames = 0
    var failures: [AssetReaderError] = []
    for _ in 0..<20 {
      do throws(AssetReaderError) {
        guard try reader.nextSample() != nil else { break }
        frames += 1
      } catch { failures.append(error) }
    }
    #expect((4...7).contains(frames))
    #expect(failures.contains { $0.code == .truncated }, "\(failures)")
  }

  @Test(.tags(.judges), .enabled(if: Judges.arePresent, Judges.absence))
  func random_damage_never_crashes() throws {
    let folder = try TemporaryFolder()
    try Judges.ffmpeg(
      "-f lavfi -i testsrc2=size=96x64 -f lavfi -i sine -t 0.2 -c:v mpeg4 -c:a aac "
        + folder.path("a.mp4"))
    let whole = try folder.bytes("a.mp4")
    var random = SeededGenerator(seed: 11)
    for _ in 0..<60 {
      var bytes = whole
      for _ in 0..<Int.random(in: 1...40, using: &random) {
        bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(
          in: 0...255, using: &random)
      }
      if Bool.random(using: &random) {
        bytes.removeLast(Int.random(in: 0..<bytes.count / 2, using: &random))
      }
      let path = try folder.write(bytes, "b.mp4").path
      guard let reader = try? AssetReader(path) else { continue }
      var errors = 0
      for _ in 0..<500 {
        do throws(AssetReaderError) {
          guard try reader.nextSample() != nil else { break }
        } catch {
          #expect(!error.message.contains("\n"))
          errors += 1
        }
      }
      #expect(errors < 400)
    }
  }

  @Test(.tags(.judges), .enabled(if: Judges.arePresent, Judges.absence))
  func no_descriptor_is_left_open() throws {
    let folder = try TemporaryFolder()
    let movie = folder.path("a.mov")
    try Judges.ffmpeg("-f lavfi -i testsrc2=size=96x64 -frames:v 3 -c:v prores_ks \(movie)")
    let text = try folder.write([UInt8](Array(repeating: 65, count: 5000)), "a.txt").path
    let y4m = try folder.write([UInt8](Y4MTests.file(frames: 2).dropLast(3)), "a.y4m").path
    let raw = try folder.write([UInt8](repeating: 0, count: 64 * 4), "a.uyvy").path
    // Checks the counter itself.
    let before = Self.openDescriptors()
    let held = open(movie, O_RDONLY)
    #expect(Self.openDescriptors() == before + 1)
    close(held)
    // Other suites run at the same time, so a leak in each round must stand out from their noise.
    for _ in 0..<60 {
      for path in [movie, text, y4m, raw + "?size=8x8&rate=25", folder.path, folder.path("none")] {
        guard let reader = try? AssetReader(path) else { continue }
        while (try? reader.nextSample()) != nil {}
      }
      _ = try? StrictDecoder(path: movie).run()
    }
    #expect(Self.openDescriptors() < before + 50)
  }

  /// An animated WebP, which some versions of libavcodec cannot decode at all.
  @Test(.tags(.judges)) func an_undecodable_codec_is_named() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("a.webp")
    try Judges.ffmpeg([
      "-f", "lavfi", "-i", "testsrc2=s=64x48:r=10:d=0.3", "-c:v", "libwebp_anim", path,
    ])
    do throws(AssetReaderError) {
      _ = try AssetReader(path)
    } catch {
      #expect(error.message.contains("video of webp, which the libavcodec at hand cannot decode"))
    }
  }
}
