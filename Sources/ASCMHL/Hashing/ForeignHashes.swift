import CFFmpeg
import CXXHash

/// Computes hashes in the ASC MHL formats that this library does not write itself, to check
/// manifests of other programs.
final class ForeignHashes {
  /// The formats; the raw values are their element names in manifests.
  enum Format: String, CaseIterable {
    case md5, sha1, xxh3, xxh128
  }

  private let formats: [Format]
  private let md5: OpaquePointer?
  private let sha1: OpaquePointer?
  /// Both lengths use the same state type, each with its own reset function.
  private let xxh3: OpaquePointer?
  private let xxh128: OpaquePointer?

  /// Returns nil if memory runs out.
  init?(_ formats: [Format]) {
    self.formats = formats
    md5 = formats.contains(.md5) ? av_md5_alloc() : nil
    sha1 = formats.contains(.sha1) ? av_sha_alloc() : nil
    xxh3 = formats.contains(.xxh3) ? XXH3_createState() : nil
    xxh128 = formats.contains(.xxh128) ? XXH3_createState() : nil
    let states: [(Format, OpaquePointer?)] = [
      (.md5, md5), (.sha1, sha1), (.xxh3, xxh3), (.xxh128, xxh128),
    ]
    guard states.allSatisfy({ !formats.contains($0.0) || $0.1 != nil }) else { return nil }
    if let md5 { av_md5_init(md5) }
    if let sha1 { av_sha_init(sha1, 160) }
    if let xxh3 { XXH3_64bits_reset(xxh3) }
    if let xxh128 { XXH3_128bits_reset(xxh128) }
  }

  deinit {
    av_free(md5.map { UnsafeMutableRawPointer($0) })
    av_free(sha1.map { UnsafeMutableRawPointer($0) })
    XXH3_freeState(xxh3)
    XXH3_freeState(xxh128)
  }

  func add(_ bytes: UnsafeRawBufferPointer) {
    guard let base = bytes.baseAddress?.assumingMemoryBound(to: UInt8.self) else { return }
    if let md5 { av_md5_update(md5, base, bytes.count) }
    if let sha1 { av_sha_update(sha1, base, bytes.count) }
    if let xxh3 { XXH3_64bits_update(xxh3, base, bytes.count) }
    if let xxh128 { XXH3_128bits_update(xxh128, base, bytes.count) }
  }

  /// The hashes of all bytes added, as written in manifests; may be called only once.
  func hashes() -> [Format: String] {
    var hashes: [Format: String] = [:]
    if let md5 {
      var digest = [UInt8](repeating: 0, count: 16)
      av_md5_final(md5, &digest)
      hashes[.md5] = Self.hexadecimal(digest)
    }
    if let sha1 {
      var digest = [UInt8](repeating: 0, count: 20)
      av_sha_final(sha1, &digest)
      hashes[.sha1] = Self.hexadecimal(digest)
    }
    if let xxh3 { hashes[.xxh3] = "\(ContentHash(value: XXH3_64bits_digest(xxh3)))" }
    if let xxh128 {
      let digest = XXH3_128bits_digest(xxh128)
      hashes[.xxh128] = "\(ContentHash(value: digest.high64))\(ContentHash(value: digest.low64))"
    }
    return hashes
  }

  private static func hexadecimal(_ bytes: [UInt8]) -> String {
    bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }
}
