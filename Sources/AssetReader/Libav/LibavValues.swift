import CFFmpeg
import Foundation
import MediaCore

extension MediaTime {
  /// The exact time of a libav time stamp; invalid if there is none or on overflow.
  init(_ value: Int64, in unit: AVRational) {
    guard value != cffmpeg_nopts, unit.num > 0, unit.den > 0 else {
      self = .invalid
      return
    }
    let (product, overflow) = value.multipliedReportingOverflow(by: Int64(unit.num))
    self = overflow ? .invalid : MediaTime(value: product, timescale: unit.den)
  }
}

extension FrameRate {
  /// A rate that was computed from time stamps. It becomes a broadcast rate if it is within 1/5000
  /// of one (29.97 and 30 are 1/1000 apart).
  init?(measured rate: AVRational) {
    guard rate.num > 0, rate.den > 0, let exact = FrameRate(rate.num, rate.den) else { return nil }
    let speed = exact.framesPerSecond
    let near = FrameRate.standard.first { rate in
      (speed / rate.framesPerSecond - 1).magnitude < 1.0 / 5000
    }
    self = near ?? exact
  }
}

/// libav's text for an error code.
func libavErrorText(_ code: Int32) -> String {
  withUnsafeTemporaryAllocation(of: CChar.self, capacity: 128) { buffer in
    guard let base = buffer.baseAddress, av_strerror(code, base, buffer.count) >= 0 else {
      return "error \(code)"
    }
    return String(cString: base)
  }
}

/// A libav string; nil if null or empty.
func libavText(_ text: UnsafePointer<CChar>?) -> String? {
  guard let text else { return nil }
  let string = String(cString: text)
  return string.isEmpty ? nil : string
}

/// All pairs of a metadata dictionary. Text that is not UTF-8 is read as Latin-1, which many
/// programs write.
func libavMetadata(_ dictionary: OpaquePointer?) -> [String: String] {
  var result: [String: String] = [:]
  eachTag(of: dictionary) { key, bytes in
    result[key] =
      String(validating: bytes, as: UTF8.self)
      ?? String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
  }
  return result
}

/// The keys of a metadata dictionary whose text is not UTF-8.
func libavLatinKeys(_ dictionary: OpaquePointer?) -> Set<String> {
  var keys: Set<String> = []
  eachTag(of: dictionary) { key, bytes in
    if String(validating: bytes, as: UTF8.self) == nil { keys.insert(key) }
  }
  return keys
}

private func eachTag(
  of dictionary: OpaquePointer?, _ body: (String, UnsafeBufferPointer<UInt8>) -> Void
) {
  var entry: UnsafeMutablePointer<AVDictionaryEntry>?
  while let next = av_dict_get(dictionary, "", entry, AV_DICT_IGNORE_SUFFIX) {
    entry = next
    guard let key = libavText(next.pointee.key), let value = next.pointee.value else { continue }
    let count = strlen(value)
    value.withMemoryRebound(to: UInt8.self, capacity: count) {
      body(key, UnsafeBufferPointer(start: $0, count: count))
    }
  }
}

/// The language tag as an ISO 639-2 code; nil if unknown.
func libavLanguage(_ tags: [String: String]) -> String? {
  guard let text = tags["language"], !text.isEmpty, text != "und" else { return nil }
  // Matroska's newer field starts with the two letters of ISO 639-1, and may include a region.
  let first = text.split { $0 == "-" || $0 == "_" }.first.map(String.init) ?? text
  guard first.count == 2 else { return text }
  return Locale.LanguageCode(first.lowercased()).identifier(.alpha3) ?? text
}
