import AssetWriter
import MediaCore
import Testing

@Suite struct EncoderChoiceTests {
  @Test func every_choice_survives_a_round_trip_as_text() {
    for choice in EncoderChoice.allChoices { #expect(EncoderChoice("\(choice)") == choice) }
  }

  @Test func libavcodec_without_a_name_means_prores_ks() {
    #expect(EncoderChoice("libavcodec") == .libavcodec(.proresKS))
  }

  @Test(arguments: ["", "Native", "libavcodec:", "libavcodec:h264", "libavcodecs", "auto "])
  func other_strings_are_not_choices(_ text: String) {
    #expect(EncoderChoice(text) == nil)
  }

  @Test func codec_4444_needs_full_chroma() {
    let capabilities = EncoderCapabilities.current
    #expect(capabilities.codecs(for: .yuv444p12).count == 6)
    #expect(capabilities.codecs(for: .v210).map(\.shortName) == ["proxy", "lt", "422", "hq"])
    #expect(capabilities.codecs(for: .nv12).contains { $0.is4444 } == false)
  }

  @Test func no_codec_is_available_without_encoders() {
    let none = EncoderCapabilities(encoders: [])
    #expect(none.codecs(for: .yuv444p12).isEmpty)
    #expect(throws: AssetWriterError.self) { try none.resolve(.automatic) }
  }

  @Test func an_unavailable_encoder_is_refused_by_name() throws {
    let only = EncoderCapabilities(encoders: [.libavcodec(.proresAW)])
    let error = #expect(throws: AssetWriterError.self) {
      try only.resolve(.libavcodec(.proresKS))
    }
    #expect(error?.code == .encoderUnavailable)
    #expect(error?.message.contains("prores_aw") == true)
  }
}
