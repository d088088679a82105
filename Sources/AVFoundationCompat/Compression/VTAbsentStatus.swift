// swift-format-ignore-file: AlwaysUseLowerCamelCase

// Status codes that a Mac program distinguishes. None of them occurs here.

/// An encoder or a decoder could not be made.
public let kVTCouldNotCreateInstanceErr: OSStatus = -12907
/// The decoder is in use.
public let kVTVideoDecoderNotAvailableNowErr: OSStatus = -12913
/// Frames cannot be rotated.
public let kVTImageRotationNotSupportedErr: OSStatus = -12914
/// Frames cannot be rotated.
public let kVTPixelRotationNotSupportedErr: OSStatus = -12914
/// The encoder is in use.
public let kVTVideoEncoderNotAvailableNowErr: OSStatus = -12915
/// A frame's color information is insufficient.
public let kVTInsufficientSourceColorDataErr: OSStatus = -12917
/// Colors could not be converted.
public let kVTCouldNotCreateColorCorrectionDataErr: OSStatus = -12918
/// Colors could not be converted.
public let kVTColorSyncTransformConvertFailedErr: OSStatus = -12919
/// Use of the decoder is not authorized.
public let kVTVideoDecoderAuthorizationErr: OSStatus = -12210
/// Use of the encoder is not authorized.
public let kVTVideoEncoderAuthorizationErr: OSStatus = -12211
/// Colors could not be converted.
public let kVTColorCorrectionPixelTransferFailedErr: OSStatus = -12212
/// The multi-pass storage belongs to another session.
public let kVTMultiPassStorageIdentifierMismatchErr: OSStatus = -12213
/// The multi-pass storage is invalid.
public let kVTMultiPassStorageInvalidErr: OSStatus = -12214
/// The frame silo does not hold this time.
public let kVTFrameSiloInvalidTimeStampErr: OSStatus = -12215
/// The frame silo does not hold this time range.
public let kVTFrameSiloInvalidTimeRangeErr: OSStatus = -12216
/// No temporal filter was found.
public let kVTCouldNotFindTemporalFilterErr: OSStatus = -12217
/// Frame conversion is not permitted.
public let kVTPixelTransferNotPermittedErr: OSStatus = -12218
/// Frames could not be rotated.
public let kVTColorCorrectionImageRotationFailedErr: OSStatus = -12219
/// The decoder's hardware was removed.
public let kVTVideoDecoderRemovedErr: OSStatus = -17690
/// The session failed.
public let kVTSessionMalfunctionErr: OSStatus = -17691
/// The decoder needs Rosetta.
public let kVTVideoDecoderNeedsRosettaErr: OSStatus = -17692
/// The encoder needs Rosetta.
public let kVTVideoEncoderNeedsRosettaErr: OSStatus = -17693
/// A reference frame is missing.
public let kVTVideoDecoderReferenceMissingErr: OSStatus = -17694
/// Communication with the decoder failed.
public let kVTVideoDecoderCallbackMessagingErr: OSStatus = -17695
/// The decoder failed for an unknown reason.
public let kVTVideoDecoderUnknownErr: OSStatus = -17696
/// The codec's extension is disabled.
public let kVTExtensionDisabledErr: OSStatus = -17697
/// The video layer IDs do not match the encoder's.
public let kVTVideoEncoderMVHEVCVideoLayerIDsMismatchErr: OSStatus = -17698
/// A tagged buffer group could not be delivered.
public let kVTCouldNotOutputTaggedBufferGroupErr: OSStatus = -17699
