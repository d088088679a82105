import Foundation
import TIFF

extension ImageProperty {
  /// The values of the properties in a directory, by name.
  static func values(_ properties: [ImageProperty], _ directory: TIFFDirectory) -> [String: Any] {
    var found: [String: Any] = [:]
    for property in properties {
      guard let value = directory[property.tag] else { continue }
      found[property.name] = property.value(value)
    }
    return found
  }

  /// A TIFF value in Image I/O's form; nil if it is invalid.
  func value(_ value: TIFFValue) -> Any? {
    switch form {
    case .text: return value.text
    case .number:
      if case .undefined(let bytes) = value, let first = bytes.first { return Int(first) }
      return value.firstNumber.map(Self.number)
    case .numbers: return value.count > 0 ? value.numbers.map(Self.number) : nil
    case .bytes: return value.numbers.map { Int($0) }
    case .digits:
      guard case .undefined(let bytes) = value, bytes.count == 4,
        bytes.allSatisfy({ (48...57).contains($0) })
      else { return nil }
      // 0230 is 2.3, and 0232 is 2.3.2.
      let parts = [
        Int(bytes[0] - 48) * 10 + Int(bytes[1] - 48), Int(bytes[2] - 48), Int(bytes[3] - 48),
      ]
      return parts[2] == 0 ? Array(parts.dropLast()) : parts
    case .comment: return Self.comment(value)
    case .degrees:
      let parts = value.numbers
      guard parts.count == 3, value.firstNumber != nil, parts.allSatisfy(\.isFinite) else {
        return nil
      }
      return parts[0] + parts[1] / 60 + parts[2] / 3600
    case .time:
      let parts = value.numbers
      guard parts.count == 3, parts.allSatisfy({ $0.isFinite && (0..<100).contains($0) }) else {
        return nil
      }
      let second = (parts[2] * 100).rounded() / 100
      let whole = [Int(parts[0]), Int(parts[1]), Int(second)].map { $0 < 10 ? "0\($0)" : "\($0)" }
      let hundredths = Int((second * 100).rounded()) % 100
      return whole.joined(separator: ":")
        + (hundredths == 0 ? "" : hundredths < 10 ? ".0\(hundredths)" : ".\(hundredths)")
    }
  }

  /// A number as an `Int` if it is integral.
  private static func number(_ value: Double) -> Any {
    Int(exactly: value).map { $0 as Any } ?? value
  }

  private static func comment(_ value: TIFFValue) -> String? {
    guard case .undefined(let bytes) = value, bytes.count > 8 else { return value.text }
    let content = bytes.dropFirst(8)
    guard bytes.starts(with: "UNICODE\0".utf8) else {
      return String(decoding: content.prefix { $0 != 0 }, as: UTF8.self)
    }
    // The byte order is the file's; the zero bytes of most scripts' letters reveal it.
    let pairs = stride(from: content.startIndex, to: content.endIndex - 1, by: 2).map {
      (content[$0], content[$0 + 1])
    }
    let isLittle = pairs.count { $0.1 == 0 } > pairs.count { $0.0 == 0 }
    let units = pairs.map {
      isLittle ? UInt16($0.1) << 8 | UInt16($0.0) : UInt16($0.0) << 8 | UInt16($0.1)
    }
    return String(decoding: units.prefix { $0 != 0 }, as: UTF16.self)
  }
}
