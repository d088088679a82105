/// The structure of a PNG file: all its chunks, but no pixels.
public enum EmptyPNG {
  /// - Parameters:
  ///   - seed: Makes the file's bytes unique.
  ///   - filling: The number of bytes to add.
  public static func bytes(
    width: Int = 16, height: Int = 8, seed: Int = 0, filling: Int = 0
  ) -> [UInt8] {
    let text = [UInt8]("seed \(seed)".utf8) + [UInt8](repeating: UInt8(seed & 0xFF), count: filling)
    return [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
      + chunk("IHDR", number(width) + number(height) + [8, 2, 0, 0, 0]) + chunk("tEXt", text)
      + chunk("IEND", [])
  }

  /// A chunk whose checksum nobody checks.
  private static func chunk(_ type: String, _ content: [UInt8]) -> [UInt8] {
    number(content.count) + [UInt8](type.utf8) + content + number(0)
  }

  private static func number(_ value: Int) -> [UInt8] {
    (0..<4).reversed().map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
  }
}
