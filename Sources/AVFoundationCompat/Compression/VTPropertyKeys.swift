// swift-format-ignore-file: AlwaysUseLowerCamelCase

// The keys of `AVVideoCompressionPropertiesKey` are in VideoToolboxKeys.swift.

/// False to make every frame a key frame. ProRes frames always are.
public let kVTCompressionPropertyKey_AllowTemporalCompression = "AllowTemporalCompression"
/// The maximum number of bits in a time window: not supported.
public let kVTCompressionPropertyKey_DataRateLimits = "DataRateLimits"
/// A constant bit rate in bits per second: not supported. Average bit rates are.
public let kVTCompressionPropertyKey_ConstantBitRate = "ConstantBitRate"
/// The maximum number of frames in the encoder: not supported; without frame reordering it is 0.
public let kVTCompressionPropertyKey_MaxFrameDelayCount = "MaxFrameDelayCount"
/// No limit.
public let kVTUnlimitedFrameDelayCount = -1
/// The frames' color: `kCVImageBufferColorPrimaries_…`.
public let kVTCompressionPropertyKey_ColorPrimaries = "ColorPrimaries"
/// The frames' color: `kCVImageBufferTransferFunction_…`.
public let kVTCompressionPropertyKey_TransferFunction = "TransferFunction"
/// The frames' color: `kCVImageBufferYCbCrMatrix_…`.
public let kVTCompressionPropertyKey_YCbCrMatrix = "YCbCrMatrix"
/// The pixel aspect ratio: a dictionary with both `kCVImageBufferPixelAspectRatio…Key` spacings.
public let kVTCompressionPropertyKey_PixelAspectRatio = "PixelAspectRatio"
/// The number of frames submitted and not yet delivered; read-only.
public let kVTCompressionPropertyKey_NumberOfPendingFrames = "NumberOfPendingFrames"
/// False; read-only.
public let kVTCompressionPropertyKey_UsingHardwareAcceleratedVideoEncoder =
  "UsingHardwareAcceleratedVideoEncoder"
/// The encoder, as ``kVTVideoEncoderList_EncoderID`` names it; read-only.
public let kVTCompressionPropertyKey_EncoderID = "EncoderID"

/// Whether a hardware encoder may be used: there is none.
public let kVTVideoEncoderSpecification_EnableHardwareAcceleratedVideoEncoder =
  "EnableHardwareAcceleratedVideoEncoder"
/// Whether a hardware encoder must be used: if true, no encoder is found.
public let kVTVideoEncoderSpecification_RequireHardwareAcceleratedVideoEncoder =
  "RequireHardwareAcceleratedVideoEncoder"
/// The encoder to use, as ``kVTVideoEncoderList_EncoderID`` names it.
public let kVTVideoEncoderSpecification_EncoderID = "EncoderID"
/// Whether to use low-latency rate control: has no effect.
public let kVTVideoEncoderSpecification_EnableLowLatencyRateControl =
  "EnableLowLatencyRateControl"

/// True to make the frame a key frame.
public let kVTEncodeFrameOptionKey_ForceKeyFrame = "ForceKeyFrame"

/// The type of a property's value.
public let kVTPropertyTypeKey = "PropertyType"
/// A Boolean.
public let kVTPropertyType_Boolean = "Boolean"
/// A number.
public let kVTPropertyType_Number = "Number"
/// One of several strings.
public let kVTPropertyType_Enumeration = "Enumeration"
/// Whether a property can be set.
public let kVTPropertyReadWriteStatusKey = "ReadWriteStatus"
/// Read-only.
public let kVTPropertyReadWriteStatus_ReadOnly = "ReadOnly"
/// Readable and writable.
public let kVTPropertyReadWriteStatus_ReadWrite = "ReadWrite"

/// The codec's four-character code.
public let kVTVideoEncoderList_CodecType = "CodecType"
/// The codec's name.
public let kVTVideoEncoderList_CodecName = "CodecName"
/// The encoder's identifier.
public let kVTVideoEncoderList_EncoderID = "EncoderID"
/// The encoder's display name.
public let kVTVideoEncoderList_EncoderName = "EncoderName"
/// The display name of the codec and encoder.
public let kVTVideoEncoderList_DisplayName = "DisplayName"
/// Whether the encoder uses hardware.
public let kVTVideoEncoderList_IsHardwareAccelerated = "IsHardwareAccelerated"
