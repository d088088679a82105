public import MediaCore
import TIFF

/// A raw image's three lists of opcodes.
public struct OpcodeLists: Sendable, Hashable {
  /// Opcodes for the stored samples.
  public var stored: OpcodeList
  /// Opcodes for linear light.
  public var linear: OpcodeList
  /// Opcodes for the demosaicked image.
  public var demosaicked: OpcodeList
}

/// The part of a raw image to be shown.
public struct DefaultCrop: Sendable, Hashable {
  /// Its origin in the active area, in pixels across and down.
  public var origin: SIMD2<Double>
  /// Its size in pixels, across and down.
  public var size: SIMD2<Double>
  /// The scale factors that make pixels square.
  public var scale: SIMD2<Double>
  /// The part of the crop shown to the user: top, left, bottom, right, each 0 to 1.
  public var userArea: [Double]
  /// The area stated in place of ``userArea`` if it is not part of the image; nil if it is, or if none is stated.
  public var unusableUserArea: [Double]?
}

extension DNGFile.Image {
  /// The levels that convert the samples to linear light.
  ///
  /// - Throws: ``DNGError/Code/invalidFile`` for invalid levels.
  public func levels() throws(DNGError) -> RawLevels { try RawLevels(self) }

  /// The order of color filters; nil if the image is not a mosaic.
  ///
  /// - Throws: ``DNGError/Code/unsupported`` for a mosaic other than Bayer's.
  public func bayerPattern() throws(DNGError) -> BayerPattern? {
    guard photometric == 32_803 else { return nil }
    let size = directory[.cfaRepeatPatternDim]?.integers ?? [2, 2]
    let cell = directory.numbers(.cfaPattern) ?? []
    if size.count == 2, size != [2, 2] {
      throw DNGError(
        .unsupported,
        "a mosaic that repeats every \(size[0]) rows and \(size[1]) columns is not read, only Bayer's"
      )
    }
    if let planes = directory.numbers(.cfaPlaneColor), planes != [0, 1, 2] {
      throw DNGError(
        .unsupported,
        "a mosaic whose planes are colors \(Self.listed(planes)) is not read, only red, green, blue"
      )
    }
    if let layout = directory.integer(.cfaLayout), layout != 1 {
      throw DNGError(.unsupported, "a mosaic with displaced rows or columns is not read")
    }
    guard
      let pattern = BayerPattern.allCases.first(where: {
        $0.cell.map { Double($0.rawValue) } == cell
      })
    else {
      throw DNGError(
        .unsupported,
        "a mosaic of colors \(Self.listed(cell)) is not read, only red, green, blue")
    }
    return pattern
  }

  /// Formats a file's numbers for a message.
  private static func listed(_ numbers: [Double]) -> String {
    let texts = numbers.map { number in Int(exactly: number).map(String.init) ?? "\(number)" }
    return "[" + texts.joined(separator: ", ") + "]"
  }

  /// The part to be shown.
  ///
  /// - Parameter original: The image that this one was made from, if any. It supplies the values that are missing
  ///   here; its crop applies only if both images have the same size.
  /// - Throws: ``DNGError/Code/invalidFile`` for a crop outside the active area.
  public func defaultCrop(
    of original: DNGFile.Image? = nil
  ) throws(DNGError) -> DefaultCrop {
    let original = original ?? self
    let area = try levels().activeArea
    let whole = [Double(area.width), Double(area.height)]
    let originalArea = try original.levels().activeArea
    let isOfOneSize =
      (originalArea.width, originalArea.height) == (area.width, area.height)
    let stating = directory[.defaultCropSize] == nil && isOfOneSize ? original : self
    let origin = stating.directory.numbers(.defaultCropOrigin) ?? [0, 0]
    let size = stating.directory.numbers(.defaultCropSize) ?? whole
    let scale =
      directory.numbers(.defaultScale) ?? original.directory.numbers(.defaultScale) ?? [1, 1]
    guard origin.count == 2, size.count == 2, scale.count == 2, origin.allSatisfy({ $0 >= 0 }),
      size.allSatisfy({ $0 >= 1 }), scale.allSatisfy({ $0 > 0 }),
      origin[0] + size[0] <= whole[0], origin[1] + size[1] <= whole[1]
    else { throw .damaged("its default crop is outside the active area") }
    var crop = DefaultCrop(
      origin: SIMD2(origin[0], origin[1]), size: SIMD2(size[0], size[1]),
      scale: SIMD2(scale[0], scale[1]), userArea: [0, 0, 1, 1])
    // The user crop is a suggestion: an invalid one is ignored.
    guard let stated = directory[.defaultUserCrop] ?? original.directory[.defaultUserCrop] else {
      return crop
    }
    let user = stated.numbers
    if user.count == 4, user.allSatisfy({ (0...1).contains($0) }), user[0] < user[2],
      user[1] < user[3]
    {
      crop.userArea = user
    } else {
      crop.unusableUserArea = user
    }
    return crop
  }

  /// The noise of each plane, or one entry for all, in units of linear light; empty if not stated.
  public var noiseProfile: [NoiseModel] {
    DNGMetadata.noiseModels(directory.numbers(.noiseProfile) ?? [])
  }

  /// The operations to be applied to the samples.
  ///
  /// - Throws: ``DNGError/Code/invalidFile`` for damaged lists.
  public func opcodeLists() throws(DNGError) -> OpcodeLists {
    func list(_ tag: TIFFTag) throws(DNGError) -> OpcodeList {
      switch directory[tag] {
      case .undefined(let bytes)?, .bytes(let bytes)?: try OpcodeList(bytes)
      case nil: OpcodeList()
      default: throw .damaged("a list of opcodes of another type")
      }
    }
    return OpcodeLists(
      stored: try list(.opcodeList1), linear: try list(.opcodeList2),
      demosaicked: try list(.opcodeList3))
  }

  /// The position of a mask in the image that it covers part of; nil if it covers all of it.
  public var maskSubArea: (left: Int, top: Int, width: Int, height: Int)? {
    guard let numbers = directory[.maskSubArea]?.integers, numbers.count == 4 else { return nil }
    return (left: numbers[1], top: numbers[0], width: numbers[2], height: numbers[3])
  }
}

extension DNGFile {
  /// The camera's description, and how to develop the image.
  ///
  /// - Throws: ``DNGError/Code/invalidFile`` for invalid metadata.
  public func metadata() throws(DNGError) -> DNGMetadata { try DNGMetadata(self) }

  /// Names of the values used for developing an image that the file states as fractions with denominator 0. As in
  /// Adobe's SDK, they count as 0.
  public func zeroDenominators(in image: Image) -> [String] {
    let names: [(TIFFTag, String)] = [
      (.blackLevel, "BlackLevel"), (.blackLevelDeltaH, "BlackLevelDeltaH"),
      (.blackLevelDeltaV, "BlackLevelDeltaV"), (.analogBalance, "AnalogBalance"),
      (.baselineExposure, "BaselineExposure"), (.baselineExposureOffset, "BaselineExposureOffset"),
      (.cameraCalibration1, "CameraCalibration1"), (.cameraCalibration2, "CameraCalibration2"),
      (.cameraCalibration3, "CameraCalibration3"), (.colorMatrix1, "ColorMatrix1"),
      (.colorMatrix2, "ColorMatrix2"), (.colorMatrix3, "ColorMatrix3"),
      (.forwardMatrix1, "ForwardMatrix1"), (.forwardMatrix2, "ForwardMatrix2"),
      (.forwardMatrix3, "ForwardMatrix3"),
    ]
    return names.filter { tag, _ in
      (image.directory[tag] ?? root[tag])?.hasZeroDenominator == true
    }.map(\.1)
  }

  /// The gain map that applies to the first raw image: the profile's, which is that of IFD 0, or else its own.
  ///
  /// - Throws: ``DNGError/Code/invalidFile`` for an invalid map.
  public func gainTableMap() throws(DNGError) -> ProfileGainTableMap? {
    if let map = try ProfileGainTableMap(root, isLittleEndian: isLittleEndian) { return map }
    return try ProfileGainTableMap(rawImage().directory, isLittleEndian: isLittleEndian)
  }
}
