import CFFmpeg

/// Finds the key frames from which a decoder reproduces every frame exactly that is displayed later.
///
/// They include HEVC's CRA frames, the first ones of open GOPs: frames that come after a CRA frame but
/// refer to earlier ones (RASL) are displayed before it, and no frame displayed after it refers to
/// these or to earlier ones (ITU-T H.265, 7.4.2.2 and 8.3.2). Of H.264 they include IDR frames only;
/// containers also mark recovery points as key frames.
struct FreshStart {
  /// How such frames are recognized.
  private enum Rule {
    case never
    case always
    /// By the NAL unit types of the packet: H.264 and HEVC.
    case units(isHEVC: Bool, lengthSize: Int?)
  }

  private let rule: Rule
  /// True for video in which no frame refers to another.
  let isOfLoneImages: Bool

  init(_ stream: UnsafeMutablePointer<AVStream>) {
    guard let parameters = stream.pointee.codecpar else {
      (rule, isOfLoneImages) = (.never, false)
      return
    }
    let codec = parameters.pointee.codec_id
    let isIntra =
      (avcodec_descriptor_get(codec)?.pointee.props ?? 0) & AV_CODEC_PROP_INTRA_ONLY != 0
    isOfLoneImages = isIntra && parameters.pointee.codec_type == AVMEDIA_TYPE_VIDEO
    let setup = UnsafeRawBufferPointer(
      start: parameters.pointee.extradata, count: max(0, Int(parameters.pointee.extradata_size)))
    switch codec {
    case AV_CODEC_ID_H264:
      rule = .units(isHEVC: false, lengthSize: Self.lengthSize(setup, at: 4))
    case AV_CODEC_ID_HEVC:
      rule = .units(isHEVC: true, lengthSize: Self.lengthSize(setup, at: 21))
    case AV_CODEC_ID_VP8, AV_CODEC_ID_VP9:
      // A key frame resets all of the decoder's state.
      rule = .always
    default: rule = isIntra ? .always : .never
    }
  }

  /// The size of a NAL unit's length field in bytes, from the decoder configuration; nil for start
  /// codes.
  private static func lengthSize(_ setup: UnsafeRawBufferPointer, at place: Int) -> Int? {
    guard setup.count > place, setup[0] == 1 else { return nil }
    return Int(setup[place] & 3) + 1
  }

  /// True if decoding can start exactly at this key frame's packet.
  func holds(_ packet: UnsafeRawBufferPointer) -> Bool {
    switch rule {
    case .never: false
    case .always: true
    case .units(let isHEVC, let lengthSize):
      switch Self.firstSlice(packet, isHEVC, lengthSize) ?? 0 {
      case 5 where !isHEVC: true
      // The IRAP types in use: BLA, IDR and CRA.
      case 16...21: isHEVC
      default: false
      }
    }
  }

  /// The number of pictures in a packet of H.264: of slices that begin with a picture's first
  /// macroblock.
  func pictureCount(in packet: UnsafeRawBufferPointer) -> Int {
    guard case .units(false, let lengthSize) = rule else { return 0 }
    var (place, count) = (0, 0)
    while let unit = Self.unit(packet, &place, lengthSize) {
      // The first bit is set if `first_mb_in_slice` is 0 (H.264, 7.3.3). Types 1, 2 and 5 begin a
      // slice.
      let type = packet[unit] & 0x1F
      if [1, 2, 5].contains(type), unit + 1 < packet.count, packet[unit + 1] & 0x80 != 0 {
        count += 1
      }
    }
    return count
  }

  /// The type of the first NAL unit that holds a slice.
  private static func firstSlice(
    _ packet: UnsafeRawBufferPointer, _ isHEVC: Bool, _ lengthSize: Int?
  ) -> UInt8? {
    var place = 0
    while let unit = unit(packet, &place, lengthSize) {
      let type = isHEVC ? packet[unit] >> 1 & 0x3F : packet[unit] & 0x1F
      if isHEVC ? type < 32 : (1...5).contains(type) { return type }
    }
    return nil
  }

  /// The offset of the next NAL unit's first byte; nil if there is none.
  private static func unit(
    _ packet: UnsafeRawBufferPointer, _ place: inout Int, _ lengthSize: Int?
  ) -> Int? {
    if let lengthSize {
      guard packet.count - place > lengthSize else { return nil }
      let length = packet[place..<place + lengthSize].reduce(0) { $0 << 8 | Int($1) }
      let start = place + lengthSize
      guard length > 0, length <= packet.count - start else { return nil }
      place = start + length
      return start
    }
    var zeros = 0
    while place < packet.count - 1 {
      let byte = packet[place]
      place += 1
      if byte == 1, zeros >= 2 { return place }
      zeros = byte == 0 ? zeros + 1 : 0
    }
    return nil
  }
}
