import AVFoundationCompat
import TestSupport
import Testing

/// Codes of audio codecs that are not encoded here.
@Suite struct AudioFormatCodeTests {
  private let codes: [AudioFormatID] = [
    kAudioFormatULaw, kAudioFormatALaw, kAudioFormatAC3, kAudioFormatEnhancedAC3,
    kAudioFormat60958AC3, kAudioFormatAppleIMA4, kAudioFormatMPEG4CELP, kAudioFormatMPEG4HVXC,
    kAudioFormatMPEG4TwinVQ, kAudioFormatMPEG4AAC_LD, kAudioFormatMPEG4AAC_ELD,
    kAudioFormatMPEG4AAC_ELD_SBR, kAudioFormatMPEG4AAC_ELD_V2, kAudioFormatMPEG4AAC_Spatial,
    kAudioFormatMPEGD_USAC, kAudioFormatMPEGLayer1, kAudioFormatMPEGLayer2, kAudioFormatMACE3,
    kAudioFormatMACE6, kAudioFormatQDesign, kAudioFormatQDesign2, kAudioFormatQUALCOMM,
    kAudioFormatAMR, kAudioFormatAMR_WB, kAudioFormatAudible, kAudioFormatiLBC, kAudioFormatAES3,
    kAudioFormatTimeCode, kAudioFormatMIDIStream, kAudioFormatDVIIntelIMA,
    kAudioFormatMicrosoftGSM,
  ]

  @Test func unsupported_audio_codecs_have_codes_and_are_refused() throws {
    #expect(Set(codes).count == codes.count)
    #expect(kAudioFormatULaw == 0x756C_6177 && kAudioFormatAC3 == 0x6163_2D33)
    #expect(kAudioFormatAppleIMA4 == 0x696D_6134 && kAudioFormatMPEGLayer2 == 0x2E6D_7032)
    let folder = try TemporaryFolder()
    let writer = try AVAssetWriter(outputURL: folder.url("a.mov"), fileType: .mov)
    for code in codes {
      #expect(
        !writer.canApply(
          outputSettings: [
            AVFormatIDKey: code, AVSampleRateKey: 48_000, AVNumberOfChannelsKey: 2,
          ], forMediaType: .audio))
    }
  }
}
