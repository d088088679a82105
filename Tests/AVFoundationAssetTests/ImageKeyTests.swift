import AVFoundationCompat
import TestSupport
import Testing

/// Keys that programs look for in images of several formats.
@Suite struct ImageKeyTests {
  @Test func a_dng_file_has_no_properties_of_other_formats() throws {
    let source = try #require(CGImageSourceCreateWithData(try ImageTests.photo(), nil))
    let facts = try #require(CGImageSourceCopyPropertiesAtIndex(source, 0, nil))
    let keys = [
      kCGImagePropertyGIFDictionary,
      kCGImagePropertyHEICSDictionary,
      kCGImagePropertyPNGDictionary,
      kCGImagePropertyWebPDictionary,
      kCGImagePropertyIPTCDictionary,
      kCGImagePropertyMakerAppleDictionary,
      kCGImagePropertyJFIFDictionary,
      kCGImagePropertyOpenEXRDictionary,
      kCGImagePropertyDepth,
      kCGImagePropertyIsFloat,
      kCGImagePropertyPixelFormat,
      kCGImagePropertyColorModel,
      kCGImagePropertyProfileName,
    ]
    #expect(keys.allSatisfy { facts[$0] == nil } && Set(keys).count == keys.count)
    let camera = try #require(facts[kCGImagePropertyTIFFDictionary] as? [String: Any])
    #expect(camera[kCGImagePropertyTIFFCompression] == nil)
    #expect(facts[kCGImagePropertyGPSDictionary] == nil)
    let images = [
      kCGImageAuxiliaryDataTypeDisparity, kCGImageAuxiliaryDataTypePortraitEffectsMatte,
    ]
    for type in images {
      #expect(CGImageSourceCopyAuxiliaryDataInfoAtIndex(source, 0, type) == nil)
    }
    let options = [kCGImageSourceCreateThumbnailFromImageIfAbsent: true]
    #expect(CGImageSourceCreateThumbnailAtIndex(source, 0, options)?.width == 48)
  }

  @Test func animation_gps_and_iptc_keys_have_apples_strings() {
    let texts = [
      "DelayTime", "UnclampedDelayTime", "LoopCount", "FrameInfo", "CanvasPixelWidth",
      "CanvasPixelHeight",
    ]
    let formats = [
      [
        kCGImagePropertyGIFDelayTime,
        kCGImagePropertyGIFUnclampedDelayTime,
        kCGImagePropertyGIFLoopCount,
        kCGImagePropertyGIFFrameInfoArray,
        kCGImagePropertyGIFCanvasPixelWidth,
        kCGImagePropertyGIFCanvasPixelHeight,
      ],
      [
        kCGImagePropertyHEICSDelayTime,
        kCGImagePropertyHEICSUnclampedDelayTime,
        kCGImagePropertyHEICSLoopCount,
        kCGImagePropertyHEICSFrameInfoArray,
        kCGImagePropertyHEICSCanvasPixelWidth,
        kCGImagePropertyHEICSCanvasPixelHeight,
      ],
      [
        kCGImagePropertyAPNGDelayTime,
        kCGImagePropertyAPNGUnclampedDelayTime,
        kCGImagePropertyAPNGLoopCount,
        kCGImagePropertyAPNGFrameInfoArray,
        kCGImagePropertyAPNGCanvasPixelWidth,
        kCGImagePropertyAPNGCanvasPixelHeight,
      ],
      [
        kCGImagePropertyWebPDelayTime,
        kCGImagePropertyWebPUnclampedDelayTime,
        kCGImagePropertyWebPLoopCount,
        kCGImagePropertyWebPFrameInfoArray,
        kCGImagePropertyWebPCanvasPixelWidth,
        kCGImagePropertyWebPCanvasPixelHeight,
      ],
    ]
    #expect(formats.allSatisfy { $0 == texts })
    #expect(kCGImagePropertyGPSDateStamp == "DateStamp")
    #expect(kCGImagePropertyGPSTimeStamp == "TimeStamp")
    #expect(kCGImagePropertyIPTCKeywords == "Keywords")
    #expect(kCGImagePropertyIPTCCaptionAbstract == "Caption/Abstract")
  }
}
