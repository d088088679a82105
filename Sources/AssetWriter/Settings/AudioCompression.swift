/// How audio is compressed.
public enum AudioCompression: Hashable, Sendable {
  /// Linear PCM: every sample as it is.
  case none
  /// AAC of low complexity.
  ///
  /// - Parameter bitRate: Bits a second of all channels, 8000 to 320000 for each; nil for 64000 for each,
  ///   and less at low rates of samples.
  case aac(bitRate: Int?)
  /// Apple Lossless of 16 or 24 bits, as the format's samples have.
  case appleLossless

  /// The name for messages.
  var name: String {
    switch self {
    case .none: "linear PCM"
    case .aac: "AAC"
    case .appleLossless: "Apple Lossless"
    }
  }
}
