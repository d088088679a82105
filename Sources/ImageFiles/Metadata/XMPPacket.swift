import Foundation

/// XMP packets as text.
enum XMPPacket {
  /// A packet with the given `rdf:Description` elements.
  static func wrap(_ descriptions: String) -> String {
    whole(
      """
      <x:xmpmeta xmlns:x="adobe:ns:meta/">\
      <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">\
      \(descriptions)</rdf:RDF></x:xmpmeta>
      """)
  }

  /// An `x:xmpmeta` element in the processing instructions by which scanners find packets (XMP specification, part
  /// 1, 7.3).
  static func whole(_ element: String) -> String {
    guard !element.contains("<?xpacket") else { return element }
    return "<?xpacket begin=\"\u{FEFF}\" id=\"W5M0MpCehiHzreSzNTczkc9d\"?>\n" + element
      + "\n<?xpacket end=\"r\"?>"
  }

  /// A packet with more descriptions; nil if the packet does not end its `rdf:RDF`.
  static func adding(_ descriptions: String, to packet: String?) -> String? {
    guard let packet else { return wrap(descriptions) }
    let end = "</rdf:RDF>"
    guard let place = packet.range(of: end, options: .backwards) else { return nil }
    return packet[..<place.lowerBound] + descriptions + packet[place.lowerBound...]
  }
}
