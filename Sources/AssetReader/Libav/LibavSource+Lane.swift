import CFFmpeg
import MediaCore

extension LibavSource {
  /// One track on its way through its decoder.
  final class Lane {
    let track: AssetTrack
    let decoder: LibavDecoder
    let timeBase: AVRational
    let pictures: PictureMapper?
    let proRes: ProResPictures?
    /// Makes frames of fields, where each picture is one.
    private let weaver: FieldWeaver?
    var sound: SoundMapper?
    /// What is heard of the sound, where an edit list says it.
    var cut: SoundCut?
    var index: Int64 = 0
    var nextTime: MediaTime
    /// The packets that the decoder has had.
    var pending: PendingPackets
    /// When the last packet is decoded.
    var lastDecodeTime = MediaTime.invalid
    /// When the first packet is decoded that went to the decoder.
    private(set) var firstDecodeTime: MediaTime?
    /// How much later than it is decoded a picture comes that the decoder needlessly holds back; nil before the first.
    var delay: MediaTime?
    /// Times of images without their end that the decoder has not given yet.
    var cutImages: Set<Int64> = []
    /// The first packet of another part, which waits until the decoder gave all of the part before.
    var nextPart: CompressedPacket?

    init(
      _ track: AssetTrack, _ decoder: LibavDecoder, timeBase: AVRational, name: String,
      ledger: OutstandingPictures, keepsAlpha: Bool, color: ColorDescription?,
      proRes: ProResPictures?
    ) throws(AssetReaderError) {
      weaver = track.isOfSingleFields ? try FieldWeaver(name: name) : nil
      self.track = track
      self.decoder = decoder
      self.timeBase = timeBase
      pictures =
        track.mediaType == .video
        ? PictureMapper(
          track: track, name: name, ledger: ledger, keepsAlpha: keepsAlpha, color: color) : nil
      self.proRes = proRes
      sound = track.audio.map { SoundMapper(format: $0, name: name) }
      cut = track.audio.map { SoundCut(rate: $0.sampleRate) }
      pending = PendingPackets(of: decoder.context.pointee.codec_id, track.mediaType)
      nextTime = track.startTime.isNumeric ? track.startTime : .zero
    }

    /// Notes a packet that goes to the decoder.
    func willSend(_ packet: CompressedPacket) {
      pending.send(packet, track.mediaType)
      cut?.send(packet.heard)
      if firstDecodeTime == nil { firstDecodeTime = packet.decodeTimeStamp }
    }

    /// Asks the decoder for the next frame.
    func receive() throws(AssetReaderError) -> LibavDecoder.Outcome {
      guard let weaver else { return try decoder.receive() }
      return try weaver.receive(from: decoder)
    }

    /// True for sound whose time a coarse clock rounds, and which goes on where the sound before it ended: by
    /// count its place is as exact as that of the first packet that was read. Behind a seek that is a rounded one.
    func runsOn(to stamp: MediaTime) -> Bool {
      guard let audio = track.audio, index > 0, timeBase.num > 0, timeBase.den > 0,
        Int64(timeBase.num) * Int64(audio.sampleRate) > Int64(timeBase.den)
      else { return false }
      let step = stamp > nextTime ? stamp - nextTime : nextTime - stamp
      return step <= MediaTime(1, in: timeBase)
    }

    /// True for a packet with which another part of a joined stream begins. A step of a day back is a clock
    /// of 33 bits that wraps.
    func beginsPart(_ packet: CompressedPacket) -> Bool {
      defer { if packet.decodeTimeStamp.isNumeric { lastDecodeTime = packet.decodeTimeStamp } }
      guard packet.isKeyFrame, packet.decodeTimeStamp.isNumeric, lastDecodeTime.isNumeric else {
        return false
      }
      let step = (packet.decodeTimeStamp - lastDecodeTime).seconds
      return step > 10 || step < -0.25 && step > -90_000
    }

    /// The frame of sound that the decoder gave, as far as its edit list has it; nil where that has nothing of it.
    ///
    /// - Parameters:
    ///   - stamp: When it begins, unless its edit list tells that to the sample.
    ///   - place: The same in words, for messages.
    func soundSample(
      at stamp: MediaTime, _ place: @autoclosure () -> String, isDamaged: Bool
    ) throws(AssetReaderError) -> AssetSample? {
      let frame = decoder.frame
      guard var buffer = try sound?.sound(frame, at: place()), buffer.frameCount > 0 else {
        return nil
      }
      var (time, clipped) = (stamp, sound?.clipped ?? [])
      if cut?.isWanted == true {
        guard
          let piece = cut?.piece(
            ofSamples: buffer.frameCount,
            at: frame.pointee.pts == cffmpeg_nopts ? nil : frame.pointee.pts)
        else { return nil }
        time = piece.time
        if piece.samples.count < buffer.frameCount {
          buffer = buffer.part(piece.samples)
          clipped = clipped.compactMap { $0.moved(into: piece.samples) }
        }
      }
      defer { index += Int64(buffer.frameCount) }
      nextTime = time + buffer.duration
      var attachments = SampleBuffer.Attachments()
      attachments.isDamaged = isDamaged
      return AssetSample(
        trackID: track.id,
        sampleBuffer: SampleBuffer(
          .audio(buffer), presentationTimeStamp: time, duration: buffer.duration,
          attachments: attachments), index: index, isKeyFrame: true,
        channelLayout: SoundMapper.layout(frame), clipped: clipped)
    }
  }
}
