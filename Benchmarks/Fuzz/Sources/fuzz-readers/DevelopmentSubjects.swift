import DNG
import MediaCore

@testable import PhotoDevelopment
@testable import RawDevelop
@testable import TIFF

/// Lists of opcodes, applied to an image of twelve by eight pixels.
struct OpcodeSubject: Subject {
  let name = "opcodes"
  let share = 0.1
  private static let width = 12
  private static let height = 8

  private static func long(_ value: Int) -> [UInt8] {
    (0..<4).map { UInt8(truncatingIfNeeded: value >> (24 - 8 * $0)) }
  }
  private static func doubles(_ values: [Double]) -> [UInt8] {
    values.flatMap { value in
      (0..<8).map { UInt8(truncatingIfNeeded: value.bitPattern >> (56 - 8 * $0)) }
    }
  }
  private static func floats(_ values: [Float]) -> [UInt8] {
    values.flatMap { long(Int($0.bitPattern)) }
  }
  private static let area = [0, 0, height, width, 0, 1, 1, 1].flatMap(long)

  /// One of each opcode.
  private static let opcodes: [(Int, [UInt8])] = [
    (1, long(1) + doubles([1.01, 0.02, 0, 0, 0.01, 0, 0.5, 0.5])),
    (2, long(1) + doubles([1, 0.02, 0, 0, 0.5, 0.5])),
    (3, doubles([0.1, 0.2, 0, 0, 0, 0.5, 0.5])),
    (4, long(0) + long(0)),
    (5, long(0) + long(1) + long(1) + [3, 4, 2, 2, 4, 5].flatMap(long)),
    (6, [0, 0, height, width].flatMap(long)),
    (7, area + long(4) + [0, 1, 64, 0, 128, 0, 255, 255]),
    (8, area + long(2) + doubles([0.01, 0.9, 0.05])),
    (9, area + long(2) + long(2) + doubles([1, 1, 0, 0]) + long(1) + floats([1, 1.1, 0.9, 1.2])),
    (10, area + long(height) + floats([Float](repeating: 0.01, count: height))),
    (11, area + long(width) + floats([Float](repeating: 0.01, count: width))),
    (12, area + long(height) + floats([Float](repeating: 1.1, count: height))),
    (13, area + long(width) + floats([Float](repeating: 1.1, count: width))),
    (
      14,
      long(1) + doubles([1, 0, 0.02] + [Double](repeating: 0, count: 14) + [0, 1])
        + doubles([0.5, 0.5]) + long(0)
    ),
  ]

  /// A list of opcodes, by their places in the list of all.
  static func list(_ places: [Int]) -> [UInt8] {
    long(places.count)
      + places.flatMap { place in
        let (number, bytes) = opcodes[place]
        return long(number) + [1, 3, 0, 0] + long(1) + long(bytes.count) + bytes
      }
  }

  func input(using random: inout SplitMix64) -> [UInt8] {
    let places = (0..<Int.random(in: 1...2, using: &random)).map { _ in
      Int.random(in: Self.opcodes.indices, using: &random)
    }
    let bytes = Self.list(places)
    return Mutation(places: [0..<bytes.count], numberSizes: [4, 8]).apply(
      to: bytes, using: &random)
  }

  func read(_ input: [UInt8]) -> Bool {
    guard let list = try? OpcodeList(input) else { return false }
    var isApplied = false
    for stage in [OpcodeRunner.Stage.stored, .linear, .demosaicked] {
      let planes = LightPlanes(width: Self.width, height: Self.height, count: 3)
      let size = Self.width * Self.height
      for index in 0..<3 * size { planes[index / size][index % size] = Float(index % 13) / 13 }
      let runner = OpcodeRunner(stage: stage, isFloat: stage == .linear)
      guard let result = try? runner.apply(list, to: planes) else { continue }
      if result.width > Self.width || result.height > Self.height {
        fatalError("a list of opcodes that makes an image larger")
      }
      isApplied = true
    }
    return isApplied
  }
}

/// Small DNG files with many features, developed to images.
struct DevelopmentSubject: Subject {
  let name = "development"
  let share = 0.02
  private let seeds: [([UInt8], Mutation)]

  init(_ photos: PhotoSeeds) throws {
    let files = try [true, false].map(Self.example) + photos.negatives.filter { $0.count < 6000 }
    seeds = files.map { ($0, Mutation(tiff: $0)) }
  }

  private static func example(isMosaic: Bool) throws -> [UInt8] {
    let (width, height, components) = (12, 8, isMosaic ? 1 : 3)
    var root = TIFFDirectory()
    root[.dngVersion] = .bytes([1, 7, 1, 0])
    root[.uniqueCameraModel] = .ascii("Example")
    root[.newSubFileType] = .longs([0])
    root[.imageWidth] = .longs([UInt32(width)])
    root[.imageLength] = .longs([UInt32(height)])
    root[.bitsPerSample] = .shorts([UInt16](repeating: 16, count: components))
    root[.compression] = .shorts([1])
    root[.samplesPerPixel] = .shorts([UInt16(components)])
    root[.planarConfiguration] = .shorts([1])
    root[.photometric] = .shorts([isMosaic ? 32_803 : 34_892])
    root[.rowsPerStrip] = .longs([UInt32(height)])
    root[.colorMatrix1] = .signedRationals(
      [0.6411, -0.0953, -0.0735, -0.5139, 1.3154, 0.2126, -0.1152, 0.2345, 0.6058].map {
        TIFFValue.SignedRational($0)
      })
    root[.calibrationIlluminant1] = .shorts([21])
    root[.asShotNeutral] = .rationals([0.52, 1, 0.66].map { TIFFValue.Rational($0) })
    root[.noiseProfile] = .doubles([1e-4, 1e-6])
    root[.profileToneCurve] = .floats([0, 0, 0.5, 0.6, 1, 1])
    root[.profileLookTableDims] = .longs([2, 2, 2])
    root[.profileLookTableData] = .floats([Float](repeating: 1, count: 24))
    root[.defaultCropOrigin] = .longs([1, 1])
    root[.defaultCropSize] = .longs([10, 6])
    root[.opcodeList3] = .undefined(OpcodeSubject.list([0, 2]))
    if isMosaic {
      root[.cfaRepeatPatternDim] = .shorts([2, 2])
      root[.cfaPattern] = .bytes([1, 0, 2, 1])
      root[.opcodeList2] = .undefined(OpcodeSubject.list([8, 4]))
    }
    var pixels: [UInt8] = []
    for index in 0..<width * height * components {
      pixels += [UInt8(index * 37 % 251), UInt8(index * 11 % 256)]
    }
    root.pixels = .init(isTiled: false, chunks: [pixels])
    return try TIFFWriter.serialize(root)
  }

  func input(using random: inout SplitMix64) -> [UInt8] {
    guard let (bytes, mutation) = seeds.randomElement(using: &random) else { return [] }
    return mutation.apply(to: bytes, using: &random)
  }

  func read(_ input: [UInt8]) -> Bool {
    guard var filter = try? RAWFilter(data: input) else { return false }
    // The input determines the settings, so that it can be replayed.
    let choice = input.reduce(0) { ($0 &* 31) &+ Int($1) }
    filter.scaleFactor = [1, 1, 0.5, 0.3][choice & 3]
    if choice & 4 != 0 { filter.sampleFormat = .half }
    if choice & 8 != 0 { filter.isDraftModeEnabled = true }
    if choice & 0x70 == 0 { filter.sharpnessAmount = 0.5 }
    if choice & 0x180 == 0 { filter.luminanceNoiseReductionAmount = 0.5 }
    if choice & 0x600 == 0 {
      filter.crop = ImageCrop(left: 0.1, top: 0.2, right: 0.8, bottom: 0.9, angle: 5)
    }
    return (try? filter.outputImage()) != nil
  }
}

/// XMP sidecars: settings are read from them and written back.
struct SidecarSubject: Subject {
  let name = "sidecar"
  let share = 0.05
  private static let seed = [UInt8](
    """
    <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
    <rdf:Description rdf:about="" xmlns:crs="http://ns.adobe.com/camera-raw-settings/1.0/"
     crs:Exposure2012="+0.75" crs:WhiteBalance="Custom" crs:Temperature="4100" crs:Tint="-12"
     crs:Saturation="+20" crs:HasCrop="True" crs:CropLeft="0.1" crs:CropTop="0.2" crs:CropRight="0.9"
     crs:CropBottom="0.8" crs:CropAngle="-1.5"><crs:ToneCurvePV2012><rdf:Seq><rdf:li>0, 0</rdf:li>
    <rdf:li>64, 51</rdf:li><rdf:li>255, 255</rdf:li></rdf:Seq></crs:ToneCurvePV2012>
    </rdf:Description></rdf:RDF></x:xmpmeta>
    """.utf8)

  func input(using random: inout SplitMix64) -> [UInt8] {
    Mutation(whole: Self.seed).apply(to: Self.seed, using: &random)
  }

  func read(_ input: [UInt8]) -> Bool {
    guard var packet = try? XMPDocument(input) else { return false }
    let read = CameraRawSettings(packet)
    CameraRawSettings.write(read.adjustment, to: &packet)
    guard (try? XMPDocument(Array(packet.text.utf8))) != nil else {
      fatalError("a packet that was written and cannot be read")
    }
    return true
  }
}
