#if canImport(Glibc)
import Glibc
#else
import Musl
#endif

/// A stack for the signal handlers of the calling thread, so that a handler can say what happened
/// where the thread has used up its own. A thread has none unless it asks.
enum SignalStack {
  /// Enough for a backtrace by the unwinder.
  private static let size = 64 << 10

  /// Runs `body` with one.
  static func with(_ body: () -> Void) {
    let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: size, alignment: 16)
    var stack = stack_t()
    stack.ss_sp = memory.baseAddress
    stack.ss_size = memory.count
    var before = stack_t()
    sigaltstack(&stack, &before)
    body()
    sigaltstack(&before, nil)
    memory.deallocate()
  }
}
