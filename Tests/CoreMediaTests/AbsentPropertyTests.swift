import AVFoundationCompat
import Testing

/// Keys and numbers of Video Toolbox that have no effect here.
@Suite struct AbsentPropertyTests {
  @Test func a_compression_session_refuses_unsupported_properties() throws {
    let keys = [
      kVTCompressionPropertyKey_AllowOpenGOP,
      kVTCompressionPropertyKey_AlphaChannelMode,
      kVTCompressionPropertyKey_AspectRatio16x9,
      kVTCompressionPropertyKey_BaseLayerBitRateFraction,
      kVTCompressionPropertyKey_BaseLayerFrameRate,
      kVTCompressionPropertyKey_BaseLayerFrameRateFraction,
      kVTCompressionPropertyKey_CleanAperture,
      kVTCompressionPropertyKey_ContentLightLevelInfo,
      kVTCompressionPropertyKey_Depth,
      kVTCompressionPropertyKey_EnableLTR,
      kVTCompressionPropertyKey_EstimatedAverageBytesPerFrame,
      kVTCompressionPropertyKey_ExpectedDuration,
      kVTCompressionPropertyKey_FieldCount,
      kVTCompressionPropertyKey_FieldDetail,
      kVTCompressionPropertyKey_GammaLevel,
      kVTCompressionPropertyKey_HasLeftStereoEyeView,
      kVTCompressionPropertyKey_HasRightStereoEyeView,
      kVTCompressionPropertyKey_HeroEye,
      kVTCompressionPropertyKey_HorizontalDisparityAdjustment,
      kVTCompressionPropertyKey_ICCProfile,
      kVTCompressionPropertyKey_MVHEVCLeftAndRightViewIDs,
      kVTCompressionPropertyKey_MVHEVCVideoLayerIDs,
      kVTCompressionPropertyKey_MVHEVCViewIDs,
      kVTCompressionPropertyKey_MasteringDisplayColorVolume,
      kVTCompressionPropertyKey_MaxAllowedFrameQP,
      kVTCompressionPropertyKey_MaxH264SliceBytes,
      kVTCompressionPropertyKey_MaximizePowerEfficiency,
      kVTCompressionPropertyKey_MinAllowedFrameQP,
      kVTCompressionPropertyKey_MoreFramesAfterEnd,
      kVTCompressionPropertyKey_MoreFramesBeforeStart,
      kVTCompressionPropertyKey_MultiPassStorage,
      kVTCompressionPropertyKey_OutputBitDepth,
      kVTCompressionPropertyKey_PixelBufferPoolIsShared,
      kVTCompressionPropertyKey_PixelTransferProperties,
      kVTCompressionPropertyKey_PreserveAlphaChannel,
      kVTCompressionPropertyKey_PreserveDynamicHDRMetadata,
      kVTCompressionPropertyKey_PrioritizeEncodingSpeedOverQuality,
      kVTCompressionPropertyKey_ProgressiveScan,
      kVTCompressionPropertyKey_ReferenceBufferCount,
      kVTCompressionPropertyKey_SourceFrameCount,
      kVTCompressionPropertyKey_StereoCameraBaseline,
      kVTCompressionPropertyKey_SuggestedLookAheadFrameCount,
      kVTCompressionPropertyKey_SpatialAdaptiveQPLevel,
      kVTCompressionPropertyKey_SupportsBaseFrameQP,
      kVTCompressionPropertyKey_TargetQualityForAlpha,
      kVTCompressionPropertyKey_VideoEncoderPixelBufferAttributes,
      kVTCompressionPropertyKey_CalculateMeanSquaredError,
      kVTCompressionPropertyKey_UsingGPURegistryID,
    ]
    for codec in [kCMVideoCodecType_AppleProRes422, kCMVideoCodecType_H264] {
      guard let session = try? CompressionRig.session(codec) else { continue }
      for key in keys {
        #expect(VTSessionSetProperty(session, key: key, value: 1) == kVTPropertyNotSupportedErr)
      }
    }
    #expect(Set(keys).count == keys.count)
  }

  @Test func a_required_gpu_encoder_is_not_found() {
    var session: VTCompressionSession?
    let status = VTCompressionSessionCreate(
      allocator: nil, width: 64, height: 48, codecType: kCMVideoCodecType_AppleProRes422,
      encoderSpecification: [kVTVideoEncoderSpecification_RequiredEncoderGPURegistryID: 1],
      imageBufferAttributes: nil, compressedDataAllocator: nil, outputCallback: nil, refcon: nil,
      compressionSessionOut: &session)
    #expect(status == kVTCouldNotFindVideoEncoderErr && session == nil)
  }

  @Test func a_decompression_session_refuses_unsupported_properties() throws {
    let keys = [
      kVTDecompressionPropertyKey_ContentHasInterframeDependencies,
      kVTDecompressionPropertyKey_DeinterlaceMode,
      kVTDecompressionPropertyKey_FieldMode,
      kVTDecompressionPropertyKey_GeneratePerFrameHDRDisplayMetadata,
      kVTDecompressionPropertyKey_MaxOutputPresentationTimeStampOfFramesBeingDecoded,
      kVTDecompressionPropertyKey_MinOutputPresentationTimeStampOfFramesBeingDecoded,
      kVTDecompressionPropertyKey_MaximizePowerEfficiency,
      kVTDecompressionPropertyKey_OnlyTheseFrames,
      kVTDecompressionPropertyKey_OutputPoolRequestedMinimumBufferCount,
      kVTDecompressionPropertyKey_PixelBufferPool,
      kVTDecompressionPropertyKey_PixelBufferPoolIsShared,
      kVTDecompressionPropertyKey_PixelFormatsWithReducedResolutionSupport,
      kVTDecompressionPropertyKey_PixelTransferProperties,
      kVTDecompressionPropertyKey_PropagatePerFrameHDRDisplayMetadata,
      kVTDecompressionPropertyKey_ReducedCoefficientDecode,
      kVTDecompressionPropertyKey_ReducedFrameDelivery,
      kVTDecompressionPropertyKey_ReducedResolutionDecode,
      kVTDecompressionPropertyKey_RequestedMVHEVCVideoLayerIDs,
      kVTDecompressionPropertyKey_SuggestedQualityOfServiceTiers,
      kVTDecompressionPropertyKey_SupportedPixelFormatsOrderedByPerformance,
      kVTDecompressionPropertyKey_SupportedPixelFormatsOrderedByQuality,
      kVTDecompressionPropertyKey_ThreadCount,
      kVTDecompressionPropertyKey_UsingGPURegistryID,
    ]
    var description: CMVideoFormatDescription?
    CMVideoFormatDescriptionCreate(
      allocator: nil, codecType: kCMVideoCodecType_AppleProRes422, width: 64, height: 48,
      extensions: nil, formatDescriptionOut: &description)
    var session: VTDecompressionSession?
    let status = VTDecompressionSessionCreate(
      allocator: nil, formatDescription: try #require(description), decoderSpecification: nil,
      imageBufferAttributes: nil, outputCallback: nil, decompressionSessionOut: &session)
    #expect(status == noErr)
    var other: VTDecompressionSession?
    let refusal = VTDecompressionSessionCreate(
      allocator: nil, formatDescription: try #require(description),
      decoderSpecification: [kVTVideoDecoderSpecification_RequiredDecoderGPURegistryID: 1],
      imageBufferAttributes: nil, outputCallback: nil, decompressionSessionOut: &other)
    #expect(refusal == kVTCouldNotFindVideoDecoderErr && other == nil)
    let made = try #require(session)
    for key in keys {
      #expect(VTSessionSetProperty(made, key: key, value: 1) == kVTPropertyNotSupportedErr)
    }
  }

  @Test func property_values_and_specification_keys_are_distinct() {
    let values = [
      kVTDecompressionProperty_DeinterlaceMode_VerticalFilter,
      kVTDecompressionProperty_DeinterlaceMode_Temporal,
      kVTDecompressionProperty_FieldMode_BothFields,
      kVTDecompressionProperty_FieldMode_TopFieldOnly,
      kVTDecompressionProperty_FieldMode_BottomFieldOnly,
      kVTDecompressionProperty_FieldMode_SingleField,
      kVTDecompressionProperty_FieldMode_DeinterlaceFields,
      kVTDecompressionProperty_OnlyTheseFrames_AllFrames,
      kVTDecompressionProperty_OnlyTheseFrames_NonDroppableFrames,
      kVTDecompressionProperty_OnlyTheseFrames_IFrames,
      kVTDecompressionProperty_OnlyTheseFrames_KeyFrames,
      kVTDecompressionProperty_TemporalLevelLimit,
      kVTDecompressionResolutionKey_Width,
      kVTDecompressionResolutionKey_Height,
      kVTVideoDecoderSpecification_RequiredDecoderGPURegistryID,
      kVTVideoDecoderSpecification_PreferredDecoderGPURegistryID,
      kVTVideoEncoderSpecification_RequiredEncoderGPURegistryID,
      kVTVideoEncoderSpecification_PreferredEncoderGPURegistryID,
    ]
    #expect(Set(values).count == values.count)
  }

  @Test func failure_codes_match_the_headers() {
    let failures: [(OSStatus, OSStatus)] = [
      (kVTCouldNotCreateInstanceErr, -12907),
      (kVTVideoDecoderNotAvailableNowErr, -12913),
      (kVTImageRotationNotSupportedErr, -12914),
      (kVTPixelRotationNotSupportedErr, -12914),
      (kVTVideoEncoderNotAvailableNowErr, -12915),
      (kVTInsufficientSourceColorDataErr, -12917),
      (kVTCouldNotCreateColorCorrectionDataErr, -12918),
      (kVTColorSyncTransformConvertFailedErr, -12919),
      (kVTVideoDecoderAuthorizationErr, -12210),
      (kVTVideoEncoderAuthorizationErr, -12211),
      (kVTColorCorrectionPixelTransferFailedErr, -12212),
      (kVTMultiPassStorageIdentifierMismatchErr, -12213),
      (kVTMultiPassStorageInvalidErr, -12214),
      (kVTFrameSiloInvalidTimeStampErr, -12215),
      (kVTFrameSiloInvalidTimeRangeErr, -12216),
      (kVTCouldNotFindTemporalFilterErr, -12217),
      (kVTPixelTransferNotPermittedErr, -12218),
      (kVTColorCorrectionImageRotationFailedErr, -12219),
      (kVTVideoDecoderRemovedErr, -17690),
      (kVTSessionMalfunctionErr, -17691),
      (kVTVideoDecoderNeedsRosettaErr, -17692),
      (kVTVideoEncoderNeedsRosettaErr, -17693),
      (kVTVideoDecoderReferenceMissingErr, -17694),
      (kVTVideoDecoderCallbackMessagingErr, -17695),
      (kVTVideoDecoderUnknownErr, -17696),
      (kVTExtensionDisabledErr, -17697),
      (kVTVideoEncoderMVHEVCVideoLayerIDsMismatchErr, -17698),
      (kVTCouldNotOutputTaggedBufferGroupErr, -17699),
    ]
    for (failure, number) in failures { #expect(failure == number) }
  }
}
