import DNG
import MediaCore
import RawDevelop
import TIFF

/// EXIF of a finished image.
enum ImageEXIF {
  /// The root directory with the EXIF, interoperability and GPS directories below it.
  static func directory(_ content: ImageContent) -> TIFFDirectory {
    var root = TIFFDirectory()
    content.metadata.addTIFFEntries(to: &root)
    root[.xResolution] = .rationals([.init(72)])
    root[.yResolution] = .rationals([.init(72)])
    root[.resolutionUnit] = .short(2)
    var exif = root.linked[.exifIFD] ?? TIFFDirectory()
    addTimes(to: &exif)
    addColorSpace(content.image.colorSpace, to: &exif)
    exif[.flashpixVersion] = .undefined(Array("0100".utf8))
    exif[.pixelXDimension] = .long(content.image.width)
    exif[.pixelYDimension] = .long(content.image.height)
    // If the kind of ISO speed is unknown, it counts as a "recommended exposure index".
    if exif[.isoSpeed] != nil, exif[.sensitivityType] == nil { exif[.sensitivityType] = .short(2) }
    root.linked[.exifIFD] = exif
    return root
  }

  /// A TIFF file without pixels, as JPEG, HEIF, JPEG XL and PNG carry EXIF.
  ///
  /// - Parameter isJPEG: True to add the entries that EXIF requires only in JPEG.
  /// - Throws: ``ImageFileError/Code/invalidArgument`` if it is larger than 4 GiB.
  static func bytes(
    _ content: ImageContent, isJPEG: Bool = false
  ) throws(ImageFileError) -> [UInt8] {
    var root = directory(content)
    if isJPEG {
      root[.yCbCrPositioning] = .short(1)
      root.linked[.exifIFD]?[.componentsConfiguration] = .undefined([1, 2, 3, 0])
    }
    do { return try TIFFWriter.serialize(root) } catch {
      throw ImageFileError(.invalidArgument, "EXIF is too large: \(error.message)")
    }
  }

  /// The exposure time stamp is also the file's, and the digitizing one's unless another is set; the exposure's
  /// zone and subseconds do not belong to such another time.
  private static func addTimes(to exif: inout TIFFDirectory) {
    let digitizing = exif[.dateTimeDigitized]
    let isDigitizedLater = digitizing != nil && digitizing != exif[.dateTimeOriginal]
    let times: [(TIFFTag, [TIFFTag], digitized: TIFFTag)] = [
      (.dateTimeOriginal, [], .dateTimeDigitized),
      (.offsetTimeOriginal, [.offsetTime], .offsetTimeDigitized),
      (.subSecTimeOriginal, [.subSecTime], .subSecTimeDigitized),
    ]
    for (source, targets, digitized) in times {
      for target in targets + (isDigitizedLater ? [] : [digitized]) where exif[target] == nil {
        exif[target] = exif[source]
      }
    }
  }

  /// EXIF can state sRGB, and Adobe RGB by DCF's option file; all other spaces rely on the profile.
  private static func addColorSpace(_ space: ImageColorSpace, to exif: inout TIFFDirectory) {
    exif[.colorSpace] = .short(space == .sRGB ? 1 : 65_535)
    guard space == .sRGB || space == .adobeRGB else { return }
    var interoperability = TIFFDirectory()
    interoperability[.interoperabilityIndex] = .ascii(space == .sRGB ? "R98" : "R03")
    interoperability[.interoperabilityVersion] = .undefined(Array("0100".utf8))
    exif.linked[.interoperabilityIFD] = interoperability
  }
}
