// swift-format-ignore-file: AlwaysUseLowerCamelCase

// Image I/O's names for TIFF, EXIF and GPS properties, with Apple's strings. EXIF 2.32 defines their meaning; exposure
// times are in seconds, lengths in millimetres or metres, and positions in degrees.

import Foundation

// MARK: TIFF

public let kCGImagePropertyTIFFPhotometricInterpretation: CFString = "PhotometricInterpretation"
public let kCGImagePropertyTIFFDocumentName: CFString = "DocumentName"
public let kCGImagePropertyTIFFXResolution: CFString = "XResolution"
public let kCGImagePropertyTIFFYResolution: CFString = "YResolution"
public let kCGImagePropertyTIFFResolutionUnit: CFString = "ResolutionUnit"
public let kCGImagePropertyTIFFDateTime: CFString = "DateTime"
public let kCGImagePropertyTIFFHostComputer: CFString = "HostComputer"
public let kCGImagePropertyTIFFWhitePoint: CFString = "WhitePoint"
public let kCGImagePropertyTIFFPrimaryChromaticities: CFString = "PrimaryChromaticities"
public let kCGImagePropertyTIFFTileWidth: CFString = "TileWidth"
public let kCGImagePropertyTIFFTileLength: CFString = "TileLength"

// MARK: EXIF

public let kCGImagePropertyExifExposureProgram: CFString = "ExposureProgram"
public let kCGImagePropertyExifSpectralSensitivity: CFString = "SpectralSensitivity"
public let kCGImagePropertyExifSensitivityType: CFString = "SensitivityType"
public let kCGImagePropertyExifStandardOutputSensitivity: CFString = "StandardOutputSensitivity"
public let kCGImagePropertyExifRecommendedExposureIndex: CFString = "RecommendedExposureIndex"
public let kCGImagePropertyExifISOSpeed: CFString = "ISOSpeed"
public let kCGImagePropertyExifISOSpeedLatitudeyyy: CFString = "ISOSpeedLatitudeyyy"
public let kCGImagePropertyExifISOSpeedLatitudezzz: CFString = "ISOSpeedLatitudezzz"
public let kCGImagePropertyExifVersion: CFString = "ExifVersion"
public let kCGImagePropertyExifDateTimeOriginal: CFString = "DateTimeOriginal"
public let kCGImagePropertyExifDateTimeDigitized: CFString = "DateTimeDigitized"
public let kCGImagePropertyExifOffsetTime: CFString = "OffsetTime"
public let kCGImagePropertyExifOffsetTimeOriginal: CFString = "OffsetTimeOriginal"
public let kCGImagePropertyExifOffsetTimeDigitized: CFString = "OffsetTimeDigitized"
public let kCGImagePropertyExifComponentsConfiguration: CFString = "ComponentsConfiguration"
public let kCGImagePropertyExifCompressedBitsPerPixel: CFString = "CompressedBitsPerPixel"
public let kCGImagePropertyExifShutterSpeedValue: CFString = "ShutterSpeedValue"
public let kCGImagePropertyExifApertureValue: CFString = "ApertureValue"
public let kCGImagePropertyExifBrightnessValue: CFString = "BrightnessValue"
public let kCGImagePropertyExifMaxApertureValue: CFString = "MaxApertureValue"
public let kCGImagePropertyExifSubjectDistance: CFString = "SubjectDistance"
public let kCGImagePropertyExifMeteringMode: CFString = "MeteringMode"
public let kCGImagePropertyExifLightSource: CFString = "LightSource"
public let kCGImagePropertyExifFlash: CFString = "Flash"
public let kCGImagePropertyExifSubjectArea: CFString = "SubjectArea"
public let kCGImagePropertyExifUserComment: CFString = "UserComment"
public let kCGImagePropertyExifSubsecTime: CFString = "SubsecTime"
public let kCGImagePropertyExifSubsecTimeOriginal: CFString = "SubsecTimeOriginal"
public let kCGImagePropertyExifSubsecTimeDigitized: CFString = "SubsecTimeDigitized"
public let kCGImagePropertyExifFlashPixVersion: CFString = "FlashPixVersion"
public let kCGImagePropertyExifColorSpace: CFString = "ColorSpace"
public let kCGImagePropertyExifFlashEnergy: CFString = "FlashEnergy"
public let kCGImagePropertyExifFocalPlaneXResolution: CFString = "FocalPlaneXResolution"
public let kCGImagePropertyExifFocalPlaneYResolution: CFString = "FocalPlaneYResolution"
public let kCGImagePropertyExifFocalPlaneResolutionUnit: CFString = "FocalPlaneResolutionUnit"
public let kCGImagePropertyExifSubjectLocation: CFString = "SubjectLocation"
public let kCGImagePropertyExifExposureIndex: CFString = "ExposureIndex"
public let kCGImagePropertyExifSensingMethod: CFString = "SensingMethod"
public let kCGImagePropertyExifFileSource: CFString = "FileSource"
public let kCGImagePropertyExifSceneType: CFString = "SceneType"
public let kCGImagePropertyExifCustomRendered: CFString = "CustomRendered"
public let kCGImagePropertyExifExposureMode: CFString = "ExposureMode"
public let kCGImagePropertyExifWhiteBalance: CFString = "WhiteBalance"
public let kCGImagePropertyExifDigitalZoomRatio: CFString = "DigitalZoomRatio"
public let kCGImagePropertyExifFocalLenIn35mmFilm: CFString = "FocalLenIn35mmFilm"
public let kCGImagePropertyExifSceneCaptureType: CFString = "SceneCaptureType"
public let kCGImagePropertyExifGainControl: CFString = "GainControl"
public let kCGImagePropertyExifContrast: CFString = "Contrast"
public let kCGImagePropertyExifSaturation: CFString = "Saturation"
public let kCGImagePropertyExifSharpness: CFString = "Sharpness"
public let kCGImagePropertyExifSubjectDistRange: CFString = "SubjectDistRange"
public let kCGImagePropertyExifImageUniqueID: CFString = "ImageUniqueID"
public let kCGImagePropertyExifCameraOwnerName: CFString = "CameraOwnerName"
public let kCGImagePropertyExifLensSpecification: CFString = "LensSpecification"
public let kCGImagePropertyExifLensMake: CFString = "LensMake"
public let kCGImagePropertyExifLensSerialNumber: CFString = "LensSerialNumber"
public let kCGImagePropertyExifGamma: CFString = "Gamma"
public let kCGImagePropertyExifCompositeImage: CFString = "CompositeImage"

// MARK: GPS

public let kCGImagePropertyGPSVersion: CFString = "GPSVersion"
public let kCGImagePropertyGPSSatellites: CFString = "Satellites"
public let kCGImagePropertyGPSStatus: CFString = "Status"
public let kCGImagePropertyGPSMeasureMode: CFString = "MeasureMode"
public let kCGImagePropertyGPSDOP: CFString = "DOP"
public let kCGImagePropertyGPSSpeedRef: CFString = "SpeedRef"
public let kCGImagePropertyGPSSpeed: CFString = "Speed"
public let kCGImagePropertyGPSTrackRef: CFString = "TrackRef"
public let kCGImagePropertyGPSTrack: CFString = "Track"
public let kCGImagePropertyGPSImgDirectionRef: CFString = "ImgDirectionRef"
public let kCGImagePropertyGPSImgDirection: CFString = "ImgDirection"
public let kCGImagePropertyGPSMapDatum: CFString = "MapDatum"
public let kCGImagePropertyGPSDestLatitudeRef: CFString = "DestLatitudeRef"
public let kCGImagePropertyGPSDestLatitude: CFString = "DestLatitude"
public let kCGImagePropertyGPSDestLongitudeRef: CFString = "DestLongitudeRef"
public let kCGImagePropertyGPSDestLongitude: CFString = "DestLongitude"
public let kCGImagePropertyGPSDestBearingRef: CFString = "DestBearingRef"
public let kCGImagePropertyGPSDestBearing: CFString = "DestBearing"
public let kCGImagePropertyGPSDestDistanceRef: CFString = "DestDistanceRef"
public let kCGImagePropertyGPSDestDistance: CFString = "DestDistance"
public let kCGImagePropertyGPSProcessingMethod: CFString = "ProcessingMethod"
public let kCGImagePropertyGPSAreaInformation: CFString = "AreaInformation"
public let kCGImagePropertyGPSHPositioningError: CFString = "HPositioningError"

// MARK: PNG and JFIF

public let kCGImagePropertyPNGGamma: CFString = "Gamma"
public let kCGImagePropertyPNGInterlaceType: CFString = "InterlaceType"
public let kCGImagePropertyPNGTitle: CFString = "Title"
public let kCGImagePropertyPNGAuthor: CFString = "Author"
public let kCGImagePropertyPNGDescription: CFString = "Description"
public let kCGImagePropertyPNGCopyright: CFString = "Copyright"
public let kCGImagePropertyPNGCreationTime: CFString = "Creation Time"
public let kCGImagePropertyPNGSoftware: CFString = "Software"
public let kCGImagePropertyPNGComment: CFString = "Comment"
public let kCGImagePropertyPNGXPixelsPerMeter: CFString = "XPixelsPerMeter"
public let kCGImagePropertyPNGYPixelsPerMeter: CFString = "YPixelsPerMeter"
public let kCGImagePropertyJFIFVersion: CFString = "JFIFVersion"
public let kCGImagePropertyJFIFXDensity: CFString = "XDensity"
public let kCGImagePropertyJFIFYDensity: CFString = "YDensity"
public let kCGImagePropertyJFIFDensityUnit: CFString = "DensityUnit"
public let kCGImagePropertyJFIFIsProgressive: CFString = "IsProgressive"

// MARK: Resolution, and the file

/// Pixels per inch, horizontally.
public let kCGImagePropertyDPIWidth: CFString = "DPIWidth"
/// Pixels per inch, vertically.
public let kCGImagePropertyDPIHeight: CFString = "DPIHeight"
/// True if pixels are indexes into a color table.
public let kCGImagePropertyIsIndexed: CFString = "IsIndexed"
/// The file size in bytes.
public let kCGImagePropertyFileSize: CFString = "FileSize"
/// The number of images in the file.
public let kCGImagePropertyImageCount: CFString = "ImageCount"
/// The ``kCGImagePropertyColorModel`` for red, green and blue.
public let kCGImagePropertyColorModelRGB: CFString = "RGB"
/// The ``kCGImagePropertyColorModel`` for grays.
public let kCGImagePropertyColorModelGray: CFString = "Gray"
/// The ``kCGImagePropertyColorModel`` for inks.
public let kCGImagePropertyColorModelCMYK: CFString = "CMYK"
/// The ``kCGImagePropertyColorModel`` for Lab colors. Such files are not read.
public let kCGImagePropertyColorModelLab: CFString = "Lab"
