import CFFmpeg
import MediaCore

/// Weaves fields, each of which a decoder gives as a frame of half the height, into frames, in the order in which
/// they are shown.
final class FieldWeaver {
  private let name: String
  /// The field that the next one is to be woven with.
  private let held: UnsafeMutablePointer<AVFrame>
  /// True where that one has the frame's first line; nil where there is none.
  private var isHeldTop: Bool?

  init(name: String) throws(AssetReaderError) {
    guard let held = av_frame_alloc() else { throw Self.outOfMemory(name) }
    (self.name, self.held) = (name, held)
  }

  deinit {
    var owned: UnsafeMutablePointer<AVFrame>? = held
    av_frame_free(&owned)
  }

  /// Asks a decoder of fields for the next frame that they make.
  func receive(from decoder: LibavDecoder) throws(AssetReaderError) -> LibavDecoder.Outcome {
    while true {
      switch try decoder.receive() {
      case .frame: if try take(decoder.frame) { return .frame }
      case .wantsInput: return .wantsInput
      case .finished: return try finish(decoder.frame) ? .frame : .finished
      }
    }
  }

  /// Lets go of a field whose other one will not come, as behind a seek.
  func restart() {
    av_frame_unref(held)
    isHeldTop = nil
  }

  /// Takes a field.
  ///
  /// - Parameter frame: The field; behind the call the frame that it made whole.
  /// - Returns: False where the frame's other field is still to come.
  func take(_ frame: UnsafeMutablePointer<AVFrame>) throws(AssetReaderError) -> Bool {
    // One that does not say what it is follows one of the other kind.
    let isTop =
      cffmpeg_frame_is_interlaced(frame) != 0
      ? cffmpeg_frame_is_top_field_first(frame) != 0 : !(isHeldTop ?? false)
    guard let isHeldTop else {
      av_frame_move_ref(held, frame)
      self.isHeldTop = isTop
      return false
    }
    if isTop != isHeldTop, isLike(frame) {
      let woven = try weave(with: frame)
      av_frame_unref(frame)
      Self.move(woven, to: frame)
      self.isHeldTop = nil
    } else {
      // The other field of the one before is missing.
      let woven = try weave(with: nil)
      av_frame_move_ref(held, frame)
      Self.move(woven, to: frame)
      self.isHeldTop = isTop
    }
    return true
  }

  /// Brings out the last field, where the other one of its frame is missing.
  ///
  /// - Returns: False where nothing is left.
  func finish(_ frame: UnsafeMutablePointer<AVFrame>) throws(AssetReaderError) -> Bool {
    guard isHeldTop != nil else { return false }
    Self.move(try weave(with: nil), to: frame)
    isHeldTop = nil
    return true
  }

  private func isLike(_ frame: UnsafeMutablePointer<AVFrame>) -> Bool {
    frame.pointee.width == held.pointee.width && frame.pointee.height == held.pointee.height
      && frame.pointee.format == held.pointee.format
  }

  private static func move(
    _ source: UnsafeMutablePointer<AVFrame>, to frame: UnsafeMutablePointer<AVFrame>
  ) {
    av_frame_move_ref(frame, source)
    var empty: UnsafeMutablePointer<AVFrame>? = source
    av_frame_free(&empty)
  }

  /// The frame of the field that is held, which is let go, and of another one.
  ///
  /// - Parameter other: The second field; nil for the lines of the first one in its place, and a frame that is damaged.
  private func weave(
    with other: UnsafeMutablePointer<AVFrame>?
  ) throws(AssetReaderError) -> UnsafeMutablePointer<AVFrame> {
    var made = av_frame_alloc()
    guard let frame = made, let isHeldTop else { throw Self.outOfMemory(name) }
    frame.pointee.format = held.pointee.format
    frame.pointee.width = held.pointee.width
    frame.pointee.height = held.pointee.height * 2
    guard held.pointee.height > 0, held.pointee.height <= 1 << 15,
      av_frame_get_buffer(frame, 0) >= 0, av_frame_copy_props(frame, held) >= 0
    else {
      av_frame_free(&made)
      throw Self.outOfMemory(name)
    }
    copy(held, to: frame, line: isHeldTop ? 0 : 1)
    copy(other ?? held, to: frame, line: isHeldTop ? 1 : 0)
    if let other {
      cffmpeg_frame_set_duration(
        frame, cffmpeg_frame_duration(held) + cffmpeg_frame_duration(other))
      addCaptions(of: other, to: frame)
    } else {
      cffmpeg_frame_set_duration(frame, 2 * cffmpeg_frame_duration(held))
    }
    if other.map({ cffmpeg_frame_is_corrupt($0) != 0 }) ?? true {
      frame.pointee.flags |= AV_FRAME_FLAG_CORRUPT
    }
    cffmpeg_set_fields(frame, 1, isHeldTop ? 1 : 0)
    av_frame_unref(held)
    return frame
  }

  /// Copies a field to every second line.
  private func copy(
    _ field: UnsafeMutablePointer<AVFrame>, to frame: UnsafeMutablePointer<AVFrame>, line: Int
  ) {
    let format = AVPixelFormat(rawValue: field.pointee.format)
    guard let layout = av_pix_fmt_desc_get(format) else { return }
    let shift = Int32(layout.pointee.log2_chroma_h)
    for plane in 0..<max(av_pix_fmt_count_planes(format), 0) {
      let step = cffmpeg_frame_linesize(frame, plane)
      let isChroma = plane == 1 || plane == 2
      let rows = isChroma ? -(-field.pointee.height >> shift) : field.pointee.height
      let all = isChroma ? -(-frame.pointee.height >> shift) : frame.pointee.height
      guard let source = cffmpeg_frame_data(field, plane),
        let target = cffmpeg_frame_data(frame, plane)
      else { continue }
      av_image_copy_plane(
        target + line * Int(step), step * 2, source, cffmpeg_frame_linesize(field, plane),
        av_image_get_linesize(format, field.pointee.width, plane),
        min(rows, (all + 1 - Int32(line)) / 2))
    }
  }

  /// Captions come with each field.
  private func addCaptions(
    of field: UnsafeMutablePointer<AVFrame>, to frame: UnsafeMutablePointer<AVFrame>
  ) {
    func captions(_ frame: UnsafeMutablePointer<AVFrame>) -> [UInt8] {
      var size: Int64 = 0
      let data = cffmpeg_frame_side_data(frame, AV_FRAME_DATA_A53_CC, &size)
      return Array(UnsafeBufferPointer(start: data, count: data == nil ? 0 : Int(size)))
    }
    let second = captions(field)
    guard !second.isEmpty else { return }
    let all = captions(frame) + second
    av_frame_remove_side_data(frame, AV_FRAME_DATA_A53_CC)
    guard let place = av_frame_new_side_data(frame, AV_FRAME_DATA_A53_CC, all.count) else { return }
    place.pointee.data.update(from: all, count: all.count)
  }

  private static func outOfMemory(_ name: String) -> AssetReaderError {
    AssetReaderError(.outOfMemory, "no memory for a frame of \(name)")
  }
}
