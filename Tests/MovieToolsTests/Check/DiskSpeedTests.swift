import MediaCore
import QuickTime
import TestSupport
import Testing

@testable import MovieTools

/// How the speed of a disk is measured.
struct DiskSpeedTests {
  @Test func the_file_for_measuring_disk_speed_has_no_name() throws {
    let folder = try TemporaryFolder()
    var seen: [[String]] = []
    let speed = try DiskSpeed.measure(folder: folder.path, seconds: 0) {
      seen.append(folder.contents)
    }
    // However the program ends, no file remains.
    #expect(speed.bytesWritten > 0 && seen == [[]], "\(seen)")
  }

  @Test func write_errors_name_the_folder_and_not_the_test_file() throws {
    let error = try #require(throws: QuickTimeError.self) {
      try DiskSpeed.measure(folder: "/proc", seconds: 0)
    }
    #expect(error.message.contains("/proc") && !error.message.contains(".recordctl-check"))
    #expect(error.errno != nil)
  }
}
