import CFFmpeg
import MediaCore
import QuickTime
import SystemPackage

/// An open movie: the one owner of a libavformat context.
final class LibavMovie {
  /// Demuxers that are none for movies: text as pictures, lists that open other files, the
  /// network.
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
  /// Streams that were there when the file was opened.
  private var streamCount = 0
  /// Those of them that were announced, but of whose pictures or sound nothing was found yet.
  private var announced: Set<Int> = []
  /// Tracks that began behind what was looked at when the file was opened. Their packets are left out.
  private(set) var lateTracks: [AssetLateTrack] = []
  private let sequence: ImageSequence?
  /// What the container's header says of each stream's colors.
  private let containerColors: [Int: (color: ColorDescription, range: AVColorRange)]
  /// The place behind the last picture of a sequence that was read.
  private var sequencePlace = 0

  /// What our own reader finds in a QuickTime or MPEG-4 file; nil for others, for a pipe, which can be read once,
  /// and for a file whose index cannot be read.
  private(set) lazy var index: MovieIndex? = {
    guard isOf(["mov"]), let input = context.pointee.pb, input.pointee.seekable != 0 else {
      return nil
    }
    return try? MovieIndex(path: path)
  }()
  /// What edit lists ask for that libavformat does otherwise.
  private(set) lazy var edits =
    ignoresEdits ? PacketEdits() : PacketEdits(self, cutsSound: cutsSound)
  private let ignoresEdits: Bool
  private let cutsSound: Bool

  var journal: LibavMessageLog { registration.journal }

  /// Opens a file and finds its tracks.
  ///
  /// - Parameters:
  ///   - format: The demuxer's name where it is known, else it is found out.
  ///   - sequence: The pictures that the path is a pattern of.
  ///   - ignoresEdits: True for every sample of a QuickTime or MPEG-4 file once, whatever its edit lists
  ///     leave out or repeat.
  ///   - cutsSound: True for who cuts what is decoded of a packet to what ``CompressedPacket/heard`` says; else
  ///     packets of sound are as libavformat gives them.
  init(
    path: String, looksLikeText: Bool, format: String? = nil, sequence: ImageSequence? = nil,
    ignoresEdits: Bool = false, cutsSound: Bool = false
  ) throws(AssetReaderError) {
    let registration = LibavLog.Registration(LibavMessageLog())
    self.path = path
    self.registration = registration
    self.sequence = sequence
    self.ignoresEdits = ignoresEdits
    self.cutsSound = cutsSound
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
    // avformat_open_input frees the context where it fails.
    let result = registration.listen {
      avformat_open_input(
        &context, "file:" + (sequence?.libavPath ?? path),
        (sequence == nil ? format : "image2").flatMap { av_find_input_format($0) }, &options)
    }
    guard result >= 0, let context else {
      throw Self.openError(path, result, looksLikeText, registration.journal.lastMessage)
    }
    self.context = context
    // Once it has looked at the pictures, what these say is in their place.
    let said = (0..<context.pointee.nb_streams).compactMap { place in
      cffmpeg_stream(context, Int32(clamping: place)).flatMap { $0.pointee.codecpar?.pointee }
        .map { (Int(place), (color: Self.color($0), range: $0.color_range)) }
    }
    containerColors = Dictionary(uniqueKeysWithValues: said)
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

  /// The stream with a number.
  func stream(_ index: Int) -> UnsafeMutablePointer<AVStream>? {
    cffmpeg_stream(context, Int32(clamping: index))
  }

  /// All streams.
  var streams: [UnsafeMutablePointer<AVStream>] {
    (0..<Int(context.pointee.nb_streams)).compactMap { stream($0) }
  }

  /// The numbers of the programs that a stream is of; none where the container has no programs.
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

  /// True for containers that say what shape pixels have apart from what their codecs say, and once for
  /// all pictures.
  var tellsPixelShape: Bool { isOf(["mov", "matroska"]) }

  /// What Matroska says of the colors of a stream; nil for other containers.
  func containerColor(of index: Int) -> ColorDescription? {
    isOf(["matroska"]) ? containerColors[index]?.color : nil
  }

  /// The range that QuickTime, MPEG-4 or Matroska says of a stream whose pictures say another one; nil where they
  /// agree, where one of them says nothing, and for other containers.
  func otherContainerRange(of index: Int) -> ColorDescription.Range? {
    guard isOf(["mov", "matroska"]), let said = containerColors[index]?.range,
      let range = stream(index)?.pointee.codecpar?.pointee.color_range, said != range,
      said != AVCOL_RANGE_UNSPECIFIED, range != AVCOL_RANGE_UNSPECIFIED
    else { return nil }
    return said == AVCOL_RANGE_JPEG ? .full : .video
  }

  /// True if libav says primaries or a transfer function of a stream's pictures.
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

  /// True for containers whose index has every sample; fragments have none.
  var hasWholeIndex: Bool { isOf(["mov"]) }

  /// True for a codec's frames without a container, which have no times.
  var isBareStream: Bool {
    isOf([
      "h264", "hevc", "vvc", "mjpeg", "mjpeg_2000", "jpeg_pipe", "png_pipe", "j2k_pipe", "dirac",
      "dnxhd", "vc1", "obu",
    ])
  }

  /// True for images, each of which was a file of its own.
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

  /// Leaves out the packets of all other streams.
  func select(_ tracks: Set<Int>) {
    for stream in streams {
      let index = Int(stream.pointee.index)
      stream.pointee.discard =
        tracks.contains(index) || isLate(index) ? AVDISCARD_DEFAULT : AVDISCARD_ALL
    }
  }

  /// What the container says of the whole, of its programs, and by way of tracks where it can say it
  /// nowhere else; of two that say the same thing the first counts.
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

  /// Keys of tags of the whole, its programs, tracks and chapters whose texts are not UTF-8.
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
  /// - Throws: ``AssetReaderError/Code/truncated`` where the file ends too early,
  ///   ``AssetReaderError/Code/unsupported`` where it is encrypted, ``AssetReaderError/Code/readFailed`` or ``AssetReaderError/Code/corrupt`` for other errors.
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
      // A decoder would find damage in it, or pictures of noise.
      guard av_packet_get_side_data(target, AV_PKT_DATA_ENCRYPTION_INFO, nil) == nil else {
        av_packet_free(&packet)
        throw AssetReaderError(
          .unsupported,
          "\(path) is encrypted (MPEG Common Encryption, track \(index + 1)), and is not read; decrypt it "
            + "first")
      }
      let number = packetCounts[index, default: 0]
      packetCounts[index] = number + 1
      if sequence != nil {
        let time = target.pointee.pts
        sequencePlace = (time == cffmpeg_nopts ? sequencePlace : Int(clamping: time)) + 1
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
    // The first packet is enough: no more of this stream is read.
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

  /// Streams of a container without a header of all its tracks that have neither a size nor a rate yet. Once
  /// its table of programs is read, an MPEG stream has a header for libavformat.
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
      // The file existed when the sequence was opened; whether it was whole was not known.
      throw AssetReaderError(
        .truncated,
        "\(path) ends early: \(sequence.path(ofPicture: sequencePlace)) gives no picture, and "
          + "\(sequence.count - sequencePlace) of \(sequence.count) files are not read; bring it back whole"
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
        : "\(path) cannot be read on: \(reason)",
      errno: inputError < 0 ? Errno(rawValue: -inputError) : nil)
  }

  /// libavformat takes some files that were cut for whole ones.
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
    // The list of all formats that libavformat may open is of no use to anybody.
    case _ where reason.contains("not on whitelist"):
      return AssetReaderError(
        .notAMovie,
        "\(path) is a picture, a playlist or a list of files; name a movie, or numbered pictures as "
          + "name_%04d.jpg")
    default:
      return AssetReaderError(
        .notAMovie,
        "\(path) is not a readable movie (\(reason)); name a movie or a Y4M file, or give "
          + "?size=…&rate=…&format=… for raw video")
    }
  }
}
