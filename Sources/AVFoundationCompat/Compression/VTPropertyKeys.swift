// swift-format-ignore-file: AlwaysUseLowerCamelCase

// Those of `AVVideoCompressionPropertiesKey` are in VideoToolboxKeys.swift.

/// False to have each picture decoded without others. ProRes has no others.
public let kVTCompressionPropertyKey_AllowTemporalCompression = "AllowTemporalCompression"
/// Bits in a time that are never exceeded: not arranged here.
public let kVTCompressionPropertyKey_DataRateLimits = "DataRateLimits"
/// Bits a second that each second has, no more and no fewer: not arranged here. Average bit rates are.
public let kVTCompressionPropertyKey_ConstantBitRate = "ConstantBitRate"
/// How many pictures may wait in the encoder: not arranged here; without frame reordering none does.
public let kVTCompressionPropertyKey_MaxFrameDelayCount = "MaxFrameDelayCount"
/// As many as the encoder likes.
public let kVTUnlimitedFrameDelayCount = -1
/// The color of the pictures: `kCVImageBufferColorPrimaries_…`.
public let kVTCompressionPropertyKey_ColorPrimaries = "ColorPrimaries"
/// The color of the pictures: `kCVImageBufferTransferFunction_…`.
public let kVTCompressionPropertyKey_TransferFunction = "TransferFunction"
/// The color of the pictures: `kCVImageBufferYCbCrMatrix_…`.
public let kVTCompressionPropertyKey_YCbCrMatrix = "YCbCrMatrix"
/// The shape of a pixel: a dictionary of its two spacings, by `kCVImageBufferPixelAspectRatio…Key`.
public let kVTCompressionPropertyKey_PixelAspectRatio = "PixelAspectRatio"
/// Pictures that were handed over and have not come out; to be read.
public let kVTCompressionPropertyKey_NumberOfPendingFrames = "NumberOfPendingFrames"
/// False; to be read.
public let kVTCompressionPropertyKey_UsingHardwareAcceleratedVideoEncoder =
  "UsingHardwareAcceleratedVideoEncoder"
/// The encoder, as ``kVTVideoEncoderList_EncoderID`` names it; to be read.
public let kVTCompressionPropertyKey_EncoderID = "EncoderID"

/// Whether an encoder in hardware may be used: there is none.
public let kVTVideoEncoderSpecification_EnableHardwareAcceleratedVideoEncoder =
  "EnableHardwareAcceleratedVideoEncoder"
/// Whether an encoder in hardware has to be used: then there is none.
public let kVTVideoEncoderSpecification_RequireHardwareAcceleratedVideoEncoder =
  "RequireHardwareAcceleratedVideoEncoder"
/// The encoder to use, as ``kVTVideoEncoderList_EncoderID`` names it.
public let kVTVideoEncoderSpecification_EncoderID = "EncoderID"
/// Whether rate control is for conversations: changes nothing.
public let kVTVideoEncoderSpecification_EnableLowLatencyRateControl =
  "EnableLowLatencyRateControl"

/// True for a picture that is decoded without others.
public let kVTEncodeFrameOptionKey_ForceKeyFrame = "ForceKeyFrame"

/// What kind of value a property has.
public let kVTPropertyTypeKey = "PropertyType"
/// True or false.
public let kVTPropertyType_Boolean = "Boolean"
/// A number.
public let kVTPropertyType_Number = "Number"
/// One of some texts.
public let kVTPropertyType_Enumeration = "Enumeration"
/// Whether a property can be set.
public let kVTPropertyReadWriteStatusKey = "ReadWriteStatus"
/// It cannot.
public let kVTPropertyReadWriteStatus_ReadOnly = "ReadOnly"
/// It can.
public let kVTPropertyReadWriteStatus_ReadWrite = "ReadWrite"

/// The codec's number.
public let kVTVideoEncoderList_CodecType = "CodecType"
/// The codec's name.
public let kVTVideoEncoderList_CodecName = "CodecName"
/// The encoder's name for programs.
public let kVTVideoEncoderList_EncoderID = "EncoderID"
/// The encoder's name for people.
public let kVTVideoEncoderList_EncoderName = "EncoderName"
/// Codec and encoder in one.
public let kVTVideoEncoderList_DisplayName = "DisplayName"
/// Whether it is in hardware.
public let kVTVideoEncoderList_IsHardwareAccelerated = "IsHardwareAccelerated"
