import Foundation
import QuickTime
import Synchronization

/// Dates in movie metadata.
enum MetadataDate {
  /// An ISO 8601 date as cameras write it: with a time zone, with or without a colon, or only a date.
  static func date(_ text: String) -> Date? {
    let forms: [Date.ISO8601FormatStyle] = [
      .iso8601, .iso8601.timeZone(separator: .omitted),
      Date.ISO8601FormatStyle(includingFractionalSeconds: true), .iso8601.year().month().day(),
    ]
    return forms.lazy.compactMap { try? $0.parse(text) }.first
  }
}

extension MovieMetadata.Value {
  /// A program's value; nil for a type that movies cannot store.
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
  /// The items of a program, as a movie stores them.
  ///
  /// - Throws: ``AVError/Code/unsupportedOutputSettings`` for a key or a value that a QuickTime movie cannot store.
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
          "\(name) cannot be written; use a key of the common or the QuickTime metadata key space"
        )
      }
      guard let value = facts.value else {
        throw AVError(
          .unsupportedOutputSettings,
          "\(name): "
            + (facts.misfit.map {
              "a value of type \($0) cannot be written; use text, a number or data"
            } ?? "the item has no value"))
      }
      self[key.rawValue] = value
    }
  }
}

extension AVMetadataItem {
  /// The metadata of a QuickTime movie.
  static func items(_ metadata: MovieMetadata) -> [AVMetadataItem] {
    metadata.items.map { item in
      let key = AVMetadataKey(rawValue: item.key)
      return AVMetadataItem(
        Facts(identifier: AVMetadataIdentifier(.quickTimeMetadata, key), value: item.value))
    }
  }

  /// The metadata that libavformat reports for another container, with common keys where its keys correspond to one.
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
