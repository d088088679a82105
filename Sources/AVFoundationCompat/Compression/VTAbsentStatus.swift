// swift-format-ignore-file: AlwaysUseLowerCamelCase

// Numbers of failures that a program for Macs tells apart. None of them happens here.

/// An encoder or a decoder could not be made.
public let kVTCouldNotCreateInstanceErr: OSStatus = -12907
/// The decoder is in use.
public let kVTVideoDecoderNotAvailableNowErr: OSStatus = -12913
/// Pictures cannot be turned.
public let kVTImageRotationNotSupportedErr: OSStatus = -12914
/// Pictures cannot be turned.
public let kVTPixelRotationNotSupportedErr: OSStatus = -12914
/// The encoder is in use.
public let kVTVideoEncoderNotAvailableNowErr: OSStatus = -12915
/// Too little is known of a picture's color.
public let kVTInsufficientSourceColorDataErr: OSStatus = -12917
/// Colors could not be converted.
public let kVTCouldNotCreateColorCorrectionDataErr: OSStatus = -12918
/// Colors could not be converted.
public let kVTColorSyncTransformConvertFailedErr: OSStatus = -12919
/// The decoder may not be used.
public let kVTVideoDecoderAuthorizationErr: OSStatus = -12210
/// The encoder may not be used.
public let kVTVideoEncoderAuthorizationErr: OSStatus = -12211
/// Colors could not be converted.
public let kVTColorCorrectionPixelTransferFailedErr: OSStatus = -12212
/// The file of several passes is another's.
public let kVTMultiPassStorageIdentifierMismatchErr: OSStatus = -12213
/// The file of several passes is none.
public let kVTMultiPassStorageInvalidErr: OSStatus = -12214
/// A time that is not kept.
public let kVTFrameSiloInvalidTimeStampErr: OSStatus = -12215
/// Times that are not kept.
public let kVTFrameSiloInvalidTimeRangeErr: OSStatus = -12216
/// No filter over several pictures.
public let kVTCouldNotFindTemporalFilterErr: OSStatus = -12217
/// Pictures may not be converted.
public let kVTPixelTransferNotPermittedErr: OSStatus = -12218
/// Pictures could not be turned.
public let kVTColorCorrectionImageRotationFailedErr: OSStatus = -12219
/// The decoder's hardware is gone.
public let kVTVideoDecoderRemovedErr: OSStatus = -17690
/// The session failed.
public let kVTSessionMalfunctionErr: OSStatus = -17691
/// The decoder is for another processor.
public let kVTVideoDecoderNeedsRosettaErr: OSStatus = -17692
/// The encoder is for another processor.
public let kVTVideoEncoderNeedsRosettaErr: OSStatus = -17693
/// A picture that others need is missing.
public let kVTVideoDecoderReferenceMissingErr: OSStatus = -17694
/// The decoder's answer was lost.
public let kVTVideoDecoderCallbackMessagingErr: OSStatus = -17695
/// The decoder failed for an unknown reason.
public let kVTVideoDecoderUnknownErr: OSStatus = -17696
/// The codec's extension is switched off.
public let kVTExtensionDisabledErr: OSStatus = -17697
/// Layers that the encoder does not have.
public let kVTVideoEncoderMVHEVCVideoLayerIDsMismatchErr: OSStatus = -17698
/// Several views could not be handed over.
public let kVTCouldNotOutputTaggedBufferGroupErr: OSStatus = -17699
