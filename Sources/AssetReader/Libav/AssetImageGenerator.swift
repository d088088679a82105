import CFFmpeg
public import MediaCore

/// Makes small images of movies and photos, like `AVAssetImageGenerator`: poster frames and
/// thumbnails, as JPEG or RGB.
///
/// Uses the first frame that decodes, or the one at a given place in the movie. Pixels become
/// square. Colors are converted to JPEG's without gamut or tone mapping, so HDR looks pale.
public struct AssetImageGenerator: Sendable {
  /// The file.
  public let path: String
  /// The longest side in pixels; a smaller source is not enlarged.
  public var maximumSide = 512
  /// The JPEG quality, from 2 (best) to 31.
  public var quality = 4

  /// The place in the movie: 0 for its first frame, 1 for its last one. The first frame is used if
  /// the file states no duration.
  public var place = 0.0

  /// The time, on the samples' clock. The frame is the last one that begins at or before it, or
  /// the first one. Nil to use ``place``.
  public var time: MediaTime?
  /// The end of the range in use: a frame that begins at or after it is never chosen, whatever
  /// ``time`` is. Nil for the movie's end.
  package var end: MediaTime?
  /// The track's ID; nil for the first video track.
  package var track: AssetTrack.ID?

  /// An image in memory: rows of RGB, one byte per component, without padding.
  public struct Image: Sendable {
    public var width: Int
    public var height: Int
    public var samples: [UInt8]
    /// The presentation time; invalid if the file gives none.
    public var time: MediaTime
  }

  /// Creates a generator for a file.
  public init(path: String) { self.path = path }

  /// The image as JPEG.
  ///
  /// - Throws: ``AssetReaderError`` if the file is missing, nothing can be decoded, or memory runs
  ///   out.
  public func jpeg() throws(AssetReaderError) -> [UInt8] {
    try withFrame { frame, size, _ throws(AssetReaderError) in try encode(frame, size: size) }
  }

  /// The image of ``jpeg()`` before compression: 255 is white, and the movie's primaries and
  /// transfer function stay.
  ///
  /// - Throws: The errors of ``jpeg()``.
  public func image() throws(AssetReaderError) -> Image {
    try withFrame { frame, size, unit throws(AssetReaderError) in
      guard let target = av_frame_alloc() else {
        throw AssetReaderError(.outOfMemory, "no memory for a frame of \(path)")
      }
      var owned = Optional(target)
      defer { av_frame_free(&owned) }
      try scale(frame, to: target, size, AV_PIX_FMT_RGB24)
      guard let data = cffmpeg_frame_data(target, 0) else {
        throw AssetReaderError(.outOfMemory, "no memory for a frame of \(path)")
      }
      let step = Int(cffmpeg_frame_linesize(target, 0))
      var samples: [UInt8] = []
      samples.reserveCapacity(size.width * size.height * 3)
      for row in 0..<size.height {
        samples += UnsafeBufferPointer(start: data + row * step, count: size.width * 3)
      }
      return Image(
        width: size.width, height: size.height, samples: samples,
        time: MediaTime(frame.pointee.best_effort_timestamp, in: unit))
    }
  }

  /// Decodes the wanted frame and passes it to `body`.
  private func withFrame<Result>(
    _ body: (
      UnsafeMutablePointer<AVFrame>, VideoDimensions, AVRational
    ) throws(AssetReaderError) -> Result
  ) throws(AssetReaderError) -> Result {
    let format = try frameFormat()
    var search = try FrameSearch(path: path, format: format, track: track)
    let wanted = wantedTime(in: search)
    var isFound = false
    if let wanted { isFound = try search.find(wanted) }
    if !isFound {
      if !search.isFresh {
        search = try FrameSearch(path: path, format: format, track: track)
      }
      try search.read(until: wanted)
    }
    // The decoder owns the frame.
    defer { withExtendedLifetime(search) {} }
    let frame = search.decoder.frame
    let aspect = search.movie.pixelAspectRatio(of: search.stream, frame: frame)
    return try body(frame, targetSize(frame, aspect), search.stream.pointee.time_base)
  }

  /// The time of the wanted frame; nil for the first one.
  private func wantedTime(in search: FrameSearch) -> Int64? {
    guard let time, time.isNumeric else { return place > 0 ? search.ticks(ofPart: place) : nil }
    let wanted = search.ticks(of: time)
    return end.map { min(wanted, search.ticks(before: $0)) } ?? wanted
  }

  /// The demuxer for a still image; nil for other files. Left to itself, libavformat would take the
  /// file name for a sequence pattern.
  private func frameFormat() throws(AssetReaderError) -> String? {
    let signatures: [([UInt8], String)] = [
      ([0xFF, 0xD8, 0xFF], "jpeg_pipe"), ([0x89, 0x50, 0x4E, 0x47], "png_pipe"),
      ([0x49, 0x49, 0x2A, 0x00], "tiff_pipe"), ([0x4D, 0x4D, 0x00, 0x2A], "tiff_pipe"),
    ]
    let input = try ByteInput(location: AssetLocation(path: path))
    for (signature, name) in signatures where try input.starts(with: signature) { return name }
    return nil
  }

  func targetSize(
    _ frame: UnsafeMutablePointer<AVFrame>, _ aspect: AVRational
  ) -> VideoDimensions {
    let ratio = aspect.num > 0 && aspect.den > 0 ? Double(aspect.num) / Double(aspect.den) : 1
    var width = Double(frame.pointee.width) * min(max(ratio, 0.1), 10)
    var height = Double(frame.pointee.height)
    let scale = min(1, Double(max(maximumSide, 16)) / max(width, height, 1))
    width *= scale
    height *= scale
    // 4:2:0 needs even sides.
    func even(_ side: Double) -> Int { max(2, Int((side / 2).rounded()) * 2) }
    return VideoDimensions(width: even(width), height: even(height))
  }

  func encode(
    _ source: UnsafeMutablePointer<AVFrame>, size: VideoDimensions
  ) throws(AssetReaderError) -> [UInt8] {
    guard let target = av_frame_alloc(), let packet = av_packet_alloc() else {
      throw AssetReaderError(.outOfMemory, "no memory for a frame of \(path)")
    }
    var (ownedTarget, ownedPacket) = (Optional(target), Optional(packet))
    defer {
      av_frame_free(&ownedTarget)
      av_packet_free(&ownedPacket)
    }
    try scale(source, to: target, size)
    guard let codec = avcodec_find_encoder(AV_CODEC_ID_MJPEG),
      let context = avcodec_alloc_context3(codec)
    else { throw AssetReaderError(.unsupported, "libavcodec here has no JPEG encoder") }
    var ownedContext = Optional(context)
    defer { avcodec_free_context(&ownedContext) }
    context.pointee.width = target.pointee.width
    context.pointee.height = target.pointee.height
    context.pointee.pix_fmt = AV_PIX_FMT_YUVJ420P
    context.pointee.color_range = AVCOL_RANGE_JPEG
    context.pointee.time_base = AVRational(num: 1, den: 25)
    cffmpeg_encoder_set_quality(context, Int32(min(max(quality, 2), 31)))
    target.pointee.quality = context.pointee.global_quality
    for result in [
      avcodec_open2(context, codec, nil), avcodec_send_frame(context, target),
      avcodec_receive_packet(context, packet),
    ] where result < 0 {
      throw AssetReaderError(
        .unsupported, "\(path): no JPEG can be created: \(libavErrorText(result))")
    }
    return [UInt8](UnsafeBufferPointer(start: packet.pointee.data, count: Int(packet.pointee.size)))
  }

  private func scale(
    _ source: UnsafeMutablePointer<AVFrame>, to target: UnsafeMutablePointer<AVFrame>,
    _ size: VideoDimensions, _ layout: AVPixelFormat = AV_PIX_FMT_YUVJ420P
  ) throws(AssetReaderError) {
    let format = AVPixelFormat(rawValue: source.pointee.format)
    target.pointee.width = Int32(size.width)
    target.pointee.height = Int32(size.height)
    target.pointee.format = layout.rawValue
    target.pointee.color_range = AVCOL_RANGE_JPEG
    guard av_frame_get_buffer(target, 0) >= 0 else {
      throw AssetReaderError(.outOfMemory, "no memory for a frame of \(path)")
    }
    let isFull: Int32 = source.pointee.color_range == AVCOL_RANGE_JPEG ? 1 : 0
    guard
      let scaler = cffmpeg_resizer(
        source.pointee.width, source.pointee.height, format, isFull, target.pointee.width,
        target.pointee.height, layout, 1)
    else {
      throw AssetReaderError(.unsupported, "\(path): frames of this layout cannot be scaled")
    }
    defer { cffmpeg_scaler_free(scaler) }
    if let coefficients = sws_getCoefficients(Int32(source.pointee.colorspace.rawValue)) {
      cffmpeg_scaler_set_colors(scaler, coefficients, isFull, 1)
    }
    var planes: [UnsafePointer<UInt8>?] = []
    var targets: [UnsafeMutablePointer<UInt8>?] = []
    var steps: [Int32] = []
    var targetSteps: [Int32] = []
    for plane in 0..<4 {
      planes.append(UnsafePointer(cffmpeg_frame_data(source, Int32(plane))))
      targets.append(cffmpeg_frame_data(target, Int32(plane)))
      steps.append(cffmpeg_frame_linesize(source, Int32(plane)))
      targetSteps.append(cffmpeg_frame_linesize(target, Int32(plane)))
    }
    guard cffmpeg_scaler_run(scaler, planes, steps, source.pointee.height, targets, targetSteps) > 0
    else { throw AssetReaderError(.unsupported, "\(path): the frame cannot be scaled") }
  }
}
