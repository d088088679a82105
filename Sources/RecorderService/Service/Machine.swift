import NIOCore
import NIOPosix

#if canImport(Glibc)
import Glibc
#else
import Musl
#endif

/// Names and addresses of this machine.
public enum Machine {
  /// Its host name, also in short, and its name for multicast DNS.
  static var names: [String] {
    var buffer = [CChar](repeating: 0, count: 256)
    guard gethostname(&buffer, buffer.count - 1) == 0 else { return [] }
    let name = String(
      decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    guard !name.isEmpty else { return [] }
    let short = name.prefix { $0 != "." }
    return [name, String(short), short + ".local"]
  }

  /// When it was switched on, in seconds since 1970.
  static var startTime: Int64 {
    var up = timespec()
    clock_gettime(CLOCK_BOOTTIME, &up)
    return Int64(WallClock.now) - Int64(up.tv_sec)
  }

  /// Its addresses in its networks, IPv4 first.
  public static var addresses: [String] {
    let devices = (try? System.enumerateDevices()) ?? []
    let all = devices.compactMap { $0.address?.ipAddress }
    return all.filter { $0.contains(".") && !$0.hasPrefix("127.") }
      + all.filter { $0.contains(":") && $0 != "::1" && !$0.lowercased().hasPrefix("fe80") }
  }
}
