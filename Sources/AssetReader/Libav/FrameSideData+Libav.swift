import CFFmpeg
import MediaCore

extension FrameSideData {
  private static let frameKinds: [(AVFrameSideDataType, Extra)] = [
    (AV_FRAME_DATA_DYNAMIC_HDR_PLUS, .hdr10Plus), (AV_FRAME_DATA_DOVI_METADATA, .dolbyVision),
    (AV_FRAME_DATA_DOVI_RPU_BUFFER, .dolbyVision),
    (AV_FRAME_DATA_STEREO3D, .stereoscopy), (AV_FRAME_DATA_SPHERICAL, .projection),
    (AV_FRAME_DATA_ICC_PROFILE, .colorProfile),
  ]

  private static let streamKinds: [(AVPacketSideDataType, Extra)] = [
    (AV_PKT_DATA_DOVI_CONF, .dolbyVision), (AV_PKT_DATA_STEREO3D, .stereoscopy),
    (AV_PKT_DATA_SPHERICAL, .projection), (AV_PKT_DATA_ICC_PROFILE, .colorProfile),
  ]

  /// Reads the side data of a decoded frame.
  init(_ frame: UnsafeMutablePointer<AVFrame>) {
    // DPX files carry it in the header.
    timecodeText = AssetTrack.timecode(libavMetadata(frame.pointee.metadata))
    unknownColorCodes = UnknownColorCode.all(
      primaries: frame.pointee.color_primaries.rawValue,
      transferFunction: frame.pointee.color_trc.rawValue, matrix: frame.pointee.colorspace.rawValue)
    if Self.hasClearPalette(frame) { extras.insert(.alpha) }
    guard frame.pointee.nb_side_data > 0 else { return }
    var size: Int64 = 0
    let display = cffmpeg_frame_side_data(frame, AV_FRAME_DATA_MASTERING_DISPLAY_METADATA, &size)
    masteringDisplay = MasteringDisplay(display, size)
    let light = cffmpeg_frame_side_data(frame, AV_FRAME_DATA_CONTENT_LIGHT_LEVEL, &size)
    contentLight = ContentLight(light, size)
    for (kind, extra) in Self.frameKinds
    where cffmpeg_frame_side_data(frame, kind, &size) != nil { extras.insert(extra) }
    if Self.isPartlyActive(frame) { extras.insert(.activeFormat) }
    if cffmpeg_frame_pans(frame) != 0 { extras.insert(.panScan) }
    if let triplets = cffmpeg_frame_side_data(frame, AV_FRAME_DATA_A53_CC, &size) {
      readCaptions(UnsafeRawBufferPointer(start: triplets, count: Int(size)))
    }
    // Above 30 frames per second, libavcodec's text counts every frame; the codes count pairs.
    guard timecodeText == nil else { return }
    if let codes = cffmpeg_frame_side_data(frame, AV_FRAME_DATA_S12M_TIMECODE, &size), size >= 8 {
      let words = UnsafeRawPointer(codes)
      guard words.loadUnaligned(as: UInt32.self) > 0 else { return }
      let code = words.loadUnaligned(fromByteOffset: 4, as: UInt32.self)
      timecodeText = Self.text { av_timecode_make_smpte_tc_string($0, code, 0) }
    } else if let code = cffmpeg_frame_side_data(frame, AV_FRAME_DATA_GOP_TIMECODE, &size),
      size >= 8
    {
      let bits = UnsafeRawPointer(code).loadUnaligned(as: Int64.self)
      timecodeText = Self.text {
        av_timecode_make_mpeg_tc_string($0, UInt32(truncatingIfNeeded: bits))
      }
    }
  }

  /// True if the active format description covers only part of the frame: 8 is all of it, 0 to 3
  /// are reserved.
  private static func isPartlyActive(_ frame: UnsafeMutablePointer<AVFrame>) -> Bool {
    var size: Int64 = 0
    guard let code = cffmpeg_frame_side_data(frame, AV_FRAME_DATA_AFD, &size), size > 0 else {
      return false
    }
    return code.pointee & 15 > 3 && code.pointee & 15 != 8
  }

  /// True if a frame's display matrix rotates or mirrors it.
  static func isTurned(_ frame: UnsafeMutablePointer<AVFrame>) -> Bool {
    var size: Int64 = 0
    guard let data = cffmpeg_frame_side_data(frame, AV_FRAME_DATA_DISPLAYMATRIX, &size),
      size >= 36
    else { return false }
    let matrix = UnsafeRawPointer(data)
    func number(_ place: Int) -> Int32 {
      matrix.loadUnaligned(fromByteOffset: place * 4, as: Int32.self)
    }
    return number(0) <= 0 || number(1) != 0 || number(3) != 0 || number(4) <= 0
  }

  /// True for a frame that uses a palette entry that is not opaque.
  private static func hasClearPalette(_ frame: UnsafeMutablePointer<AVFrame>) -> Bool {
    guard frame.pointee.format == AV_PIX_FMT_PAL8.rawValue,
      let data = cffmpeg_frame_data(frame, 0), let palette = cffmpeg_frame_data(frame, 1)
    else { return false }
    let entries = UnsafeRawPointer(palette)
    let isClear = (0..<256).map { place in
      entries.loadUnaligned(fromByteOffset: 4 * place, as: UInt32.self) >> 24 < 255
    }
    // Some decoders leave alpha unset in all entries.
    guard isClear.contains(true), isClear.contains(false) else { return false }
    let bytesPerRow = Int(cffmpeg_frame_linesize(frame, 0))
    return (0..<Int(frame.pointee.height)).contains { row in
      let codes = UnsafeBufferPointer(
        start: data + row * bytesPerRow, count: Int(frame.pointee.width))
      return codes.contains { isClear[Int($0)] }
    }
  }

  /// Reads `cc_data` of ATSC A/53: triplets of a flag byte and two bytes of line 21 or CEA-708
  /// data.
  mutating func readCaptions(_ triplets: UnsafeRawBufferPointer) {
    var captions = LineCaptions()
    for start in stride(from: 0, to: triplets.count - 2, by: 3) {
      let flags = triplets[start]
      // Marker bits are ignored, because encoders differ in them.
      guard flags & 4 != 0 else { continue }
      let pair = triplets[start + 1...start + 2]
      switch flags & 3 {
      case 0: captions.firstField += pair
      case 1: captions.secondField += pair
      default: extras.insert(.captions708)
      }
    }
    if captions != LineCaptions() { self.captions = captions }
  }

  /// Reads the side data of a track.
  init(_ stream: UnsafeMutablePointer<AVStream>) {
    if let values = stream.pointee.codecpar?.pointee {
      unknownColorCodes = UnknownColorCode.all(
        primaries: values.color_primaries.rawValue, transferFunction: values.color_trc.rawValue,
        matrix: values.color_space.rawValue)
    }
    var size: Int64 = 0
    let display = cffmpeg_stream_side_data(stream, AV_PKT_DATA_MASTERING_DISPLAY_METADATA, &size)
    masteringDisplay = MasteringDisplay(display, size)
    let light = cffmpeg_stream_side_data(stream, AV_PKT_DATA_CONTENT_LIGHT_LEVEL, &size)
    contentLight = ContentLight(light, size)
    for (kind, extra) in Self.streamKinds
    where cffmpeg_stream_side_data(stream, kind, &size) != nil { extras.insert(extra) }
  }

  /// Runs a libavutil function that writes at most 23 bytes of text.
  private static func text(_ write: (UnsafeMutablePointer<CChar>) -> UnsafeMutablePointer<CChar>?)
    -> String?
  {
    withUnsafeTemporaryAllocation(of: CChar.self, capacity: 64) { buffer in
      guard let base = buffer.baseAddress else { return nil }
      base.pointee = 0
      _ = write(base)
      return libavText(base)
    }
  }
}

extension FrameSideData.MasteringDisplay {
  fileprivate init?(_ data: UnsafePointer<UInt8>?, _ size: Int64) {
    var places = [UInt16](repeating: 0, count: 8)
    var luminance: [UInt32] = [0, 0]
    guard cffmpeg_mastering_display(data, size, &places, &luminance) != 0 else { return nil }
    self.init(
      chromaticities: places, maximumLuminance: luminance[0], minimumLuminance: luminance[1])
  }
}

extension FrameSideData.ContentLight {
  fileprivate init?(_ data: UnsafePointer<UInt8>?, _ size: Int64) {
    var levels: [UInt32] = [0, 0]
    guard cffmpeg_content_light(data, size, &levels) != 0, levels != [0, 0] else { return nil }
    self.init(
      maximum: UInt16(clamping: levels[0]), maximumFrameAverage: UInt16(clamping: levels[1]))
  }
}
