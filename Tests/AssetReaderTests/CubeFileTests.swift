import TestSupport
import Testing

@testable import AssetReader

/// What is found in broken `.cube` files.
@Suite struct CubeFileTests {
  private static let lines = Array(repeating: "0 0.5 1e0\n", count: 8).joined()

  private static let broken: [(text: String, words: String)] = [
    ("", "there is no LUT_3D_SIZE"),
    ("TITLE \"a\"\n" + lines, "line 2: numbers before LUT_3D_SIZE"),
    ("LUT_1D_SIZE 2\n0 0 0\n1 1 1\n", "line 2: a one-dimensional table"),
    ("LUT_3D_SIZE\n" + lines, "line 1: LUT_3D_SIZE nothing; it must be from 2 to 256"),
    ("# x\nLUT_3D_SIZE 999\n" + lines, "line 2: LUT_3D_SIZE 999; it must be from 2 to 256"),
    ("LUT_3D_SIZE 2\n0 0 0\n1 x 0\n", "line 3: not three numbers"),
    ("LUT_3D_SIZE 2\n0 0 0\n", "1 line of numbers, but LUT_3D_SIZE 2 needs 8; the file is cut"),
    ("LUT_3D_SIZE 2\n0 0 0\n" + lines, "9 lines of numbers, but LUT_3D_SIZE 2 needs 8; export"),
    // libavfilter takes these for other tables without a message.
    ("LUT_1D_SIZE 2\nLUT_3D_SIZE 2\n" + lines + "0 0 0\n1 1 1\n", "line 1: LUT_1D_SIZE beside"),
    ("DOMAIN_MAX 2 2 2\nLUT_3D_SIZE 2\n" + lines, "line 1: DOMAIN_MAX before LUT_3D_SIZE"),
    ("LUT_3D_INPUT_RANGE 0 2\nLUT_3D_SIZE 2\n" + lines, "line 1: LUT_3D_INPUT_RANGE, which"),
  ]

  @Test(arguments: broken) func a_broken_table_is_named_with_its_line(
    _ table: (text: String, words: String)
  ) throws {
    let folder = try TemporaryFolder()
    try folder.write(Array(table.text.utf8), "a.cube")
    let fault = CubeFile(folder.path("a.cube")).fault
    #expect(fault?.hasPrefix(table.words) == true, "\(fault ?? "nothing")")
  }

  @Test(arguments: [
    "LUT_3D_SIZE 2\n" + lines,
    "\u{23} by hand\r\nTITLE \"b\"\r\nLUT_3D_SIZE 2\r\nDOMAIN_MIN 0 0 0\r\nDOMAIN_MAX 2 2 2\r\n\r\n"
      + lines,
    "DOMAIN_MIN 0.0 0.0 0.0\nDOMAIN_MAX 1 1 1\nLUT_3D_INPUT_RANGE 0.0 1.0\nLUT_3D_SIZE 2\n" + lines,
  ])
  func a_whole_table_passes(text: String) throws {
    let folder = try TemporaryFolder()
    try folder.write(Array(text.utf8), "a.CUBE")
    #expect(CubeFile(folder.path("a.CUBE")).fault == nil)
    #expect(CubeFile(folder.path("missing.cube")).fault == nil)
  }
}
