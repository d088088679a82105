#if canImport(Glibc)
import Glibc
#else
import Musl
#endif

/// Addresses of IPv4 or IPv6 that share their first bits: `192.168.10.0/24`, `fd00::/8`, `10.0.0.7`.
public struct NetworkRange: Sendable, Hashable, CustomStringConvertible {
  /// Four bytes, or sixteen.
  private let address: [UInt8]
  private let bits: Int
  public let description: String

  /// Every address of the machine itself.
  public static let loopback: [NetworkRange] = ["127.0.0.0/8", "::1"].compactMap { Self($0) }

  /// Reads an address with or without a prefix length.
  ///
  /// - Returns: nil for anything else, and if bits are set beyond the prefix: `10.0.0.1/8` is more
  ///   likely a mistake than a network.
  public init?(_ text: String) {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count <= 2, let bytes = Self.bytes(of: String(parts[0])) else { return nil }
    var bits = bytes.count * 8
    if parts.count == 2 {
      guard parts[1].utf8.count <= 3, parts[1].utf8.allSatisfy({ (0x30...0x39).contains($0) }),
        let number = Int(parts[1]), number <= bits
      else { return nil }
      bits = number
    }
    guard Self.masked(bytes, bits) == bytes else { return nil }
    (address, self.bits, description) = (bytes, bits, text)
  }

  /// True for a numeric address in the network. An IPv4 address may be mapped into IPv6: `::ffff:10.0.0.7`.
  public func contains(_ address: String) -> Bool {
    // A zone names the network interface, and is not a part of the address.
    let plain = address.prefix { $0 != "%" }
    guard let bytes = Self.bytes(of: String(plain)), bytes.count == self.address.count else {
      return false
    }
    return Self.masked(bytes, bits) == self.address
  }

  /// The bytes of a numeric address; of an IPv4 address that is mapped into IPv6, its own four bytes.
  private static func bytes(of text: String) -> [UInt8]? {
    var four = [UInt8](repeating: 0, count: 4)
    if inet_pton(AF_INET, text, &four) == 1 { return four }
    var sixteen = [UInt8](repeating: 0, count: 16)
    guard inet_pton(AF_INET6, text, &sixteen) == 1 else { return nil }
    let isMapped = sixteen[..<10].allSatisfy { $0 == 0 } && sixteen[10...11] == [0xFF, 0xFF]
    return isMapped ? Array(sixteen[12...]) : sixteen
  }

  private static func masked(_ bytes: [UInt8], _ bits: Int) -> [UInt8] {
    bytes.indices.map { index in
      let kept = min(max(bits - index * 8, 0), 8)
      return bytes[index] & UInt8(truncatingIfNeeded: 0xFF00 >> kept)
    }
  }
}
