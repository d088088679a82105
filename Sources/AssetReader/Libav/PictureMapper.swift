import CFFmpeg
import MediaCore

/// Turns decoded frames into pixel buffers: by their own memory where the layouts agree.
final class PictureMapper {
  /// A frame that a pixel buffer lives in.
  private final class FrameOwner: @unchecked Sendable {
    // Sendable: only held, and freed once, by whoever lets go last; the counts of references to its
    // buffers are atomic (libavutil/buffer.h).
    let frame: UnsafeMutablePointer<AVFrame>
    init(moving source: UnsafeMutablePointer<AVFrame>) throws(AssetReaderError) {
      guard let frame = av_frame_alloc() else {
        throw AssetReaderError(.outOfMemory, "no memory for a frame")
      }
      av_frame_move_ref(frame, source)
      self.frame = frame
    }
    deinit {
      var owned: UnsafeMutablePointer<AVFrame>? = frame
      av_frame_free(&owned)
    }
  }

  private let name: String
  private let ledger: OutstandingPictures
  /// What the container says, for what a frame leaves open.
  private let color: ColorDescription
  private let pixelAspectRatio: PixelAspectRatio
  private let fieldOrder: FieldOrder
  private var scaler: UnsafeMutableRawPointer?

  init(track: AssetTrack, name: String, ledger: OutstandingPictures) {
    self.name = name
    self.ledger = ledger
    color = track.video?.color ?? .unspecified
    pixelAspectRatio = track.video?.pixelAspectRatio ?? .square
    fieldOrder = track.video?.fieldOrder ?? .progressive
  }

  /// A mapper of frames that no container says anything about.
  init(name: String, ledger: OutstandingPictures) {
    self.name = name
    self.ledger = ledger
    color = .unspecified
    pixelAspectRatio = .square
    fieldOrder = .progressive
  }

  deinit { cffmpeg_scaler_free(scaler) }

  /// What a frame is, apart from its memory.
  func details(
    of frame: UnsafeMutablePointer<AVFrame>, layout: PictureLayout
  ) -> PixelBuffer.Description {
    let values = frame.pointee
    var color = ColorDescription(
      libavPrimaries: values.color_primaries.rawValue,
      transferFunction: values.color_trc.rawValue, matrix: values.colorspace.rawValue,
      range: values.color_range.rawValue)
    if color.primaries == .unspecified { color.primaries = self.color.primaries }
    if color.transferFunction == .unspecified {
      color.transferFunction = self.color.transferFunction
    }
    if color.matrix == .unspecified, !layout.isRGB { color.matrix = self.color.matrix }
    if values.color_range == AVCOL_RANGE_UNSPECIFIED { color.range = self.color.range }
    if layout.isFullRange { color.range = .full }
    if layout.isRGB {
      color = Self.color(ofRGB: color, as: layout.format)
    }
    let isInterlaced = cffmpeg_frame_is_interlaced(frame) != 0
    return PixelBuffer.Description(
      format: layout.format, width: Int(values.width), height: Int(values.height), color: color,
      fieldOrder: isInterlaced
        ? (cffmpeg_frame_is_top_field_first(frame) != 0 ? .topFieldFirst : .bottomFieldFirst)
        : .progressive,
      pixelAspectRatio: values.sample_aspect_ratio.num > 0
        ? PixelAspectRatio(values.sample_aspect_ratio.num, values.sample_aspect_ratio.den)
        : pixelAspectRatio)
  }

  /// The picture of a frame, whose reference is taken.
  func picture(
    _ frame: UnsafeMutablePointer<AVFrame>
  ) throws(AssetReaderError) -> PixelBuffer {
    guard let layout = PictureLayout(frame.pointee.format) else {
      let format = AVPixelFormat(rawValue: frame.pointee.format)
      throw AssetReaderError(
        .unsupported,
        "\(name): pictures of \(libavText(av_get_pix_fmt_name(format)) ?? "?") cannot be brought "
          + "to a layout that is known here")
    }
    let details = details(of: frame, layout: layout)
    do throws(MediaCoreError) {
      switch layout.way {
      case .same:
        if let planes = planes(of: frame, details) { return try wrap(frame, planes, details) }
        return try copy(frame, details, planes: details.format.planeCount)
      case .luma: return try copy(frame, details, planes: 1)
      case .convert: break
      }
    } catch {
      throw AssetReaderError(
        error.code == .outOfMemory ? .outOfMemory : .unsupported, "\(name): \(error.message)")
    }
    return try convert(frame, details, from: layout)
  }

  /// What RGB is called once it is in a layout of ours.
  private static func color(
    ofRGB color: ColorDescription, as format: PixelFormat
  ) -> ColorDescription {
    var color = color
    if format.descriptor.subsampling == .rgb {
      color.matrix = .identity
      color.range = .full
    } else {
      if color.matrix == .identity || color.matrix == .unspecified {
        color.matrix = color.primaries == .bt2020 ? .bt2020 : .bt709
      }
      color.range = .video
    }
    return color
  }

  /// The planes in the frame's own memory; nil where a pixel buffer cannot describe them.
  private func planes(
    of frame: UnsafeMutablePointer<AVFrame>, _ details: PixelBuffer.Description
  ) -> [PixelBuffer.Plane]? {
    var planes: [PixelBuffer.Plane] = []
    for index in 0..<details.format.planeCount {
      let bytesPerRow = Int(cffmpeg_frame_linesize(frame, Int32(index)))
      let rows = details.format.rows(plane: index, height: details.height)
      guard let data = cffmpeg_frame_data(frame, Int32(index)),
        bytesPerRow >= details.format.minimumBytesPerRow(plane: index, width: details.width),
        cffmpeg_frame_plane_room(frame, Int32(index)) >= Int64(bytesPerRow * rows)
      else { return nil }
      planes.append(PixelBuffer.Plane(baseAddress: data, bytesPerRow: bytesPerRow, rows: rows))
    }
    return planes
  }

  private func wrap(
    _ frame: UnsafeMutablePointer<AVFrame>, _ planes: [PixelBuffer.Plane],
    _ details: PixelBuffer.Description
  ) throws(MediaCoreError) -> PixelBuffer {
    let owner: FrameOwner
    do throws(AssetReaderError) { owner = try FrameOwner(moving: frame) } catch {
      throw MediaCoreError(.outOfMemory, error.message)
    }
    let buffer = try PixelBuffer(details, planes: planes) { [ledger] in
      withExtendedLifetime(owner) {}
      ledger.give()
    }
    ledger.claim()
    return buffer
  }

  /// Rows one by one, for memory that runs upwards or has no room behind it; chroma that is not
  /// copied becomes the middle code.
  private func copy(
    _ frame: UnsafeMutablePointer<AVFrame>, _ details: PixelBuffer.Description, planes: Int
  ) throws(MediaCoreError) -> PixelBuffer {
    let buffer = try PixelBuffer(details)
    for plane in 0..<buffer.planeCount {
      let bytesPerRow = buffer.bytesPerRow(plane: plane)
      let step = Int(cffmpeg_frame_linesize(frame, Int32(plane)))
      let least = details.format.minimumBytesPerRow(plane: plane, width: details.width)
      let count = min(least, Int(step.magnitude))
      buffer.withMutableBytes(ofPlane: plane) { bytes in
        guard plane < planes, let data = cffmpeg_frame_data(frame, Int32(plane)) else {
          Self.fillMiddle(bytes, depth: details.format.descriptor.bitDepth)
          return
        }
        for row in 0..<details.format.rows(plane: plane, height: details.height) {
          let target = UnsafeMutableRawBufferPointer(
            rebasing: bytes[row * bytesPerRow..<row * bytesPerRow + count])
          target.copyMemory(from: UnsafeRawBufferPointer(start: data + row * step, count: count))
        }
      }
    }
    return buffer
  }

  private static func fillMiddle(_ bytes: UnsafeMutableRawBufferPointer, depth: Int) {
    if depth == 8 {
      for index in bytes.indices { bytes[index] = 128 }
    } else {
      for offset in stride(from: 0, to: bytes.count - 1, by: 2) {
        bytes.storeBytes(of: UInt16(1 << (depth - 1)), toByteOffset: offset, as: UInt16.self)
      }
    }
  }

  private func convert(
    _ frame: UnsafeMutablePointer<AVFrame>, _ details: PixelBuffer.Description,
    from layout: PictureLayout
  ) throws(AssetReaderError) -> PixelBuffer {
    let buffer: PixelBuffer
    do throws(MediaCoreError) { buffer = try PixelBuffer(details) } catch {
      throw AssetReaderError(.unsupported, "\(name): \(error.message)")
    }
    let target = details.format.descriptor.libavName.map { av_get_pix_fmt($0) } ?? AV_PIX_FMT_NONE
    let (width, height) = (frame.pointee.width, frame.pointee.height)
    scaler = cffmpeg_scaler(
      scaler, width, height, AVPixelFormat(rawValue: frame.pointee.format), target)
    guard let scaler else {
      throw AssetReaderError(
        .unsupported, "\(name): libswscale cannot bring \(layout.sourceName) to \(details.format)")
    }
    let matrix = sws_getCoefficients(Int32(details.color.matrix.rawValue))
    let isFull: Int32 = details.color.range == .full ? 1 : 0
    cffmpeg_scaler_set_colors(scaler, matrix, layout.isFullRange ? 1 : isFull, isFull)
    let source = (0..<Int32(4)).map { UnsafePointer(cffmpeg_frame_data(frame, $0)) }
    let sourceSteps = (0..<Int32(4)).map { cffmpeg_frame_linesize(frame, $0) }
    var planes: [UnsafeMutablePointer<UInt8>?] = []
    var steps: [Int32] = []
    for plane in 0..<4 {
      guard plane < buffer.planeCount else {
        planes.append(nil)
        steps.append(0)
        continue
      }
      // The buffer is still this function's alone, and outlives the addresses.
      planes.append(
        buffer.withMutableBytes(ofPlane: plane) {
          $0.baseAddress?.assumingMemoryBound(to: UInt8.self)
        })
      steps.append(Int32(clamping: buffer.bytesPerRow(plane: plane)))
    }
    let rows = withExtendedLifetime(buffer) {
      cffmpeg_scaler_run(scaler, source, sourceSteps, height, planes, steps)
    }
    guard rows == height else {
      throw AssetReaderError(
        .unsupported, "\(name): libswscale failed on \(layout.sourceName): \(libavErrorText(rows))")
    }
    return buffer
  }
}
