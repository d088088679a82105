import AVFoundationCompat
import Testing

/// Channel layouts by Core Audio's numbers.
@Suite struct ChannelLayoutNumberTests {
  @Test func layout_tags_contain_their_number_and_channel_count() {
    let tags: [(AudioChannelLayoutTag, UInt32, UInt32)] = [
      (kAudioChannelLayoutTag_EAC_6_0_A, 155, 6),
      (kAudioChannelLayoutTag_EAC_7_0_A, 156, 7),
      (kAudioChannelLayoutTag_EAC3_6_1_A, 157, 7),
      (kAudioChannelLayoutTag_EAC3_6_1_B, 158, 7),
      (kAudioChannelLayoutTag_EAC3_6_1_C, 159, 7),
      (kAudioChannelLayoutTag_EAC3_7_1_A, 160, 8),
      (kAudioChannelLayoutTag_EAC3_7_1_B, 161, 8),
      (kAudioChannelLayoutTag_EAC3_7_1_C, 162, 8),
      (kAudioChannelLayoutTag_EAC3_7_1_D, 163, 8),
      (kAudioChannelLayoutTag_EAC3_7_1_E, 164, 8),
      (kAudioChannelLayoutTag_EAC3_7_1_F, 165, 8),
      (kAudioChannelLayoutTag_EAC3_7_1_G, 166, 8),
      (kAudioChannelLayoutTag_EAC3_7_1_H, 167, 8),
      (kAudioChannelLayoutTag_DTS_3_1, 168, 4),
      (kAudioChannelLayoutTag_DTS_4_1, 169, 5),
      (kAudioChannelLayoutTag_DTS_6_0_A, 170, 6),
      (kAudioChannelLayoutTag_DTS_6_0_B, 171, 6),
      (kAudioChannelLayoutTag_DTS_6_0_C, 172, 6),
      (kAudioChannelLayoutTag_DTS_6_1_A, 173, 7),
      (kAudioChannelLayoutTag_DTS_6_1_B, 174, 7),
      (kAudioChannelLayoutTag_DTS_6_1_C, 175, 7),
      (kAudioChannelLayoutTag_DTS_7_0, 176, 7),
      (kAudioChannelLayoutTag_DTS_7_1, 177, 8),
      (kAudioChannelLayoutTag_DTS_8_0_A, 178, 8),
      (kAudioChannelLayoutTag_DTS_8_0_B, 179, 8),
      (kAudioChannelLayoutTag_DTS_8_1_A, 180, 9),
      (kAudioChannelLayoutTag_DTS_8_1_B, 181, 9),
      (kAudioChannelLayoutTag_DTS_6_1_D, 182, 7),
      (kAudioChannelLayoutTag_AAC_7_1_B, 183, 8),
      (kAudioChannelLayoutTag_AAC_7_1_C, 184, 8),
      (kAudioChannelLayoutTag_Emagic_Default_7_1, 129, 8),
      (kAudioChannelLayoutTag_Atmos_7_1_4, 192, 12),
      (kAudioChannelLayoutTag_Atmos_9_1_6, 193, 16),
      (kAudioChannelLayoutTag_Atmos_5_1_2, 194, 8),
      (kAudioChannelLayoutTag_Atmos_5_1_4, 195, 10),
      (kAudioChannelLayoutTag_Atmos_7_1_2, 196, 10),
      (kAudioChannelLayoutTag_HOA_ACN_SN3D, 190, 0),
      (kAudioChannelLayoutTag_HOA_ACN_N3D, 191, 0),
    ]
    for (tag, number, channels) in tags {
      #expect(tag >> 16 == number)
      #expect(AudioChannelLayoutTag_GetNumberOfChannels(tag) == channels)
    }
    // An Ambisonics tag has no channel count: a program adds it.
    #expect(
      AudioChannelLayoutTag_GetNumberOfChannels(kAudioChannelLayoutTag_HOA_ACN_SN3D | 16) == 16)
  }

  @Test func some_layout_tags_have_two_names() {
    let names: [(AudioChannelLayoutTag, AudioChannelLayoutTag)] = [
      (kAudioChannelLayoutTag_WAVE_2_1, kAudioChannelLayoutTag_DVD_4),
      (kAudioChannelLayoutTag_WAVE_3_0, kAudioChannelLayoutTag_MPEG_3_0_A),
      (kAudioChannelLayoutTag_WAVE_4_0_A, kAudioChannelLayoutTag_ITU_2_2),
      (kAudioChannelLayoutTag_WAVE_5_0_A, kAudioChannelLayoutTag_MPEG_5_0_A),
      (kAudioChannelLayoutTag_WAVE_5_1_A, kAudioChannelLayoutTag_MPEG_5_1_A),
    ]
    for (name, other) in names { #expect(name == other) }
  }
}
