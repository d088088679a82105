import Testing

/// Tests that are slow, or need other programs or the network, can be left out by their tags, so each must have
/// them.
struct TestTagTests {
  /// What a test's text contains if it needs a tag.
  private static let signs: [String: [String]] = [
    "slow": ["TestRun.isThorough"],
    "lab": ["Lab.canBoot"],
    "judges": [
      "Judges.", "NewerFFmpeg.", "ASCMHLTool.", "DNGJudges.", "OutsideDecoder.",
      "PythonEnvironment(",
    ],
    "network": ["NewerFFmpeg.", "ASCMHLTool.", "DNGJudges.", "PythonEnvironment("],
  ]

  /// The tests and suites of a text, each up to the next one.
  private static func parts(of text: String) -> [(isSuite: Bool, text: String)] {
    var parts: [(isSuite: Bool, text: String)] = []
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      let isSuite = line.hasPrefix("@Suite") || line.hasPrefix("  @Suite")
      if isSuite || line.hasPrefix("  @Test") || line.hasPrefix("    @Test") {
        parts.append((isSuite, ""))
      }
      if !parts.isEmpty { parts[parts.count - 1].text += line + "\n" }
    }
    return parts
  }

  /// The tags of a test or suite: those named before its function or type.
  private static func tags(of part: String) -> Set<String> {
    let head = part.split(separator: "\n").prefix(12).joined(separator: "\n")
    guard let list = head.firstMatch(of: /\.tags\(([^)]*)\)/)?.1 else { return [] }
    return Set(list.split(separator: ",").map { String($0.trimming(while: " .")) })
  }

  @Test func slow_judging_and_network_tests_have_tags() throws {
    var seen: [String: Int] = [:]
    for (name, text) in try SourceTree.texts(below: "Tests") {
      // The lab's tests inherit the tags of the suite that boots its machine.
      guard name.contains("Tests/"), !name.hasPrefix("ArchitectureTests/"),
        !name.contains("/Lab/") || name.hasSuffix("/LabTests.swift")
      else { continue }
      var suite: Set<String> = []
      for part in Self.parts(of: text) {
        let tags = Self.tags(of: part.text)
        if part.isSuite { suite = tags }
        for (tag, signs) in Self.signs
        where signs.contains(where: { SourceTree.holds(part.text, $0) }) {
          // Only a suite's head counts: its body has properties and functions that its tests may use.
          let head = part.text.prefix { $0 != "{" }
          guard !part.isSuite || signs.contains(where: { SourceTree.holds(String(head), $0) })
          else { continue }
          seen[tag, default: 0] += 1
          #expect(tags.union(suite).contains(tag), "\(name): \(head.prefix(200)) needs .\(tag)")
        }
      }
    }
    for tag in Self.signs.keys { #expect(seen[tag] != nil, "no test needs .\(tag)") }
  }
}

extension Substring {
  fileprivate func trimming(while characters: String) -> Substring {
    var rest = drop { characters.contains($0) }
    while let last = rest.last, characters.contains(last) { rest = rest.dropLast() }
    return rest
  }
}
