public import Foundation
public import RawDevelop

/// Makes a picture of inputs: a RAW developer, or another of ``filterNames(inCategory:)``.
open class CIFilter {
  /// Settings of a RAW developer; nil for another filter.
  var raw: RAWFilter?
  /// A key that no input has.
  private var unknownKey: String?

  init(raw: RAWFilter?) { self.raw = raw }

  /// A RAW developer for a DNG file; nil where it cannot be read or is none.
  public convenience init!(imageURL url: URL, options: [CIRAWFilterOption: Any]? = nil) {
    guard let filter = try? RAWFilter(url: url) else { return nil }
    self.init(raw: filter)
    for (key, value) in options ?? [:] { setValue(value, forKey: key.rawValue) }
  }

  /// A RAW developer for the bytes of a DNG file; nil where they are none.
  public convenience init!(imageData data: Data, options: [CIRAWFilterOption: Any]? = nil) {
    guard let filter = try? RAWFilter(data: [UInt8](data)) else { return nil }
    self.init(raw: filter)
    for (key, value) in options ?? [:] { setValue(value, forKey: key.rawValue) }
  }

  /// The filter's result; nil where ``error`` tells why there is none.
  open var outputImage: CIImage? {
    guard error == nil, let raw else { return nil }
    return CIImage(raw)
  }

  /// What is set and cannot be done; nil for nothing.
  var unusable: RawDevelopError? { nil }

  /// Why there is no result: a key or value that the filter does not know, or another decoder than those
  /// there are. Not of Core Image, which ends the program for an unknown key.
  public var error: RawDevelopError? {
    if let unknownKey {
      return RawDevelopError(
        .invalidArgument, "the filter has no input \(unknownKey) of the kind that was set")
    }
    if let unusable { return unusable }
    guard let raw, !RAWFilter.supportedDecoderVersions.contains(raw.decoderVersion) else {
      return nil
    }
    return RawDevelopError(
      .unsupported, "version \(raw.decoderVersion) of the developer is not there")
  }

  /// Inputs besides those of a RAW developer.
  class var inputs: [CIFilterInput] { [] }

  private func input(_ key: String) -> CIFilterInput? {
    type(of: self).inputs.first { $0.key == key }
  }

  /// Sets an input by its key; a RAW developer's are raw values of ``CIRAWFilterOption``. What it does not know, and
  /// a value of another kind, leaves the filter without a result.
  open func setValue(_ value: Any?, forKey key: String) {
    let isTaken =
      input(key).map { $0.set(self, value) } ?? raw?.set(value, CIRAWFilterOption(rawValue: key))
    if isTaken != true { unknownKey = key }
  }

  /// An input by its key, and the result by `outputImage`; nil for a key that the filter does not know.
  open func value(forKey key: String) -> Any? {
    if key == kCIOutputImageKey { return outputImage }
    return input(key).map { $0.value(self) } ?? raw?.value(CIRAWFilterOption(rawValue: key))
  }

  /// What the filter does to a color of linear light; nil for one that does not work on colors alone.
  var change: RAWFilter.LinearSpaceFilter? { nil }
}

extension CIFilter {
  /// The name by which ``CIFilterByName/init(name:)`` makes such a filter.
  public var name: String { "\(type(of: self))" }

  /// Keys of the inputs; of a RAW developer none is told.
  public var inputKeys: [String] { type(of: self).inputs.map(\.key) }

  /// The key of the result.
  public var outputKeys: [String] { [kCIOutputImageKey] }

  /// Gives all inputs but pictures their usual values.
  public func setDefaults() {
    guard let fresh = Self.makers[name]?() else { return }
    for input in type(of: self).inputs where !input.key.hasSuffix("Image") {
      _ = input.set(self, input.value(fresh))
    }
  }
}
