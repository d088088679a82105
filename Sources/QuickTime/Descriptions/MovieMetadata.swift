import Glibc

/// Facts about a movie under reverse-DNS keys, as `moov/meta` stores them (handler `mdta`).
///
/// QTFF places a `meta` atom directly in the movie, a track or a media atom, and Apple's cameras
/// write the movie's; `udta/meta` is the place of iTunes and of ISO files.
public struct MovieMetadata: Sendable, Hashable {
  /// A metadata value, by the type that the file stores.
  public enum Value: Sendable, Hashable {
    /// Text (type 1, UTF-8).
    case text(String)
    /// A whole number (type 21; types 22 and 65 to 78 are read too).
    case integer(Int64)
    /// A number (type 24; 23 is read too).
    case number(Double)
    /// Another type of QTFF's "well-known types".
    case data(type: UInt32, bytes: [UInt8])
  }

  /// A key and its value.
  public struct Item: Sendable, Hashable {
    /// The key: `com.apple.quicktime.make`.
    public var key: String
    public var value: Value
    /// A key and its value.
    public init(key: String, value: Value) {
      self.key = key
      self.value = value
    }
  }

  /// The items, in the order of the file.
  public var items: [Item] = []

  /// Empty metadata: the movie gets no `meta` atom.
  public init() {}

  /// The value of a key; setting nil removes it.
  public subscript(key: String) -> Value? {
    get { items.first { $0.key == key }?.value }
    set {
      let index = items.firstIndex { $0.key == key }
      switch (index, newValue) {
      case (let index?, let value?): items[index].value = value
      case (let index?, nil): items.remove(at: index)
      case (nil, let value?): items.append(Item(key: key, value: value))
      case (nil, nil): break
      }
    }
  }

  /// The text of a key; nil if it is missing or not text.
  public func text(_ key: String) -> String? {
    if case .text(let text) = self[key] { text } else { nil }
  }

  private mutating func set(_ key: String, _ text: String?) {
    self[key] = text.map { .text($0) }
  }

  /// The camera's manufacturer.
  public var make: String? {
    get { text("com.apple.quicktime.make") }
    set { set("com.apple.quicktime.make", newValue) }
  }

  /// The model of the camera.
  public var model: String? {
    get { text("com.apple.quicktime.model") }
    set { set("com.apple.quicktime.model", newValue) }
  }

  /// The program that wrote the movie.
  public var software: String? {
    get { text("com.apple.quicktime.software") }
    set { set("com.apple.quicktime.software", newValue) }
  }

  /// When it was shot, as Apple writes it: `2022-05-24T10:11:12+0200`.
  public var creationDate: String? {
    get { text("com.apple.quicktime.creationdate") }
    set { set("com.apple.quicktime.creationdate", newValue) }
  }

  /// Where it was shot, by ISO 6709: `+48.1374+011.5755/`.
  public var location: String? {
    get { text("com.apple.quicktime.location.ISO6709") }
    set { set("com.apple.quicktime.location.ISO6709", newValue) }
  }

  /// A date as ``creationDate`` wants it, in the zone of the machine.
  ///
  /// - Parameter unixTime: Seconds since 1970 UTC.
  public static func dateText(unixTime: Int64) -> String {
    var time = time_t(unixTime)
    var parts = tm()
    guard localtime_r(&time, &parts) != nil else { return "" }
    func pad(_ number: Int, _ width: Int = 2) -> String {
      let digits = String(number)
      return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
    let offset = parts.tm_gmtoff / 60
    return pad(Int(parts.tm_year) + 1900, 4) + "-" + pad(Int(parts.tm_mon) + 1) + "-"
      + pad(Int(parts.tm_mday)) + "T" + pad(Int(parts.tm_hour)) + ":" + pad(Int(parts.tm_min))
      + ":" + pad(Int(parts.tm_sec)) + (offset < 0 ? "-" : "+") + pad(abs(offset) / 60)
      + pad(abs(offset) % 60)
  }
}
