import CFFmpeg
import MediaCore
import QuickTime

/// Compresses the audio of a track as AAC or Apple Lossless.
final class AudioCompressor: AudioTrackWriter {
  private let encoder: EncoderContext
  private let channels: Int
  private var waiting: WaitingAudio
  private(set) var given: Int64 = 0

  /// - Throws: ``QuickTimeError/Code/encodingFailed``, ``QuickTimeError/Code/outOfMemory``.
  init(_ settings: AudioOutputSettings) throws(QuickTimeError) {
    let name: String
    do throws(AssetWriterError) {
      name = try LibavCompressor.encoder(for: settings.compression)
    } catch { throw QuickTimeError(.encodingFailed, error.message) }
    encoder = try EncoderContext(name)
    channels = settings.format.channelCount
    waiting = WaitingAudio(channels: channels)
    let context = encoder.context
    let rate = Int32(clamping: settings.format.sampleRate)
    context.pointee.sample_rate = rate
    context.pointee.time_base = AVRational(num: 1, den: rate)
    cffmpeg_encoder_set_channels(context, channels == 1 ? 4 : 3)
    if case .aac = settings.compression {
      context.pointee.bit_rate = Int64(settings.aacBitRate)
      context.pointee.sample_fmt = AV_SAMPLE_FMT_FLTP
    } else {
      let isWide = settings.format.sampleFormat != .int16
      context.pointee.sample_fmt = isWide ? AV_SAMPLE_FMT_S32P : AV_SAMPLE_FMT_S16P
      context.pointee.bits_per_raw_sample = isWide ? 24 : 16
    }
    try encoder.open(for: "\(settings.compression.name) of \(rate) Hz")
  }

  func describe(_ parameters: UnsafeMutablePointer<AVCodecParameters>) throws(QuickTimeError) {
    guard avcodec_parameters_from_context(parameters, encoder.context) >= 0 else {
      throw EncoderContext.outOfMemory
    }
    parameters.pointee.codec_tag = 0
  }

  /// Frames of a packet.
  var frameSize: Int { max(Int(encoder.context.pointee.frame_size), 1) }

  func append(_ samples: [Int32]) { waiting.append(samples) }

  func give(keeping kept: Int, _ take: Take) throws(QuickTimeError) {
    while waiting.count - kept >= frameSize { try encode(frameSize, take) }
  }

  func finish(end: Int64?, _ take: Take) throws(QuickTimeError) {
    var left = waiting.count
    if let end { left = min(left, Int(clamping: max(end - given, 0))) }
    while left > 0 {
      let count = min(left, frameSize)
      try encode(count, take)
      left -= count
    }
    try encoder.encode(nil, take)
  }

  private func encode(_ count: Int, _ take: Take) throws(QuickTimeError) {
    guard let frame = cffmpeg_encoder_audio_frame(encoder.context, Int32(count)) else {
      throw EncoderContext.outOfMemory
    }
    defer {
      var owned: UnsafeMutablePointer<AVFrame>? = frame
      av_frame_free(&owned)
    }
    frame.pointee.pts = given
    waiting.take(count) { samples in fill(frame, samples, count) }
    given += Int64(count)
    try encoder.encode(frame, take)
  }

  private func fill(
    _ frame: UnsafeMutablePointer<AVFrame>, _ samples: UnsafeBufferPointer<Int32>, _ count: Int
  ) {
    for channel in 0..<channels {
      guard let plane = cffmpeg_frame_audio_data(frame, Int32(channel)) else { continue }
      let memory = UnsafeMutableRawPointer(plane)
      var place = channel
      for index in 0..<count {
        let sample = samples[place]
        switch encoder.context.pointee.sample_fmt {
        case AV_SAMPLE_FMT_FLTP:
          memory.storeBytes(
            of: Float(sample) / 2_147_483_648, toByteOffset: 4 * index, as: Float.self)
        case AV_SAMPLE_FMT_S16P:
          memory.storeBytes(
            of: Int16(truncatingIfNeeded: sample >> 16), toByteOffset: 2 * index, as: Int16.self)
        default:
          memory.storeBytes(of: sample, toByteOffset: 4 * index, as: Int32.self)
        }
        place += channels
      }
    }
  }
}
