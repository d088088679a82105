import Foundation

/// Processor time of the kernel threads that finish a write: the journal's, and those that write pages back.
///
/// They work for every process, so on a machine that does other things the figure is an upper bound.
enum KernelThreads {
  /// Seconds so far.
  static func processorTime() -> Double {
    let names = ["jbd2", "kworker", "ksoftirqd", "kswapd"]
    let tick = 1 / Double(sysconf(Int32(_SC_CLK_TCK)))
    let processes = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
    return processes.filter { Int($0) != nil }.reduce(0) { total, process in
      guard let stat = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8),
        let open = stat.firstIndex(of: "("), let close = stat.lastIndex(of: ")")
      else { return total }
      let name = stat[stat.index(after: open)..<close]
      guard names.contains(where: name.hasPrefix) else { return total }
      let fields = stat[close...].split(separator: " ")
      // utime and stime are fields 14 and 15; the split begins with field 2.
      guard fields.count > 13, let user = Double(fields[12]), let system = Double(fields[13]) else {
        return total
      }
      return total + (user + system) * tick
    }
  }
}
