import MediaCore
import Testing

@Suite struct MediaTypeTests {
  @Test func a_type_is_named_by_its_word_or_else_by_its_characters() {
    #expect("\(MediaType.video)" == "video" && "\(MediaType.closedCaption)" == "closedCaption")
    #expect("\(MediaType(rawValue: "auxv"))" == "auxv")
    #expect(MediaType(rawValue: "soun") == .audio)
  }

  @Test(
    arguments: [("vide", .video), ("tmcd", .timecode), ("auxv", nil), ("", nil)]
      as [(String, MediaType?)])
  func only_a_handler_that_has_a_name_makes_a_type(handler: String, type: MediaType?) {
    #expect(MediaType(handler: handler) == type)
  }
}
