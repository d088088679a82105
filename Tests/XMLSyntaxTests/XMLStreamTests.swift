import Testing

@testable import XMLSyntax

@Suite struct XMLStreamTests {
  /// Records the events, one per line.
  private final class Listener: XMLStream.Handler {
    var lines: [String] = []
    var refused: String?

    func began(_ name: XMLName, _ attributes: [XMLAttribute], after text: [UInt8]) -> String? {
      let list = attributes.map { " \($0.name)=\($0.value)" }.joined()
      lines.append("\(String(decoding: text, as: UTF8.self))<\(name.qualified)\(list)>")
      return name.local == refused ? "no \(name.local) here" : nil
    }

    func ended(_ name: XMLName, after text: [UInt8]) -> String? {
      lines.append("\(String(decoding: text, as: UTF8.self))</\(name.local)>")
      return nil
    }
  }

  private let listener = Listener()

  /// Reads a text in pieces of this many bytes.
  private func read(_ text: String, pieces: Int = .max, longestText: Int = .max) throws {
    let stream = try #require(XMLStream(listener, longestText: longestText))
    var rest = Array(text.utf8)[...]
    repeat {
      let piece = Array(rest.prefix(pieces))
      rest = rest.dropFirst(pieces)
      try piece.withUnsafeBytes { try stream.read($0, isLast: rest.isEmpty) }
    } while !rest.isEmpty
  }

  /// Why a text is refused, with the line.
  private func failure(_ text: String, longestText: Int = .max) -> String? {
    do { try read(text, longestText: longestText) } catch let error as XMLStream.Failure {
      return "\(error.line): \(error.reason)"
    } catch {
      return "\(error)"
    }
    return nil
  }

  @Test(arguments: [1, 2, 7, .max])
  func each_tag_is_reported_with_the_text_before_it(pieces: Int) throws {
    try read("<a:b x='1' y:z='&lt;é'>one\ntwo<c/>three</a:b>\n", pieces: pieces)
    #expect(listener.lines == ["<a:b x=1 y:z=<é>", "one\ntwo<c>", "</c>", "three</b>"])
  }

  @Test func attributes_are_found_by_their_full_name() {
    let attributes = [XMLAttribute(name: "a:x", value: "1"), XMLAttribute(name: "x", value: "2")]
    #expect(attributes["x"] == "2" && attributes["a:x"] == "1" && attributes["a"] == nil)
  }

  @Test func a_listeners_refusal_stops_parsing_and_names_the_line() {
    listener.refused = "c"
    #expect(failure("<b>\n<c/>\n<d/></b>") == "2: no c here")
    #expect(listener.lines.last == "\n<c>", "nothing is reported after it")
  }

  @Test func text_longer_than_the_limit_is_refused() {
    #expect(failure("<b>1234</b>", longestText: 4) == nil)
    #expect(failure("<b>12345</b>", longestText: 4) == "1: a text is too long")
  }

  @Test(arguments: [
    "<!DOCTYPE b [<!ENTITY e 'eeeeeeee'>]><b>&e;</b>", "<b>", "<b></c>", "", "text",
    "<b/><b/>", "<b x='1' x='2'/>",
  ])
  func custom_entities_and_invalid_xml_are_refused(text: String) {
    #expect(failure(text) != nil)
  }
}
