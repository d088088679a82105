import Testing

/// Limits files and functions to lengths that can be read at a glance.
struct LengthTests {
  /// Tables with a line for each entry; the compiler reports a missing entry.
  private static let tables = ["MediaCore/Pixels/PixelFormat+Table.swift"]

  @Test func no_file_has_more_than_400_lines() throws {
    let files = try SourceTree.texts(below: "Sources")
    #expect(files.count > 400, "the sources were not found")
    for (file, text) in files {
      let count = SourceLengths.lineCount(of: text)
      #expect(count <= 400, "\(file) has \(count) lines")
    }
  }

  @Test func no_function_has_more_than_55_lines() throws {
    for (file, text) in try SourceTree.texts(below: "Sources") where !Self.tables.contains(file) {
      for function in SourceLengths.longer(than: 55, in: text) {
        Issue.record("\(file):\(function.line): a function of \(function.count) lines")
      }
    }
  }

  @Test func function_lengths_are_counted() {
    let text = """
      struct A {
        var a: Int { 1 }
        func b(
          _ c: Int
        ) -> Int {
          c

        }
        // func d() {
        func e()
        init() {
        }
      }
      """
    let found = SourceLengths.longer(than: 1, in: text).map { [$0.line, $0.count] }
    #expect(found.sorted { $0[0] < $1[0] } == [[3, 6], [11, 2]])
    #expect(SourceLengths.longer(than: 5, in: text).map(\.line) == [3])
  }
}
