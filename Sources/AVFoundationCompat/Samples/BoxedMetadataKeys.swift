import MediaCore
import QuickTime

/// The keys of a timed metadata track, by the key numbers in its samples.
struct BoxedMetadataKeys: Sendable {
  private struct Key: Sendable {
    var identifier: AVMetadataIdentifier
    /// Apple's name for the values' type.
    var dataType: String
    /// The type's number among QTFF's "well-known types"; 0 for bytes.
    var type: UInt32
  }

  /// The keys in the API's terms.
  let description: MetadataFormatDescription
  private let keys: [UInt32: Key]

  /// The keys stored in a file.
  init(_ stored: [MovieIndex.MetadataKey]) {
    var keys: [UInt32: Key] = [:]
    var described: [MetadataFormatDescription.Key] = []
    for key in stored {
      let identifier = AVMetadataIdentifier(
        AVMetadataKeySpace(rawValue: key.space.description), AVMetadataKey(rawValue: key.name))
      let (name, number): (String, UInt32) =
        switch key.type {
        case .wellKnown(let number):
          (MetadataValues.name(of: number) ?? kCMMetadataBaseDataType_RawData, number)
        case .named(let name): (name, MetadataValues.type(named: name) ?? 0)
        }
      keys[key.number] = Key(identifier: identifier, dataType: name, type: number)
      described.append(.init(identifier: identifier.rawValue, dataType: name))
    }
    self.keys = keys
    description = MetadataFormatDescription(keys: described)
  }

  /// The items of a sample, in order.
  ///
  /// - Throws: ``AVError`` for a damaged sample.
  func items(in sample: [UInt8], during range: CMTimeRange) throws(AVError) -> [AVMetadataItem] {
    var items: [AVMetadataItem] = []
    do throws(QuickTimeError) {
      for value in try BoxedMetadataValue.values(in: sample) {
        guard let key = keys[value.key] else {
          throw QuickTimeError(
            .damaged,
            "a timed metadata sample uses key \(value.key), which its track does not define: "
              + "the movie is damaged")
        }
        items.append(
          AVMetadataItem(
            AVMetadataItem.Facts(
              identifier: key.identifier,
              value: MovieMetadata.Value(type: key.type, bytes: value.bytes),
              dataType: key.dataType, timeRange: range)))
      }
    } catch { throw AVError(error) }
    return items
  }
}
