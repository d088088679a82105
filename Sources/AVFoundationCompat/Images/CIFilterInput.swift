import Foundation
import RawDevelop

/// A filter input that `setValue(_:forKey:)` sets by its key.
struct CIFilterInput {
  let key: String
  let value: (CIFilter) -> Any?
  /// Returns false for a value of the wrong type, which has no effect.
  let set: (CIFilter, Any?) -> Bool

  private init<Filter: CIFilter, Value>(
    _ key: String, _ path: ReferenceWritableKeyPath<Filter, Value>,
    _ read: @escaping (Any?) -> Value?
  ) {
    self.key = key
    value = { ($0 as? Filter)?[keyPath: path] }
    set = { filter, given in
      guard let filter = filter as? Filter, let value = read(given) else { return false }
      filter[keyPath: path] = value
      return true
    }
  }

  /// An image or nil.
  static func image<Filter: CIFilter>(
    _ path: ReferenceWritableKeyPath<Filter, CIImage?>, _ key: String = kCIInputImageKey
  ) -> Self {
    Self(key: key) {
      ($0 as? Filter)?[keyPath: path]
    } set: { filter, given in
      let image = given as? CIImage
      guard let filter = filter as? Filter, given == nil || image != nil else { return false }
      filter[keyPath: path] = image
      return true
    }
  }

  private init(
    key: String, value: @escaping (CIFilter) -> Any?, set: @escaping (CIFilter, Any?) -> Bool
  ) {
    (self.key, self.value, self.set) = (key, value, set)
  }

  static func number<Filter: CIFilter>(
    _ path: ReferenceWritableKeyPath<Filter, Float>, _ key: String
  ) -> Self { Self(key, path) { RAWFilter.number($0) } }

  /// A number truncated to an integer.
  static func integer<Filter: CIFilter, Value: BinaryInteger>(
    _ path: ReferenceWritableKeyPath<Filter, Value>, _ key: String
  ) -> Self {
    Self(key, path) {
      RAWFilter.number($0).flatMap { abs($0) < 1e9 ? Value(clamping: Int($0)) : nil }
    }
  }

  static func vector<Filter: CIFilter>(
    _ path: ReferenceWritableKeyPath<Filter, CIVector>, _ key: String
  ) -> Self { Self(key, path) { $0 as? CIVector } }

  /// A rectangle, given as a `CGRect` or a `CIVector`.
  static func rectangle<Filter: CIFilter>(
    _ path: ReferenceWritableKeyPath<Filter, CGRect>, _ key: String
  ) -> Self { Self(key, path) { $0 as? CGRect ?? ($0 as? CIVector)?.cgRectValue } }

  static func exactly<Filter: CIFilter, Value>(
    _ path: ReferenceWritableKeyPath<Filter, Value>, _ key: String
  ) -> Self { Self(key, path) { $0 as? Value } }
}
