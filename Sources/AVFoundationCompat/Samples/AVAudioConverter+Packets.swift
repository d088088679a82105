import AssetReader
import AssetWriter
public import Foundation
import MediaCore

/// What a converter needs to make packets, or audio of packets.
struct PacketCoding {
  var encoder: SoundPacketEncoder?
  var decoder: SoundPacketDecoder?
  /// Packets that had no room.
  var waiting: [[UInt8]] = []
  /// Bits a second that were asked for.
  var bitRate: Int?
  /// What a program says of the packets that it has.
  var cookie: Data?

  /// A stream begins.
  mutating func reset() { (encoder, decoder, waiting) = (nil, nil, []) }
}

extension AVAudioConverter {
  /// Bits a second of AAC: 64000 a channel unless set. To set it begins a new stream; where the output is not AAC, it
  /// changes nothing, and is 0.
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

  /// What a decoder has to be told besides the packets: MPEG-4's configuration of AAC, or Apple Lossless' of 24
  /// bytes. Of a converter that compresses it is there from the first packet on. Set, it is of the input's packets.
  public var magicCookie: Data? {
    get { coding.encoder.map { Self.cookie($0.configuration) } ?? coding.cookie }
    set {
      coding.cookie = newValue
      coding.decoder = nil
    }
  }

  /// Bytes of the largest packet, or of a frame of linear PCM.
  public var maximumOutputPacketSize: Int {
    outputFormat.compression == nil
      ? outputFormat.format.bytesPerFrame : outputFormat.largestPacket
  }

  /// Libavcodec's configuration of Apple Lossless is an atom: its size, its name and a version come before.
  private static let losslessAtom: [UInt8] = [0, 0, 0, 36, 0x61, 0x6C, 0x61, 0x63, 0, 0, 0, 0]

  private static func cookie(_ configuration: [UInt8]) -> Data {
    let isAtom = configuration.starts(with: losslessAtom)
    return Data(isAtom ? configuration.dropFirst(losslessAtom.count) : configuration[...])
  }

  private func madeEncoder() throws(AVError) -> SoundPacketEncoder {
    if let encoder = coding.encoder { return encoder }
    guard var settings = outputFormat.compression else {
      throw AVError(.formatUnsupported, "the output is not compressed")
    }
    if let rate = coding.bitRate { settings.compression = .aac(bitRate: rate) }
    do throws(AssetWriterError) {
      let encoder = try SoundPacketEncoder(settings)
      coding.encoder = encoder
      outputFormat.magicCookie = Self.cookie(encoder.configuration)
      return encoder
    } catch { throw AVError(error) }
  }

  /// Fills a buffer with the packets that a stream becomes, as `convert(to:error:withInputFrom:)`.
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
        let sound = try sound(of: given)
        if let sound { converted = try self.converted(sound) }
        ranDry = sound == nil
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
        "a packet is larger than the \(output.maximumPacketSize) bytes that the buffer has for one; "
          + "use maximumOutputPacketSize")
    }
    coding.waiting.removeFirst(count)
    if count == Int(output.packetCapacity) || (hasEnded && count > 0) { return .haveData }
    return hasEnded ? .endOfStream : .inputRanDry
  }

  /// The audio of an input buffer, as the map has its channels; nil for none.
  ///
  /// - Throws: ``AVError/Code/operationNotAllowed`` for a buffer of another format, ``AVError/Code/decodeFailed`` for
  ///   packets that are damaged.
  func sound(of given: AVAudioBuffer?) throws(AVError) -> MediaCore.AudioBuffer? {
    guard let given, given.format == inputFormat else {
      throw AVError(.operationNotAllowed, "the input buffer's format is not the converter's")
    }
    if let plain = given as? AVAudioPCMBuffer {
      return plain.interleaved().map { mapped($0) }
    }
    guard let packets = (given as? AVAudioCompressedBuffer)?.packets else {
      throw AVError(
        .decodeFailed, "the input buffer's packet descriptions lie outside of its bytes")
    }
    var whole: [UInt8] = []
    var format: AudioFormat?
    for packet in packets {
      guard let made = try decoded(packet) else { continue }
      format = made.format
      whole += made.bytes
    }
    guard let format, let sound = try? MediaCore.AudioBuffer(format: format, bytes: whole) else {
      return nil
    }
    return mapped(sound)
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
          "the packets have \(made.format.channelCount) channels of \(made.format.sampleRate) Hz, and "
            + "not those of the converter's format")
      }
      return made
    } catch { throw AVError(error) }
  }

  private func madeDecoder() throws(AssetReaderError) -> SoundPacketDecoder {
    let isLossless = inputFormat.compression?.compression == .appleLossless
    let told = (coding.cookie ?? inputFormat.magicCookie).map { [UInt8]($0) }
    if isLossless {
      guard let told, told.count >= 24 else {
        throw AssetReaderError(
          .unsupported,
          "packets of Apple Lossless are decoded with the encoder's magicCookie; set it")
      }
      return try SoundPacketDecoder(
        isLossless: true, configuration: told.count == 24 ? Self.losslessAtom + told : told)
    }
    return try SoundPacketDecoder(isLossless: false, configuration: told ?? plainConfiguration)
  }

  /// MPEG-4's configuration of AAC of low complexity, by rate and channels.
  private var plainConfiguration: [UInt8] {
    let rates = [
      96_000, 88_200, 64_000, 48_000, 44_100, 32_000, 24_000, 22_050, 16_000, 12_000, 11_025, 8000,
    ]
    let rate = rates.firstIndex(of: inputFormat.format.sampleRate) ?? 4
    let bits = 2 << 11 | rate << 7 | inputFormat.format.channelCount << 3
    return [UInt8(bits >> 8), UInt8(bits & 0xFF)]
  }
}
