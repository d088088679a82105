import CFFmpeg

/// SHA-256, HMAC-SHA-256 and MD5 with libavutil, which this program links anyway.
enum Digest {
  static func sha256(_ bytes: [UInt8]) -> [UInt8] {
    var digest = [UInt8](repeating: 0, count: 32)
    guard let state = av_sha_alloc() else { return digest }
    defer { av_free(UnsafeMutableRawPointer(state)) }
    av_sha_init(state, 256)
    av_sha_update(state, bytes, bytes.count)
    av_sha_final(state, &digest)
    return digest
  }

  /// RFC 2104.
  static func hmac(key: [UInt8], _ message: [UInt8]) -> [UInt8] {
    var block = key.count > 64 ? sha256(key) : key
    block += [UInt8](repeating: 0, count: 64 - block.count)
    let inner = sha256(block.map { $0 ^ 0x36 } + message)
    return sha256(block.map { $0 ^ 0x5C } + inner)
  }

  static func md5(_ bytes: [UInt8]) -> [UInt8] {
    var digest = [UInt8](repeating: 0, count: 16)
    av_md5_sum(&digest, bytes, bytes.count)
    return digest
  }

  static func hexadecimal(_ bytes: [UInt8]) -> String {
    let digits = Array("0123456789abcdef".utf8)
    return String(
      decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
  }
}
