import CFFmpeg
import MediaCore

/// The scan type of an HEVC stream.
///
/// If each picture is a field, libavcodec delivers it as a frame of half the height. For frames
/// that hold two fields, it does not report which one is first.
enum HEVCScan: Hashable {
  case progressive
  /// Each picture is a frame of two fields, in unknown order.
  case frames
  /// Each picture is a field, in the order of the first two.
  case fields(FieldOrder)

  /// The number of packets examined: pictures shown before the first one follow it closely.
  private static let packetLimit = 16

  /// Reads a stream's parameter sets and, if they allow fields, its first packets. This opens the
  /// file once more.
  init(
    _ stream: UnsafeMutablePointer<AVStream>, in path: String, looksLikeText: Bool
  ) {
    self = .progressive
    guard let parameters = stream.pointee.codecpar else { return }
    let setup = UnsafeRawBufferPointer(
      start: parameters.pointee.extradata, count: max(0, Int(parameters.pointee.extradata_size)))
    let source = Self.source(setup)
    if let source, source.isProgressive, !source.isInterlaced { return }
    if let isTop = Self.isFirstFieldTop(Int(stream.pointee.index), path, looksLikeText) {
      self = .fields(isTop ? .topFieldFirst : .bottomFieldFirst)
    } else if let source, source.isInterlaced, !source.isProgressive {
      self = .frames
    }
  }

  /// The profile's flags for the source's scan; nil if the setup lacks them.
  static func source(
    _ setup: UnsafeRawBufferPointer
  ) -> (isProgressive: Bool, isInterlaced: Bool)? {
    // The flags follow the version (or, in a parameter set, its ID), one byte of profile, and four
    // of compatibility flags.
    let place = 6
    var flags: UInt8?
    if setup.first == 1 {
      flags = setup.count > place ? setup[place] : nil
    } else if let start = sequenceSet(setup) {
      var (bytes, zeros) = ([UInt8](), 0)
      for byte in setup[start...] where bytes.count <= place {
        // An emulation prevention byte.
        if zeros >= 2, byte == 3 {
          zeros = 0
          continue
        }
        zeros = byte == 0 ? zeros + 1 : 0
        bytes.append(byte)
      }
      flags = bytes.count > place ? bytes[place] : nil
    }
    return flags.map { ($0 & 0x80 != 0, $0 & 0x40 != 0) }
  }

  /// The offset of the first sequence parameter set, after its header, among units with start
  /// codes.
  private static func sequenceSet(_ setup: UnsafeRawBufferPointer) -> Int? {
    var zeros = 0
    for (place, byte) in setup.enumerated() {
      if byte == 1, zeros >= 2, place + 3 < setup.count, setup[place + 1] >> 1 & 0x3F == 33 {
        return place + 3
      }
      zeros = byte == 0 ? zeros + 1 : 0
    }
    return nil
  }

  /// True if the picture shown first is a top field; nil if pictures are frames, and if unknown.
  private static func isFirstFieldTop(_ track: Int, _ path: String, _ looksLikeText: Bool) -> Bool?
  {
    guard let movie = try? LibavMovie(path: path, looksLikeText: looksLikeText),
      let stream = movie.stream(track), let parser = FieldParser(stream, of: movie)
    else { return nil }
    movie.select([track])
    var first: (time: MediaTime, isTop: Bool)?
    for _ in 0..<packetLimit {
      guard let packet = try? movie.nextPacket() else { break }
      let isTop = parser.isTopField(packet)
      guard let isTop, !packet.isDiscarded else { continue }
      let time = packet.presentationTimeStamp
      if let first, !(time.isNumeric && time < first.time) { continue }
      first = (time, isTop)
    }
    return first?.isTop
  }
}

extension AssetTrack {
  /// Applies an HEVC stream's scan type. Pairs of fields are read as frames.
  mutating func take(_ scan: HEVCScan) {
    switch scan {
    case .progressive: break
    case .frames: isMarkedInterlaced = true
    case .fields(let order):
      guard case .video(var description) = formatDescription else { return }
      let size = description.dimensions
      description.dimensions = VideoDimensions(width: size.width, height: size.height * 2)
      description.fieldOrder = order
      formatDescription = .video(description)
      isOfSingleFields = true
      sampleCount = sampleCount.map { ($0 + 1) / 2 }
      if let rate = frameRate,
        let half = rate.numerator % 2 == 0
          ? FrameRate(rate.numerator / 2, rate.denominator)
          : FrameRate(
            rate.numerator, rate.denominator.multipliedReportingOverflow(by: 2).partialValue)
      {
        retime(half)
      }
    }
  }
}
