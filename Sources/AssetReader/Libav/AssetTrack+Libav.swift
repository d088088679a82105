import CFFmpeg
import MediaCore

extension AssetTrack {
  /// The track of a stream; nil if it is neither video nor audio, is a cover image, or cannot be
  /// decoded.
  ///
  /// - Parameter color: The primaries and transfer function of a still image whose color libav does
  ///   not report.
  init?(
    _ stream: UnsafeMutablePointer<AVStream>, of movie: LibavMovie,
    color: ColorDescription = .unspecified
  ) {
    guard let parameters = stream.pointee.codecpar, cffmpeg_is_attached_picture(stream) == 0
    else { return nil }
    let facts: (format: FormatDescription, name: String, depth: Int, hasAlpha: Bool)?
    let kind: MediaType
    switch parameters.pointee.codec_type {
    case AVMEDIA_TYPE_VIDEO:
      kind = .video
      facts = Self.frames(stream, parameters, movie, color)
    case AVMEDIA_TYPE_AUDIO:
      kind = .audio
      facts = Self.audio(parameters)
    default: return nil
    }
    guard let facts else { return nil }
    let values = stream.pointee
    let tags = libavMetadata(values.metadata)
    self.init(
      id: Int(values.index), mediaType: kind,
      codecName: libavText(avcodec_get_name(parameters.pointee.codec_id)) ?? "?",
      codecTag: Self.sampleEntry(parameters.pointee.codec_tag, in: movie),
      profile: libavText(
        avcodec_profile_name(parameters.pointee.codec_id, parameters.pointee.profile)),
      formatDescription: facts.format, frameRate: nil, sourceFormatName: facts.name,
      sourceBitDepth: facts.depth, hasAlpha: facts.hasAlpha, rotation: 0, channelLayout: nil,
      timecode: nil, timecodeText: nil,
      startTime: MediaTime(values.start_time, in: values.time_base),
      duration: MediaTime(values.duration, in: values.time_base),
      sampleCount: values.nb_frames > 0 ? Int(values.nb_frames) : nil,
      timeUnit: MediaTime(1, in: values.time_base),
      language: libavLanguage(tags), title: tags["title"],
      metadata: tags)
    if let extent = movie.edits.extent(of: id, from: values.start_time) {
      startTime = MediaTime(extent.start, in: values.time_base)
      duration = extent.duration ?? duration
    }
    programs = movie.programs(of: id)
    movieTrackNumber = movie.isOf(["mov"]) ? UInt32(clamping: values.id) : nil
    marks = Self.marks.filter { values.disposition & $0.flag != 0 }.map(\.name)
    isDefault = values.disposition & AV_DISPOSITION_DEFAULT != 0
    if !duration.isValid, movie.context.pointee.duration > 0 {
      duration = MediaTime(
        movie.context.pointee.duration, in: AVRational(num: 1, den: AV_TIME_BASE))
    }
    if kind == .video {
      describeFrames(stream, parameters, movie)
    } else {
      describeAudio(parameters)
    }
  }

  /// Sets the video properties beyond the format.
  private mutating func describeFrames(
    _ stream: UnsafeMutablePointer<AVStream>, _ parameters: UnsafeMutablePointer<AVCodecParameters>,
    _ movie: LibavMovie
  ) {
    frameRate = FrameRate(measured: av_guess_frame_rate(movie.context, stream, nil))
    isMirrored = Self.isMirrored(stream)
    // libav reports where the matrix turns a row, which mirroring has already reversed.
    rotation = (Self.rotation(stream) + (isMirrored ? 180 : 0)) % 360
    sideData = FrameSideData(stream)
    decoderConfiguration = Self.decoderConfiguration(parameters.pointee)
    containerColor = movie.containerColor(of: id)
    otherContainerRange = movie.otherContainerRange(of: id)
    if Self.hasSeparateAlpha(stream), !hasAlpha { sideData.extras.insert(.alpha) }
    otherPixelAspectRatio = movie.otherPixelAspectRatio(of: stream)
    containerTellsPixelShape = stream.pointee.sample_aspect_ratio.num > 0 && movie.tellsPixelShape
    hasFullChroma = Self.hasFullChroma(parameters.pointee.format)
    statesFieldOrder =
      framesTellFieldOrder || isOfWholeFrames || parameters.pointee.field_order != AV_FIELD_UNKNOWN
    containerFieldOrder = movie.containerFieldOrder(of: id)
    let runs = movie.timecodeRuns(of: stream)
    timecodeJumps = runs?.jumps ?? []
    timecodeText =
      (runs?.start).map { "\($0)" } ?? Self.timecode(metadata) ?? movie.timecodeText
    timecode = frameRate.flatMap { rate in
      timecodeText.flatMap { Timecode($0, frameRate: rate) }
    }
  }

  /// Sets the channel layout and labels.
  private mutating func describeAudio(_ parameters: UnsafeMutablePointer<AVCodecParameters>) {
    channelLayout = withUnsafeTemporaryAllocation(of: CChar.self, capacity: 128) { buffer in
      guard let base = buffer.baseAddress else { return nil }
      cffmpeg_parameters_layout_name(parameters, base, Int32(buffer.count))
      return libavText(base)
    }
    channelLabels = Self.channelLabels(parameters)
  }

  private static let marks: [(flag: Int32, name: String)] = [
    (AV_DISPOSITION_DUB, "dubbed"), (AV_DISPOSITION_ORIGINAL, "original language"),
    (AV_DISPOSITION_COMMENT, "commentary"), (AV_DISPOSITION_LYRICS, "lyrics"),
    (AV_DISPOSITION_KARAOKE, "karaoke"), (AV_DISPOSITION_FORCED, "forced"),
    (AV_DISPOSITION_HEARING_IMPAIRED, "for the hard of hearing"),
    (AV_DISPOSITION_VISUAL_IMPAIRED, "for the visually impaired"),
    (AV_DISPOSITION_CLEAN_EFFECTS, "music and effects"),
  ]

  /// The sample entry's code. Nil for transport streams, whose tag is a stream type or a
  /// registration, and for the numeric tags of FLV and WAVE.
  private static func sampleEntry(_ tag: UInt32, in movie: LibavMovie) -> FourCharCode? {
    let container = movie.context.pointee.iformat.flatMap { libavText($0.pointee.name) }
    guard tag > 0xFFFF, container != "mpegts" else { return nil }
    return FourCharCode(rawValue: tag.byteSwapped)
  }

  /// The decoder configuration record; empty for streams with start codes.
  private static func decoderConfiguration(_ parameters: AVCodecParameters) -> [UInt8] {
    guard parameters.codec_id == AV_CODEC_ID_H264 || parameters.codec_id == AV_CODEC_ID_HEVC,
      let base = parameters.extradata, parameters.extradata_size > 0, base.pointee == 1
    else { return [] }
    return Array(UnsafeBufferPointer(start: base, count: Int(parameters.extradata_size)))
  }

  /// Sets another frame rate, and reads the timecode at it.
  mutating func retime(_ rate: FrameRate) {
    frameRate = rate
    timecode = timecodeText.flatMap { Timecode($0, frameRate: rate) }
  }

  /// True for VP8 and VP9 video with alpha in a separate stream, which libvpx's decoders read.
  static func hasSeparateAlpha(_ stream: UnsafeMutablePointer<AVStream>) -> Bool {
    guard let codec = stream.pointee.codecpar?.pointee.codec_id,
      codec == AV_CODEC_ID_VP8 || codec == AV_CODEC_ID_VP9
    else { return false }
    return libavMetadata(stream.pointee.metadata).contains {
      $0.key.lowercased() == "alpha_mode" && $0.value == "1"
    }
  }

  /// The timecode under any spelling: `timecode`, Matroska's `TIMECODE`.
  static func timecode(_ tags: [String: String]) -> String? {
    tags.first { $0.key.lowercased() == "timecode" }?.value
  }

  private static func hasFullChroma(_ format: Int32) -> Bool {
    guard let facts = av_pix_fmt_desc_get(AVPixelFormat(rawValue: format)) else { return false }
    return facts.pointee.nb_components > 2 && facts.pointee.log2_chroma_w == 0
  }

  /// Core Audio's labels for libav's channels; nil if any channel has none.
  private static func channelLabels(
    _ parameters: UnsafeMutablePointer<AVCodecParameters>
  ) -> [UInt32]? {
    let count = cffmpeg_parameters_channels(parameters)
    let channels = (0..<count).map { cffmpeg_parameters_channel(parameters, $0) }
    // Side channels are the surrounds; back channels are the surrounds only if there are no side
    // channels.
    let hasSides = channels.contains(9)
    let known: [Int32: UInt32] = [
      0: 1, 1: 2, 2: 3, 3: 4, 4: hasSides ? 33 : 5, 5: hasSides ? 34 : 6, 6: 7, 7: 8, 8: 9, 9: 5,
      10: 6, 11: 12, 12: 13, 13: 14, 14: 15, 15: 16, 16: 17, 17: 18, 31: 35, 32: 36, 35: 37,
    ]
    let labels = channels.compactMap { known[$0] }
    return labels.count == channels.count && !labels.isEmpty ? labels : nil
  }

  private static func isMirrored(_ stream: UnsafeMutablePointer<AVStream>) -> Bool {
    guard let matrix = cffmpeg_display_matrix(stream) else { return false }
    let (a, b, c, d) = (
      Double(matrix[0]), Double(matrix[1]), Double(matrix[3]), Double(matrix[4])
    )
    return a * d - b * c < 0
  }

  private static func frames(
    _ stream: UnsafeMutablePointer<AVStream>, _ parameters: UnsafeMutablePointer<AVCodecParameters>,
    _ movie: LibavMovie, _ said: ColorDescription
  ) -> (format: FormatDescription, name: String, depth: Int, hasAlpha: Bool)? {
    let values = parameters.pointee
    guard values.width > 0, values.height > 0 else { return nil }
    let hasAlpha = hasSeparateAlpha(stream) && LibavDecoder.alphaDecoder(values.codec_id) != nil
    let layout = FrameLayout(
      hasAlpha ? AV_PIX_FMT_YUVA420P.rawValue : values.format, range: values.color_range)
    var color = ColorDescription(
      libavPrimaries: values.color_primaries.rawValue,
      transferFunction: values.color_trc.rawValue, matrix: values.color_space.rawValue,
      range: values.color_range.rawValue)
    if !movie.knowsColor(of: stream) {
      (color.primaries, color.transferFunction) = (said.primaries, said.transferFunction)
    }
    if let layout { color = layout.color(color, range: values.color_range) }
    let aspect = movie.pixelAspectRatio(of: stream)
    let fields = FieldOrder(interlaced: values.field_order) ?? .progressive
    let size = VideoDimensions(width: Int(values.width), height: Int(values.height))
    let ratio = PixelAspectRatio(aspect.num, aspect.den)
    guard let layout else {
      let format = AVPixelFormat(rawValue: values.format)
      let code = FourCharCode(rawValue: values.codec_tag.byteSwapped)
      return (
        .video(
          VideoFormatDescription(
            codec: code, dimensions: size, color: color, fieldOrder: fields,
            pixelAspectRatio: ratio)),
        libavText(av_get_pix_fmt_name(format)) ?? "unknown", 0, false
      )
    }
    let details = PixelBuffer.Description(
      format: layout.format, width: size.width, height: size.height, color: color,
      fieldOrder: fields, pixelAspectRatio: ratio)
    let bits = Int(values.bits_per_raw_sample)
    return (
      .video(VideoFormatDescription(details)), layout.sourceName,
      (1...16).contains(bits) ? min(bits, layout.sourceDepth) : layout.sourceDepth, layout.hasAlpha
    )
  }

  private static func audio(
    _ parameters: UnsafeMutablePointer<AVCodecParameters>
  ) -> (format: FormatDescription, name: String, depth: Int, hasAlpha: Bool)? {
    let values = parameters.pointee
    let channels = Int(cffmpeg_parameters_channels(parameters))
    // An undecodable track is left out, and is reported among the other tracks.
    guard channels > 0, channels <= 64, values.sample_rate > 0,
      avcodec_find_decoder(values.codec_id) != nil
    else { return nil }
    let decoded = AVSampleFormat(rawValue: values.format)
    let properties = avcodec_descriptor_get(values.codec_id).map { $0.pointee.props } ?? 0
    let isLossy = properties & AV_CODEC_PROP_LOSSLESS == 0
    let bits = Int(values.bits_per_raw_sample)
    let format = AudioFormat(
      sampleRate: Int(values.sample_rate), channelCount: channels,
      sampleFormat: AudioMapper.sampleFormat(decoded: decoded, bits: bits, isLossy: isLossy))
    return (
      .audio(format), libavText(av_get_sample_fmt_name(decoded)) ?? "unknown",
      bits > 0 ? bits : Int(av_get_bytes_per_sample(decoded)) * 8, false
    )
  }

  private static func rotation(_ stream: UnsafeMutablePointer<AVStream>) -> Int {
    guard let matrix = cffmpeg_display_matrix(stream) else { return 0 }
    let degrees = -av_display_rotation_get(matrix)
    guard degrees.isFinite else { return 0 }
    return (Int(degrees.rounded()) % 360 + 360) % 360
  }
}

extension LibavMovie {
  /// The timecode of the container or of any of its streams.
  var timecodeText: String? {
    if let text = AssetTrack.timecode(libavMetadata(context.pointee.metadata)) { return text }
    return streams.lazy.compactMap { AssetTrack.timecode(libavMetadata($0.pointee.metadata)) }.first
  }
}

extension FieldOrder {
  /// The order in which the fields of interlaced frames are shown; nil for all other values.
  init?(interlaced order: AVFieldOrder) {
    switch order {
    case AV_FIELD_TT, AV_FIELD_TB: self = .topFieldFirst
    case AV_FIELD_BB, AV_FIELD_BT: self = .bottomFieldFirst
    default: return nil
    }
  }
}
