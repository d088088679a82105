public import DNG
public import MediaCore

/// A photo, like `AVCapturePhoto`.
public struct CapturePhoto: Sendable {
  /// The photo's number in its capture, from 1 to the resolved settings' `expectedPhotoCount`.
  public let photoCount: Int
  /// The exposure's number in its bracket, from 1.
  public let sequenceCount: Int
  /// When the reference exposure was taken, on CLOCK_MONOTONIC.
  public let timestamp: MediaTime
  /// The exposure, or the reference exposure of a merged photo.
  public let exposure: SensorExposure
  /// The resolved settings of the capture.
  public let resolvedSettings: ResolvedPhotoSettings
  /// The photo's metadata.
  public var metadata: PhotoMetadata
  /// The preview, if one was requested: BGR, sRGB.
  public let previewPixelBuffer: PixelBuffer?
  let content: Content

  /// The photo's data before it becomes a file.
  enum Content: Sendable {
    case bayer(BayerNegative)
    case linear(LinearNegative, thumbnail: EncodedPreview?)
    case processed([UInt8], PhotoCodecType)
  }

  /// True for Bayer RAW and ProRAW.
  public var isRawPhoto: Bool {
    if case .processed = content { false } else { true }
  }

  /// True for ProRAW.
  public var isAppleProRAW: Bool {
    if case .linear = content { true } else { false }
  }

  /// The file name extension: `dng`, `jpg` or `heic`.
  public var fileExtension: String {
    switch content {
    case .bayer, .linear: "dng"
    case .processed(_, let codec): codec == .jpeg ? "jpg" : "heic"
    }
  }

  /// The file: DNG for RAW photos, JPEG or HEIC for processed ones.
  ///
  /// - Throws: What encoding the file throws.
  public func fileDataRepresentation() throws(RawPhotoError) -> [UInt8] {
    switch content {
    case .bayer(let negative):
      return try RawPhotoError.from { () throws(DNGError) in try negative.dngFileData() }
    case .linear(let negative, let thumbnail):
      return try RawPhotoError.from { () throws(DNGError) in
        try negative.dngFileData(preview: thumbnail)
      }
    case .processed(let bytes, _): return bytes
    }
  }

  /// The file of a ProRAW photo, compressed as the customizer chooses; other photos ignore the customizer.
  ///
  /// - Throws: ``RawPhotoError/Code/invalidArgument`` for a depth outside 8 to 12 or a quality outside 0 to 1.
  public func fileDataRepresentation(
    with customizer: some CapturePhotoFileDataRepresentationCustomizer
  ) throws(RawPhotoError) -> [UInt8] {
    guard case .linear(let negative, let thumbnail) = content else {
      return try fileDataRepresentation()
    }
    let wanted = customizer.replacementAppleProRAWCompressionSettings(
      for: self, defaultSettings: AppleProRAWCompressionSettings(),
      maximumBitDepth: AppleProRAWCompressionSettings.maximumBitDepth)
    let compression = try wanted.compression()
    return try RawPhotoError.from { () throws(DNGError) in
      try negative.dngFileData(compression: compression, preview: thumbnail)
    }
  }

  /// The samples of a Bayer photo, in a pixel buffer of their format; nil for other photos.
  public var pixelBuffer: PixelBuffer? {
    guard case .bayer(let negative) = content else { return nil }
    let format = PixelFormat.allCases.first {
      $0.descriptor.bayerPattern == negative.pattern && $0.descriptor.packing == .mosaic
        && $0.descriptor.bitDepth == negative.mosaic.bitDepth
    }
    guard let format else { return nil }
    let details = PixelBuffer.Description(
      format: format, width: negative.mosaic.width, height: negative.mosaic.height,
      color: .unspecified)
    guard var buffer = try? MutablePixelBuffer(details),
      (try? MosaicWriter.store(negative.mosaic.samples, into: &buffer)) != nil
    else { return nil }
    return buffer.finish()
  }

  /// The light of a ProRAW photo; nil for other photos.
  public var linearImage: LinearImage? {
    if case .linear(let negative, _) = content { negative.image } else { nil }
  }
}

/// Compression settings of a ProRAW file.
public struct AppleProRAWCompressionSettings: Sendable, Hashable {
  /// The greatest bit depth.
  public static let maximumBitDepth = 12
  /// Bits per sample, 8 to ``maximumBitDepth``.
  public var bitDepth = AppleProRAWCompressionSettings.maximumBitDepth
  /// 1 for lossless; below 1 compression is lossy, with 8 bits unless it is JPEG XL.
  public var quality = 1.0
  /// True for JPEG XL (DNG 1.7) instead of JPEG.
  public var usesJPEGXL = false

  /// 12 bits, lossless.
  public init() {}

  func compression() throws(RawPhotoError) -> LinearNegative.Compression {
    guard (8...Self.maximumBitDepth).contains(bitDepth) else {
      throw RawPhotoError(
        .invalidArgument, "a ProRAW file has 8 to \(Self.maximumBitDepth) bits, not \(bitDepth)")
    }
    guard quality > 0, quality <= 1 else {
      throw RawPhotoError(.invalidArgument, "a quality is above 0 and at most 1, not \(quality)")
    }
    if usesJPEGXL { return .jpegXL(bitDepth: bitDepth, quality: quality) }
    return quality == 1 ? .lossless(bitDepth: bitDepth) : .lossy(quality: quality)
  }
}

/// Chooses how a photo's file is encoded, like `AVCapturePhotoFileDataRepresentationCustomizer`.
public protocol CapturePhotoFileDataRepresentationCustomizer {
  /// Returns the settings that replace the default ones.
  func replacementAppleProRAWCompressionSettings(
    for photo: CapturePhoto, defaultSettings: AppleProRAWCompressionSettings, maximumBitDepth: Int
  ) -> AppleProRAWCompressionSettings
}
