// swift-format-ignore-file: AlwaysUseLowerCamelCase

/// What of an ``AudioTimeStamp`` is known.
public struct AudioTimeStampFlags: OptionSet, Sendable, Hashable {
  /// The bits.
  public let rawValue: UInt32
  /// Flags from their bits.
  public init(rawValue: UInt32) { self.rawValue = rawValue }

  public static let sampleTimeValid = AudioTimeStampFlags(rawValue: 1)
  public static let hostTimeValid = AudioTimeStampFlags(rawValue: 2)
  public static let rateScalarValid = AudioTimeStampFlags(rawValue: 4)
  public static let wordClockTimeValid = AudioTimeStampFlags(rawValue: 8)
  public static let smpteTimeValid = AudioTimeStampFlags(rawValue: 16)
  public static let sampleHostTimeValid: AudioTimeStampFlags = [.sampleTimeValid, .hostTimeValid]
}

/// A time of sound as Core Audio tells it, in several counts.
public struct AudioTimeStamp: Sendable, Hashable {
  /// Frames from the stream's beginning.
  public var mSampleTime: Float64
  /// Nanoseconds of the host's clock.
  public var mHostTime: UInt64
  /// Frames of the host for each of the device.
  public var mRateScalar: Float64
  /// A clock that several devices share.
  public var mWordClockTime: UInt64
  /// Which of them are known.
  public var mFlags: AudioTimeStampFlags
  public var mReserved: UInt32 = 0

  /// Nothing is known.
  public init() {
    (mSampleTime, mHostTime, mRateScalar, mWordClockTime, mFlags) = (0, 0, 0, 0, [])
  }
}

extension AVAudioTime {
  /// A time from Core Audio's form of it.
  ///
  /// - Parameters:
  ///   - ts: The time, of which the host's clock and the frames are kept where they are known.
  ///   - sampleRate: Frames a second.
  public convenience init(
    audioTimeStamp ts: UnsafePointer<AudioTimeStamp>, sampleRate: Double
  ) {
    let (time, flags) = (ts.pointee, ts.pointee.mFlags)
    let frames = Int64(exactly: time.mSampleTime.rounded()) ?? 0
    switch (flags.contains(.hostTimeValid), flags.contains(.sampleTimeValid)) {
    case (true, false): self.init(hostTime: time.mHostTime)
    case (false, true): self.init(sampleTime: frames, atRate: sampleRate)
    case (true, true):
      self.init(hostTime: time.mHostTime, sampleTime: frames, atRate: sampleRate)
    case (false, false): self.init(hostTime: 0)
    }
  }

  /// The time in Core Audio's form.
  public var audioTimeStamp: AudioTimeStamp {
    var stamp = AudioTimeStamp()
    if isHostTimeValid {
      stamp.mHostTime = hostTime
      stamp.mFlags.insert(.hostTimeValid)
    }
    if isSampleTimeValid {
      stamp.mSampleTime = Float64(sampleTime)
      stamp.mFlags.insert(.sampleTimeValid)
    }
    return stamp
  }
}
