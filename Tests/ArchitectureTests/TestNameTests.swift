import Testing

/// Tests are named after what they check, in one style: `a_cut_file_keeps_its_frames`.
struct TestNameTests {
  /// Each use of an attribute, with the lines that follow it.
  private static func declarations(of attribute: String, in text: String) -> [String] {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    return lines.indices.compactMap { number in
      let line = lines[number]
      guard
        line.hasPrefix(attribute) || line.hasPrefix("  " + attribute)
          || line.hasPrefix("    " + attribute)
      else { return nil }
      return lines[number...].prefix(200).joined(separator: "\n")
    }
  }

  @Test func test_functions_are_named_as_sentences_and_have_no_other_name() throws {
    var seen = 0
    for (place, text) in try SourceTree.texts(below: "Tests") {
      for declaration in Self.declarations(of: "@Test", in: text) {
        // The name follows the attribute, whose arguments may contain closures but no named function.
        let name = try #require(
          declaration.firstMatch(of: /\bfunc (\w+|`[^`]+`)/)?.1, "\(place): \(declaration)")
        seen += 1
        #expect(
          name.wholeMatch(of: /[a-z][a-z0-9]*(_[a-z0-9]+){2,}/) != nil, "\(place): \(name)")
        #expect(
          declaration.prefixMatch(of: /\s*@Test\(\s*"/) == nil, "\(place): \(name) has two names")
      }
    }
    #expect(seen > 1000, "the tests were not found")
  }

  @Test func suites_have_no_name_but_their_type() throws {
    for (place, text) in try SourceTree.texts(below: "Tests") {
      for declaration in Self.declarations(of: "@Suite", in: text) {
        #expect(declaration.prefixMatch(of: /\s*@Suite\(\s*"/) == nil, "\(place)")
      }
    }
  }
}
