package import SystemPackage

#if canImport(Glibc)
import Glibc
#else
import Musl
#endif

/// System calls by the one convention of this package: what fails throws its number, read at once.
extension Errno {
  /// The result of a call that says -1 where it failed.
  ///
  /// - Throws: `errno`, as the call has left it.
  @discardableResult
  package static func check<Result: SignedInteger>(_ result: Result) throws(Errno) -> Result {
    guard result >= 0 else { throw Errno(rawValue: errno) }
    return result
  }

  /// Makes a call again for as long as signals interrupt it.
  package static func retrying<Result>(_ call: () throws(Errno) -> Result) throws(Errno) -> Result {
    while true {
      do throws(Errno) { return try call() } catch { if error != .interrupted { throw error } }
    }
  }
}
