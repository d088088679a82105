package import CaptureDevices
import MediaCore
import TOMLKit

/// One table of a preset or of another configuration, read with its types and ranges checked.
package struct PresetTable {
  let document: PresetDocument
  /// The keys that lead to the table.
  let path: [String]
  private let table: TOMLTable
  /// The line of the header, from 1, for a table of an array: several have the same keys.
  private let firstLine: Int

  /// The whole document.
  package init(_ document: PresetDocument) {
    self.init(document: document, path: [], table: document.root, firstLine: 1)
  }

  private init(document: PresetDocument, path: [String], table: TOMLTable, firstLine: Int) {
    self.document = document
    self.path = path
    self.table = table
    self.firstLine = firstLine
  }

  /// The keys that are set.
  package var keys: [String] { table.keys }

  /// An error that names file, line, column and key.
  package func error(_ key: String, _ message: String) -> CaptureError {
    document.error(at: path + [key], from: firstLine, message)
  }

  private func wrongType(
    _ key: String, _ value: any TOMLValueConvertible, wanted: String
  ) -> CaptureError {
    error(key, "must be \(wanted), not \(value.type.withArticle)")
  }

  /// Refuses a key that is not of the schema.
  package func check(keys known: String...) throws(CaptureError) { try check(keys: known) }

  /// Refuses a key that is not of the schema, and says which one may be meant.
  package func check(keys known: [String]) throws(CaptureError) {
    // In the order of the file, so that the first error named is the first one read.
    let unknown = keys.filter { !known.contains($0) }
      .map { (key: $0, line: document.place(of: path + [$0], from: firstLine)?.line ?? 0) }
      .min { $0.line < $1.line }
    guard let unknown else { return }
    throw error(
      unknown.key,
      "no such key\(Suggestion.remark(on: unknown.key, among: known)); known here: "
        + known.joined(separator: ", "))
  }

  package func string(_ key: String) throws(CaptureError) -> String? {
    guard let value = table[key] else { return nil }
    guard let string = value.string else { throw wrongType(key, value, wanted: "a string") }
    return string
  }

  /// The path of a folder. An empty one would mean the working folder.
  func folder(_ key: String) throws(CaptureError) -> String? {
    guard let folder = try string(key) else { return nil }
    guard !folder.isEmpty else {
      throw error(key, "is empty; name a folder, or leave the key out")
    }
    return folder
  }

  package func boolean(_ key: String) throws(CaptureError) -> Bool? {
    guard let value = table[key] else { return nil }
    guard let boolean = value.bool else { throw wrongType(key, value, wanted: "true or false") }
    return boolean
  }

  package func integer(_ key: String, in range: ClosedRange<Int>) throws(CaptureError) -> Int? {
    guard let value = table[key] else { return nil }
    guard let integer = value.int else { throw wrongType(key, value, wanted: "an integer") }
    guard range.contains(integer) else {
      throw error(key, "\(integer) is out of range; use \(range.lowerBound) to \(range.upperBound)")
    }
    return integer
  }

  package func number(_ key: String, in range: ClosedRange<Double>) throws(CaptureError) -> Double?
  {
    guard let value = table[key] else { return nil }
    guard let number = value.double ?? value.int.map(Double.init) else {
      throw wrongType(key, value, wanted: "a number")
    }
    guard range.contains(number) else {
      throw error(key, "\(number) is out of range; use \(range.lowerBound) to \(range.upperBound)")
    }
    return number
  }

  /// A string or a number, as text: rates and sizes are written either way.
  package func text(_ key: String) throws(CaptureError) -> String? {
    guard let value = table[key] else { return nil }
    if let string = value.string { return string }
    if let integer = value.int { return "\(integer)" }
    if let double = value.double { return "\(double)" }
    throw wrongType(key, value, wanted: "a string or a number")
  }

  /// A string that is read by `parse`; `wanted` says what would do, and `names` are values that a
  /// mistyped one may have been meant to be.
  package func parsed<Value>(
    _ key: String, wanted: String, names: [String] = [], _ parse: (String) -> Value?
  ) throws(CaptureError) -> Value? {
    guard let text = try text(key) else { return nil }
    guard let value = parse(text) else {
      throw error(
        key, "\"\(text)\"\(Suggestion.remark(on: text, among: names)) is not a \(wanted)")
    }
    return value
  }

  /// A string out of a few.
  package func choice<Value>(
    _ key: String, _ choices: KeyValuePairs<String, Value>
  ) throws(CaptureError) -> Value? {
    guard let string = try string(key) else { return nil }
    guard let match = choices.first(where: { $0.key == string }) else {
      let names = choices.map(\.key)
      throw error(key, Self.unknown(string, of: names))
    }
    return match.value
  }

  /// The message for a string that is not one of `names`.
  static func unknown(_ string: String, of names: [String]) -> String {
    "unknown value \"\(string)\"\(Suggestion.remark(on: string, among: names)); choose one of "
      + names.map { "\"\($0)\"" }.joined(separator: ", ")
  }

  func integers(_ key: String, in range: ClosedRange<Int>) throws(CaptureError) -> [Int]? {
    guard let value = table[key] else { return nil }
    guard let array = value.array else {
      throw wrongType(key, value, wanted: "an array of integers")
    }
    var result: [Int] = []
    for element in array {
      guard let integer = element.int, range.contains(integer) else {
        throw error(
          key,
          "\(element.debugDescription) is not an integer from \(range.lowerBound) to "
            + "\(range.upperBound)")
      }
      result.append(integer)
    }
    return result
  }

  package func strings(_ key: String) throws(CaptureError) -> [String]? {
    guard let value = table[key] else { return nil }
    guard let array = value.array else {
      throw wrongType(key, value, wanted: "an array of strings")
    }
    var result: [String] = []
    for element in array {
      guard let string = element.string, !string.isEmpty else {
        throw error(
          key, "\(element.debugDescription) is not a name; write strings that are not empty")
      }
      result.append(string)
    }
    return result
  }

  package func table(_ key: String) throws(CaptureError) -> PresetTable? {
    guard let value = table[key] else { return nil }
    guard let inner = value.table else { throw wrongType(key, value, wanted: "a table") }
    return PresetTable(
      document: document, path: path + [key], table: inner, firstLine: firstLine)
  }

  package func tables(_ key: String) throws(CaptureError) -> [PresetTable] {
    guard let value = table[key] else { return [] }
    guard let array = value.array else {
      throw wrongType(key, value, wanted: "an array of tables")
    }
    var result: [PresetTable] = []
    let lines = document.headerLines(of: path + [key])
    for (number, element) in array.enumerated() {
      guard let inner = element.table else {
        throw wrongType(key, element, wanted: "an array of tables")
      }
      result.append(
        PresetTable(
          document: document, path: path + [key], table: inner,
          firstLine: number < lines.count ? lines[number] : firstLine))
    }
    return result
  }
}

extension TOMLType {
  fileprivate var withArticle: String {
    switch self {
    case .array, .int: "an \(self)"
    default: "a \(self)"
    }
  }
}
