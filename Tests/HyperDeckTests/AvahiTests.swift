import Foundation
import TestSupport
import Testing

@testable import HyperDeck

struct AvahiTests {
  /// Installed by Debian's `avahi-daemon`.
  private static let grammar = "/usr/share/avahi/avahi-service.dtd"

  @Test func a_deck_is_announced_as_companion_expects() throws {
    let text = AvahiService(name: "Camera <A> & \"B\"\u{1}", port: 9994).text
    #expect(text.contains("<type>_hyperdeck_ctrl._tcp</type>"))
    #expect(text.contains("<port>9994</port>"))
    #expect(text.contains("<txt-record>class=HyperDeck</txt-record>"))
    #expect(text.contains("<txt-record>name=Camera &lt;A&gt; &amp; &quot;B&quot;?</txt-record>"))
  }

  @Test(
    .tags(.judges),
    .enabled(if: Judges.find("xmllint") != nil, "xmllint is not installed"),
    .enabled(if: FileManager.default.fileExists(atPath: Self.grammar), "Avahi is not installed"))
  func avahi_accepts_the_service_file() throws {
    let folder = try TemporaryFolder()
    let file = try folder.write(AvahiService(name: "Ä & <b>").text, "deck.service")
    let result = try Judges.run(
      "xmllint", ["--noout", "--nonet", "--dtdvalid", Self.grammar, file.path])
    #expect(result.status == 0, "\(result.errors)")
  }
}
