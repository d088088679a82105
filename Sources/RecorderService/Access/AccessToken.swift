/// Secrets of clients.
enum AccessToken {
  /// Characters of a secret that is made here: 192 bits.
  private static let length = 32
  private static let alphabet = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)

  /// A new secret, from the system's random numbers.
  static func make() -> String {
    var source = SystemRandomNumberGenerator()
    return String(
      decoding: (0..<length).map { _ in alphabet[Int(source.next(upperBound: UInt8(64)))] },
      as: UTF8.self)
  }

  /// True if a text can be a secret. Secrets are used in URLs and headers without escaping.
  static func isSecret(_ text: String) -> Bool {
    (16...200).contains(text.utf8.count)
      && text.utf8.allSatisfy { alphabet.contains($0) || "._~".utf8.contains($0) }
  }

  /// Compares in a time that does not depend on how much of the secret is right.
  static func matches(_ given: String, _ secret: String) -> Bool {
    let (given, secret) = (Array(given.utf8), Array(secret.utf8))
    var difference = given.count ^ secret.count
    for (index, byte) in secret.enumerated() {
      difference |= Int(byte ^ (index < given.count ? given[index] : ~byte))
    }
    return difference == 0
  }
}
