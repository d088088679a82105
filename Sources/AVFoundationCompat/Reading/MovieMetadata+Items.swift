import Foundation
import QuickTime
import Synchronization

/// Moments as movies write them.
enum MetadataDate {
  /// A moment by ISO 8601, as cameras write it: with a zone with or without a colon, or a date alone.
  static func date(_ text: String) -> Date? {
    let forms: [Date.ISO8601FormatStyle] = [
      .iso8601, .iso8601.timeZone(separator: .omitted),
      Date.ISO8601FormatStyle(includingFractionalSeconds: true), .iso8601.year().month().day(),
    ]
    return forms.lazy.compactMap { try? $0.parse(text) }.first
  }
}

extension MovieMetadata.Value {
  /// A value of a program: nil for what no movie can hold.
  init?(any value: Any) {
    switch value {
    case let text as String: self = .text(text)
    case let date as Date:
      self = .text(MovieMetadata.dateText(unixTime: Int64(date.timeIntervalSince1970)))
    case let data as Data: self = .data(type: 0, bytes: [UInt8](data))
    case let area as CGRect:
      self = .data(type: MetadataValues.rectangle, bytes: MetadataValues.bytes(of: area))
    case let whole as any BinaryInteger: self = .integer(Int64(clamping: whole))
    case let real as any BinaryFloatingPoint: self = .number(Double(real))
    case let number as NSNumber:
      let isWhole = number.doubleValue.rounded() == number.doubleValue
      self = isWhole ? .integer(number.int64Value) : .number(number.doubleValue)
    case let text as NSString: self = .text(text.description)
    default: return nil
    }
  }
}

extension MovieMetadata {
  /// A program's items, as a movie stores them.
  ///
  /// - Throws: ``AVError/Code/unsupportedOutputSettings`` for a key that a QuickTime movie has no place
  ///   for, and a value that it cannot hold.
  init(_ items: [AVMetadataItem]) throws(AVError) {
    self.init()
    for item in items {
      let facts = item.facts.withLock { $0 }
      guard let parts = facts.identifier?.parts, !parts.key.rawValue.isEmpty else {
        throw AVError(.unsupportedOutputSettings, "a metadata item has no key; set its identifier")
      }
      let name = facts.identifier?.rawValue ?? ""
      let key =
        parts.space == .common
        ? AVMetadataItem.commonKeys[parts.key] : parts.space == .quickTimeMetadata ? parts.key : nil
      guard let key else {
        throw AVError(
          .unsupportedOutputSettings,
          "\(name) is not written here; use a key of the common or the QuickTime metadata key space"
        )
      }
      guard let value = facts.value else {
        throw AVError(
          .unsupportedOutputSettings,
          "\(name): "
            + (facts.misfit.map { "a value of \($0) is not written; use text, a number or data" }
              ?? "the item has no value"))
      }
      self[key.rawValue] = value
    }
  }
}

extension AVMetadataItem {
  /// What a QuickTime movie says of itself.
  static func items(_ metadata: MovieMetadata) -> [AVMetadataItem] {
    metadata.items.map { item in
      let key = AVMetadataKey(rawValue: item.key)
      return AVMetadataItem(
        Facts(identifier: AVMetadataIdentifier(.quickTimeMetadata, key), value: item.value))
    }
  }

  /// What libavformat tells of another container: its own names, where they mean a common key.
  static func items(_ metadata: [String: String]) -> [AVMetadataItem] {
    let common: [String: AVMetadataKey] = [
      "title": .commonKeyTitle, "artist": .commonKeyArtist, "author": .commonKeyAuthor,
      "description": .commonKeyDescription, "creation_time": .commonKeyCreationDate,
      "date": .commonKeyCreationDate, "copyright": .commonKeyCopyrights, "make": .commonKeyMake,
      "model": .commonKeyModel, "encoder": .commonKeySoftware, "location": .commonKeyLocation,
    ]
    return metadata.sorted { $0.key < $1.key }.map { key, value in
      let identifier =
        common[key].map { AVMetadataIdentifier(.common, $0) }
        ?? AVMetadataIdentifier(.quickTimeMetadata, AVMetadataKey(rawValue: key))
      return AVMetadataItem(Facts(identifier: identifier, value: .text(value)))
    }
  }
}
