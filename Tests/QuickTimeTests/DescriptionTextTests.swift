import QuickTime
import Testing

/// Descriptions as people write them.
@Suite struct DescriptionTextTests {
  @Test func channel_layouts_are_parsed_from_names_and_channel_lists() {
    #expect(AudioChannelLayout(name: "5.1") == .tag(121 << 16 | 6))
    #expect(AudioChannelLayout(name: "L,R,C,LFE,Ls,Rs") == .tag(121 << 16 | 6))
    #expect(AudioChannelLayout(name: "r,l") == .labels([.right, .left]))
    #expect(AudioChannelLayout(name: "L,R,-") == .labels([.left, .right, .discrete(2)]))
    for name in AudioChannelLayout.names { #expect(AudioChannelLayout(name: name)?.name == name) }
    for name in ["", "6.1x", "L,,R", "L,X"] { #expect(AudioChannelLayout(name: name) == nil) }
  }

  @Test func mastering_displays_are_parsed_from_both_forms() throws {
    let named = try #require(MasteringDisplayColorVolume("p3-d65:1000:0.0001"))
    #expect(
      "\(named)" == "G(13250,34500)B(7500,3000)R(34000,16000)WP(15635,16450)L(10000000,1)")
    #expect(MasteringDisplayColorVolume("\(named)") == named)
    for text in [
      "p3:1000:0.1", "p3-d65:1000", "p3-d65:0.1:1000", "p3-d65:-1:0", "G(1,2)B(3,4)R(5,6)WP(7,8)",
      "G(1,2)B(3,4)R(5,6)WP(7,8)L(9,10)x", "G(70000,2)B(3,4)R(5,6)WP(7,8)L(90,10)", "",
    ] { #expect(MasteringDisplayColorVolume(text) == nil, "\(text)") }
  }

  @Test func content_light_levels_are_parsed_and_checked() {
    #expect(
      ContentLightLevel("1000,400") == ContentLightLevel(maximum: 1000, maximumFrameAverage: 400))
    for text in ["400,1000", "1000", "70000,1", "a,b", "1,2,3"] {
      #expect(ContentLightLevel(text) == nil)
    }
  }
}
