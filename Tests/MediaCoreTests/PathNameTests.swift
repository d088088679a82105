import MediaCore
import Testing

/// The names and folders in a path.
struct PathNameTests {
  /// A combining accent and a joiner, which would combine with the slash before them.
  @Test(arguments: ["a.mov", "\u{301}a.mov", "\u{200D}a.mov", "\u{FE0F}"])
  func a_name_starts_after_the_last_slash_despite_combining_marks(name: String) {
    let paths = [name, "/" + name, "b/" + name, "/c.d/b/" + name, "/\u{301}c/" + name]
    #expect(paths.map { Array($0.pathName.utf8) } == paths.map { _ in Array(name.utf8) })
    #expect(paths.map(\.parentPath) == [".", "/", "b", "/c.d/b", "/\u{301}c"])
    #expect(paths.map(\.hasSlash) == [false, true, true, true, true])
  }

  @Test func combining_marks_after_a_slash_do_not_hide_path_parts() {
    #expect("../\u{301}a".pathParts() == ["..", "\u{301}a"])
    #expect("/\u{301}a//b".pathParts() == ["\u{301}a", "b"])
    #expect("/a//b".pathParts(keepsEmpty: true) == ["", "a", "", "b"])
    #expect("/\u{301}a".isAbsolutePath && !"\u{301}/a".isAbsolutePath && !"".isAbsolutePath)
    #expect("/b/\u{301}a".isPath(in: "/b") && "/b".isPath(in: "/b") && "/b".isPath(in: "/"))
    #expect(!"/bc".isPath(in: "/b") && !"/".isPath(in: "/b"))
    #expect(!"/e\u{301}/a".isPath(in: "/\u{E9}"), "different names to the system")
  }

  @Test func a_path_with_a_trailing_slash_has_an_empty_name() {
    #expect("a/b/".pathName.isEmpty && "a/b/".parentPath == "a/b" && "".parentPath == ".")
  }
}
