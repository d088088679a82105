public import DNG
public import MediaCore

/// A photo, as `AVCapturePhoto` is.
public struct CapturePhoto: Sendable {
  /// The photo's number in its capture, from 1 to the resolved settings' `expectedPhotoCount`.
  public let photoCount: Int
  /// The exposure's number in its bracket, from 1.
  public let sequenceCount: Int
  /// When the reference exposure was taken, on CLOCK_MONOTONIC.
  public let timestamp: MediaTime
  /// The exposure; of several that were merged, the reference's.
  public let exposure: SensorExposure
  /// What the capture came to.
  public let resolvedSettings: ResolvedPhotoSettings
  /// What the file says of itself.
  public var metadata: PhotoMetadata
  /// The picture to show at once, where one was asked for: BGR, sRGB.
  public let previewPixelBuffer: PixelBuffer?
  let content: Content

  /// What a photo is made of.
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

  /// The name's ending that suits the file: `dng`, `jpg`, `heic`.
  public var fileExtension: String {
    switch content {
    case .bayer, .linear: "dng"
    case .processed(_, let codec): codec == .jpeg ? "jpg" : "heic"
    }
  }

  /// The file: DNG for RAW photos, JPEG or HEIC for processed ones.
  ///
  /// - Throws: What making the file throws.
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

  /// The file of a ProRAW photo as a customizer wants it; that of any other photo as it is.
  ///
  /// - Throws: ``RawPhotoError/Code/invalidArgument`` for a depth beyond 8 to 12 or a quality beyond
  ///   0 to 1.
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

  /// The samples of a Bayer photo, in a picture of their format; nil for other photos.
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

/// How a ProRAW file is compressed.
public struct AppleProRAWCompressionSettings: Sendable, Hashable {
  /// The most bits of a sample.
  public static let maximumBitDepth = 12
  /// Bits of a sample, 8 to ``maximumBitDepth``.
  public var bitDepth = AppleProRAWCompressionSettings.maximumBitDepth
  /// 1 for no loss; below 1 the file is compressed with loss, and has 8 bits unless it is JPEG XL.
  public var quality = 1.0
  /// True for JPEG XL (DNG 1.7) in place of JPEG.
  public var usesJPEGXL = false

  /// Twelve bits without loss.
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

/// Chooses how a photo's file is made, as `AVCapturePhotoFileDataRepresentationCustomizer` does.
public protocol CapturePhotoFileDataRepresentationCustomizer {
  /// What takes the place of the default settings.
  func replacementAppleProRAWCompressionSettings(
    for photo: CapturePhoto, defaultSettings: AppleProRAWCompressionSettings, maximumBitDepth: Int
  ) -> AppleProRAWCompressionSettings
}
