import MediaCore

/// The name of a file, without its folder.
struct FileName: Sendable, Hashable {
  let text: String

  init(_ text: String) { self.text = text }

  /// The part before the last dot, or the whole name if there is none.
  var stem: String { dot.map { String(text[..<$0]) } ?? text }

  /// The part after the last dot, or empty if there is none.
  var pathExtension: String { dot.map { String(text[text.index(after: $0)...]) } ?? "" }

  /// Inserts a suffix after the stem: `clip-2.mov`.
  func adding(_ suffix: String) -> FileName {
    FileName(pathExtension.isEmpty ? stem + suffix : stem + suffix + "." + pathExtension)
  }

  /// The name with a number, used from 2 up. A name that begins with the whole name of `main` keeps
  /// doing so: `clip.mov.json` becomes `clip-2.mov.json`, beside `clip-2.mov`.
  func numbered(_ number: Int, beside main: FileName) -> FileName {
    guard number > 1 else { return self }
    let suffix = "-\(number)"
    guard text.utf8.starts(with: (main.text + ".").utf8) else { return adding(suffix) }
    let rest = text[text.utf8.index(text.startIndex, offsetBy: main.text.utf8.count)...]
    return FileName(main.adding(suffix).text + rest)
  }

  /// Checks that the name is usable: no path, not hidden, not too long.
  ///
  /// - Throws: ``MediaLibraryError/Code/invalidPath``.
  func check() throws(MediaLibraryError) {
    let bytes = text.utf8
    let hasControls = bytes.contains { $0 < 32 || $0 == 127 }
    guard !bytes.isEmpty, bytes.count <= 240, bytes.first != UInt8(ascii: "."),
      !bytes.contains(UInt8(ascii: "/")), !hasControls
    else {
      throw MediaLibraryError(
        .invalidPath,
        "unusable file name '\(text)'; use at most 240 bytes, no path, no leading dot and no "
          + "control characters")
    }
  }

  private var dot: String.Index? {
    guard let dot = text.utf8.lastIndex(of: UInt8(ascii: ".")), dot != text.startIndex else {
      return nil
    }
    return dot
  }
}
