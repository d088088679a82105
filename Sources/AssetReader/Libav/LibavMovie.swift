import CFFmpeg
import MediaCore
import QuickTime
import SystemPackage

/// An open movie, and the only owner of a libavformat context.
final class LibavMovie {
  /// Demuxers that are not used: text rendered as video, playlists that open other files, network
  /// protocols.
  private static let refusedFormats: Set<String> = [
    "tty", "hls", "concat", "dash", "imf", "sdp", "rtsp", "rtp", "ffmetadata", "applehttp",
    "image2", "data", "lavfi", "bin", "adf", "idf", "xbin",
  ]

  private static let allowedFormats: String = {
    var names: [String] = []
    var iterator: UnsafeMutableRawPointer?
    while let format = av_demuxer_iterate(&iterator) {
      guard let name = libavText(format.pointee.name) else { continue }
      let parts = name.split(separator: ",").map(String.init)
      if !parts.contains(where: refusedFormats.contains) { names += parts }
    }
    return names.joined(separator: ",")
  }()

  let path: String
  let registration: LibavLog.Registration
  let context: UnsafeMutablePointer<AVFormatContext>
  private var packetCounts: [Int: Int] = [:]
  private var starts: [Int: FreshStart] = [:]
  /// The number of streams found when the file was opened.
  private var streamCount = 0
  /// Streams that were announced but without video or audio found yet.
  private var announced: Set<Int> = []
  /// Tracks that began after the part probed when the file was opened. Their packets are skipped.
  private(set) var lateTracks: [AssetLateTrack] = []
  private let sequence: ImageSequence?
  /// What the container's header says of each stream's frames.
  private let said: [Int: (color: ColorDescription, range: AVColorRange, fields: AVFieldOrder)]
  /// The index after the last file read from an image sequence.
  private var sequencePlace = 0

  /// This project's own index of a QuickTime or MPEG-4 file; nil for others, for a pipe, which can
  /// be read only once, and if the index cannot be read.
  private(set) lazy var index: MovieIndex? = {
    guard isOf(["mov"]), let input = context.pointee.pb, input.pointee.seekable != 0 else {
      return nil
    }
    return try? MovieIndex(path: path)
  }()
  /// Corrections where libavformat deviates from edit lists.
  private(set) lazy var edits =
    ignoresEdits ? PacketEdits() : PacketEdits(self, cutsAudio: cutsAudio)
  private let ignoresEdits: Bool
  private let cutsAudio: Bool

  var journal: LibavMessageLog { registration.journal }

  /// Opens a file and finds its tracks.
  ///
  /// - Parameters:
  ///   - format: The demuxer's name; nil to detect it.
  ///   - sequence: The image sequence, if the path is a pattern.
  ///   - ignoresEdits: True to read every sample of a QuickTime or MPEG-4 file exactly once,
  ///     whatever its edit lists leave out or repeat.
  ///   - cutsAudio: True if the caller cuts decoded audio according to ``CompressedPacket/heard``;
  ///     otherwise audio packets are as libavformat delivers them.
  init(
    path: String, looksLikeText: Bool, format: String? = nil, sequence: ImageSequence? = nil,
    ignoresEdits: Bool = false, cutsAudio: Bool = false
  ) throws(AssetReaderError) {
    let registration = LibavLog.Registration(LibavMessageLog())
    self.path = path
    self.registration = registration
    self.sequence = sequence
    self.ignoresEdits = ignoresEdits
    self.cutsAudio = cutsAudio
    var context = avformat_alloc_context()
    guard context != nil else {
      throw AssetReaderError(.outOfMemory, "no memory to open \(path)")
    }
    context?.pointee.opaque = registration.opaque
    var options: OpaquePointer?
    defer { av_dict_free(&options) }
    av_dict_set(
      &options, "format_whitelist", sequence == nil ? Self.allowedFormats : "image2", 0)
    av_dict_set(&options, "protocol_whitelist", "file", 0)
    if ignoresEdits { av_dict_set(&options, "ignore_editlist", "1", 0) }
    if let sequence {
      av_dict_set(&options, "framerate", sequence.frameRate.fraction, 0)
      av_dict_set(&options, "start_number", "\(sequence.first)", 0)
      av_dict_set(&options, "pattern_type", "sequence", 0)
    }
    // avformat_open_input frees the context if it fails.
    let result = registration.listen {
      avformat_open_input(
        &context, "file:" + (sequence?.libavPath ?? path),
        (sequence == nil ? format : "image2").flatMap { av_find_input_format($0) }, &options)
    }
    guard result >= 0, let context else {
      throw Self.openError(path, result, looksLikeText, registration.journal.lastMessage)
    }
    self.context = context
    // Saved now, because probing overwrites these values with those of the coded frames.
    let said = (0..<context.pointee.nb_streams).compactMap { place in
      cffmpeg_stream(context, Int32(clamping: place)).flatMap { $0.pointee.codecpar?.pointee }
        .map { (Int(place), (Self.color($0), $0.color_range, $0.field_order)) }
    }
    self.said = Dictionary(uniqueKeysWithValues: said)
    let found = registration.listen(countsGuests: false) {
      avformat_find_stream_info(context, nil)
    }
    guard found >= 0 else {
      throw Self.openError(path, found, looksLikeText, registration.journal.lastMessage)
    }
    streamCount = Int(context.pointee.nb_streams)
    announced = Self.announced(context)
  }

  deinit {
    var owned: UnsafeMutablePointer<AVFormatContext>? = context
    registration.listen { avformat_close_input(&owned) }
  }

  /// The stream with an index.
  func stream(_ index: Int) -> UnsafeMutablePointer<AVStream>? {
    cffmpeg_stream(context, Int32(clamping: index))
  }

  var streams: [UnsafeMutablePointer<AVStream>] {
    (0..<Int(context.pointee.nb_streams)).compactMap { stream($0) }
  }

  /// The numbers of the programs that a stream belongs to; empty if the container has none.
  func programs(of index: Int) -> Set<Int> {
    let programs = (0..<Int(context.pointee.nb_programs)).compactMap {
      context.pointee.programs?[$0]?.pointee
    }
    let own = programs.filter { program in
      (0..<Int(program.nb_stream_indexes)).contains { place in
        program.stream_index.map { Int($0[place]) == index } ?? false
      }
    }
    return Set(own.map { Int($0.id) })
  }

  /// True for containers that state a pixel aspect ratio of their own, once for all frames.
  var tellsPixelShape: Bool { isOf(["mov", "matroska"]) }

  /// The color description in a Matroska header; nil for other containers.
  func containerColor(of index: Int) -> ColorDescription? {
    isOf(["matroska"]) ? said[index]?.color : nil
  }

  /// The range that a QuickTime, MPEG-4 or Matroska container states if the coded frames state
  /// another one; nil if they agree, if one of them states none, and for other containers.
  func otherContainerRange(of index: Int) -> ColorDescription.Range? {
    guard isOf(["mov", "matroska"]), let said = said[index]?.range,
      let range = stream(index)?.pointee.codecpar?.pointee.color_range, said != range,
      said != AVCOL_RANGE_UNSPECIFIED, range != AVCOL_RANGE_UNSPECIFIED
    else { return nil }
    return said == AVCOL_RANGE_JPEG ? .full : .video
  }

  /// The order of fields that the container states; nil if it states none, or progressive frames.
  func containerFieldOrder(of index: Int) -> FieldOrder? {
    said[index].flatMap { FieldOrder(interlaced: $0.fields) }
  }

  /// True if libav reports primaries or a transfer function for a stream.
  func knowsColor(of stream: UnsafeMutablePointer<AVStream>) -> Bool {
    guard let color = (stream.pointee.codecpar?.pointee).map(Self.color) else { return false }
    return color.primaries != .unspecified || color.transferFunction != .unspecified
  }

  private static func color(_ values: AVCodecParameters) -> ColorDescription {
    ColorDescription(
      libavPrimaries: values.color_primaries.rawValue,
      transferFunction: values.color_trc.rawValue, matrix: values.color_space.rawValue,
      range: values.color_range.rawValue)
  }

  /// True for containers whose index lists every sample. Fragments have no such index.
  var hasWholeIndex: Bool { isOf(["mov"]) }

  /// True for a codec's bare stream without a container, which has no times.
  var isBareStream: Bool {
    isOf([
      "h264", "hevc", "vvc", "mjpeg", "mjpeg_2000", "jpeg_pipe", "png_pipe", "j2k_pipe", "dirac",
      "dnxhd", "vc1", "obu",
    ])
  }

  /// True for still images, one per file.
  var isOfStillImages: Bool {
    let name = context.pointee.iformat.flatMap { libavText($0.pointee.name) } ?? ""
    return sequence != nil || name.hasSuffix("_pipe")
  }

  /// True for one of these demuxers, by libavformat's short names.
  func isOf(_ formats: Set<String>) -> Bool {
    formatNames.contains { formats.contains(String($0)) }
  }

  var formatNames: [Substring] {
    let names = context.pointee.iformat.flatMap { libavText($0.pointee.name) } ?? ""
    return names.split(separator: ",")
  }

  /// Discards the packets of all other streams.
  func select(_ tracks: Set<Int>) {
    for stream in streams {
      let index = Int(stream.pointee.index)
      stream.pointee.discard =
        tracks.contains(index) || isLate(index) ? AVDISCARD_DEFAULT : AVDISCARD_ALL
    }
  }

  /// The metadata of the container and its programs, and of its tracks if the container has no
  /// other place for it. The first value of a key counts.
  var metadata: [String: String] {
    var metadata = libavMetadata(context.pointee.metadata)
    for place in 0..<Int(context.pointee.nb_programs) {
      guard let program = context.pointee.programs?[place]?.pointee else { continue }
      metadata.merge(libavMetadata(program.metadata)) { first, _ in first }
    }
    guard isOf(["ogg"]) else { return metadata }
    for stream in streams {
      metadata.merge(libavMetadata(stream.pointee.metadata)) { first, _ in first }
    }
    return metadata
  }

  /// The keys of all tags, of the container, programs, tracks and chapters, whose text is not
  /// UTF-8.
  var latinTags: Set<String> {
    let programs = (0..<Int(context.pointee.nb_programs)).compactMap {
      context.pointee.programs?[$0]?.pointee.metadata
    }
    let chapters = (0..<Int(context.pointee.nb_chapters)).compactMap {
      context.pointee.chapters?[$0]?.pointee.metadata
    }
    let tracks = streams.compactMap(\.pointee.metadata)
    return (programs + chapters + tracks).map(libavLatinKeys)
      .reduce(libavLatinKeys(context.pointee.metadata)) { $0.union($1) }
  }

  /// The next packet in the file's order, or nil at its end.
  ///
  /// - Throws: ``AssetReaderError/Code/truncated`` if the file ends early,
  ///   ``AssetReaderError/Code/unsupported`` if it is encrypted,
  ///   ``AssetReaderError/Code/readFailed`` or ``AssetReaderError/Code/corrupt`` for other errors.
  func nextPacket() throws(AssetReaderError) -> CompressedPacket? {
    while true {
      var packet = av_packet_alloc()
      guard let target = packet else {
        throw AssetReaderError(.outOfMemory, "no memory for a packet of \(path)")
      }
      let (result, error) = registration.listen {
        (av_read_frame(context, target), registration.errorOfCall)
      }
      guard result >= 0 else {
        av_packet_free(&packet)
        try reportEnd(result, message: error)
        return nil
      }
      let index = Int(target.pointee.stream_index)
      guard let stream = stream(index), !isLate(index), stream.pointee.discard != AVDISCARD_ALL
      else {
        if isLate(index) { note(target, ofLate: index) }
        av_packet_free(&packet)
        continue
      }
      // A decoder would report damage, or produce noise.
      guard av_packet_get_side_data(target, AV_PKT_DATA_ENCRYPTION_INFO, nil) == nil else {
        av_packet_free(&packet)
        throw AssetReaderError(
          .unsupported,
          "\(path) is encrypted (MPEG Common Encryption, track \(index + 1)) and cannot be read; decrypt it "
            + "first")
      }
      let number = packetCounts[index, default: 0]
      packetCounts[index] = number + 1
      if sequence != nil {
        let time = target.pointee.pts
        sequencePlace = (time == cffmpeg_nopts ? sequencePlace : Int(clamping: time)) + 1
      }
      // libavformat counts pictures where it should give times.
      if isOf(["dirac"]) {
        (target.pointee.pts, target.pointee.dts) = (cffmpeg_nopts, cffmpeg_nopts)
      }
      let heard = edits.place(target, of: index)
      let start = starts[index] ?? FreshStart(stream)
      starts[index] = start
      return CompressedPacket(
        target, timeBase: stream.pointee.time_base, index: number, start: start, heard: heard)
    }
  }

  /// True for a stream that was not found when the file was opened.
  func isLate(_ index: Int) -> Bool { index >= streamCount || announced.contains(index) }

  /// Notes the first packet of a stream that was not found when the file was opened.
  private func note(_ packet: UnsafeMutablePointer<AVPacket>, ofLate index: Int) {
    guard let stream = stream(index) else { return }
    // One packet is enough: the stream is not read any further.
    stream.pointee.discard = AVDISCARD_ALL
    guard !lateTracks.contains(where: { $0.id == index }), let kind = AssetContents.kind(stream)
    else { return }
    let time = packet.pointee.pts == cffmpeg_nopts ? packet.pointee.dts : packet.pointee.pts
    lateTracks.append(
      AssetLateTrack(
        id: index, kind: kind, codecName: AssetContents.codecName(stream),
        startTime: MediaTime(time, in: stream.pointee.time_base),
        number: streams.prefix(index + 1).count(where: { AssetContents.kind($0) == kind })))
  }

  /// Streams without a size or sample rate so far, in a container without a header for all tracks.
  /// libavformat treats an MPEG stream as having a header once its program table is read.
  private static func announced(_ context: UnsafeMutablePointer<AVFormatContext>) -> Set<Int> {
    let flags = context.pointee.iformat?.pointee.flags ?? 0
    guard context.pointee.ctx_flags & AVFMTCTX_NOHEADER != 0 || flags & AVFMT_TS_DISCONT != 0 else {
      return []
    }
    return Set(
      (0..<Int(context.pointee.nb_streams)).filter { index in
        guard let parameters = cffmpeg_stream(context, Int32(clamping: index))?.pointee.codecpar,
          avcodec_find_decoder(parameters.pointee.codec_id) != nil
        else { return false }
        switch parameters.pointee.codec_type {
        case AVMEDIA_TYPE_VIDEO: return parameters.pointee.width <= 0
        case AVMEDIA_TYPE_AUDIO:
          return parameters.pointee.sample_rate <= 0 || cffmpeg_parameters_channels(parameters) <= 0
        default: return false
        }
      })
  }

  private func reportEnd(_ result: Int32, message: String?) throws(AssetReaderError) {
    let inputError = context.pointee.pb.map { $0.pointee.error } ?? 0
    if result == cffmpeg_averror_eof, message == nil, inputError >= 0 {
      guard let sequence else { return try reportLack() }
      guard sequencePlace < sequence.count else { return }
      // The file existed when the sequence was opened, but may be incomplete.
      throw AssetReaderError(
        .truncated,
        "\(path) ends early: \(sequence.path(ofFrame: sequencePlace)) does not decode, and "
          + "\(sequence.count - sequencePlace) of \(sequence.count) files are not read; restore it"
      )
    }
    let reason = message ?? libavErrorText(inputError < 0 ? inputError : result)
    let early =
      result == cffmpeg_averror_eof || reason.contains("partial file")
      || reason.contains("runcat")
    throw AssetReaderError(
      early ? .truncated : .corrupt,
      early
        ? "\(path) ends early (\(reason)); copy it again, or recover it"
        : "\(path) cannot be read further: \(reason)",
      errno: inputError < 0 ? Errno(rawValue: -inputError) : nil)
  }

  /// libavformat takes some truncated files for complete ones.
  private func reportLack() throws(AssetReaderError) {
    guard let lack = ContainerEnd.lack(in: path, of: formatNames) else { return }
    throw AssetReaderError(
      .truncated, "\(path) ends early (\(lack)); copy it again, or recover it")
  }

  private static func openError(
    _ path: String, _ result: Int32, _ looksLikeText: Bool, _ message: String?
  ) -> AssetReaderError {
    let reason = message ?? libavErrorText(result)
    switch result {
    case cffmpeg_averror(2): return ByteInput.openError(path, .noSuchFileOrDirectory)
    case cffmpeg_averror(13): return ByteInput.openError(path, .permissionDenied)
    case _ where looksLikeText:
      return AssetReaderError(
        .notAMovie, "\(path) is a text file, not a movie; name a movie, a Y4M or a raw video file"
      )
    // libavformat's message lists all allowed formats, which helps nobody.
    case _ where reason.contains("not on whitelist"):
      return AssetReaderError(
        .notAMovie,
        "\(path) is an image, a playlist or a list of files; name a movie, or numbered images as "
          + "name_%04d.jpg")
    default:
      return AssetReaderError(
        .notAMovie,
        "\(path) is not a readable movie (\(reason)); name a movie or a Y4M file, or give "
          + "?size=…&rate=…&format=… for raw video")
    }
  }
}
