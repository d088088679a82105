import CFFmpeg
import MediaCore

extension LibavSource {
  /// A track and its decoder.
  final class Lane {
    let track: AssetTrack
    let decoder: LibavDecoder
    let timeBase: AVRational
    let frames: FrameMapper?
    let proRes: ProResFrames?
    /// Weaves fields into frames, if each coded picture is a field.
    private let weaver: FieldWeaver?
    /// Frames that lack their second field; nil if the codec has no such fields.
    let loneFields: LoneFields?
    var audio: AudioMapper?
    /// Cuts audio to its edit list.
    var cut: AudioCut?
    var index: Int64 = 0
    var nextTime: MediaTime
    /// Packets sent to the decoder that have produced no output yet.
    var pending: PendingPackets
    /// Pieces of the last decoded audio that follow the delivered one.
    var ready: [AssetSample] = []
    /// The decode time of the last packet.
    var lastDecodeTime = MediaTime.invalid
    /// The decode time of the first packet sent to the decoder.
    private(set) var firstDecodeTime: MediaTime?
    /// How much the decoder needlessly delays frames; nil before the first one.
    var delay: MediaTime?
    /// Times of truncated images that the decoder has not delivered yet.
    var cutImages: Set<Int64> = []
    /// True if the decoder gets no more packets.
    var hasAll = false
    /// False for MPEG-1 and MPEG-2, whose decoder adds a group's timecode to a frame only if another packet follows.
    var canEndEarly: Bool {
      let codec = decoder.context.pointee.codec_id
      return codec != AV_CODEC_ID_MPEG1VIDEO && codec != AV_CODEC_ID_MPEG2VIDEO
    }
    /// True from the end of the packets until the decoder is reset.
    var isDraining = false
    /// The first packet of another part, which waits until the decoder has delivered the part
    /// before.
    var nextPart: CompressedPacket?

    init(
      _ track: AssetTrack, _ decoder: LibavDecoder, timeBase: AVRational, name: String,
      ledger: FrameLedger, keepsAlpha: Bool, color: ColorDescription?,
      proRes: ProResFrames?, loneFields: LoneFields?
    ) throws(AssetReaderError) {
      weaver = track.isOfSingleFields ? try FieldWeaver(name: name) : nil
      self.track = track
      self.decoder = decoder
      self.timeBase = timeBase
      frames =
        track.mediaType == .video
        ? FrameMapper(
          track: track, name: name, ledger: ledger, keepsAlpha: keepsAlpha, color: color) : nil
      self.proRes = proRes
      self.loneFields = loneFields
      audio = track.audio.map { AudioMapper(format: $0, name: name) }
      cut = track.audio.map { AudioCut(rate: $0.sampleRate) }
      pending = PendingPackets(of: decoder.context.pointee.codec_id, track.mediaType)
      nextTime = track.startTime.isNumeric ? track.startTime : .zero
    }

    /// Records a packet before it is sent to the decoder.
    func willSend(_ packet: CompressedPacket) {
      pending.send(packet, track.mediaType)
      loneFields?.take(packet)
      cut?.send(packet.heard)
      if firstDecodeTime == nil { firstDecodeTime = packet.decodeTimeStamp }
    }

    /// Receives the decoder's next frame.
    func receive() throws(AssetReaderError) -> LibavDecoder.Outcome {
      guard let weaver else { return try decoder.receive() }
      return try weaver.receive(from: decoder)
    }

    /// True for audio that continues where the previous audio ended and whose time stamp is rounded
    /// by a coarse clock. Counting samples then gives a time as exact as the first packet's, which
    /// itself is rounded after a seek.
    func runsOn(to stamp: MediaTime) -> Bool {
      guard let audio = track.audio, index > 0, timeBase.num > 0, timeBase.den > 0,
        Int64(timeBase.num) * Int64(audio.sampleRate) > Int64(timeBase.den)
      else { return false }
      let step = stamp > nextTime ? stamp - nextTime : nextTime - stamp
      return step <= MediaTime(1, in: timeBase)
    }

    /// True for a packet that begins another part of a concatenated stream. A step back by about a
    /// day is a 33-bit clock that wraps.
    func beginsPart(_ packet: CompressedPacket) -> Bool {
      defer { if packet.decodeTimeStamp.isNumeric { lastDecodeTime = packet.decodeTimeStamp } }
      guard packet.isKeyFrame, packet.decodeTimeStamp.isNumeric, lastDecodeTime.isNumeric else {
        return false
      }
      let step = (packet.decodeTimeStamp - lastDecodeTime).seconds
      return step > 10 || step < -0.25 && step > -90_000
    }

    /// The decoder's audio, cut to its edit list; nil if the edit list leaves all of it out.
    ///
    /// - Parameters:
    ///   - stamp: Its start time, unless its edit list gives a more exact one.
    ///   - place: The start time in words, for messages.
    func audioSample(
      at stamp: MediaTime, _ place: @autoclosure () -> String, isDamaged: Bool
    ) throws(AssetReaderError) -> AssetSample? {
      let frame = decoder.frame
      guard let buffer = try audio?.audio(frame, at: place()), buffer.frameCount > 0 else {
        return nil
      }
      let whole = AudioCut.Piece(samples: 0..<buffer.frameCount, time: stamp)
      let pieces =
        cut?.isWanted == true
        ? cut?.pieces(
          ofSamples: buffer.frameCount,
          at: frame.pointee.pts == cffmpeg_nopts ? nil : frame.pointee.pts) ?? []
        : [whole]
      let samples = pieces.map { sample($0, of: buffer, isDamaged: isDamaged) }
      ready = Array(samples.dropFirst())
      return samples.first
    }

    private func sample(
      _ piece: AudioCut.Piece, of whole: AudioBuffer, isDamaged: Bool
    ) -> AssetSample {
      let isWhole = piece.samples.count == whole.frameCount
      let buffer = isWhole ? whole : whole.part(piece.samples)
      let clipped = audio?.clipped ?? []
      defer { index += Int64(buffer.frameCount) }
      nextTime = piece.time + buffer.duration
      var attachments = SampleBuffer.Attachments()
      attachments.isDamaged = isDamaged
      return AssetSample(
        trackID: track.id,
        sampleBuffer: SampleBuffer(
          .audio(buffer), presentationTimeStamp: piece.time, duration: buffer.duration,
          attachments: attachments), index: index, isKeyFrame: true,
        channelLayout: AudioMapper.layout(decoder.frame),
        clipped: isWhole ? clipped : clipped.compactMap { $0.moved(into: piece.samples) })
    }
  }
}
