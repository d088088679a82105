import TestSupport
import Testing

@testable import MovieTools

/// How a disk is tried.
struct DiskSpeedTests {
  @Test func the_file_that_a_disk_is_tried_with_has_no_name() throws {
    let folder = try TemporaryFolder()
    var seen: [[String]] = []
    let speed = try DiskSpeed.measure(folder: folder.path, seconds: 0) {
      seen.append(folder.contents)
    }
    // However the program ends, nothing is left.
    #expect(speed.bytesWritten > 0 && seen == [[]], "\(seen)")
  }
}
