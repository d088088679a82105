/// What sets the system's clock, and how far it is off: what makes the times of day of several recorders
/// comparable.
public struct ClockState: Sendable, Hashable, Codable {
  /// What knows about the clock.
  public enum Source: String, Sendable, Hashable, Codable, CaseIterable {
    /// chronyd, by NTP or a clock of its own.
    case chrony
    /// ptp4l, by the Precision Time Protocol.
    case ptp
    /// The kernel alone: some program sets the clock, or none does.
    case kernel
    /// Nobody may be asked.
    case unknown
  }

  /// What knows about the clock.
  public var source: Source
  /// True where the clock follows a reference; nil where that cannot be told.
  public var isSynchronized: Bool?
  /// The server, the reference clock or the grandmaster that it follows, as the source names it.
  public var reference: String?
  /// Seconds by which the clock is ahead of its reference, negative where it is behind; nil where that
  /// is not known. With `Source.ptp` and a network card that stamps times itself, it is that card's
  /// clock.
  public var offset: Double?
  /// Seconds by which the clock is off at most, as the source reckons; nil where that is not known.
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

  /// A warning about the clock, in one line, for a start that several recorders share; nil for none.
  ///
  /// - Parameter frameDuration: The seconds of a frame. The clock may be off by half of that.
  package func remark(frameDuration: Double) -> String? {
    switch isSynchronized {
    case nil:
      return "whether the system's clock is synchronized cannot be told here; other recorders may "
        + "start at another moment"
    case false?:
      return "the system's clock is not synchronized; other recorders may start at another moment: "
        + "have chrony or PTP set it"
    case true?:
      guard let offset, offset.magnitude > frameDuration / 2 else { return nil }
      return "the system's clock is \(Self.milliseconds(offset)) "
        + (offset > 0 ? "ahead of" : "behind")
        + " \(reference ?? "its reference"), more than half a "
        + "frame; other recorders may start at another moment"
    }
  }

  /// The state in words.
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
