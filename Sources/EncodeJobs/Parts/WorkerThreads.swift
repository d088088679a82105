import Foundation
import MediaCore

/// The number of threads that a worker may use: set by its scheduler, else by its control group,
/// else by the processors that it may run on.
public enum WorkerThreads {
  /// The number, at least 1.
  public static var count: Int {
    count(
      environment: ProcessInfo.processInfo.environment, processors: Processors.count,
      read: { try? String(contentsOfFile: $0, encoding: .utf8) })
  }

  /// - Parameters:
  ///   - processors: The number of processors that the process may run on.
  ///   - read: Reads a small file; nil if it does not exist.
  static func count(
    environment: [String: String], processors: Int, read: (String) -> String?
  ) -> Int {
    if let text = environment["SLURM_CPUS_PER_TASK"], let count = Int(text), count > 0 {
      return min(count, processors)
    }
    return min(quota(read) ?? processors, processors)
  }

  /// The smallest quota of the process's groups and their parents, in whole processors.
  private static func quota(_ read: (String) -> String?) -> Int? {
    let groups = read("/proc/self/cgroup")?.split(separator: "\n") ?? []
    return groups.compactMap { line -> Int? in
      let fields = line.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
      guard fields.count == 3, fields[2].hasPrefix("/") else { return nil }
      if line.hasPrefix("0::") {
        return least(onTheWayFrom: fields[2]) {
          processors(read("/sys/fs/cgroup\($0)/cpu.max"))
        }
      }
      guard fields[1].split(separator: ",").contains("cpu") else { return nil }
      return ["cpu", "cpu,cpuacct"].compactMap { controllers in
        least(onTheWayFrom: fields[2]) { group in
          let folder = "/sys/fs/cgroup/\(controllers)\(group)"
          guard let quota = read(folder + "/cpu.cfs_quota_us"),
            let period = read(folder + "/cpu.cfs_period_us")
          else { return nil }
          return processors("\(quota) \(period)")
        }
      }.min()
    }.min()
  }

  /// The smallest limit of a group and its parents; the root is the empty path.
  private static func least(
    onTheWayFrom group: Substring, _ limit: (Substring) -> Int?
  ) -> Int? {
    var path = group == "/" ? "" : group
    var least = limit(path)
    while let slash = path.lastIndex(of: "/") {
      path = path[..<slash]
      if let limit = limit(path) { least = min(least ?? limit, limit) }
    }
    return least
  }

  /// Parses `150000 100000` (quota and period) to processors; nil for `max`, -1 and invalid text.
  private static func processors(_ text: String?) -> Int? {
    let parts = text?.split(whereSeparator: \.isWhitespace).map { Int($0) } ?? []
    guard parts.count == 2, let quota = parts[0], let period = parts[1], quota > 0, period > 0
    else { return nil }
    return max(1, (quota + period - 1) / period)
  }
}
