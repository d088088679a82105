import MediaCore

extension AudioOutputSettings {
  /// Rates of samples that AAC has (ISO/IEC 14496-3, table 1.18).
  package static let aacRates = [
    8000, 11_025, 12_000, 16_000, 22_050, 24_000, 32_000, 44_100, 48_000, 64_000, 88_200, 96_000,
  ]
  /// Bits a second of a channel.
  static let aacChannelRates = 8000...320_000

  /// Rejects settings that no audio encoder supports.
  ///
  /// - Throws: ``AssetWriterError/Code/invalidSettings``,
  ///   ``AssetWriterError/Code/encoderUnavailable``.
  func validateCompressed() throws(AssetWriterError) {
    _ = try LibavCompressor.encoder(for: compression)
    guard trackLayout == .poly else {
      throw invalid("only linear PCM can have a track for each channel; use one track")
    }
    guard byteOrder == nil else {
      throw invalid("compressed audio has no byte order; leave it out, or write linear PCM")
    }
    guard format.channelCount <= 2 else {
      throw invalid(
        "\(format.channelCount) channels are not compressed, because their order may be lost; "
          + "use 1 or 2, or linear PCM in a .mov")
    }
    switch compression {
    case .none: break
    case .aac(let bitRate):
      guard Self.aacRates.contains(format.sampleRate) else {
        let rates = Self.aacRates.map(String.init).joined(separator: ", ")
        throw invalid("AAC has no rate of \(format.sampleRate) Hz; use one of \(rates)")
      }
      let rates = Self.aacChannelRates
      guard let bitRate else { break }
      let (low, high) = (
        rates.lowerBound * format.channelCount, rates.upperBound * format.channelCount
      )
      guard (low...high).contains(bitRate) else {
        throw invalid("AAC cannot have \(bitRate) bits per second here; use \(low) to \(high)")
      }
    case .appleLossless:
      guard format.sampleFormat != .int32 else {
        throw invalid("Apple Lossless has 16 or 24 bits, not 32")
      }
    }
  }

  /// Bits a second that AAC is given where the settings say none: 64000 a channel, and less where
  /// there are fewer samples to spend them on.
  var aacBitRate: Int {
    if case .aac(let rate?) = compression { return rate }
    return min(64_000, format.sampleRate * 3 / 2) * format.channelCount
  }

  private func invalid(_ message: String) -> AssetWriterError {
    AssetWriterError(.invalidSettings, message)
  }
}
