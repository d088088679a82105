import CFFmpeg
import MediaCore
import QuickTime

/// Writes linear PCM beside compressed video, and on its own into audio files.
final class PlainAudioWriter: AudioTrackWriter {
  private let format: AudioFormat
  private let isBigEndian: Bool
  /// False where nobody says what more than two channels are for.
  private let hasPlaces: Bool
  private var waiting: WaitingAudio
  private(set) var given: Int64 = 0
  private let packet: UnsafeMutablePointer<AVPacket>
  /// Frames of a packet.
  private static let packetFrames = 1024

  /// - Throws: ``QuickTimeError/Code/outOfMemory``.
  init(_ settings: AudioOutputSettings, in fileType: FileType) throws(QuickTimeError) {
    format = settings.format
    let audioFile = AudioFile(fileType)
    isBigEndian = audioFile?.byteOrder(of: settings) == .big
    hasPlaces = audioFile == nil || format.channelCount <= 2
    waiting = WaitingAudio(channels: format.channelCount)
    guard let packet = av_packet_alloc() else { throw EncoderContext.outOfMemory }
    self.packet = packet
  }

  deinit {
    var owned: UnsafeMutablePointer<AVPacket>? = packet
    av_packet_free(&owned)
  }

  func describe(_ parameters: UnsafeMutablePointer<AVCodecParameters>) throws(QuickTimeError) {
    parameters.pointee.codec_type = AVMEDIA_TYPE_AUDIO
    parameters.pointee.codec_id =
      switch format.sampleFormat {
      case .int16: isBigEndian ? AV_CODEC_ID_PCM_S16BE : AV_CODEC_ID_PCM_S16LE
      case .int24: isBigEndian ? AV_CODEC_ID_PCM_S24BE : AV_CODEC_ID_PCM_S24LE
      case .float32: isBigEndian ? AV_CODEC_ID_PCM_F32BE : AV_CODEC_ID_PCM_F32LE
      case .int32: isBigEndian ? AV_CODEC_ID_PCM_S32BE : AV_CODEC_ID_PCM_S32LE
      }
    parameters.pointee.sample_rate = Int32(clamping: format.sampleRate)
    if hasPlaces {
      cffmpeg_parameters_set_channels(parameters, Int32(format.channelCount))
    } else {
      cffmpeg_parameters_set_placeless_channels(parameters, Int32(format.channelCount))
    }
    parameters.pointee.bits_per_coded_sample = Int32(format.sampleFormat.bitDepth)
    parameters.pointee.block_align = Int32(format.bytesPerFrame)
    parameters.pointee.frame_size = 1
    parameters.pointee.bit_rate = Int64(format.bytesPerFrame) * 8 * Int64(format.sampleRate)
  }

  func append(_ samples: [Int32]) { waiting.append(samples) }

  func give(keeping kept: Int, _ take: Take) throws(QuickTimeError) {
    while waiting.count - kept >= Self.packetFrames { try write(Self.packetFrames, take) }
  }

  func finish(end: Int64?, _ take: Take) throws(QuickTimeError) {
    var left = waiting.count
    if let end { left = min(left, Int(clamping: max(end - given, 0))) }
    while left > 0 {
      let count = min(left, Self.packetFrames)
      try write(count, take)
      left -= count
    }
  }

  private func write(_ count: Int, _ take: Take) throws(QuickTimeError) {
    let width = format.sampleFormat.byteCount
    guard av_new_packet(packet, Int32(count * format.bytesPerFrame)) == 0,
      let bytes = packet.pointee.data
    else { throw EncoderContext.outOfMemory }
    defer { av_packet_unref(packet) }
    waiting.take(count) { samples in
      var place = 0
      for sample in samples {
        let top = UInt32(bitPattern: sample) >> UInt32(32 - width * 8)
        for byte in 0..<width {
          let rank = isBigEndian ? width - 1 - byte : byte
          bytes[place] = UInt8(truncatingIfNeeded: top >> UInt32(rank * 8))
          place += 1
        }
      }
    }
    packet.pointee.pts = given
    packet.pointee.dts = given
    packet.pointee.duration = Int64(count)
    packet.pointee.flags |= AV_PKT_FLAG_KEY
    given += Int64(count)
    try take(packet)
  }
}
