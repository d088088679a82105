import AVFoundationCompat
import Testing

/// Properties that can be set on compression sessions, and those that can be read.
@Suite struct CompressionPropertyTests {
  private func set(
    _ session: VTSession, _ key: CFString, _ value: CFTypeRef?
  ) -> OSStatus {
    VTSessionSetProperty(session, key: key, value: value)
  }

  @Test func prores_accepts_frame_properties_and_refuses_others() throws {
    let session = try CompressionRig.session(kCMVideoCodecType_AppleProRes422HQ)
    let (flag, rate): (CFBoolean, CFNumber) = (true, NSNumber(value: 25.0))
    #expect(set(session, kVTCompressionPropertyKey_RealTime, flag) == noErr)
    #expect(set(session, kVTCompressionPropertyKey_RealTime, kCFBooleanTrue) == noErr)
    #expect(set(session, kVTCompressionPropertyKey_ExpectedFrameRate, rate) == noErr)
    #expect(set(session, kVTCompressionPropertyKey_AllowFrameReordering, kCFBooleanFalse) == noErr)
    #expect(set(session, kVTCompressionPropertyKey_AllowTemporalCompression, false) == noErr)
    let shape: CFDictionary = [
      kCVImageBufferPixelAspectRatioHorizontalSpacingKey: 16,
      kCVImageBufferPixelAspectRatioVerticalSpacingKey: 15,
    ]
    #expect(
      VTSessionSetProperties(
        session,
        propertyDictionary: [
          kVTCompressionPropertyKey_ColorPrimaries: kCVImageBufferColorPrimaries_ITU_R_2020,
          kVTCompressionPropertyKey_TransferFunction:
            kCVImageBufferTransferFunction_ITU_R_2100_HLG,
          kVTCompressionPropertyKey_YCbCrMatrix: kCVImageBufferYCbCrMatrix_ITU_R_2020,
          kVTCompressionPropertyKey_PixelAspectRatio: shape,
        ] as CFDictionary) == noErr)
    #expect(
      set(session, kVTCompressionPropertyKey_ColorPrimaries, "pink") == kVTParameterErr)
    #expect("\(String(describing: session.error))".contains("pink"))
    #expect(set(session, kVTCompressionPropertyKey_PixelAspectRatio, 1) == kVTParameterErr)
    #expect(set(session, kVTCompressionPropertyKey_RealTime, "soon") == kVTParameterErr)
    for key in [
      kVTCompressionPropertyKey_AverageBitRate, kVTCompressionPropertyKey_DataRateLimits,
      kVTCompressionPropertyKey_MaxFrameDelayCount, kVTCompressionPropertyKey_ProfileLevel,
      kVTCompressionPropertyKey_ConstantBitRate, "x",
    ] { #expect(set(session, key, kVTUnlimitedFrameDelayCount) == kVTPropertyNotSupportedErr) }
    #expect(
      set(session, kVTCompressionPropertyKey_NumberOfPendingFrames, 1) == kVTPropertyReadOnlyErr)

    let results = try CompressionRig.compress(0..<1, with: session)
    VTCompressionSessionCompleteFrames(session, untilPresentationTimeStamp: .invalid)
    #expect(
      set(session, kVTCompressionPropertyKey_RealTime, false) == kVTPropertyReadOnlyErr)
    let format = try #require(results.samples.first?.formatDescription)
    #expect(
      CMFormatDescriptionGetExtension(
        format, extensionKey: kCMFormatDescriptionExtension_TransferFunction) as? String
        == kCVImageBufferTransferFunction_ITU_R_2100_HLG)
    #expect(format.presentationDimensions().width > 68)
    #expect(format.parameterSets.isEmpty && format.nalUnitHeaderLength == 0)
    #expect(
      CMVideoFormatDescriptionGetH264ParameterSetAtIndex(
        format, parameterSetIndex: 0, parameterSetPointerOut: nil, parameterSetSizeOut: nil,
        parameterSetCountOut: nil, nalUnitHeaderLengthOut: nil)
        == kCMFormatDescriptionError_InvalidParameter)
    var kept: CFDictionary?
    #expect(
      VTSessionCopySerializableProperties(session, allocator: nil, dictionaryOut: &kept) == noErr)
    #expect(kept?[kVTCompressionPropertyKey_ColorPrimaries] as? String == "ITU_R_2020")
  }

  @Test func a_session_reports_its_encoder_and_supported_properties() throws {
    let session = try CompressionRig.session(kCMVideoCodecType_AppleProRes422)
    func value(_ key: CFString) throws -> CFTypeRef {
      var value: CFTypeRef?
      #expect(VTSessionCopyProperty(session, key: key, allocator: nil, valueOut: &value) == noErr)
      return try #require(value)
    }
    #expect(
      try value(kVTCompressionPropertyKey_UsingHardwareAcceleratedVideoEncoder) as? Bool == false)
    #expect(try value(kVTCompressionPropertyKey_NumberOfPendingFrames) as? Int == 0)
    let name = try value(kVTCompressionPropertyKey_EncoderID) as? String
    #expect(
      VTSessionCopyProperty(session, key: "x", allocator: nil, valueOut: nil)
        == kVTPropertyNotSupportedErr)

    var known: CFDictionary?
    #expect(
      VTSessionCopySupportedPropertyDictionary(session, supportedPropertyDictionaryOut: &known)
        == noErr)
    func facts(_ key: CFString) -> [String: Any]? { known?[key] as? [String: Any] }
    let realTime = facts(kVTCompressionPropertyKey_RealTime)
    #expect(realTime?[kVTPropertyTypeKey] as? String == kVTPropertyType_Boolean)
    #expect(
      realTime?[kVTPropertyReadWriteStatusKey] as? String == kVTPropertyReadWriteStatus_ReadWrite)
    let pending = facts(kVTCompressionPropertyKey_NumberOfPendingFrames)
    #expect(pending?[kVTPropertyTypeKey] as? String == kVTPropertyType_Number)
    #expect(
      pending?[kVTPropertyReadWriteStatusKey] as? String == kVTPropertyReadWriteStatus_ReadOnly)
    let matrix = facts(kVTCompressionPropertyKey_YCbCrMatrix)
    #expect(matrix?[kVTPropertyTypeKey] as? String == kVTPropertyType_Enumeration)
    let matrices = matrix?[kVTPropertySupportedValueListKey] as? [String]
    #expect(matrices?.contains(kCVImageBufferYCbCrMatrix_ITU_R_709_2) == true)
    #expect(facts(kVTCompressionPropertyKey_DataRateLimits) == nil)

    var (identifier, properties): (CFString?, CFDictionary?)
    #expect(
      VTCopySupportedPropertyDictionaryForEncoder(
        width: 64, height: 48, codecType: kCMVideoCodecType_AppleProRes422,
        encoderSpecification: nil, encoderIDOut: &identifier, supportedPropertiesOut: &properties)
        == noErr)
    #expect(identifier == name && properties?.count == known?.count)
  }

  @Test func the_encoder_list_contains_only_available_encoders() throws {
    var list: CFArray?
    #expect(VTCopyVideoEncoderList(nil, &list) == noErr)
    let encoders = try #require(list as? [[String: Any]])
    #expect(
      encoders.count
        == VideoCodecType.allProRes.count + EncoderCapabilities.current.interframeCodecs.count)
    let proRes = try #require(
      encoders.first {
        $0[kVTVideoEncoderList_CodecType] as? CMVideoCodecType == kCMVideoCodecType_AppleProRes422HQ
      })
    #expect(proRes[kVTVideoEncoderList_CodecName] as? String == "Apple ProRes 422 HQ")
    #expect(proRes[kVTVideoEncoderList_EncoderName] as? String != nil)
    #expect(proRes[kVTVideoEncoderList_DisplayName] as? String != nil)
    #expect(proRes[kVTVideoEncoderList_IsHardwareAccelerated] as? Bool == false)
    let name = try #require(proRes[kVTVideoEncoderList_EncoderID] as? String)
    func status(
      _ codec: CMVideoCodecType, _ specification: CFDictionary? = nil, _ width: Int32 = 64,
      _ attributes: CFDictionary? = nil
    ) -> OSStatus {
      var session: VTCompressionSession?
      return VTCompressionSessionCreate(
        allocator: nil, width: width, height: 48, codecType: codec,
        encoderSpecification: specification, imageBufferAttributes: attributes,
        compressedDataAllocator: nil, outputCallback: nil, refcon: nil,
        compressionSessionOut: &session)
    }
    let hq = kCMVideoCodecType_AppleProRes422HQ
    #expect(status(hq, [kVTVideoEncoderSpecification_EncoderID: name]) == noErr)
    #expect(
      status(
        hq,
        [
          kVTVideoEncoderSpecification_EnableHardwareAcceleratedVideoEncoder: true,
          kVTVideoEncoderSpecification_EnableLowLatencyRateControl: true,
        ]) == noErr)
    #expect(
      status(hq, [kVTVideoEncoderSpecification_RequireHardwareAcceleratedVideoEncoder: true])
        == kVTCouldNotFindVideoEncoderErr)
    #expect(
      status(hq, [kVTVideoEncoderSpecification_EncoderID: "x"]) == kVTCouldNotFindVideoEncoderErr)
    for codec in [kCMVideoCodecType_JPEG, kCMVideoCodecType_HEVCWithAlpha, 0] {
      #expect(status(codec) == kVTCouldNotFindVideoEncoderErr)
    }
    for width in [Int32.min, -1, 0, .max] { #expect(status(hq, nil, width) == kVTParameterErr) }
    #expect(status(hq, nil, 64, ["Size": 1]) == kVTParameterErr)
    #expect(
      Set([
        kVTAllocationFailedErr, kVTCouldNotFindVideoDecoderErr, kVTVideoEncoderMalfunctionErr,
      ]).count == 3)
  }
}
