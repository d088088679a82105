/// The order of a HEIF file's properties.
enum HEIFPropertyOrder {
  /// Lists each image's size before its rotation and mirroring, and states the unturned size, as
  /// ISO/IEC 23008-12 (6.5.3) requires.
  ///
  /// libheif up to 1.15 lists the size after them and states the turned size, which standard-conforming readers
  /// turn once more. A file whose sizes are already in place is not changed.
  static func correct(_ bytes: inout [UInt8]) {
    guard let (all, associations) = HEIFTransforms.itemProperties(bytes) else { return }
    for association in associations {
      let indices = association.places.map { association.index($0, in: bytes) }
      guard indices.allSatisfy({ all.indices.contains($0 - 1) }) else { continue }
      let types = indices.map { all[$0 - 1].type }
      guard !types.contains("clap"), let size = types.firstIndex(of: "ispe"),
        let turn = types.firstIndex(where: { $0 == "irot" || $0 == "imir" }), turn < size
      else { continue }
      let property = all[indices[size] - 1].content
      let isShared = associations.contains { other in
        other.item != association.item
          && other.places.contains { other.index($0, in: bytes) == indices[size] }
      }
      guard !isShared, property.count >= 12 else { continue }
      move(size, before: turn, of: association, in: &bytes)
      let quarters = zip(types, indices).prefix(size).filter { $0.0 == "irot" }
        .reduce(0) { $0 + HEIFTransforms.number(bytes, all[$1.1 - 1].content.lowerBound, 1) }
      guard quarters % 2 == 1 else { continue }
      let sides = property.lowerBound + 4..<property.lowerBound + 12
      bytes.replaceSubrange(sides, with: Array(bytes[sides].suffix(4) + bytes[sides].prefix(4)))
    }
  }

  private static func move(
    _ from: Int, before: Int, of association: HEIFTransforms.Association, in bytes: inout [UInt8]
  ) {
    let (places, size) = (association.places, association.size)
    var numbers = places.map { Array(bytes[$0..<$0 + size]) }
    numbers.insert(numbers.remove(at: from), at: before)
    for (place, number) in zip(places, numbers) {
      bytes.replaceSubrange(place..<place + size, with: number)
    }
  }
}
