/// What a reader needs to apply a gain map, as in ISO 21496-1 and in Adobe's older XMP.
struct GainMapMetadata {
  let least: Double
  let greatest: Double
  let headroom: Double
  let offset: Double

  init(_ map: GainMap) {
    (least, greatest, headroom) = (map.least, map.greatest, map.headroom)
    offset = GainMap.offset
  }

  /// The minimum version that a reader must support and the writer's version: the content of the base image's
  /// segment.
  static let versions: [UInt8] = [0, 0, 0, 0]

  /// ISO 21496-1 annex C: one set of values for all three colors, in the base image's color space.
  var isoBytes: [UInt8] {
    let usesBaseColorSpace: UInt8 = 1 << 6
    var bytes = Self.versions + [usesBaseColorSpace]
    for value in [0, headroom] { bytes += Self.fraction(value) }
    for value in [least, greatest, 1, offset, offset] { bytes += Self.fraction(value) }
    return bytes
  }

  /// A fraction of two 32-bit integers, big-endian; all values here are within ±32 stops.
  private static func fraction(_ value: Double) -> [UInt8] {
    let denominator: UInt32 = 1 << 24
    let numerator = Int32(min(max(value, -64), 64) * Double(denominator))
    return big(UInt32(bitPattern: numerator)) + big(denominator)
  }

  private static func big(_ number: UInt32) -> [UInt8] {
    withUnsafeBytes(of: number.bigEndian) { Array($0) }
  }

  /// The attributes of the gain map's own packet.
  var mapXMP: String {
    XMPPacket.wrap(
      """
      <rdf:Description rdf:about="" xmlns:hdrgm="http://ns.adobe.com/hdr-gain-map/1.0/" \
      hdrgm:Version="1.0" hdrgm:GainMapMin="\(least)" hdrgm:GainMapMax="\(greatest)" \
      hdrgm:Gamma="1" hdrgm:OffsetSDR="\(offset)" hdrgm:OffsetHDR="\(offset)" \
      hdrgm:HDRCapacityMin="0" hdrgm:HDRCapacityMax="\(headroom)" \
      hdrgm:BaseRenditionIsHDR="False"/>
      """)
  }

  /// The base image's XMP description of the gain map that follows it.
  static func directoryXMP(mapLength: Int) -> String {
    """
    <rdf:Description rdf:about="" xmlns:Container="http://ns.google.com/photos/1.0/container/" \
    xmlns:Item="http://ns.google.com/photos/1.0/container/item/" \
    xmlns:hdrgm="http://ns.adobe.com/hdr-gain-map/1.0/" hdrgm:Version="1.0">\
    <Container:Directory><rdf:Seq>\
    <rdf:li rdf:parseType="Resource">\
    <Container:Item Item:Semantic="Primary" Item:Mime="image/jpeg"/></rdf:li>\
    <rdf:li rdf:parseType="Resource">\
    <Container:Item Item:Semantic="GainMap" Item:Mime="image/jpeg" Item:Length="\(mapLength)"/>\
    </rdf:li></rdf:Seq></Container:Directory></rdf:Description>
    """
  }
}
