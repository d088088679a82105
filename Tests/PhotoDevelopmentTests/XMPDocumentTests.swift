import MediaCore
import PhotoDevelopment
import TestSupport
import Testing

/// XMP is read in all its forms, and what is not changed is written back as it was.
@Suite struct XMPDocumentTests {
  private func packet(_ inside: String) throws -> XMPDocument {
    try XMPDocument(
      Array(
        """
        <?xpacket begin="" id="W5M0MpCehiHzreSzNTczkc9d"?><x:xmpmeta xmlns:x="adobe:ns:meta/">
        <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"
          xmlns:c="http://ns.adobe.com/camera-raw-settings/1.0/">\(inside)</rdf:RDF>
        </x:xmpmeta><?xpacket end="w"?>
        """.utf8) + [0, 0])
  }

  @Test func attributes_and_elements_with_any_prefix_are_properties() throws {
    let packet = try packet(
      """
      <rdf:Description rdf:about="" c:Exposure2012="+0.35"/>
      <rdf:Description rdf:about=""><c:Tint>+7</c:Tint><c:ToneCurvePV2012><rdf:Seq>
      <rdf:li>0, 0</rdf:li></rdf:Seq></c:ToneCurvePV2012></rdf:Description>
      """)
    #expect(packet[.cameraRaw, "Exposure2012"] == "+0.35")
    #expect(packet[.cameraRaw, "Tint"] == "+7")
    #expect(packet[.cameraRaw, "ToneCurvePV2012"] == nil)
    #expect(
      packet.properties(in: .cameraRaw).map(\.name) == ["Exposure2012", "Tint", "ToneCurvePV2012"])
  }

  @Test func properties_set_are_read_back_and_others_preserved() throws {
    var packet = try packet(
      """
      <rdf:Description rdf:about="" xmlns:o="urn:other" o:Note="a &lt; b &amp; &quot;c&quot;"
        c:Vibrance="+31"><o:List><rdf:Bag><rdf:li>one</rdf:li></rdf:Bag></o:List></rdf:Description>
      """)
    packet[.cameraRaw, "Exposure2012"] = "-1.25"
    packet[.tiff, "Orientation"] = "6"
    packet[.cameraRaw, "Vibrance"] = nil
    let again = try XMPDocument(Array(packet.text.utf8))
    #expect(again[.cameraRaw, "Exposure2012"] == "-1.25")
    #expect(again[.tiff, "Orientation"] == "6")
    #expect(again[.cameraRaw, "Vibrance"] == nil)
    #expect(packet.text.contains("o:Note=\"a &lt; b &amp; &quot;c&quot;\""))
    #expect(packet.text.contains("<rdf:li>one</rdf:li>"))
    #expect(again.text == packet.text)
  }

  @Test func a_new_packet_is_read_back() throws {
    var packet = XMPDocument()
    packet[.basic, "Label"] = "<&>\""
    #expect(try XMPDocument(Array(packet.text.utf8))[.basic, "Label"] == "<&>\"")
  }

  @Test func tabs_and_line_breaks_are_preserved() throws {
    let text = "one\ttwo\nthree\r\nfour\rfive"
    var packet = try packet("<rdf:Description rdf:about=''/>")
    packet[.basic, "Label"] = text
    #expect(try XMPDocument(Array(packet.text.utf8))[.basic, "Label"] == text)
    let written = try self.packet(
      "<rdf:Description><c:Note>a&#13;&#10;b</c:Note></rdf:Description>")
    let again = try XMPDocument(Array(written.text.utf8))
    #expect(again[.cameraRaw, "Note"] == "a\r\nb" && again.text == written.text)
  }

  @Test(.timeLimit(.minutes(1))) func text_of_millions_of_lines_is_read_quickly() throws {
    let lines = String(repeating: "\n", count: 4 << 20)
    let packet = try packet("<rdf:Description><c:Note>\(lines)x</c:Note></rdf:Description>")
    #expect(packet[.cameraRaw, "Note"]?.utf8.count == lines.utf8.count + 1)
  }

  @Test(
    arguments: [
      "", "plain text", "<a/>", "<x:xmpmeta", "<!DOCTYPE a [<!ENTITY b 'c'>]><a>&b;</a>",
      String(repeating: "<a>", count: 100_000), "<a xmlns:rdf='urn:x'><rdf:RDF/></a>",
    ])
  func text_that_is_not_xmp_gives_a_clear_error(text: String) {
    let error = #expect(throws: PhotoDevelopmentError.self) { try XMPDocument(Array(text.utf8)) }
    #expect(error?.code == .invalidSidecar && error?.message.contains("not XMP") == true)
  }

  @Test func random_damage_never_traps() throws {
    let whole = Array(
      try packet("<rdf:Description rdf:about='' c:Tint='1'><c:A>b</c:A></rdf:Description>")
        .text.utf8)
    var generator = SeededGenerator(seed: 7)
    for _ in 0..<2000 {
      var bytes = whole
      for _ in 0..<Int.random(in: 1...6, using: &generator) {
        let place = Int.random(in: 0..<bytes.count, using: &generator)
        bytes[place] = UInt8.random(in: 0...255, using: &generator)
      }
      if var packet = try? XMPDocument(bytes) {
        packet[.cameraRaw, "Exposure"] = "1"
        #expect(try XMPDocument(Array(packet.text.utf8))[.cameraRaw, "Exposure"] == "1")
      }
    }
  }

  @Test func an_invalid_prefix_is_not_used() throws {
    let text = """
      <r:RDF xmlns:r="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
      <r:Description xmlns:0rs="http://ns.adobe.com/camera-raw-settings/1.0/"/></r:RDF>
      """
    var packet = try XMPDocument(Array(text.utf8))
    packet[.cameraRaw, "Tint"] = "+9"
    #expect(try XMPDocument(Array(packet.text.utf8))[.cameraRaw, "Tint"] == "+9")
  }

  @Test func an_undeclared_prefix_is_left_alone() throws {
    let text = """
      <r:RDF xmlns:r="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><r:Description crs:Tint="+7"/></r:RDF>
      """
    var packet = try XMPDocument(Array(text.utf8))
    packet[.cameraRaw, "Tint"] = "+9"
    let read = try XMPDocument(Array(packet.text.utf8))
    #expect(read[.cameraRaw, "Tint"] == "+9" && packet.text.contains("crs:Tint=\"+7\""))
  }
}
