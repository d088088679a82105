// swift-format-ignore-file: AlwaysUseLowerCamelCase

// Codecs of audio that programs name, in lists and switches. None is made here; those that are, are in
// SettingsKeys.swift.

/// 8 bits by the µ-law: refused.
public let kAudioFormatULaw: AudioFormatID = 0x756C_6177
/// 8 bits by the A-law: refused.
public let kAudioFormatALaw: AudioFormatID = 0x616C_6177
/// AC-3: refused.
public let kAudioFormatAC3: AudioFormatID = 0x6163_2D33
/// Enhanced AC-3: refused.
public let kAudioFormatEnhancedAC3: AudioFormatID = 0x6563_2D33
/// AC-3 for digital outputs: refused.
public let kAudioFormat60958AC3: AudioFormatID = 0x6361_6333
/// IMA's 4 bits: refused.
public let kAudioFormatAppleIMA4: AudioFormatID = 0x696D_6134
/// Speech of MPEG-4: refused.
public let kAudioFormatMPEG4CELP: AudioFormatID = 0x6365_6C70
/// Speech of MPEG-4: refused.
public let kAudioFormatMPEG4HVXC: AudioFormatID = 0x6876_7863
/// TwinVQ: refused.
public let kAudioFormatMPEG4TwinVQ: AudioFormatID = 0x7477_7671
/// AAC with little delay: refused.
public let kAudioFormatMPEG4AAC_LD: AudioFormatID = 0x6161_636C
/// AAC with less delay: refused.
public let kAudioFormatMPEG4AAC_ELD: AudioFormatID = 0x6161_6365
/// AAC with less delay and rebuilt highs: refused.
public let kAudioFormatMPEG4AAC_ELD_SBR: AudioFormatID = 0x6161_6366
/// AAC with less delay, in stereo by parameters: refused.
public let kAudioFormatMPEG4AAC_ELD_V2: AudioFormatID = 0x6161_6367
/// AAC of several channels by parameters: refused.
public let kAudioFormatMPEG4AAC_Spatial: AudioFormatID = 0x6161_6373
/// Speech and music of MPEG-D: refused.
public let kAudioFormatMPEGD_USAC: AudioFormatID = 0x7573_6163
/// MPEG's first layer: refused.
public let kAudioFormatMPEGLayer1: AudioFormatID = 0x2E6D_7031
/// MPEG's second layer: refused.
public let kAudioFormatMPEGLayer2: AudioFormatID = 0x2E6D_7032
/// Three to one: refused.
public let kAudioFormatMACE3: AudioFormatID = 0x4D41_4333
/// Six to one: refused.
public let kAudioFormatMACE6: AudioFormatID = 0x4D41_4336
/// QDesign Music: refused.
public let kAudioFormatQDesign: AudioFormatID = 0x5144_4D43
/// QDesign Music 2: refused.
public let kAudioFormatQDesign2: AudioFormatID = 0x5144_4D32
/// PureVoice: refused.
public let kAudioFormatQUALCOMM: AudioFormatID = 0x5163_6C70
/// Speech of phones: refused.
public let kAudioFormatAMR: AudioFormatID = 0x7361_6D72
/// Speech of phones, with a wider band: refused.
public let kAudioFormatAMR_WB: AudioFormatID = 0x7361_7762
/// Audible's books: refused.
public let kAudioFormatAudible: AudioFormatID = 0x4155_4442
/// Speech of networks: refused.
public let kAudioFormatiLBC: AudioFormatID = 0x696C_6263
/// AES3 as it is on the wire: refused.
public let kAudioFormatAES3: AudioFormatID = 0x6165_7333
/// Timecode as audio: refused.
public let kAudioFormatTimeCode: AudioFormatID = 0x7469_6D65
/// MIDI: refused.
public let kAudioFormatMIDIStream: AudioFormatID = 0x6D69_6469
/// IMA's 4 bits, in Microsoft's blocks: refused.
public let kAudioFormatDVIIntelIMA: AudioFormatID = 0x6D73_0011
/// GSM's speech, in Microsoft's blocks: refused.
public let kAudioFormatMicrosoftGSM: AudioFormatID = 0x6D73_0031
