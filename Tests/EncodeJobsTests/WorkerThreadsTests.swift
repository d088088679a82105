import Testing

@testable import EncodeJobs

struct WorkerThreadsTests {
  private func count(_ files: [String: String], of processors: Int = 16) -> Int {
    WorkerThreads.count(environment: [:], processors: processors) { files[$0] }
  }

  @Test func the_smallest_cgroup_quota_counts() {
    let group = "/proc/self/cgroup"
    let files = [
      group: "0::/a/b\n", "/sys/fs/cgroup/a/b/cpu.max": "max 100000\n",
      "/sys/fs/cgroup/a/cpu.max": "250000 100000\n", "/sys/fs/cgroup/cpu.max": "900000 100000\n",
    ]
    #expect(count(files) == 3 && count(files, of: 2) == 2)
    #expect(count([group: "0::/\n", "/sys/fs/cgroup/cpu.max": "50000 100000"]) == 1)
    #expect(count([group: "0::/a/b\n"]) == 16 && count([:]) == 16)
  }

  @Test(arguments: ["cpu", "cpu,cpuacct"])
  func cgroup_v1_quotas_count_too(mounted: String) {
    let root = "/sys/fs/cgroup/\(mounted)"
    var files = [
      "/proc/self/cgroup": """
      12:cpuset:/a
      4:cpu,cpuacct:/a/b
      1:name=systemd:/a/b
      0::/a
      """,
      root + "/a/b/cpu.cfs_quota_us": "-1\n", root + "/a/b/cpu.cfs_period_us": "100000\n",
      root + "/a/cpu.cfs_quota_us": "400000\n", root + "/a/cpu.cfs_period_us": "100000\n",
    ]
    #expect(count(files) == 4)
    // A container sees its own group as the root, whatever the path.
    files[root + "/cpu.cfs_quota_us"] = "150000\n"
    files[root + "/cpu.cfs_period_us"] = "100000\n"
    #expect(count(files) == 2)
    files["/proc/self/cgroup"] = "4:cpuset,cpuacct:/a/b\n"
    #expect(count(files) == 16)
  }

  @Test func the_slurm_processor_count_takes_precedence() {
    let files = ["/proc/self/cgroup": "0::/\n", "/sys/fs/cgroup/cpu.max": "100000 100000"]
    let count = WorkerThreads.count(
      environment: ["SLURM_CPUS_PER_TASK": "5"], processors: 8, read: { files[$0] })
    #expect(count == 5)
  }
}
