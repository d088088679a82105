import ArgumentParser
import Testing

@testable import recordctl

@Suite struct GivenTwiceTests {
  @Test(arguments: [
    ["record", "--library", "/a", "--save", "--library", "/b"],
    ["record", "--library=/a", "--library", "/b"], ["library", "list", "-L", "/a", "--library=/b"],
  ])
  func two_library_options_are_refused(_ arguments: [String]) {
    #expect {
      try GivenTwice.check(arguments)
    } throws: {
      ($0 as? ValidationError)?.message.contains("--library is given twice, /a and /b") == true
    }
  }

  @Test(arguments: [
    ["record", "--library", "/a"], ["record", "--save"], ["record", "--library"], [],
    ["library", "import", "-L", "/a", "--", "--library", "b", "-L"],
    ["record", "--library", "--library"], ["---completion", "--library", "/a", "--library", "/b"],
  ])
  func at_most_one_library_option_is_accepted(_ arguments: [String]) throws {
    try GivenTwice.check(arguments)
  }

  @Test func the_command_refuses_two_libraries_in_one_line() throws {
    try Recordctl(["record", "--library", "/a", "--library", "/b", "--duration", "1f"])
      .expectRefusal(naming: "given twice")
  }
}
