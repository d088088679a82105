import CProResKernels
public import MediaCore

/// Encodes pictures as ProRes 422 or 4444 frames (RDD 36).
///
/// A picture is read in the layout it was captured in; slices of one frame are encoded at the same
/// time by the encoder's own threads. Nothing is allocated for a frame. The bytes depend on the
/// configuration and the pictures alone, not on the number of threads or the processor.
///
/// One frame at a time: an encoder is not `Sendable`, so that the compiler refuses calls that could
/// overlap. It may be sent to another thread, by whoever then keeps no reference.
public final class ProResEncoder {
  /// What the encoder was made for.
  public let configuration: Configuration
  /// The implementation of the hot loops in use.
  public let kernels: KernelChoice
  /// Bytes that a destination must have: no frame is larger.
  public let maximumFrameSize: Int
  /// Bytes that a frame aims at and does not pass, alpha left out; nil for constant quality.
  public let targetFrameSize: Int?

  private let encoding: FrameEncoding
  private let pool: WorkerPool
  private var header: FrameHeader

  /// In constant quality, slices above this many bytes a macroblock are coarsened: 20 bits a
  /// sample of 4:4:4.
  static let largestConstantQualityMacroblock = 1920

  /// Makes an encoder and starts its threads.
  ///
  /// - Throws: ``ProResError/Code/invalidConfiguration``, ``ProResError/Code/outOfMemory`` or
  ///   ``ProResError/Code/threadFailure``.
  public init(configuration: Configuration) throws(ProResError) {
    try configuration.validate()
    self.configuration = configuration
    let kernels: KernelChoice
    if let forced = configuration.kernels { kernels = forced } else { kernels = try .automatic() }
    guard let table = kernels.table else {
      throw ProResError(
        .invalidConfiguration, "kernels '\(kernels.rawValue)' do not run on this processor")
    }
    self.kernels = kernels
    let profile = configuration.profile
    header = FrameHeader(
      width: configuration.width, height: configuration.height,
      chromaFormat: profile.chromaFormat, interlaceMode: configuration.interlaceMode,
      aspectRatio: configuration.aspectRatio, frameRate: configuration.frameRate,
      color: configuration.color ?? .unspecified, alpha: configuration.alpha,
      lumaMatrix: profile.lumaMatrix, chromaMatrix: profile.chromaMatrix,
      encoderIdentifier: configuration.encoderIdentifier)
    let sizes = FrameSizes(configuration, headerSize: header.encodedSize)
    maximumFrameSize = sizes.maximum
    targetFrameSize = sizes.target
    let threads =
      configuration.threads == 0 ? min(Processors.count, 16) : configuration.threads
    let encoding = try FrameEncoding(
      configuration: configuration, sizes: sizes, kernels: table.pointee, workers: threads)
    self.encoding = encoding
    pool = try WorkerPool(
      workers: threads, name: "prores", options: configuration.threadOptions
    ) { worker, item in
      encoding.work(worker: worker, item: item)
    }
  }

  /// Encodes one frame.
  ///
  /// - Parameters:
  ///   - buffer: A picture of the configuration's size in any layout that ``canRead(_:)`` names.
  ///     Full-range codes are brought to video range.
  ///   - target: At least ``maximumFrameSize`` bytes.
  /// - Returns: The bytes of the frame, a multiple of 16, from the start of `target`.
  /// - Throws: ``ProResError/Code/unsupportedPicture`` or ``ProResError/Code/bufferTooSmall``.
  public func encode(
    _ buffer: PixelBuffer, into target: UnsafeMutableRawBufferPointer
  ) throws(ProResError) -> Int {
    guard let layout = SourcePicture.layout(of: buffer.format), canRead(buffer.format) else {
      throw ProResError(
        .unsupportedPicture, "\(configuration.profile.codec) is not encoded from \(buffer.format)")
    }
    guard buffer.width == configuration.width, buffer.height == configuration.height else {
      throw ProResError(
        .unsupportedPicture,
        "the encoder is set up for \(configuration.width)x\(configuration.height), "
          + "not \(buffer.width)x\(buffer.height)")
    }
    guard target.count >= maximumFrameSize else {
      throw ProResError(
        .bufferTooSmall, "a frame may take \(maximumFrameSize) bytes, not \(target.count)")
    }
    if configuration.color == nil {
      let color = buffer.color.frameHeaderColor
      header.colorPrimaries = color.primaries.rawValue
      header.transferFunction = color.transferFunction.rawValue
      header.matrixCoefficients = color.matrix.rawValue
    }
    return SourcePicture.withPicture(buffer, layout) { picture in
      encoding.encode(picture, header: header, pool: pool, into: target)
    }
  }

  /// Forgets the pictures so far: the bytes of those that come next depend on the configuration and on
  /// themselves alone.
  public func restart() { encoding.restart() }

  /// How the system schedules the encoder's own threads, without the caller's.
  public var threadScheduling: [ThreadScheduling] { pool.scheduling }

  /// True for the layouts that the profile can be encoded from: 4:2:2 and, with chroma rows
  /// interpolated, 4:2:0 for the 422 profiles; 4:4:4 for 4444 and XQ.
  public func canRead(_ format: PixelFormat) -> Bool {
    Self.canRead(format, profile: configuration.profile)
      && (configuration.alpha == .none || format.descriptor.hasAlpha)
  }

  /// True for the layouts that a profile can be encoded from.
  public static func canRead(_ format: PixelFormat, profile: ProResProfile) -> Bool {
    guard SourcePicture.layout(of: format) != nil else { return false }
    return switch format.descriptor.subsampling {
    case .yuv444: profile.is4444
    case .yuv422, .yuv420: !profile.is4444
    case .rgb, .mosaic: false
    }
  }
}

extension ProResEncoder.Configuration {
  var interlaceMode: FrameHeader.InterlaceMode {
    switch fieldOrder {
    case .progressive: .progressive
    case .topFieldFirst: .topFieldFirst
    case .bottomFieldFirst: .bottomFieldFirst
    }
  }

  /// The layouts of the frame's pictures, in coding order.
  var layouts: [PictureLayout] {
    PictureLayout.pictureHeights(frameHeight: height, mode: interlaceMode).map {
      PictureLayout(width: width, height: $0)
    }
  }
}
