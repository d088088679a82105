// swift-format-ignore-file: AlwaysUseLowerCamelCase

/// Which values of an ``AudioTimeStamp`` are valid.
public struct AudioTimeStampFlags: OptionSet, Sendable, Hashable {
  public let rawValue: UInt32
  public init(rawValue: UInt32) { self.rawValue = rawValue }

  public static let sampleTimeValid = AudioTimeStampFlags(rawValue: 1)
  public static let hostTimeValid = AudioTimeStampFlags(rawValue: 2)
  public static let rateScalarValid = AudioTimeStampFlags(rawValue: 4)
  public static let wordClockTimeValid = AudioTimeStampFlags(rawValue: 8)
  public static let smpteTimeValid = AudioTimeStampFlags(rawValue: 16)
  public static let sampleHostTimeValid: AudioTimeStampFlags = [.sampleTimeValid, .hostTimeValid]
}

/// An audio time as Core Audio represents it, in several units.
public struct AudioTimeStamp: Sendable, Hashable {
  /// Frames since the stream began.
  public var mSampleTime: Float64
  /// Nanoseconds on the host clock.
  public var mHostTime: UInt64
  /// Host frames per device frame.
  public var mRateScalar: Float64
  /// The time on a word clock that several devices share.
  public var mWordClockTime: UInt64
  /// Which values are valid.
  public var mFlags: AudioTimeStampFlags
  public var mReserved: UInt32 = 0

  /// A time stamp without valid values.
  public init() {
    (mSampleTime, mHostTime, mRateScalar, mWordClockTime, mFlags) = (0, 0, 0, 0, [])
  }
}

extension AVAudioTime {
  /// A time from a Core Audio time stamp.
  ///
  /// - Parameters:
  ///   - ts: The time stamp; its host time and frame count are kept if valid.
  ///   - sampleRate: Frames per second.
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

  /// The time as a Core Audio time stamp.
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
