import MediaCore
import Testing

@testable import ASCMHL

/// Which copies would be lost together.
@Suite struct DiskTests {
  private func disk(
    _ device: UInt64, _ source: String, _ blocks: [String: UInt64], _ files: [String: String]
  ) -> Disk {
    var calls = DiskCalls(device: { _ in nil }, text: { files[$0] })
    calls.block = { blocks[$0] }
    return Disk(
      mountPoint: "/media/\(device)", source: source, device: device,
      whole: Disk.whole(of: device, source, calls))
  }

  /// The device number of a small device, as in stat(2).
  private func number(_ major: UInt64, _ minor: UInt64) -> UInt64 { major << 8 | minor }

  @Test func partitions_of_one_disk_count_as_the_same_disk() {
    let files = [
      "/sys/dev/block/8:1/partition": "1\n", "/sys/dev/block/8:1/../dev": "8:0\n",
      "/sys/dev/block/8:2/partition": "2\n", "/sys/dev/block/8:2/../dev": "8:0\n",
      "/sys/dev/block/8:17/partition": "1\n", "/sys/dev/block/8:17/../dev": "8:16\n",
    ]
    let blocks = [
      "/dev/sda1": number(8, 1), "/dev/sda2": number(8, 2), "/dev/sdb1": number(8, 17),
    ]
    let first = disk(number(8, 1), "/dev/sda1", blocks, files)
    #expect(first.isSame(as: disk(number(8, 2), "/dev/sda2", blocks, files)))
    // Btrfs has its own device numbers.
    #expect(first.isSame(as: disk(number(0, 44), "/dev/sda2", blocks, files)))
    #expect(!first.isSame(as: disk(number(8, 17), "/dev/sdb1", blocks, files)))
    #expect(!first.isSame(as: disk(number(0, 45), "/dev/sdb1", blocks, files)))
    let memory = disk(number(0, 46), "tmpfs", blocks, files)
    #expect(!memory.isSame(as: disk(number(0, 47), "tmpfs", blocks, files)))
    #expect(memory.isSame(as: memory))
  }
}
