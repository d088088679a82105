import CFFmpeg

/// A C4 identifier (SMPTE ST 2114): a SHA-512 digest in base 58, 90 characters long.
public struct C4Identifier: Sendable, Hashable, CustomStringConvertible {
  /// The 64 bytes of the digest.
  public let digest: [UInt8]

  private static let alphabet = [UInt8](
    "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz".utf8)
  private static let digitCount = 88
  private static let byteCount = 64

  /// Creates an identifier from a 64-byte digest; nil if the length is wrong.
  public init?(digest: [UInt8]) {
    guard digest.count == Self.byteCount else { return nil }
    self.digest = digest
  }

  /// Computes the identifier of bytes; nil if memory runs out.
  public init?(of bytes: [UInt8]) {
    let stream = Stream()
    bytes.withUnsafeBytes { stream.add($0) }
    guard let identifier = stream.identifier() else { return nil }
    self = identifier
  }

  /// Parses an identifier of 90 characters.
  public init?(_ text: String) {
    let characters = [UInt8](text.utf8)
    guard characters.count == Self.digitCount + 2, characters.starts(with: "c4".utf8) else {
      return nil
    }
    var digest = [UInt8](repeating: 0, count: Self.byteCount)
    for character in characters.dropFirst(2) {
      guard let digit = Self.alphabet.firstIndex(of: character) else { return nil }
      var carry = digit
      for index in digest.indices.reversed() {
        carry += Int(digest[index]) * 58
        digest[index] = UInt8(truncatingIfNeeded: carry)
        carry >>= 8
      }
      guard carry == 0 else { return nil }
    }
    self.digest = digest
  }

  /// 90 characters, starting with `c4`.
  public var description: String {
    var number = digest
    var digits: [UInt8] = []
    for _ in 0..<Self.digitCount {
      var remainder = 0
      for index in number.indices {
        remainder = remainder << 8 | Int(number[index])
        number[index] = UInt8(truncatingIfNeeded: remainder / 58)
        remainder %= 58
      }
      digits.append(Self.alphabet[remainder])
    }
    return "c4" + String(decoding: digits.reversed(), as: UTF8.self)
  }

  /// Computes an identifier incrementally, with libavutil's SHA-512.
  package struct Stream: ~Copyable {
    private let context: OpaquePointer?

    /// - Parameter isWanted: False for a stream that ignores its input and has no identifier.
    package init(isWanted: Bool = true) {
      context = isWanted ? av_sha512_alloc() : nil
      if let context { av_sha512_init(context, 512) }
    }

    deinit { av_free(context.map { UnsafeMutableRawPointer($0) }) }

    package func add(_ bytes: UnsafeRawBufferPointer) {
      guard let context, let base = bytes.baseAddress else { return }
      av_sha512_update(context, base.assumingMemoryBound(to: UInt8.self), bytes.count)
    }

    /// The identifier of all bytes added; may be called only once. nil if there was no memory.
    package func identifier() -> C4Identifier? {
      guard let context else { return nil }
      var digest = [UInt8](repeating: 0, count: C4Identifier.byteCount)
      av_sha512_final(context, &digest)
      return C4Identifier(digest: digest)
    }
  }
}
