// swift-format-ignore-file: AlwaysUseLowerCamelCase

// Codes of audio codecs for comparisons. None can be encoded here; SettingsKeys.swift has those that can.

/// 8-bit µ-law. Rejected.
public let kAudioFormatULaw: AudioFormatID = 0x756C_6177
/// 8-bit A-law. Rejected.
public let kAudioFormatALaw: AudioFormatID = 0x616C_6177
/// AC-3. Rejected.
public let kAudioFormatAC3: AudioFormatID = 0x6163_2D33
/// Enhanced AC-3. Rejected.
public let kAudioFormatEnhancedAC3: AudioFormatID = 0x6563_2D33
/// AC-3 for digital outputs. Rejected.
public let kAudioFormat60958AC3: AudioFormatID = 0x6361_6333
/// IMA 4-bit ADPCM. Rejected.
public let kAudioFormatAppleIMA4: AudioFormatID = 0x696D_6134
/// MPEG-4 CELP speech. Rejected.
public let kAudioFormatMPEG4CELP: AudioFormatID = 0x6365_6C70
/// MPEG-4 HVXC speech. Rejected.
public let kAudioFormatMPEG4HVXC: AudioFormatID = 0x6876_7863
/// TwinVQ. Rejected.
public let kAudioFormatMPEG4TwinVQ: AudioFormatID = 0x7477_7671
/// AAC Low Delay. Rejected.
public let kAudioFormatMPEG4AAC_LD: AudioFormatID = 0x6161_636C
/// AAC Enhanced Low Delay. Rejected.
public let kAudioFormatMPEG4AAC_ELD: AudioFormatID = 0x6161_6365
/// AAC Enhanced Low Delay with spectral band replication. Rejected.
public let kAudioFormatMPEG4AAC_ELD_SBR: AudioFormatID = 0x6161_6366
/// AAC Enhanced Low Delay with parametric stereo. Rejected.
public let kAudioFormatMPEG4AAC_ELD_V2: AudioFormatID = 0x6161_6367
/// AAC with parametric multichannel coding. Rejected.
public let kAudioFormatMPEG4AAC_Spatial: AudioFormatID = 0x6161_6373
/// MPEG-D unified speech and audio coding. Rejected.
public let kAudioFormatMPEGD_USAC: AudioFormatID = 0x7573_6163
/// MPEG layer 1. Rejected.
public let kAudioFormatMPEGLayer1: AudioFormatID = 0x2E6D_7031
/// MPEG layer 2. Rejected.
public let kAudioFormatMPEGLayer2: AudioFormatID = 0x2E6D_7032
/// MACE 3:1. Rejected.
public let kAudioFormatMACE3: AudioFormatID = 0x4D41_4333
/// MACE 6:1. Rejected.
public let kAudioFormatMACE6: AudioFormatID = 0x4D41_4336
/// QDesign Music. Rejected.
public let kAudioFormatQDesign: AudioFormatID = 0x5144_4D43
/// QDesign Music 2. Rejected.
public let kAudioFormatQDesign2: AudioFormatID = 0x5144_4D32
/// PureVoice. Rejected.
public let kAudioFormatQUALCOMM: AudioFormatID = 0x5163_6C70
/// Adaptive multi-rate speech. Rejected.
public let kAudioFormatAMR: AudioFormatID = 0x7361_6D72
/// Adaptive multi-rate wideband speech. Rejected.
public let kAudioFormatAMR_WB: AudioFormatID = 0x7361_7762
/// Audible audiobooks. Rejected.
public let kAudioFormatAudible: AudioFormatID = 0x4155_4442
/// Internet low bit rate speech. Rejected.
public let kAudioFormatiLBC: AudioFormatID = 0x696C_6263
/// AES3 as on the wire. Rejected.
public let kAudioFormatAES3: AudioFormatID = 0x6165_7333
/// Timecode as audio. Rejected.
public let kAudioFormatTimeCode: AudioFormatID = 0x7469_6D65
/// MIDI. Rejected.
public let kAudioFormatMIDIStream: AudioFormatID = 0x6D69_6469
/// IMA 4-bit ADPCM in Microsoft's blocks. Rejected.
public let kAudioFormatDVIIntelIMA: AudioFormatID = 0x6D73_0011
/// GSM speech in Microsoft's blocks. Rejected.
public let kAudioFormatMicrosoftGSM: AudioFormatID = 0x6D73_0031
