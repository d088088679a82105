import CProResKernels
public import MediaCore

/// Decodes ProRes frames (RDD 36) of all profiles, progressive and interlaced, into planar pictures.
///
/// ```swift
/// let decoder = try ProResDecoder()
/// let picture = try decoder.decode(frame)
/// ```
///
/// Every slice of a frame is checked strictly, and a frame with an invalid one is refused. Any bytes are safe to
/// decode. The samples depend only on the frame, not on the number of threads or the processor; they differ by at
/// most one step from those of an ideal inverse transform, clamped to 4 steps from either end of the
/// range.
///
/// One frame at a time: a decoder is not `Sendable`, so the compiler rejects calls that could
/// overlap. It may be sent to another thread if no reference is kept.
public final class ProResDecoder {
  /// How large pictures become.
  public enum Scale: Sendable, Hashable {
    /// As they were encoded.
    case full
    /// An eighth of width and height, rounded up: each sample is the mean of a block of 8x8, which is
    /// coded by itself, so little of a frame is read. There is no alpha, and damage in the parts that are
    /// skipped goes unnoticed.
    case eighth
  }

  /// How to decode.
  public struct Configuration: Sendable, Hashable {
    /// Bits of a sample, 10 or 12; nil is 10 for 4:2:2 and 12 for 4:4:4.
    public var bitDepth: Int?
    /// How large pictures become.
    public var scale: Scale
    /// Threads that decode, the caller's included; 0 is one for each processor, 16 at most.
    public var threads: Int
    /// What is asked of the system for the decoder's own threads.
    public var threadOptions: ThreadOptions
    /// The implementation of the hot loops; nil is the fastest, or what the environment forces.
    public var kernels: KernelChoice?

    /// A configuration; full size on all processors unless told otherwise.
    public init(
      bitDepth: Int? = nil, scale: Scale = .full, threads: Int = 0,
      threadOptions: ThreadOptions = .ordinary, kernels: KernelChoice? = nil
    ) {
      self.bitDepth = bitDepth
      self.scale = scale
      self.threads = threads
      self.threadOptions = threadOptions
      self.kernels = kernels
    }
  }

  /// What the decoder was made for.
  public let configuration: Configuration
  /// The implementation of the hot loops in use.
  public let kernels: KernelChoice
  private let decoding: FrameDecoding
  private let pool: WorkerPool

  /// Makes a decoder and starts its threads.
  ///
  /// - Throws: ``ProResError/Code/invalidConfiguration``, ``ProResError/Code/outOfMemory`` or
  ///   ``ProResError/Code/threadFailure``.
  public init(configuration: Configuration = Configuration()) throws(ProResError) {
    guard [nil, 10, 12].contains(configuration.bitDepth) else {
      throw ProResError(
        .invalidConfiguration,
        "ProRes is decoded to 10 or 12 bits, not \(configuration.bitDepth ?? 0)")
    }
    self.configuration = configuration
    if let forced = configuration.kernels { kernels = forced } else { kernels = try .automatic() }
    guard let table = kernels.decoderTable else {
      throw ProResError(
        .invalidConfiguration, "kernels '\(kernels.rawValue)' do not run on this processor")
    }
    let threads = configuration.threads == 0 ? min(Processors.count, 16) : configuration.threads
    let decoding = try FrameDecoding(
      kernels: table.pointee, scale: configuration.scale, workers: max(threads, 1))
    self.decoding = decoding
    pool = try WorkerPool(
      workers: threads, name: "unprores", options: configuration.threadOptions
    ) { worker, item in
      decoding.work(worker: worker, item: item)
    }
  }

  /// What the picture of a frame with a header is: `yuv422p10`, `yuv444p12`, `yuva444p12` and so on,
  /// with the header's colors and fields. Alpha of a 4:2:2 frame is checked, but has no place in a
  /// picture.
  ///
  /// - Throws: ``ProResError/Code/invalidFrame`` where the header's codes are reserved.
  public func details(of header: FrameHeader) throws(ProResError) -> PixelBuffer.Description {
    guard let chroma = header.chromaFormat, let mode = header.interlaceMode,
      let alpha = header.alpha, let order = header.fieldOrder
    else { throw ProResError(.invalidFrame, "the frame's header has reserved codes") }
    let hasAlpha = alpha != .none && configuration.scale == .full
    let format: PixelFormat =
      switch (chroma, configuration.bitDepth ?? (chroma == .yuv444 ? 12 : 10)) {
      case (.yuv422, 12): .yuv422p12
      case (.yuv422, _): .yuv422p10
      case (.yuv444, 12): hasAlpha ? .yuva444p12 : .yuv444p12
      case (.yuv444, _): hasAlpha ? .yuva444p10 : .yuv444p10
      }
    var size = (width: header.width, height: header.height)
    if configuration.scale == .eighth {
      size.width = SliceMeans.reduced(size.width)
      size.height = PictureLayout.pictureHeights(frameHeight: size.height, mode: mode)
        .reduce(0) { $0 + SliceMeans.reduced($1) }
    }
    return PixelBuffer.Description(
      format: format, width: size.width, height: size.height,
      color: ColorDescription(
        nclcPrimaries: header.colorPrimaries, transferFunction: header.transferFunction,
        matrix: header.matrixCoefficients),
      fieldOrder: order, pixelAspectRatio: header.pixelAspectRatio)
  }

  /// Decodes a frame.
  ///
  /// - Throws: ``ProResError/Code/invalidFrame`` where it is not sound,
  ///   ``ProResError/Code/unsupportedPicture`` for one with a side above 16384,
  ///   ``ProResError/Code/outOfMemory``.
  public func decode(_ frame: RawSpan) throws(ProResError) -> PixelBuffer {
    let map = try FrameMap(frame)
    var buffer: MutablePixelBuffer
    do throws(MediaCoreError) { buffer = try MutablePixelBuffer(try details(map)) } catch {
      throw ProResError(
        error.code == .outOfMemory ? .outOfMemory : .unsupportedPicture, error.message)
    }
    try decode(frame, map, into: &buffer)
    return buffer.finish()
  }

  /// Decodes a frame.
  ///
  /// - Throws: As the other form.
  public func decode(_ frame: [UInt8]) throws(ProResError) -> PixelBuffer {
    try decode(frame.span.bytes)
  }

  /// Decodes a frame into memory of a pool, or of a picture before.
  ///
  /// - Parameter buffer: Of the format and size that ``details(of:)`` has; its contents are undefined
  ///   after an error.
  /// - Throws: ``ProResError/Code/invalidFrame`` where the frame is not sound,
  ///   ``ProResError/Code/unsupportedPicture`` where the buffer does not fit it.
  public func decode(
    _ frame: RawSpan, into buffer: inout MutablePixelBuffer
  ) throws(ProResError) {
    try decode(frame, try FrameMap(frame), into: &buffer)
  }

  private func details(_ map: FrameMap) throws(MediaCoreError) -> PixelBuffer.Description {
    do throws(ProResError) { return try details(of: map.header) } catch {
      throw MediaCoreError(.invalidLayout, error.message)
    }
  }

  private func decode(
    _ frame: RawSpan, _ map: FrameMap, into buffer: inout MutablePixelBuffer
  ) throws(ProResError) {
    let wanted = try details(of: map.header)
    // Cb and Cr are written together.
    guard buffer.format == wanted.format, buffer.width == wanted.width,
      buffer.height == wanted.height,
      buffer.bytesPerRow(plane: 1) == buffer.bytesPerRow(plane: 2)
    else {
      throw ProResError(
        .unsupportedPicture,
        "the frame is \(wanted.width)x\(wanted.height) \(wanted.format), the memory is for "
          + "\(buffer.width)x\(buffer.height) \(buffer.format)")
    }
    let format = buffer.format
    let width = buffer.width
    let count = buffer.planeCount
    try buffer.withPlanes { (planes) throws(ProResError) in
      let decoded = DecodedPlanes(
        planes: (0..<count).map { index in
          DecodedPlanes.Plane(
            start: planes.row(0, ofPlane: index).assumingMemoryBound(to: UInt16.self),
            stride: planes.bytesPerRow(index) / 2,
            width: index == 0 || index == 3 || format.descriptor.subsampling == .yuv444
              ? width : (width + 1) / 2)
        }, depth: format.descriptor.bitDepth)
      try frame.withUnsafeBytes { (bytes) throws(ProResError) in
        try decoding.decode(map, bytes, into: decoded, pool: pool)
      }
    }
  }
}

extension FrameHeader {
  /// The shape of a pixel, from that of the picture; square where the header does not say.
  var pixelAspectRatio: PixelAspectRatio {
    switch aspectRatio {
    case .fourByThree: PixelAspectRatio(Int32(4 * height), Int32(3 * width))
    case .sixteenByNine: PixelAspectRatio(Int32(16 * height), Int32(9 * width))
    case .squarePixels, .unspecified, nil: .square
    }
  }
}
