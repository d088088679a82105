extension ICCProfile {
  /// A profile's name: the first language of its description, or the only text in a version 2 profile; nil if there
  /// is no readable name.
  static func name(of profile: [UInt8]) -> String? {
    func number(_ offset: Int, size: Int = 4) -> Int? {
      guard offset >= 0, offset + size <= profile.count else { return nil }
      return profile[offset..<offset + size].reduce(0) { $0 << 8 | Int($1) }
    }
    func part(_ offset: Int, _ count: Int) -> ArraySlice<UInt8>? {
      guard offset >= 0, count >= 0, offset + count <= profile.count else { return nil }
      return profile[offset..<offset + count]
    }
    guard let count = number(128), count <= 256 else { return nil }
    let tags = (0..<count).map { 132 + 12 * $0 }
    guard
      let tag = tags.first(where: { part($0, 4)?.elementsEqual("desc".utf8) == true }),
      let place = number(tag + 4), let kind = part(place, 4)
    else { return nil }
    if kind.elementsEqual("desc".utf8) {
      guard let length = number(place + 8), let text = part(place + 12, length) else { return nil }
      return String(decoding: text.prefix { $0 != 0 }, as: UTF8.self)
    }
    guard kind.elementsEqual("mluc".utf8), let records = number(place + 8), records > 0,
      let length = number(place + 20), let offset = number(place + 24),
      let text = part(place + offset, length)
    else { return nil }
    let units = stride(from: text.startIndex, to: text.endIndex - 1, by: 2).map {
      UInt16(text[$0]) << 8 | UInt16(text[$0 + 1])
    }
    return String(decoding: units.prefix { $0 != 0 }, as: UTF16.self)
  }
}
