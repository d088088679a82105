import MediaCore
import TestSupport
import Testing

@testable import DNG

/// Unsupported and damaged DCT JPEGs.
@Suite struct HostileDCTJPEGTests {
  private static let example = DCTJPEGTests.example(columns: 40, rows: 20, components: 2, seed: 5)

  private func refusal(
    _ file: [UInt8], limit: Int = DCTJPEGTests.limit,
    sourceLocation: SourceLocation = #_sourceLocation
  ) -> DNGError? {
    #expect(throws: DNGError.self, sourceLocation: sourceLocation) {
      try DCTJPEGDecoder.decode(file[...], sampleLimit: limit)
    }
  }

  /// Where a marker's segment begins.
  private func place(_ marker: UInt8, in file: [UInt8]) throws -> Int {
    try #require(file.indices.dropLast().first { file[$0] == 0xFF && file[$0 + 1] == marker })
  }

  @Test(
    arguments: [
      (2, "progressive"), (3, "lossless"), (5, "hierarchical"), (7, "hierarchical"),
      (9, "arithmetic-coded"), (10, "arithmetic-coded"), (15, "arithmetic-coded"),
    ] as [(UInt8, String)])
  func other_jpeg_processes_are_refused_by_name(process: UInt8, name: String) {
    var example = Self.example
    example.process = process
    let error = refusal(example.file())
    #expect(error?.code == .unsupported && error?.message.contains(name) == true)
  }

  @Test func unsupported_sampling_precision_and_row_counts_are_refused_by_name() throws {
    let good = Self.example.file()
    let frame = try place(0xC1, in: good)
    for (offset, value, words) in [
      (11, UInt8(0x21), "subsampling"), (4, 10, "10 bits"), (6, 0, "rows after the scan"),
    ] {
      var file = good
      file[frame + offset] = value
      let error = refusal(file)
      #expect(error?.code == .unsupported && error?.message.contains(words) == true)
    }
  }

  @Test func sampling_factors_of_a_single_component_are_ignored() throws {
    let example = DCTJPEGTests.example(columns: 24, rows: 24, components: 1, seed: 3)
    var file = example.file()
    file[try place(0xC1, in: file) + 11] = 0x22
    #expect(
      try DCTJPEGDecoder.decode(file[...], sampleLimit: DCTJPEGTests.limit)
        == DCTJPEGDecoder.decode(example.file()[...], sampleLimit: DCTJPEGTests.limit))
  }

  @Test(arguments: [0xC4, 0xDB, 0xC1, 0xDA] as [UInt8])
  func a_missing_segment_is_an_invalid_file(marker: UInt8) throws {
    var file = Self.example.file()
    let start = try place(marker, in: file)
    // Turned into a comment.
    file[start + 1] = 0xFE
    #expect(refusal(file)?.code == .invalidFile)
  }

  @Test func a_truncated_file_is_an_error_at_every_length() throws {
    for interval in [0, 4] {
      for isInterleaved in [true, false] {
        var example = Self.example
        (example.restartInterval, example.isInterleaved) = (interval, isInterleaved)
        let file = example.file()
        // The last byte of a scan may be only padding.
        for length in 0..<file.count - 3 {
          let error = refusal(Array(file[..<length]))
          #expect(error?.code == .invalidFile)
        }
      }
    }
  }

  @Test func missing_or_misplaced_restart_markers_are_refused() throws {
    var example = Self.example
    example.restartInterval = 4
    let file = example.file()
    let expected = try DCTJPEGDecoder.decode(file[...], sampleLimit: DCTJPEGTests.limit)
    let marker = try place(0xD1, in: file)
    var other = file
    other[marker + 1] = 0xD2
    #expect(refusal(other)?.message.contains("lacks an expected restart marker") == true)
    var longer = file
    longer.insert(0, at: marker)
    #expect(refusal(longer)?.message.contains("lacks an expected restart marker") == true)
    // Any marker may be preceded by fill bytes (B.1.1.2).
    var filled = file
    filled.insert(contentsOf: [0xFF, 0xFF], at: marker)
    #expect(
      try DCTJPEGDecoder.decode(filled[...], sampleLimit: DCTJPEGTests.limit) == expected)
  }

  @Test func a_dct_jpeg_header_claiming_a_huge_image_is_refused() throws {
    var file = Self.example.file()
    let frame = try place(0xC1, in: file)
    for offset in 5...8 { file[frame + offset] = 0xFF }
    #expect(refusal(file, limit: 1600)?.message.contains("more than there are") == true)
    // More samples than the bytes can hold are refused whatever the limit.
    #expect(refusal(file, limit: .max)?.message.contains("more than there are") == true)
  }

  @Test func each_component_needs_exactly_one_scan() throws {
    var example = Self.example
    example.isInterleaved = false
    let file = example.file()
    let scans = file.indices.dropLast(6).filter {
      file[$0...].starts(with: [0xFF, 0xDA, 0, 8, 1])
    }
    try #require(scans.count == 2)
    var twice = file
    twice[scans[1] + 5] = 1
    #expect(refusal(twice)?.message.contains("scan header") == true)
    #expect(
      refusal(Array(file[..<scans[1]]) + [0xFF, 0xD9, 0, 2])?.message.contains("have a scan")
        == true)
  }

  @Test func a_file_with_changed_bytes_is_decoded_or_refused() throws {
    var random = SeededGenerator(seed: 77)
    var outcomes = (read: 0, refused: 0)
    for round in 0..<4000 {
      var file = Self.files[round % 4]
      let header = min(220, file.count)
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        let end = round % 3 == 0 ? file.count : header
        file[Int.random(in: 0..<end, using: &random)] =
          Bool.random(using: &random)
          ? UInt8.random(in: 0...255, using: &random)
          : [0, 1, 0x11, 0x7F, 0xD0, 0xFF].randomElement(using: &random) ?? 0
      }
      if round % 5 == 0 { file.removeLast(Int.random(in: 0..<file.count, using: &random)) }
      do throws(DNGError) {
        let image = try DCTJPEGDecoder.decode(file[...], sampleLimit: 1600)
        #expect(image.samples.count <= 1600 && image.samples.allSatisfy { $0 < 4096 })
        outcomes.read += 1
      } catch {
        #expect(error.code == .invalidFile || error.code == .unsupported)
        outcomes.refused += 1
      }
    }
    #expect(min(outcomes.read, outcomes.refused) > 200, "\(outcomes)")
  }

  private static let files: [[UInt8]] = (0..<4).map { kind in
    var changed = example
    changed.restartInterval = kind % 2 * 3
    changed.isInterleaved = kind < 2
    return changed.file()
  }
}
