import Foundation
import MediaCore
import TestSupport
import Testing

@testable import AssetReader

/// Image sequences with faulty files.
struct ImageSequenceTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// 8x8 pixels of one gray.
  private static func frame(_ level: UInt8) -> [UInt8] {
    Array("P6 8 8 255\n".utf8) + [UInt8](repeating: level, count: 8 * 8 * 3)
  }

  @discardableResult
  private func make(_ numbers: some Sequence<Int>, in name: String = "seq") throws -> String {
    for number in numbers {
      try folder.write(Self.frame(UInt8(number % 200)), "\(name)/f_\(number).ppm")
    }
    return folder.path("\(name)/f_%04d.ppm")
  }

  private func refusal(_ location: String) -> AssetReaderError? {
    #expect(throws: AssetReaderError.self) { try AssetReader(location) }
  }

  private func count(_ location: String) throws -> Int {
    let reader = try AssetReader(location)
    var count = 0
    while try reader.nextSample() != nil { count += 1 }
    return count
  }

  @Test func sequence_names_may_begin_with_a_combining_mark() throws {
    for number in 1...3 {
      try folder.write(Self.frame(UInt8(number)), "seq/\u{301}f_\(number).ppm")
    }
    #expect(try count(folder.path("seq/\u{301}f_%d.ppm")) == 3)
  }

  @Test func an_empty_file_anywhere_in_a_sequence_is_refused_by_name() throws {
    let pattern = try make(1001...1010)
    #expect(try count(pattern) == 10)
    for number in [1001, 1003, 1009] {
      _ = try folder.emptyFile("seq/f_\(number).ppm")
      let error = try #require(refusal(pattern))
      #expect(error.code == .truncated)
      #expect(
        error.message.hasPrefix(folder.path("seq/f_\(number).ppm is empty; ")), "\(error.message)")
      // The proposed start works.
      #expect(error.message.hasSuffix("?start=\(number + 1)"), "\(error.message)")
      #expect(try count(pattern + "?start=\(number + 1)") == 1010 - number)
      try make([number])
    }
    _ = try folder.emptyFile("seq/f_1010.ppm")
    let error = try #require(refusal(pattern))
    #expect(error.message.contains("f_1010.ppm is empty"), "\(error.message)")
    #expect(!error.message.contains("start="), "\(error.message)")
  }

  @Test func sequence_entries_that_are_not_files_are_refused_without_waiting() throws {
    let pattern = try make(1001...1005)
    let path = folder.path("seq/f_1003.ppm")
    let cases: [(String, AssetReaderError.Code, () throws -> Void)] = [
      (
        "symbolic link", .fileNotFound,
        {
          try FileManager.default.createSymbolicLink(
            atPath: path, withDestinationPath: "/nowhere/at/all")
        }
      ),
      (
        "symbolic link", .readFailed,
        { try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: path) }
      ),
      ("is not a regular file", .notAMovie, { #expect(mkfifo(path, 0o600) == 0) }),
      (
        "is not a regular file", .notAMovie,
        {
          try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
        }
      ),
    ]
    for (text, code, put) in cases {
      try FileManager.default.removeItem(atPath: path)
      try put()
      let error = try #require(refusal(pattern))
      #expect(error.code == code)
      #expect(
        error.message.contains("f_1003.ppm ") && error.message.contains(text)
          && error.message.hasSuffix("?start=1004"), "\(error.message)")
    }
    // A symbolic link to an image counts as an image.
    try FileManager.default.removeItem(atPath: path)
    try FileManager.default.createSymbolicLink(
      atPath: path, withDestinationPath: folder.path("seq/f_1001.ppm"))
    #expect(try count(pattern) == 5)
  }

  @Test func a_start_after_all_faults_of_a_sequence_is_proposed() throws {
    try make([999])
    let pattern = try make(1001...1009)
    try make(1013...1020)
    let gap = try #require(refusal(pattern + "?start=1001"))
    #expect(
      gap.message.contains("f_1010.ppm is missing") && gap.message.hasSuffix("?start=1013"),
      "\(gap.message)")
    _ = try folder.emptyFile("seq/f_1015.ppm")
    let both = try #require(refusal(pattern + "?start=1001"))
    #expect(
      both.message.contains("f_1010.ppm is missing") && both.message.contains("1 more such fault")
        && both.message.hasSuffix("?start=1016"), "\(both.message)")
    #expect(try count(pattern + "?start=1016") == 5)
  }

  @Test func a_file_emptied_during_reading_ends_the_sequence_early() throws {
    // libavformat reads the first five seconds to identify the format.
    let pattern = try make(1001...1400)
    let reader = try AssetReader(pattern)
    _ = try folder.emptyFile("seq/f_1391.ppm")
    var frames = 0
    let error = #expect(throws: AssetReaderError.self) {
      while try reader.nextSample() != nil { frames += 1 }
    }
    #expect(frames == 390)
    #expect(error?.code == .truncated)
    #expect(error?.message.contains("f_1391.ppm") == true, "\(error?.message ?? "")")
    #expect(error?.message.contains("10 of 400") == true, "\(error?.message ?? "")")
  }

  @Test(arguments: ["100 %", "%d", "a%20b", "%%04d"])
  func a_percent_sign_in_a_folder_name_is_literal(name: String) throws {
    let pattern = try make(1001...1003, in: name)
    #expect(try count(pattern + "?rate=25") == 3)
    let location = try AssetLocation(pattern + "?rate=25")
    #expect(location.rawFormat == nil && location.options == ["rate": "25"])
  }

  @Test func byte_counts_follow_links_and_cover_whole_sequences() throws {
    let size = Int64(Self.frame(0).count)
    let pattern = try make(1001...1003)
    #expect(try AssetLocation(pattern).byteCount == 3 * size)
    try FileManager.default.createSymbolicLink(
      atPath: folder.path("link"), withDestinationPath: folder.path("seq/f_1001.ppm"))
    #expect(try AssetLocation(folder.path("link")).byteCount == size)
    #expect(
      try AssetLocation(folder.path("link") + "?size=8x8&rate=25&format=uyvy").byteCount == size)
    #expect(try AssetLocation(folder.path("none")).byteCount == nil)
    #expect(AssetLocation(path: "-").byteCount == nil)
  }
}
