/// The address of an object, or of all objects with a common prefix: `s3://bucket/prefix`.
public struct ObjectAddress: Sendable, Hashable, CustomStringConvertible {
  /// The bucket's name.
  public let bucket: String
  /// The key, or the prefix of keys, without a slash at either end; empty for the whole bucket.
  public let key: String

  /// The prefix of addresses.
  public static let scheme = "s3://"

  /// Parses an address; nil if the text is not an `s3://` address with a bucket.
  ///
  /// Amazon's rules for buckets: 3 to 63 lowercase letters, digits, dots and hyphens; other stores
  /// also take uppercase letters and underscores. A path component of a key may not be empty, `.`
  /// or `..`, because the key could not be a file in a folder.
  public init?(_ text: String) {
    guard text.hasPrefix(Self.scheme) else { return nil }
    // By bytes, because a slash and a combining accent after it form one `Character`.
    let names = text.utf8.dropFirst(Self.scheme.utf8.count)
      .split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
      .map { String(Substring($0)) }
    guard let bucket = names.first, Self.isBucket(bucket) else { return nil }
    var path = names.dropFirst()
    if path.last == "" { path = path.dropLast() }
    let key = path.joined(separator: "/")
    guard path.allSatisfy({ Self.isName($0) }), key.utf8.count <= Self.longestKey else {
      return nil
    }
    (self.bucket, self.key) = (bucket, key)
  }

  private init(bucket: String, key: String) { (self.bucket, self.key) = (bucket, key) }

  /// Amazon's limit for a key, in bytes.
  static let longestKey = 1024

  /// The address of a path below this one.
  package func appending(_ path: String) -> ObjectAddress {
    ObjectAddress(bucket: bucket, key: key.isEmpty ? path : key + "/" + path)
  }

  /// The last path component; the bucket if there is no key.
  var lastName: String {
    key.utf8.split(separator: UInt8(ascii: "/")).last.map { String(Substring($0)) } ?? bucket
  }

  public var description: String { Self.scheme + bucket + (key.isEmpty ? "" : "/" + key) }

  /// True for text that is meant as an address.
  public static func isMeant(by text: String) -> Bool { text.lowercased().hasPrefix(scheme) }

  private static func isName(_ name: String) -> Bool {
    !name.isEmpty && name != "." && name != ".." && !name.utf8.contains { $0 < 0x20 }
  }

  private static func isBucket(_ name: String) -> Bool {
    let isSound = name.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "-"),
        UInt8(ascii: "_"):
        true
      default: false
      }
    }
    return isSound && (3...255).contains(name.utf8.count) && !name.hasPrefix(".")
      && !name.contains("..")
  }
}
