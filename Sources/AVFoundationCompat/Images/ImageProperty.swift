import TIFF

/// A TIFF, EXIF or GPS property with its Image I/O name.
struct ImageProperty: Sendable {
  /// The form of a value in Image I/O.
  enum Form: Sendable {
    /// A number, integral if the file's is.
    case number
    /// An array of numbers.
    case numbers
    /// A string.
    case text
    /// A string of undefined type, after eight bytes that give its encoding.
    case comment
    /// A four-digit version: an array of numbers.
    case digits
    /// Bytes, as an array of numbers.
    case bytes
    /// An angle in degrees, minutes and seconds, as a number of degrees.
    case degrees
    /// Hours, minutes and seconds, as a string.
    case time
  }

  let tag: TIFFTag
  let name: String
  let form: Form

  private init(_ row: (tag: UInt16, name: String, form: Form)) {
    (tag, name, form) = (TIFFTag(rawValue: row.tag), row.name, row.form)
  }

  /// The TIFF properties of the first directory.
  static let tiff: [ImageProperty] = [
    (0x0103, kCGImagePropertyTIFFCompression, .number),
    (0x0106, kCGImagePropertyTIFFPhotometricInterpretation, .number),
    (0x010D, kCGImagePropertyTIFFDocumentName, .text),
    (0x010E, kCGImagePropertyTIFFImageDescription, .text),
    (0x010F, kCGImagePropertyTIFFMake, .text),
    (0x0110, kCGImagePropertyTIFFModel, .text),
    (0x0112, kCGImagePropertyTIFFOrientation, .number),
    (0x011A, kCGImagePropertyTIFFXResolution, .number),
    (0x011B, kCGImagePropertyTIFFYResolution, .number),
    (0x0128, kCGImagePropertyTIFFResolutionUnit, .number),
    (0x0131, kCGImagePropertyTIFFSoftware, .text),
    (0x0132, kCGImagePropertyTIFFDateTime, .text),
    (0x013B, kCGImagePropertyTIFFArtist, .text),
    (0x013C, kCGImagePropertyTIFFHostComputer, .text),
    (0x8298, kCGImagePropertyTIFFCopyright, .text),
    (0x013E, kCGImagePropertyTIFFWhitePoint, .numbers),
    (0x013F, kCGImagePropertyTIFFPrimaryChromaticities, .numbers),
    (0x0142, kCGImagePropertyTIFFTileWidth, .number),
    (0x0143, kCGImagePropertyTIFFTileLength, .number),
  ].map(ImageProperty.init)

  /// The EXIF properties.
  static let exif: [ImageProperty] = [
    (0x829A, kCGImagePropertyExifExposureTime, .number),
    (0x829D, kCGImagePropertyExifFNumber, .number),
    (0x8822, kCGImagePropertyExifExposureProgram, .number),
    (0x8824, kCGImagePropertyExifSpectralSensitivity, .text),
    (0x8827, kCGImagePropertyExifISOSpeedRatings, .numbers),
    (0x8830, kCGImagePropertyExifSensitivityType, .number),
    (0x8831, kCGImagePropertyExifStandardOutputSensitivity, .number),
    (0x8832, kCGImagePropertyExifRecommendedExposureIndex, .number),
    (0x8833, kCGImagePropertyExifISOSpeed, .number),
    (0x8834, kCGImagePropertyExifISOSpeedLatitudeyyy, .number),
    (0x8835, kCGImagePropertyExifISOSpeedLatitudezzz, .number),
    (0x9000, kCGImagePropertyExifVersion, .digits),
    (0x9003, kCGImagePropertyExifDateTimeOriginal, .text),
    (0x9004, kCGImagePropertyExifDateTimeDigitized, .text),
    (0x9010, kCGImagePropertyExifOffsetTime, .text),
    (0x9011, kCGImagePropertyExifOffsetTimeOriginal, .text),
    (0x9012, kCGImagePropertyExifOffsetTimeDigitized, .text),
    (0x9101, kCGImagePropertyExifComponentsConfiguration, .bytes),
    (0x9102, kCGImagePropertyExifCompressedBitsPerPixel, .number),
    (0x9201, kCGImagePropertyExifShutterSpeedValue, .number),
    (0x9202, kCGImagePropertyExifApertureValue, .number),
    (0x9203, kCGImagePropertyExifBrightnessValue, .number),
    (0x9204, kCGImagePropertyExifExposureBiasValue, .number),
    (0x9205, kCGImagePropertyExifMaxApertureValue, .number),
    (0x9206, kCGImagePropertyExifSubjectDistance, .number),
    (0x9207, kCGImagePropertyExifMeteringMode, .number),
    (0x9208, kCGImagePropertyExifLightSource, .number),
    (0x9209, kCGImagePropertyExifFlash, .number),
    (0x920A, kCGImagePropertyExifFocalLength, .number),
    (0x9214, kCGImagePropertyExifSubjectArea, .numbers),
    (0x9286, kCGImagePropertyExifUserComment, .comment),
    (0x9290, kCGImagePropertyExifSubsecTime, .text),
    (0x9291, kCGImagePropertyExifSubsecTimeOriginal, .text),
    (0x9292, kCGImagePropertyExifSubsecTimeDigitized, .text),
    (0xA000, kCGImagePropertyExifFlashPixVersion, .digits),
    (0xA001, kCGImagePropertyExifColorSpace, .number),
    (0xA002, kCGImagePropertyExifPixelXDimension, .number),
    (0xA003, kCGImagePropertyExifPixelYDimension, .number),
    (0xA20B, kCGImagePropertyExifFlashEnergy, .number),
    (0xA20E, kCGImagePropertyExifFocalPlaneXResolution, .number),
    (0xA20F, kCGImagePropertyExifFocalPlaneYResolution, .number),
    (0xA210, kCGImagePropertyExifFocalPlaneResolutionUnit, .number),
    (0xA214, kCGImagePropertyExifSubjectLocation, .numbers),
    (0xA215, kCGImagePropertyExifExposureIndex, .number),
    (0xA217, kCGImagePropertyExifSensingMethod, .number),
    (0xA300, kCGImagePropertyExifFileSource, .number),
    (0xA301, kCGImagePropertyExifSceneType, .number),
    (0xA401, kCGImagePropertyExifCustomRendered, .number),
    (0xA402, kCGImagePropertyExifExposureMode, .number),
    (0xA403, kCGImagePropertyExifWhiteBalance, .number),
    (0xA404, kCGImagePropertyExifDigitalZoomRatio, .number),
    (0xA405, kCGImagePropertyExifFocalLenIn35mmFilm, .number),
    (0xA406, kCGImagePropertyExifSceneCaptureType, .number),
    (0xA407, kCGImagePropertyExifGainControl, .number),
    (0xA408, kCGImagePropertyExifContrast, .number),
    (0xA409, kCGImagePropertyExifSaturation, .number),
    (0xA40A, kCGImagePropertyExifSharpness, .number),
    (0xA40C, kCGImagePropertyExifSubjectDistRange, .number),
    (0xA420, kCGImagePropertyExifImageUniqueID, .text),
    (0xA430, kCGImagePropertyExifCameraOwnerName, .text),
    (0xA431, kCGImagePropertyExifBodySerialNumber, .text),
    (0xA432, kCGImagePropertyExifLensSpecification, .numbers),
    (0xA433, kCGImagePropertyExifLensMake, .text),
    (0xA434, kCGImagePropertyExifLensModel, .text),
    (0xA435, kCGImagePropertyExifLensSerialNumber, .text),
    (0xA500, kCGImagePropertyExifGamma, .number),
    (0xA460, kCGImagePropertyExifCompositeImage, .number),
  ].map(ImageProperty.init)

  /// The GPS properties.
  static let gps: [ImageProperty] = [
    (0x0000, kCGImagePropertyGPSVersion, .bytes),
    (0x0001, kCGImagePropertyGPSLatitudeRef, .text),
    (0x0002, kCGImagePropertyGPSLatitude, .degrees),
    (0x0003, kCGImagePropertyGPSLongitudeRef, .text),
    (0x0004, kCGImagePropertyGPSLongitude, .degrees),
    (0x0005, kCGImagePropertyGPSAltitudeRef, .number),
    (0x0006, kCGImagePropertyGPSAltitude, .number),
    (0x0007, kCGImagePropertyGPSTimeStamp, .time),
    (0x0008, kCGImagePropertyGPSSatellites, .text),
    (0x0009, kCGImagePropertyGPSStatus, .text),
    (0x000A, kCGImagePropertyGPSMeasureMode, .text),
    (0x000B, kCGImagePropertyGPSDOP, .number),
    (0x000C, kCGImagePropertyGPSSpeedRef, .text),
    (0x000D, kCGImagePropertyGPSSpeed, .number),
    (0x000E, kCGImagePropertyGPSTrackRef, .text),
    (0x000F, kCGImagePropertyGPSTrack, .number),
    (0x0010, kCGImagePropertyGPSImgDirectionRef, .text),
    (0x0011, kCGImagePropertyGPSImgDirection, .number),
    (0x0012, kCGImagePropertyGPSMapDatum, .text),
    (0x0013, kCGImagePropertyGPSDestLatitudeRef, .text),
    (0x0014, kCGImagePropertyGPSDestLatitude, .degrees),
    (0x0015, kCGImagePropertyGPSDestLongitudeRef, .text),
    (0x0016, kCGImagePropertyGPSDestLongitude, .degrees),
    (0x0017, kCGImagePropertyGPSDestBearingRef, .text),
    (0x0018, kCGImagePropertyGPSDestBearing, .number),
    (0x0019, kCGImagePropertyGPSDestDistanceRef, .text),
    (0x001A, kCGImagePropertyGPSDestDistance, .number),
    (0x001B, kCGImagePropertyGPSProcessingMethod, .comment),
    (0x001C, kCGImagePropertyGPSAreaInformation, .comment),
    (0x001D, kCGImagePropertyGPSDateStamp, .text),
    (0x001F, kCGImagePropertyGPSHPositioningError, .number),
  ].map(ImageProperty.init)
}
