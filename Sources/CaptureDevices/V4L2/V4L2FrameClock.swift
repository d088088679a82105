import CVideo4Linux

/// Turns a device's time stamps into times on CLOCK_MONOTONIC that only grow.
struct V4L2FrameClock: Sendable {
  /// The time of a frame.
  struct Reading: Sendable, Hashable {
    /// When the frame began, in nanoseconds of CLOCK_MONOTONIC.
    var nanoseconds: Int64
    /// True where the device's clock jumped, or went back.
    var isDiscontinuous: Bool
  }

  /// Nanoseconds of a frame; nil where the rate is not known.
  let frameDuration: Int64?
  /// What is added to the device's times; 0 for a device on CLOCK_MONOTONIC.
  private(set) var correction: Int64 = 0
  private var last: Int64?
  private var hasAnchor = false
  /// True where the last frame's stamp was behind that of the frame before.
  private var wasBehind = false

  /// How far a time stamp may lie from the moment of its arrival: a frame that waited for a busy
  /// consumer is late, one from another clock is far off.
  static let tolerance: Int64 = 5_000_000_000
  /// How far it may lie ahead: clocks are the same, only rounding differs.
  static let lead: Int64 = 50_000_000

  init(frameDuration: Int64?) { self.frameDuration = frameDuration }

  /// Reads a frame's stamp at the moment `now` of its arrival.
  mutating func read(stamp: Int64, flags: UInt32, now: Int64) -> Reading {
    let kind = flags & UInt32(V4L2_BUF_FLAG_TIMESTAMP_MASK)
    var time = stamp
    if kind == UInt32(V4L2_BUF_FLAG_TIMESTAMP_UNKNOWN), stamp == 0 {
      time = now
    } else if flags & UInt32(V4L2_BUF_FLAG_TSTAMP_SRC_MASK) != UInt32(V4L2_BUF_FLAG_TSTAMP_SRC_SOE)
    {
      // Stamped when its last byte came: it began one frame before.
      time &-= frameDuration ?? 0
    }
    var jumped = false
    // Wrapping arithmetic: a clock of the device's own may pass the end of its range.
    let offset = now &- (time &+ correction)
    if offset > Self.tolerance || offset < -Self.lead {
      // Another clock, or one that was set: tie it to the moment of arrival.
      let expected = now &- (frameDuration ?? 0)
      correction = expected &- time
      jumped = hasAnchor
    }
    hasAnchor = true
    time = time &+ correction
    if let last, time <= last {
      let next = last + max(1, min(frameDuration ?? 1, max(1, now - last)))
      // One stamp may be wrong. Where the next one is behind as well, the clock was set back, and is
      // followed from there.
      if wasBehind { correction = correction &+ (next &- time) } else { jumped = true }
      (time, wasBehind) = (next, true)
    } else {
      wasBehind = false
    }
    last = time
    return Reading(nanoseconds: time, isDiscontinuous: jumped)
  }
}

/// Follows a device's sequence numbers.
struct V4L2SequenceCounter: Sendable {
  /// What a number says.
  enum Step: Sendable, Hashable {
    /// The one expected, or the first.
    case next
    /// So many frames are missing before this one.
    case gap(Int)
    /// The device restarted its count, or does not count.
    case restart
  }

  private var last: UInt32?
  /// A device that counts nothing says 0 for ever.
  private var isCounting = true

  /// A step larger than this is not a loss but a restart: at 60 frames a second, a day.
  static let largestGap: UInt32 = 60 * 86_400

  /// Takes the next frame's number. The numbers wrap at 2^32.
  mutating func take(_ sequence: UInt32) -> Step {
    defer { last = sequence }
    guard let last else { return .next }
    let step = sequence &- last
    switch step {
    case 1:
      isCounting = true
      return .next
    case 0 where sequence == 0:
      let was = isCounting
      isCounting = false
      return was ? .restart : .next
    case 2...Self.largestGap: return .gap(Int(step) - 1)
    default: return .restart
    }
  }
}
