public import MediaCore

extension MovieIndex {
  /// What a track of timed metadata calls a fact.
  public struct MetadataKey: Sendable, Hashable {
    /// What the values of a key are.
    public enum ValueType: Sendable, Hashable {
      /// A number of QTFF's "well-known types": 1 for UTF-8, 65 for a signed number of 8 bits.
      case wellKnown(UInt32)
      /// A name in reverse DNS.
      case named(String)
    }

    /// The number by which samples name the key.
    public var number: UInt32
    /// The space of the name: `mdta` for reverse DNS.
    public var space: FourCharCode
    /// The name in that space.
    public var name: String
    /// What its values are.
    public var type: ValueType
  }
}

/// Reads what tracks of timed metadata hold (QTFF, "Timed Metadata Media").
enum BoxedMetadataParser {
  /// The keys of a sample entry; nil for one of another kind.
  ///
  /// - Throws: ``QuickTimeError/Code/damaged``.
  static func keys(_ sampleEntry: [UInt8]) throws(QuickTimeError) -> [MovieIndex.MetadataKey]? {
    var outer = AtomReader(sampleEntry, type: "stsd")
    guard var entry = try outer.next(), entry.type == "mebx" else { return nil }
    try entry.skip(8)
    guard var table = try entry.first("keys") else { return [] }
    var keys: [MovieIndex.MetadataKey] = []
    var numbers: Set<UInt32> = []
    while let atom = try table.next() {
      // Number 0 marks a deleted key.
      guard atom.type.rawValue != 0 else { continue }
      guard numbers.insert(atom.type.rawValue).inserted else {
        throw QuickTimeError(
          .damaged, "a key of timed metadata occurs twice: the movie is damaged")
      }
      keys.append(try key(atom))
    }
    return keys
  }

  private static func key(_ atom: AtomReader) throws(QuickTimeError) -> MovieIndex.MetadataKey {
    guard var name = try atom.first("keyd") else {
      throw QuickTimeError(.damaged, "a key of timed metadata has no name: the movie is damaged")
    }
    var key = MovieIndex.MetadataKey(
      number: atom.type.rawValue, space: try name.code(),
      name: String(decoding: try name.raw(name.remaining), as: UTF8.self), type: .wellKnown(0))
    if var type = try atom.first("dtyp") {
      let isNamed = try type.uint32() == 1
      key.type =
        isNamed
        ? .named(String(decoding: try type.raw(type.remaining), as: UTF8.self))
        : .wellKnown(try type.uint32())
    }
    return key
  }
}

/// A value of a sample of timed metadata.
public struct BoxedMetadataValue: Sendable, Hashable {
  /// The number of its key.
  public var key: UInt32
  /// The value, as its type has it in a file.
  public var bytes: [UInt8]

  /// The most values that are read of one sample, which bounds what is made of them.
  static let limit = 1 << 16

  /// The values of a sample; none where nothing holds.
  ///
  /// - Throws: ``QuickTimeError/Code/damaged``, and ``QuickTimeError/Code/unsupported`` for more than 65,536 values.
  public static func values(in sample: [UInt8]) throws(QuickTimeError) -> [BoxedMetadataValue] {
    var reader = AtomReader(sample, type: "mebx")
    var values: [BoxedMetadataValue] = []
    while var atom = try reader.next() {
      guard atom.type.rawValue != 0 else { continue }
      guard values.count < limit else {
        throw QuickTimeError(
          .unsupported, "a sample of timed metadata of more than \(limit) values is not read")
      }
      values.append(
        BoxedMetadataValue(key: atom.type.rawValue, bytes: try atom.raw(atom.remaining)))
    }
    guard reader.remaining == 0 else {
      throw QuickTimeError(
        .damaged, "a sample of timed metadata is cut short: the movie is damaged")
    }
    return values
  }
}
