import Foundation
import MediaCore

/// Reads a settings dictionary with Apple's keys, key by key. Throws an error that names a key with a value of the
/// wrong type, or an unknown key.
struct SettingsReader {
  private let title: String
  private var rest: [String: Any]
  private var known: [String] = []

  /// - Parameter title: The name of the settings in errors.
  init(_ settings: [String: Any], _ title: String) {
    self.title = title
    rest = settings
  }

  /// A string, or the string raw value of a type such as a codec.
  mutating func text(_ key: String) throws(AVError) -> String? {
    guard let value = take(key) else { return nil }
    if let text = value as? String { return text }
    if let coded = value as? any RawRepresentable, let text = coded.rawValue as? String {
      return text
    }
    throw mismatch(key, value, "text")
  }

  /// An integer.
  mutating func integer(_ key: String) throws(AVError) -> Int? {
    guard let value = take(key) else { return nil }
    if !(value is Bool), let number = Self.number(value), let integer = Int(exactly: number) {
      return integer
    }
    throw mismatch(key, value, "an integer")
  }

  /// A finite number.
  mutating func number(_ key: String) throws(AVError) -> Double? {
    guard let value = take(key) else { return nil }
    if !(value is Bool), let number = Self.number(value), number.isFinite { return number }
    throw mismatch(key, value, "a number")
  }

  /// A Boolean.
  mutating func flag(_ key: String) throws(AVError) -> Bool? {
    guard let value = take(key) else { return nil }
    if let flag = Self.flag(value) { return flag }
    throw mismatch(key, value, "true or false")
  }

  /// A Boolean; also 0 and 1, as in Apple's dictionaries.
  private static func flag(_ value: Any) -> Bool? {
    if let flag = value as? Bool { return flag }
    switch number(value) {
    case 0: return false
    case 1: return true
    default: return nil
    }
  }

  mutating func data(_ key: String) throws(AVError) -> Data? {
    guard let value = take(key) else { return nil }
    if let data = value as? Data { return data }
    throw mismatch(key, value, "bytes")
  }

  /// Frames per second.
  mutating func frameRate(_ key: String) throws(AVError) -> FrameRate? {
    guard let number = try number(key) else { return nil }
    if let rate = FrameRate("\(number)") { return rate }
    throw wrong(key, "\(number) is not a usable frame rate")
  }

  /// A nested settings dictionary.
  mutating func settings(_ key: String) throws(AVError) -> SettingsReader? {
    guard let value = take(key) else { return nil }
    if let settings = value as? [String: Any] { return SettingsReader(settings, "\(key)") }
    throw mismatch(key, value, "a dictionary")
  }

  /// Throws unless a Boolean is missing or has the only supported value.
  mutating func expect(_ key: String, _ wanted: Bool, _ reason: String) throws(AVError) {
    guard let value = take(key) else { return }
    guard let isOn = Self.flag(value) else { throw mismatch(key, value, "true or false") }
    guard isOn == wanted else { throw Self.error("\(title): \(key) must be \(wanted): \(reason)") }
  }

  /// Throws if a key that is not supported here is present.
  mutating func refuse(_ key: String, _ reason: String) throws(AVError) {
    guard take(key) != nil else { return }
    throw Self.error("\(title): \(key) is not supported: \(reason); leave it out")
  }

  /// Ignores keys that have no effect here.
  mutating func ignore(_ keys: [String]) {
    for key in keys { rest.removeValue(forKey: key) }
  }

  /// The keys that were not read.
  var unread: [String] { rest.keys.sorted() }

  /// Throws for keys that were not read.
  func finish() throws(AVError) {
    guard let key = rest.keys.min() else { return }
    throw Self.error("\(title): \(Suggestion.unknownKey(key, among: known.sorted()))")
  }

  /// An error about a value that has the right type but is invalid.
  func wrong(_ key: String, _ reason: String) -> AVError {
    Self.error("\(title): \(key): \(reason)")
  }

  func missing(_ key: String) -> AVError {
    Self.error("\(title): \(key) is missing")
  }

  private mutating func take(_ key: String) -> Any? {
    known.append(key)
    return rest.removeValue(forKey: key)
  }

  private func mismatch(_ key: String, _ value: Any, _ wanted: String) -> AVError {
    Self.error("\(title): \(key) must be \(wanted), not \(value) (\(type(of: value)))")
  }

  private static func number(_ value: Any) -> Double? {
    if let whole = value as? any BinaryInteger { return Double(whole) }
    if let real = value as? any BinaryFloatingPoint { return Double(real) }
    return (value as? NSNumber)?.doubleValue
  }

  private static func error(_ message: String) -> AVError {
    AVError(.unsupportedOutputSettings, message)
  }
}
