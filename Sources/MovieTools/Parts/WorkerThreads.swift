import Foundation
import MediaCore

/// How many threads a worker may use: what its engine gives it, else its control group, else the
/// processors that it may run on.
public enum WorkerThreads {
  /// The number, at least 1.
  public static var count: Int {
    count(
      environment: ProcessInfo.processInfo.environment, processors: Processors.count,
      read: { try? String(contentsOfFile: $0, encoding: .utf8) })
  }

  /// - Parameters:
  ///   - processors: Those that the process may run on.
  ///   - read: Reads a small file; nil where there is none.
  static func count(
    environment: [String: String], processors: Int, read: (String) -> String?
  ) -> Int {
    if let text = environment["SLURM_CPUS_PER_TASK"], let count = Int(text), count > 0 {
      return min(count, processors)
    }
    return min(quota(read) ?? processors, processors)
  }

  /// The least quota on the way from the process's group to the root, in whole processors.
  private static func quota(_ read: (String) -> String?) -> Int? {
    let groups = read("/proc/self/cgroup")?.split(separator: "\n") ?? []
    guard let line = groups.first(where: { $0.hasPrefix("0::/") }) else { return nil }
    var path = line.dropFirst("0::".count)
    var least: Int?
    while true {
      let folder = path == "/" ? "" : String(path)
      if let limit = processors(read("/sys/fs/cgroup\(folder)/cpu.max")) {
        least = min(least ?? limit, limit)
      }
      guard path != "/", let slash = path.lastIndex(of: "/") else { return least }
      path = slash == path.startIndex ? "/" : path[..<slash]
    }
  }

  /// Processors of `150000 100000`; nil for `max` and what is none.
  private static func processors(_ text: String?) -> Int? {
    let parts = text?.split(whereSeparator: \.isWhitespace).map { Int($0) } ?? []
    guard parts.count == 2, let quota = parts[0], let period = parts[1], quota > 0, period > 0
    else { return nil }
    return max(1, (quota + period - 1) / period)
  }
}
