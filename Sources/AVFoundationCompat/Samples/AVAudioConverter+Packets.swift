import AssetReader
import AssetWriter
public import Foundation
import MediaCore

/// A converter's state for encoding or decoding packets.
struct PacketCoding {
  var encoder: AudioPacketEncoder?
  var decoder: AudioPacketDecoder?
  /// Packets that did not fit into the output buffer.
  var waiting: [[UInt8]] = []
  /// The requested bits per second.
  var bitRate: Int?
  /// The decoder configuration that a program set for the input packets.
  var cookie: Data?

  /// Starts a new stream.
  mutating func reset() { (encoder, decoder, waiting) = (nil, nil, []) }
}

extension AVAudioConverter {
  /// Bits per second of AAC: 64000 per channel by default. Setting it starts a new stream. If the output is not AAC,
  /// it is 0 and setting it has no effect.
  public var bitRate: Int {
    get {
      guard case .aac(let rate)? = outputFormat.compression?.compression else { return 0 }
      return coding.bitRate ?? rate ?? 64_000 * Int(outputFormat.channelCount)
    }
    set {
      guard case .aac? = outputFormat.compression?.compression else { return }
      coding.bitRate = newValue
      reset()
    }
  }

  /// The decoder configuration: MPEG-4's for AAC, or the 24 bytes of Apple Lossless. An encoding converter has it
  /// from the first packet on. Setting it applies to the input's packets.
  public var magicCookie: Data? {
    get { coding.encoder.map { Self.cookie($0.configuration) } ?? coding.cookie }
    set {
      coding.cookie = newValue
      coding.decoder = nil
    }
  }

  /// The size of the largest packet, or of a frame of linear PCM, in bytes.
  public var maximumOutputPacketSize: Int {
    outputFormat.compression == nil
      ? outputFormat.format.bytesPerFrame : outputFormat.largestPacket
  }

  /// libavcodec's Apple Lossless configuration is an atom, which starts with its size, name and version.
  private static let losslessAtom: [UInt8] = [0, 0, 0, 36, 0x61, 0x6C, 0x61, 0x63, 0, 0, 0, 0]

  private static func cookie(_ configuration: [UInt8]) -> Data {
    let isAtom = configuration.starts(with: losslessAtom)
    return Data(isAtom ? configuration.dropFirst(losslessAtom.count) : configuration[...])
  }

  private func madeEncoder() throws(AVError) -> AudioPacketEncoder {
    if let encoder = coding.encoder { return encoder }
    guard var settings = outputFormat.compression else {
      throw AVError(.formatUnsupported, "the output is not compressed")
    }
    if let rate = coding.bitRate { settings.compression = .aac(bitRate: rate) }
    do throws(AssetWriterError) {
      let encoder = try AudioPacketEncoder(settings)
      coding.encoder = encoder
      outputFormat.magicCookie = Self.cookie(encoder.configuration)
      return encoder
    } catch { throw AVError(error) }
  }

  /// Fills a buffer with encoded packets, like `convert(to:error:withInputFrom:)`.
  func encode(
    to output: AVAudioCompressedBuffer, _ inputBlock: AVAudioConverterInputBlock
  ) throws(AVError) -> AVAudioConverterOutputStatus {
    let encoder = try madeEncoder()
    var ranDry = false
    while coding.waiting.count < Int(output.packetCapacity), !hasEnded, !ranDry {
      var status = AVAudioConverterInputStatus.noDataNow
      let given = inputBlock(AVAudioPacketCount(clamping: encoder.framesPerPacket), &status)
      var converted: MediaCore.AudioBuffer?
      switch status {
      case .haveData:
        let audio = try audio(of: given)
        if let audio { converted = try self.converted(audio) }
        ranDry = audio == nil
      case .noDataNow: ranDry = true
      case .endOfStream:
        converted = converter.finish()
        hasEnded = true
      }
      do throws(AssetWriterError) {
        if let converted { coding.waiting += try encoder.append(converted) }
        if hasEnded { coding.waiting += try encoder.finish() }
      } catch { throw AVError(error) }
    }
    guard let count = output.fill(coding.waiting) else {
      throw AVError(
        .operationNotAllowed,
        "a packet is larger than the buffer's maximumPacketSize of \(output.maximumPacketSize) bytes; "
          + "use maximumOutputPacketSize")
    }
    coding.waiting.removeFirst(count)
    if count == Int(output.packetCapacity) || (hasEnded && count > 0) { return .haveData }
    return hasEnded ? .endOfStream : .inputRanDry
  }

  /// The audio of an input buffer with mapped channels; nil for none.
  ///
  /// - Throws: ``AVError/Code/operationNotAllowed`` for a buffer of another format, ``AVError/Code/decodeFailed`` for
  ///   damaged packets.
  func audio(of given: AVAudioBuffer?) throws(AVError) -> MediaCore.AudioBuffer? {
    guard let given, given.format == inputFormat else {
      throw AVError(.operationNotAllowed, "the input buffer's format is not the converter's")
    }
    if let plain = given as? AVAudioPCMBuffer {
      return plain.interleaved().map { mapped($0) }
    }
    guard let packets = (given as? AVAudioCompressedBuffer)?.packets else {
      throw AVError(
        .decodeFailed, "the input buffer's packet descriptions exceed its bytes")
    }
    var whole: [UInt8] = []
    var format: AudioFormat?
    for packet in packets {
      guard let made = try decoded(packet) else { continue }
      format = made.format
      whole += made.bytes
    }
    guard let format, let audio = try? MediaCore.AudioBuffer(format: format, bytes: whole) else {
      return nil
    }
    return mapped(audio)
  }

  private func decoded(_ packet: [UInt8]) throws(AVError) -> MediaCore.AudioBuffer? {
    let form = inputFormat.format
    do throws(AssetReaderError) {
      let decoder = if let decoder = coding.decoder { decoder } else { try madeDecoder() }
      coding.decoder = decoder
      guard let made = try decoder.decode(packet.span.bytes) else { return nil }
      guard made.format.sampleRate == form.sampleRate,
        made.format.channelCount == form.channelCount
      else {
        throw AssetReaderError(
          .unsupported,
          "the packets have \(made.format.channelCount) channels at \(made.format.sampleRate) Hz, unlike "
            + "the converter's format")
      }
      return made
    } catch { throw AVError(error) }
  }

  private func madeDecoder() throws(AssetReaderError) -> AudioPacketDecoder {
    let isLossless = inputFormat.compression?.compression == .appleLossless
    let described = (coding.cookie ?? inputFormat.magicCookie).map { [UInt8]($0) }
    if isLossless {
      guard let described, described.count >= 24 else {
        throw AssetReaderError(
          .unsupported,
          "decoding Apple Lossless needs the encoder's magicCookie; set it")
      }
      return try AudioPacketDecoder(
        isLossless: true,
        configuration: described.count == 24 ? Self.losslessAtom + described : described)
    }
    return try AudioPacketDecoder(isLossless: false, configuration: described ?? plainConfiguration)
  }

  /// MPEG-4's configuration of AAC-LC for a sample rate and channel count.
  private var plainConfiguration: [UInt8] {
    let rates = [
      96_000, 88_200, 64_000, 48_000, 44_100, 32_000, 24_000, 22_050, 16_000, 12_000, 11_025, 8000,
    ]
    let rate = rates.firstIndex(of: inputFormat.format.sampleRate) ?? 4
    let bits = 2 << 11 | rate << 7 | inputFormat.format.channelCount << 3
    return [UInt8(bits >> 8), UInt8(bits & 0xFF)]
  }
}
