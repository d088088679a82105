import CXXHash

/// An xxHash64 with seed 0, written as `xxhsum -H64` does.
public struct ContentHash: Sendable, Hashable, CustomStringConvertible {
  public let value: UInt64

  public init(value: UInt64) { self.value = value }

  /// Parses 16 hexadecimal digits.
  public init?(_ text: String) {
    guard text.utf8.count == 16, let value = UInt64(text, radix: 16) else { return nil }
    self.value = value
  }

  /// Computes the hash of bytes.
  public init(of bytes: [UInt8]) {
    value = bytes.withUnsafeBytes { XXH64($0.baseAddress, $0.count, 0) }
  }

  /// 16 hexadecimal digits.
  public var description: String {
    String(unsafeUninitializedCapacity: 16) { digits in
      for place in 0..<16 {
        let digit = UInt8(truncatingIfNeeded: value >> (60 - 4 * place)) & 15
        digits[place] = digit + (digit < 10 ? UInt8(ascii: "0") : UInt8(ascii: "a") - 10)
      }
      return 16
    }
  }

  /// Computes a hash incrementally.
  package struct Stream: ~Copyable {
    private let state: UnsafeMutablePointer<XXH64_state_t>?

    package init() {
      state = XXH64_createState()
      if let state { XXH64_reset(state, 0) }
    }

    deinit { XXH64_freeState(state) }

    package func add(_ bytes: UnsafeRawBufferPointer) {
      guard let state else { return }
      XXH64_update(state, bytes.baseAddress, bytes.count)
    }

    /// The hash of all bytes added; nil if there was no memory.
    package var hash: ContentHash? { state.map { ContentHash(value: XXH64_digest($0)) } }
  }
}
