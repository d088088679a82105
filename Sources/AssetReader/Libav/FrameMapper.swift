import CFFmpeg
import MediaCore

/// Turns decoded frames into pixel buffers, without a copy if the formats agree.
final class FrameMapper {
  /// Owns the frame whose memory a pixel buffer uses.
  private final class FrameOwner: @unchecked Sendable {
    // Unchecked because of the pointer: the frame is never accessed here, only freed once in
    // `deinit`, and the reference counts of its buffers are atomic (libavutil/buffer.h).
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
  private let ledger: FrameLedger
  private let keepsAlpha: Bool
  /// A color that overrides the frames' and the container's; nil for none.
  private let given: ColorDescription?
  /// The container's color, for what a frame leaves unspecified.
  private let said: ColorDescription
  private let pixelAspectRatio: PixelAspectRatio
  /// True if the container's pixel aspect ratio takes precedence over the frames'.
  private let believesContainer: Bool
  private let fieldOrder: FieldOrder
  private var present: Conversion?

  private struct Conversion {
    var number: Int32
    var details: PixelBuffer.Description
    var range: ColorDescription.Range
    var siting: ChromaSiting
    var converter: FrameConverter
  }

  /// - Parameters:
  ///   - keepsAlpha: False if the caller does not need alpha.
  ///   - color: A color that overrides the source's, except for its range.
  init(
    track: AssetTrack, name: String, ledger: FrameLedger, keepsAlpha: Bool = true,
    color: ColorDescription? = nil
  ) {
    self.name = name
    given = color
    self.ledger = ledger
    self.keepsAlpha = keepsAlpha
    said = track.video?.color ?? .unspecified
    pixelAspectRatio = track.video?.pixelAspectRatio ?? .square
    believesContainer = track.containerTellsPixelShape
    // If the codec can state the field order, its frames take precedence over the container.
    fieldOrder = track.framesTellFieldOrder ? .progressive : track.video?.fieldOrder ?? .progressive
  }

  /// A mapper for frames without a container.
  init(name: String, ledger: FrameLedger) {
    self.name = name
    self.ledger = ledger
    keepsAlpha = true
    given = nil
    said = .unspecified
    pixelAspectRatio = .square
    believesContainer = false
    fieldOrder = .progressive
  }

  /// The description of a frame.
  func details(
    of frame: UnsafeMutablePointer<AVFrame>, layout: FrameLayout
  ) -> PixelBuffer.Description {
    let values = frame.pointee
    var color = ColorDescription(
      libavPrimaries: values.color_primaries.rawValue,
      transferFunction: values.color_trc.rawValue, matrix: values.colorspace.rawValue, range: 0)
    if color.primaries == .unspecified { color.primaries = said.primaries }
    if color.transferFunction == .unspecified { color.transferFunction = said.transferFunction }
    if color.matrix == .unspecified { color.matrix = said.matrix }
    if let given { color = given }
    let isInterlaced = cffmpeg_frame_is_interlaced(frame) != 0
    return PixelBuffer.Description(
      format: layout.format, width: Int(values.width), height: Int(values.height),
      color: layout.color(color, range: range(of: frame)),
      fieldOrder: isInterlaced
        ? (cffmpeg_frame_is_top_field_first(frame) != 0 ? .topFieldFirst : .bottomFieldFirst)
        : fieldOrder,
      pixelAspectRatio: values.sample_aspect_ratio.num > 0 && !believesContainer
        ? PixelAspectRatio(values.sample_aspect_ratio.num, values.sample_aspect_ratio.den)
        : pixelAspectRatio,
      chromaSiting: layout.chromaSiting(said: ChromaSiting(values.chroma_location)))
  }

  private func range(of frame: UnsafeMutablePointer<AVFrame>) -> AVColorRange {
    let range = frame.pointee.color_range
    return range == AVCOL_RANGE_UNSPECIFIED && said.range == .full ? AVCOL_RANGE_JPEG : range
  }

  /// The pixel buffer of a frame, whose reference may be taken over.
  func frame(
    _ frame: UnsafeMutablePointer<AVFrame>
  ) throws(AssetReaderError) -> PixelBuffer {
    let range = range(of: frame)
    guard
      let layout = FrameLayout(frame.pointee.format, keepsAlpha: keepsAlpha, range: range)
    else {
      throw AssetReaderError(
        .unsupported, "\(name): \(FrameLayout.refusal(frame.pointee.format) ?? "unknown layout")")
    }
    if given == nil, let refusal = layout.refusal(ofMatrix: frame.pointee.colorspace) {
      throw AssetReaderError(.unsupported, "\(name): \(refusal)")
    }
    let details = details(of: frame, layout: layout)
    do throws(MediaCoreError) {
      switch layout.way {
      case .same:
        if let planes = planes(of: frame, details) { return try wrap(frame, planes, details) }
        return try copy(frame, details)
      case .components: return try convert(frame, details, layout, range: layout.range(said: range))
      }
    } catch {
      throw AssetReaderError(
        error.code == .outOfMemory ? .outOfMemory : .unsupported, "\(name): \(error.message)")
    }
  }

  /// The planes in the frame's memory; nil if a pixel buffer cannot describe them.
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

  /// Copies row by row, for memory that is stored bottom-up or lacks room after the last row.
  private func copy(
    _ frame: UnsafeMutablePointer<AVFrame>, _ details: PixelBuffer.Description
  ) throws(MediaCoreError) -> PixelBuffer {
    var buffer = try MutablePixelBuffer(details)
    for plane in 0..<buffer.planeCount {
      let bytesPerRow = buffer.bytesPerRow(plane: plane)
      let step = Int(cffmpeg_frame_linesize(frame, Int32(plane)))
      let least = details.format.minimumBytesPerRow(plane: plane, width: details.width)
      let count = min(least, Int(step.magnitude))
      guard let data = cffmpeg_frame_data(frame, Int32(plane)) else { continue }
      buffer.withUnsafeMutableBytes(ofPlane: plane) { bytes in
        for row in 0..<details.format.rows(plane: plane, height: details.height) {
          let target = UnsafeMutableRawBufferPointer(
            rebasing: bytes[row * bytesPerRow..<row * bytesPerRow + count])
          target.copyMemory(from: UnsafeRawBufferPointer(start: data + row * step, count: count))
        }
      }
    }
    return buffer.finish()
  }

  private func convert(
    _ frame: UnsafeMutablePointer<AVFrame>, _ details: PixelBuffer.Description,
    _ layout: FrameLayout, range: ColorDescription.Range
  ) throws(MediaCoreError) -> PixelBuffer {
    var buffer = try MutablePixelBuffer(details)
    let number = frame.pointee.format
    let siting = ChromaSiting(frame.pointee.chroma_location)
    let converter: FrameConverter
    if let present, present.number == number, present.details == details, present.range == range,
      present.siting == siting
    {
      converter = present.converter
    } else {
      guard
        let made = FrameConverter(
          number, layout: layout, details: details, range: range, siting: siting)
      else {
        throw MediaCoreError(.unsupportedConversion, "\(layout.sourceName) is not supported")
      }
      converter = made
      present = Conversion(
        number: number, details: details, range: range, siting: siting, converter: made)
    }
    converter.convert(frame, into: &buffer)
    return buffer.finish()
  }
}
