import CFFmpeg
import MediaCore

/// Weaves fields, which a decoder delivers as frames of half the height, into frames, in display
/// order.
final class FieldWeaver {
  private let name: String
  /// The field waiting for the other field of its frame.
  private let held: UnsafeMutablePointer<AVFrame>
  /// True if the held field is the top one; nil if none is held.
  private var isHeldTop: Bool?

  init(name: String) throws(AssetReaderError) {
    guard let held = av_frame_alloc() else { throw Self.outOfMemory(name) }
    (self.name, self.held) = (name, held)
  }

  deinit {
    var owned: UnsafeMutablePointer<AVFrame>? = held
    av_frame_free(&owned)
  }

  /// Receives fields from a decoder until they make a frame.
  func receive(from decoder: LibavDecoder) throws(AssetReaderError) -> LibavDecoder.Outcome {
    while true {
      switch try decoder.receive() {
      case .frame: if try take(decoder.frame) { return .frame }
      case .wantsInput: return .wantsInput
      case .finished: return try finish(decoder.frame) ? .frame : .finished
      }
    }
  }

  /// Drops a field whose other field will not come, as after a seek.
  func restart() {
    av_frame_unref(held)
    isHeldTop = nil
  }

  /// Takes a field.
  ///
  /// - Parameter frame: The field; on return, the completed frame if there is one.
  /// - Returns: False if the frame's other field is still to come.
  func take(_ frame: UnsafeMutablePointer<AVFrame>) throws(AssetReaderError) -> Bool {
    // A field of unstated parity is taken to be the opposite of the one before.
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
      // The held field's counterpart is missing.
      let woven = try weave(with: nil)
      av_frame_move_ref(held, frame)
      Self.move(woven, to: frame)
      self.isHeldTop = isTop
    }
    return true
  }

  /// Completes the last frame if one of its fields is missing.
  ///
  /// - Returns: False if no field is held.
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

  /// Makes a frame from the held field, which is released, and another one.
  ///
  /// - Parameter other: The second field; nil repeats the first field's lines and marks the frame
  ///   as corrupt.
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

  /// Copies a field to every second line of the frame.
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

  /// Appends the second field's captions: each field carries its own.
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
