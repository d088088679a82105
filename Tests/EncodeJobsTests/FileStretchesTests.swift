import QuickTime
import TestSupport
import Testing

@testable import EncodeJobs

struct FileStretchesTests {
  private let bytes: [UInt8]

  init() {
    var generator = SeededGenerator(seed: 11)
    bytes = (0..<1000).map { _ in UInt8.random(in: 0...255, using: &generator) }
  }

  private func sum(_ ranges: Range<Int>...) -> UInt64 {
    var sum = XXHash64()
    for range in ranges { sum.update(bytes[range]) }
    return sum.digest
  }

  /// Two frames, with audio in two places between them.
  private var stretches: FileStretches {
    var stretches = FileStretches(1000)
    stretches.add(700..<1000, of: .frame(1), expecting: sum(700..<1000))
    stretches.add(100..<400, of: .frame(0), expecting: sum(100..<400))
    stretches.add([400..<500, 650..<700], of: .audio(2), expecting: sum(400..<500, 650..<700))
    return stretches
  }

  private func read(_ file: [UInt8], pieces: Int) throws -> FileStretches {
    var stretches = stretches
    let isInOrder = stretches.sort()
    #expect(isInOrder)
    stretches.framesWanted = [1]
    var frames: [Int: [UInt8]] = [:]
    for start in stride(from: 0, to: file.count, by: pieces) {
      file[start..<min(start + pieces, file.count)].withUnsafeBytes { bytes in
        stretches.take(bytes) { frames[$0] = $1 }
      }
    }
    #expect(frames == [1: Array(file[700...])])
    return stretches
  }

  @Test(arguments: [1, 7, 100, 350, 1000])
  func checksums_do_not_depend_on_how_the_file_is_read(pieces: Int) throws {
    #expect(try read(bytes, pieces: pieces).firstDifference == nil)
    for (place, content) in [
      (99, nil), (100, .frame(0)), (399, .frame(0)), (450, .audio(2)), (660, .audio(2)),
      (0, nil), (600, nil), (999, .frame(1)),
    ] as [(Int, FileStretches.Content?)] {
      var damaged = bytes
      damaged[place] ^= 1
      let read = try read(damaged, pieces: pieces)
      #expect(read.firstDifference == content, "byte \(place)")
      // A byte outside all stretches changes the checksum of the rest, and no other byte does.
      #expect((read.rest == sum(0..<100, 500..<650)) == (content != nil), "byte \(place)")
    }
  }

  @Test func part_frames_may_be_repeated_but_not_skipped_or_changed() {
    func origins(_ written: [UInt64], _ frames: [UInt64]) -> [Int]? {
      JoinedMovieCheck.origins(of: written, in: frames)
    }
    #expect(origins([1, 2, 3], [1, 2, 3]) == [0, 1, 2])
    #expect(origins([1, 1, 2, 3, 3], [1, 2, 3]) == [0, 0, 1, 2, 2])
    #expect(origins([1, 1, 1, 2], [1, 1, 2]) == [0, 1, 1, 2])
    for written in [[], [1, 2], [1, 3, 2], [2, 3], [1, 2, 4], [1, 2, 3, 1], [4, 1, 2, 3]] {
      #expect(origins(written.map(UInt64.init), [1, 2, 3]) == nil, "\(written)")
    }
  }

  @Test func overlapping_or_out_of_range_stretches_are_refused() {
    for range in [399..<410, 1000..<1001, 50..<50, 0..<1000] as [Range<UInt64>] {
      var stretches = stretches
      stretches.add(range, of: .frame(2), expecting: 0)
      let isInOrder = stretches.sort()
      #expect(!isInOrder, "\(range)")
    }
  }
}
