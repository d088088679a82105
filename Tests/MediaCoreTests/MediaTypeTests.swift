import MediaCore
import Testing

@Suite struct MediaTypeTests {
  @Test func media_types_are_described_by_name_or_else_by_code() {
    #expect("\(MediaType.video)" == "video" && "\(MediaType.closedCaption)" == "closedCaption")
    #expect("\(MediaType(rawValue: "auxv"))" == "auxv")
    #expect(MediaType(rawValue: "soun") == .audio)
  }

  @Test(
    arguments: [("vide", .video), ("tmcd", .timecode), ("auxv", nil), ("", nil)]
      as [(String, MediaType?)])
  func only_valid_handlers_make_a_media_type(handler: String, type: MediaType?) {
    #expect(MediaType(handler: handler) == type)
  }
}
