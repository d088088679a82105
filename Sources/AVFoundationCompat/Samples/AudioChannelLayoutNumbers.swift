// swift-format-ignore-file: AlwaysUseLowerCamelCase

// Channel layouts of formats that are not recorded here, for comparison and to pass on.

public let kAudioChannelLayoutTag_EAC_6_0_A: AudioChannelLayoutTag = 155 << 16 | 6
public let kAudioChannelLayoutTag_EAC_7_0_A: AudioChannelLayoutTag = 156 << 16 | 7
public let kAudioChannelLayoutTag_EAC3_6_1_A: AudioChannelLayoutTag = 157 << 16 | 7
public let kAudioChannelLayoutTag_EAC3_6_1_B: AudioChannelLayoutTag = 158 << 16 | 7
public let kAudioChannelLayoutTag_EAC3_6_1_C: AudioChannelLayoutTag = 159 << 16 | 7
public let kAudioChannelLayoutTag_EAC3_7_1_A: AudioChannelLayoutTag = 160 << 16 | 8
public let kAudioChannelLayoutTag_EAC3_7_1_B: AudioChannelLayoutTag = 161 << 16 | 8
public let kAudioChannelLayoutTag_EAC3_7_1_C: AudioChannelLayoutTag = 162 << 16 | 8
public let kAudioChannelLayoutTag_EAC3_7_1_D: AudioChannelLayoutTag = 163 << 16 | 8
public let kAudioChannelLayoutTag_EAC3_7_1_E: AudioChannelLayoutTag = 164 << 16 | 8
public let kAudioChannelLayoutTag_EAC3_7_1_F: AudioChannelLayoutTag = 165 << 16 | 8
public let kAudioChannelLayoutTag_EAC3_7_1_G: AudioChannelLayoutTag = 166 << 16 | 8
public let kAudioChannelLayoutTag_EAC3_7_1_H: AudioChannelLayoutTag = 167 << 16 | 8
public let kAudioChannelLayoutTag_DTS_3_1: AudioChannelLayoutTag = 168 << 16 | 4
public let kAudioChannelLayoutTag_DTS_4_1: AudioChannelLayoutTag = 169 << 16 | 5
public let kAudioChannelLayoutTag_DTS_6_0_A: AudioChannelLayoutTag = 170 << 16 | 6
public let kAudioChannelLayoutTag_DTS_6_0_B: AudioChannelLayoutTag = 171 << 16 | 6
public let kAudioChannelLayoutTag_DTS_6_0_C: AudioChannelLayoutTag = 172 << 16 | 6
public let kAudioChannelLayoutTag_DTS_6_1_A: AudioChannelLayoutTag = 173 << 16 | 7
public let kAudioChannelLayoutTag_DTS_6_1_B: AudioChannelLayoutTag = 174 << 16 | 7
public let kAudioChannelLayoutTag_DTS_6_1_C: AudioChannelLayoutTag = 175 << 16 | 7
public let kAudioChannelLayoutTag_DTS_7_0: AudioChannelLayoutTag = 176 << 16 | 7
public let kAudioChannelLayoutTag_DTS_7_1: AudioChannelLayoutTag = 177 << 16 | 8
public let kAudioChannelLayoutTag_DTS_8_0_A: AudioChannelLayoutTag = 178 << 16 | 8
public let kAudioChannelLayoutTag_DTS_8_0_B: AudioChannelLayoutTag = 179 << 16 | 8
public let kAudioChannelLayoutTag_DTS_8_1_A: AudioChannelLayoutTag = 180 << 16 | 9
public let kAudioChannelLayoutTag_DTS_8_1_B: AudioChannelLayoutTag = 181 << 16 | 9
public let kAudioChannelLayoutTag_DTS_6_1_D: AudioChannelLayoutTag = 182 << 16 | 7
public let kAudioChannelLayoutTag_AAC_7_1_B: AudioChannelLayoutTag = 183 << 16 | 8
public let kAudioChannelLayoutTag_AAC_7_1_C: AudioChannelLayoutTag = 184 << 16 | 8
public let kAudioChannelLayoutTag_Emagic_Default_7_1: AudioChannelLayoutTag = 129 << 16 | 8
public let kAudioChannelLayoutTag_Atmos_7_1_4: AudioChannelLayoutTag = 192 << 16 | 12
public let kAudioChannelLayoutTag_Atmos_9_1_6: AudioChannelLayoutTag = 193 << 16 | 16
public let kAudioChannelLayoutTag_Atmos_5_1_2: AudioChannelLayoutTag = 194 << 16 | 8
public let kAudioChannelLayoutTag_Atmos_5_1_4: AudioChannelLayoutTag = 195 << 16 | 10
public let kAudioChannelLayoutTag_Atmos_7_1_2: AudioChannelLayoutTag = 196 << 16 | 10
public let kAudioChannelLayoutTag_HOA_ACN_SN3D: AudioChannelLayoutTag = 190 << 16
public let kAudioChannelLayoutTag_HOA_ACN_N3D: AudioChannelLayoutTag = 191 << 16
public let kAudioChannelLayoutTag_WAVE_2_1 = kAudioChannelLayoutTag_DVD_4
public let kAudioChannelLayoutTag_WAVE_3_0 = kAudioChannelLayoutTag_MPEG_3_0_A
public let kAudioChannelLayoutTag_WAVE_4_0_A = kAudioChannelLayoutTag_ITU_2_2
public let kAudioChannelLayoutTag_WAVE_5_0_A = kAudioChannelLayoutTag_MPEG_5_0_A
public let kAudioChannelLayoutTag_WAVE_5_1_A = kAudioChannelLayoutTag_MPEG_5_1_A
