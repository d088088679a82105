#if canImport(Glibc)
import Glibc
#else
import Musl
#endif

/// The processors that this process may use.
package enum Processors {
  /// How many there are, at least 1.
  package static var count: Int {
    let allowed = ProcessorSet(ofThread: getpid()).processors.count
    return allowed > 0 ? allowed : max(sysconf(Int32(_SC_NPROCESSORS_ONLN)), 1)
  }
}
