import AssetWriter
import MediaCore
import Testing

@Suite struct EncoderChoiceTests {
  @Test func every_choice_reads_what_it_writes() {
    for choice in EncoderChoice.allChoices { #expect(EncoderChoice("\(choice)") == choice) }
  }

  @Test func libavcodec_alone_means_its_slow_and_exact_encoder() {
    #expect(EncoderChoice("libavcodec") == .libavcodec(.proresKS))
  }

  @Test(arguments: ["", "Native", "libavcodec:", "libavcodec:h264", "libavcodecs", "auto "])
  func other_text_is_no_choice(_ text: String) {
    #expect(EncoderChoice(text) == nil)
  }

  @Test func full_chroma_is_needed_for_4444() {
    let capabilities = EncoderCapabilities.current
    #expect(capabilities.codecs(for: .yuv444p12).count == 6)
    #expect(capabilities.codecs(for: .v210).map(\.shortName) == ["proxy", "lt", "422", "hq"])
    #expect(capabilities.codecs(for: .nv12).contains { $0.is4444 } == false)
  }

  @Test func without_encoders_nothing_can_be_made() {
    let none = EncoderCapabilities(encoders: [])
    #expect(none.codecs(for: .yuv444p12).isEmpty)
    #expect(throws: AssetWriterError.self) { try none.resolve(.automatic) }
  }

  @Test func an_encoder_that_is_not_here_is_refused_by_name() throws {
    let only = EncoderCapabilities(encoders: [.libavcodec(.proresAW)])
    let error = #expect(throws: AssetWriterError.self) {
      try only.resolve(.libavcodec(.proresKS))
    }
    #expect(error?.code == .encoderUnavailable)
    #expect(error?.message.contains("prores_aw") == true)
  }
}
