import TestSupport
import Testing
import XMLSyntax

@testable import PhotoDevelopment

/// A prefix has the meaning that the nearest enclosing element declares, however many elements there are.
@Suite struct XMPScopeTests {
  private static func element(_ declarations: [(String, String)]) -> XMLElement {
    XMLElement(name: "a", attributes: declarations.map { .init(name: $0, value: $1) })
  }

  @Test func scopes_store_only_the_declarations_of_their_element() {
    let outer = XMPScope().within(
      Self.element((0..<100).map { ("xmlns:p\($0)", "urn:\($0)") }))
    #expect(outer.within(Self.element([("p1:Name", "value")])) === outer)
    let inner = outer.within(Self.element([("xmlns:p1", "urn:inner"), ("xmlns", "urn:plain")]))
    #expect(inner.declared == ["p1": "urn:inner", "": "urn:plain"])
    #expect(inner["p1"] == "urn:inner" && inner["p2"] == "urn:2" && inner["q"] == nil)
    #expect(inner.expanded("p2:Name") == "urn:2Name" && inner.expanded("Name") == "urn:plainName")
    #expect(inner.all.count == 101)
  }

  @Test func a_redeclared_prefix_no_longer_belongs_to_its_namespace() {
    let outer = XMPScope(["a": "urn:one", "0b": "urn:two", "c": "urn:two"])
    #expect(outer.prefix(of: "urn:one") == "a" && outer.prefix(of: "urn:two") == "c")
    let inner = XMPScope(["a": "urn:other", "c": "urn:other"], in: outer)
    #expect(!inner.contains("urn:one") && inner.prefix(of: "urn:one") == nil)
    #expect(inner.contains("urn:two") && inner.prefix(of: "urn:two") == nil)
  }

  /// Each element declares its own prefix, inside others that declare a hundred.
  @Test(.timeLimit(.minutes(1))) func a_hundred_thousand_elements_are_read_and_written() throws {
    let many = (0..<100).map { " xmlns:p\($0)='urn:\($0)'" }.joined()
    let elements = (0..<100_000).map { index in
      "<rdf:Description xmlns:q='urn:q\(index)' q:Number='\(index)' p7:Note='n'/>"
    }
    let text =
      "<rdf:RDF xmlns:rdf='\(XMPDocument.rdf)'\(many)>\(elements.joined())"
      + "<rdf:Description xmlns:c='\(XMPDocument.Namespace.cameraRaw.uri)' c:Tint='+7'/></rdf:RDF>"
    var packet = try XMPDocument(Array(text.utf8))
    #expect(packet[.cameraRaw, "Tint"] == "+7")
    packet[.cameraRaw, "Tint"] = "+9"
    #expect(packet[.cameraRaw, "Tint"] == "+9")
    let last = XMPDocument.Namespace(uri: "urn:q99999", prefix: "q")
    #expect(packet[last, "Number"] == "99999")
  }
}
