/// What sets the system's clock, and its error. This tells how far the times of several recorders
/// are comparable.
public struct ClockState: Sendable, Hashable, Codable {
  /// The source of the clock's state.
  public enum Source: String, Sendable, Hashable, Codable, CaseIterable {
    /// chronyd, with NTP or its own reference clock.
    case chrony
    /// ptp4l, by the Precision Time Protocol.
    case ptp
    /// Only the kernel: an unknown program sets the clock, or none does.
    case kernel
    /// No source is available.
    case unknown
  }

  public var source: Source
  /// True if the clock follows a reference; nil if unknown.
  public var isSynchronized: Bool?
  /// The server, reference clock or grandmaster that it follows, as named by the source.
  public var reference: String?
  /// Seconds by which the clock is ahead of its reference, negative if it is behind; nil if
  /// unknown. With `Source.ptp` and hardware timestamps, it is the offset of the network card's clock.
  public var offset: Double?
  /// The maximum error of the clock in seconds, as estimated by the source; nil if unknown.
  public var maximumError: Double?

  package init(
    source: Source, isSynchronized: Bool? = nil, reference: String? = nil, offset: Double? = nil,
    maximumError: Double? = nil
  ) {
    self.source = source
    self.isSynchronized = isSynchronized
    self.reference = reference
    self.offset = offset
    self.maximumError = maximumError
  }

  /// A one-line warning about the clock for a start shared by several recorders; nil if it is
  /// accurate enough.
  ///
  /// - Parameter frameDuration: The duration of a frame in seconds. The clock may be off by half of
  ///   it.
  package func remark(frameDuration: Double) -> String? {
    switch isSynchronized {
    case nil:
      return "whether the system's clock is synchronized cannot be determined; other recorders may "
        + "start at a different time"
    case false?:
      return "the system's clock is not synchronized; other recorders may start at a different "
        + "time: set it with chrony or PTP"
    case true?:
      guard let offset, offset.magnitude > frameDuration / 2 else { return nil }
      return "the system's clock is \(Self.milliseconds(offset)) "
        + (offset > 0 ? "ahead of" : "behind")
        + " \(reference ?? "its reference"), more than half a "
        + "frame; other recorders may start at a different time"
    }
  }

  /// The state as text.
  package var summary: String {
    let name: String? =
      switch source {
      case .chrony: "chrony"
      case .ptp: "PTP"
      case .kernel, .unknown: nil
      }
    let state =
      switch isSynchronized {
      case true?: "synchronized" + (reference.map { " to \($0)" } ?? "")
      case false?: "NOT synchronized"
      case nil: "it is unknown whether it is synchronized"
      }
    let parts = [
      name, state,
      offset.map { "\(Self.milliseconds($0)) \($0 < 0 ? "behind" : "ahead")" },
      maximumError.map { "at most \(Self.milliseconds($0)) off" },
    ]
    return parts.compactMap(\.self).joined(separator: ", ")
  }

  /// `0.012 ms`, without a sign.
  private static func milliseconds(_ seconds: Double) -> String {
    let thousandths = Int64((min(seconds.magnitude, 1e9) * 1e6).rounded())
    let digits = "\(thousandths % 1000)"
    return "\(thousandths / 1000)." + String(repeating: "0", count: 3 - digits.count) + digits
      + " ms"
  }
}
