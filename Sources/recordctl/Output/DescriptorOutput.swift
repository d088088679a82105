import Foundation
import SystemPackage

/// Text on its way to a descriptor. Whatever happens there is an error, never the end of the
/// process.
struct DescriptorOutput: Sendable {
  /// The system calls behind it, which tests replace.
  struct Calls: Sendable {
    /// `write(2)`: bytes written, or -1 with the error number.
    var write: @Sendable (Int32, UnsafeRawBufferPointer) -> (count: Int, errno: Int32) = {
      let count = Foundation.write($0, $1.baseAddress, $1.count)
      return (count, count < 0 ? Foundation.errno : 0)
    }
    /// Waits until a descriptor that does not block takes bytes again, or fails.
    var waitUntilWritable: @Sendable (Int32) -> Void = {
      var state = pollfd(fd: $0, events: Int16(POLLOUT), revents: 0)
      _ = poll(&state, 1, -1)
    }
  }

  let descriptor: Int32
  var calls = Calls()

  /// Writes all of a text; waits for a reader that is slow.
  ///
  /// - Throws: The system's error, such as `.brokenPipe`, `.noSpace` and `.ioError`; what came before
  ///   it is written.
  func write(_ text: String) throws(Errno) {
    var text = text
    var failure: Errno?
    text.withUTF8 { bytes in
      var rest = UnsafeRawBufferPointer(bytes)
      while !rest.isEmpty {
        let (count, number) = calls.write(descriptor, rest)
        if count > 0 {
          rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(count))
          continue
        }
        switch Errno(rawValue: number) {
        case .interrupted: continue
        case .wouldBlock, .resourceTemporarilyUnavailable: calls.waitUntilWritable(descriptor)
        case let error:
          failure = error
          return
        }
      }
    }
    if let failure { throw failure }
  }
}
