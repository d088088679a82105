import CFFmpeg
import MediaCore
import QuickTime

/// Owns the muxer of libavformat that writes a movie into a file.
final class MovieMuxer {
  private let output: MovieFileOutput
  private let name: String
  private let context: UnsafeMutablePointer<AVFormatContext>
  /// Seconds of a unit of each track's packets.
  private var timeBases: [AVRational] = []
  /// What is added to the packets' times.
  private let offset: MediaTime
  private(set) var packetCount = 0
  /// Bytes of the packets.
  private(set) var packetBytes: Int64 = 0
  /// True once what comes behind the packets was asked for: libavformat does it once, and takes no packet after it.
  private var isEnding = false
  /// True once the file has all of it.
  private(set) var isComplete = false

  /// - Parameter offset: What is added to the packets' times.
  /// - Throws: ``QuickTimeError/Code/unsupported`` where libavformat lacks the muxer.
  init(
    _ output: MovieFileOutput, fileType: FileType, offset: MediaTime = .zero
  ) throws(QuickTimeError) {
    LibavLibrary.prepare()
    self.output = output
    self.offset = offset
    name = output.file.name
    var made: UnsafeMutablePointer<AVFormatContext>?
    avformat_alloc_output_context2(&made, nil, fileType.muxer, nil)
    guard let made else {
      throw QuickTimeError(
        .unsupported, "this machine's libavformat does not write .\(fileType.pathExtension) files")
    }
    context = made
    context.pointee.pb = output.context
    context.pointee.flags |= AVFMT_FLAG_CUSTOM_IO
  }

  deinit { avformat_free_context(context) }

  // MARK: Before the beginning

  /// Adds a track.
  ///
  /// - Parameters:
  ///   - timeBase: Seconds of a unit of its packets' times.
  ///   - describe: Says what the packets are.
  /// - Returns: The stream, to say more of it.
  func addStream(
    timeBase: AVRational,
    _ describe: (UnsafeMutablePointer<AVCodecParameters>) throws(QuickTimeError) -> Void
  ) throws(QuickTimeError) -> UnsafeMutablePointer<AVStream> {
    guard let stream = avformat_new_stream(context, nil), let parameters = stream.pointee.codecpar
    else { throw EncoderContext.outOfMemory }
    try describe(parameters)
    stream.pointee.time_base = timeBase
    timeBases.append(timeBase)
    return stream
  }

  /// Gives the movie a fact about it.
  func setMetadata(_ key: String, _ value: String) {
    av_dict_set(&context.pointee.metadata, key, value, 0)
  }

  /// Writes what comes before the packets.
  ///
  /// - Parameter options: The muxer's, by name.
  func start(_ options: [String: String]) throws(QuickTimeError) {
    var dictionary: OpaquePointer?
    for (key, value) in options { av_dict_set(&dictionary, key, value, 0) }
    let status = avformat_write_header(context, &dictionary)
    av_dict_free(&dictionary)
    try check(status, "begin the file")
  }

  // MARK: Packets

  /// Writes a packet, or keeps it until those of other tracks come that belong before it.
  func write(_ packet: UnsafeMutablePointer<AVPacket>, track: Int) throws(QuickTimeError) {
    guard !isEnding else {
      throw QuickTimeError(.invalidState, "\(name): its last packets are written")
    }
    guard let stream = cffmpeg_stream(context, Int32(track)) else { return }
    packetCount += 1
    packetBytes += Int64(packet.pointee.size)
    packet.pointee.stream_index = Int32(track)
    av_packet_rescale_ts(packet, timeBases[track], stream.pointee.time_base)
    let later = av_rescale_q(
      offset.value, AVRational(num: 1, den: offset.timescale), stream.pointee.time_base)
    packet.pointee.pts += later
    packet.pointee.dts += later
    try check(av_interleaved_write_frame(context, packet), "write")
  }

  /// Writes the pending packets as a fragment. If the index is delayed until the first packets, the first call writes
  /// only that, and the second one the fragment.
  func endFragment() throws(QuickTimeError) {
    try check(av_interleaved_write_frame(context, nil), "write")
    try check(av_write_frame(context, nil), "write a fragment")
    try output.flush()
  }

  /// Writes the pending packets and the trailer.
  func finish() throws(QuickTimeError) {
    guard !isComplete else { return }
    // Fails here where the disk does not take all packets, before the index is written.
    try output.flush()
    guard !isEnding else {
      throw QuickTimeError(.ioFailed, "\(name): libavformat could not complete the file")
    }
    isEnding = true
    try check(av_write_trailer(context), "complete the file")
    try output.flush()
    isComplete = true
  }

  private func check(_ status: Int32, _ what: String) throws(QuickTimeError) {
    if let failure = output.failure { throw failure }
    guard status < 0 else { return }
    throw QuickTimeError(
      .ioFailed, "\(name): libavformat could not \(what): \(LibavLibrary.message(status))")
  }
}
