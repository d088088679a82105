import CLinux
import Glibc
import MediaCore

/// Low priority for background work: a tenth of a processor's time if others want it, and the disk
/// only while nobody else uses it.
public enum LowPriority {
  /// Gives all threads of this process, and those that they start, niceness 10 and the disk's idle
  /// class. The kernel's idle class for processors is not used: with it, nothing would ever be sent
  /// from a machine that is always busy. If the kernel refuses, nothing changes.
  public static func take() {
    // Niceness counts within a session only; how sessions share processors is set here (sched_autogroup).
    let group = open("/proc/self/autogroup", O_WRONLY | O_CLOEXEC)
    if group >= 0 {
      _ = "10".withCString { write(group, $0, 2) }
      close(group)
    }
    for task in ((try? ListedFolder.names(in: "/proc/self/task")) ?? []).compactMap({ Int32($0) }) {
      _ = thread_step_back(task)
    }
  }
}
