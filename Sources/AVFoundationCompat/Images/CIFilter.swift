public import Foundation
public import RawDevelop

/// Makes an image from inputs: a RAW developer, or another of ``filterNames(inCategory:)``.
open class CIFilter {
  /// The settings of a RAW developer; nil for any other filter.
  var raw: RAWFilter?
  /// The last key or value that could not be set.
  private var unknownKey: String?

  init(raw: RAWFilter?) { self.raw = raw }

  /// A RAW developer for a DNG file; nil if it cannot be read or is not DNG.
  public convenience init!(imageURL url: URL, options: [CIRAWFilterOption: Any]? = nil) {
    guard let filter = try? RAWFilter(url: url) else { return nil }
    self.init(raw: filter)
    for (key, value) in options ?? [:] { setValue(value, forKey: key.rawValue) }
  }

  /// A RAW developer for a DNG file in memory; nil if the data is not DNG.
  public convenience init!(imageData data: Data, options: [CIRAWFilterOption: Any]? = nil) {
    guard let filter = try? RAWFilter(data: [UInt8](data)) else { return nil }
    self.init(raw: filter)
    for (key, value) in options ?? [:] { setValue(value, forKey: key.rawValue) }
  }

  /// The filter's result; nil if there is an ``error``.
  open var outputImage: CIImage? {
    guard error == nil, let raw else { return nil }
    return CIImage(raw)
  }

  /// Why the current settings cannot be used; nil if they can.
  var unusable: RawDevelopError? { nil }

  /// Why there is no result: an unknown key or value, or an unsupported decoder version. Not in Core Image, which ends
  /// the program for an unknown key.
  public var error: RawDevelopError? {
    if let unknownKey {
      return RawDevelopError(
        .invalidArgument, "the filter has no input \(unknownKey) for a value of this type")
    }
    if let unusable { return unusable }
    guard let raw, !RAWFilter.supportedDecoderVersions.contains(raw.decoderVersion) else {
      return nil
    }
    return RawDevelopError(
      .unsupported, "decoder version \(raw.decoderVersion) is not supported")
  }

  /// Inputs besides those of a RAW developer.
  class var inputs: [CIFilterInput] { [] }

  private func input(_ key: String) -> CIFilterInput? {
    type(of: self).inputs.first { $0.key == key }
  }

  /// Sets an input by its key; a RAW developer's keys are the raw values of ``CIRAWFilterOption``. After an unknown key
  /// or a value of the wrong type the filter has no result.
  open func setValue(_ value: Any?, forKey key: String) {
    let isTaken =
      input(key).map { $0.set(self, value) } ?? raw?.set(value, CIRAWFilterOption(rawValue: key))
    if isTaken != true { unknownKey = key }
  }

  /// The input with a key, or the result for `outputImage`; nil for an unknown key.
  open func value(forKey key: String) -> Any? {
    if key == kCIOutputImageKey { return outputImage }
    return input(key).map { $0.value(self) } ?? raw?.value(CIRAWFilterOption(rawValue: key))
  }

  /// The filter's function on a color in linear light; nil if the filter does not work on single colors.
  var change: RAWFilter.LinearSpaceFilter? { nil }
}

extension CIFilter {
  /// The filter's name for ``CIFilterByName/init(name:)``.
  public var name: String { "\(type(of: self))" }

  /// The input keys; empty for a RAW developer.
  public var inputKeys: [String] { type(of: self).inputs.map(\.key) }

  /// The key of the result.
  public var outputKeys: [String] { [kCIOutputImageKey] }

  /// Resets all inputs except images to their defaults.
  public func setDefaults() {
    guard let fresh = Self.makers[name]?() else { return }
    for input in type(of: self).inputs where !input.key.hasSuffix("Image") {
      _ = input.set(self, input.value(fresh))
    }
  }
}
