import CVideo4Linux
import MediaCore

extension FrameRate {
  /// The rate that a measured or rounded number stands for: a whole number, a half, or one of
  /// those lowered by 1000/1001 where one is within 100 millionths; otherwise the number itself.
  ///
  /// Drivers round: UVC counts in 100 ns, so 30 comes as 1/333333 of 10 MHz.
  init?(nearest value: Double) {
    guard value.isFinite, value > 0, value < 100_000 else { return nil }
    let tolerance = value * 100e-6
    let whole = value.rounded()
    let half = (value * 2).rounded()
    let lowered = (value * 1.001).rounded()
    if whole >= 1, abs(value - whole) <= tolerance {
      self.init(Int32(whole))
    } else if half >= 1, abs(value - half / 2) <= tolerance {
      self.init(Int32(half), 2)
    } else if lowered >= 1, abs(value - lowered * 1000 / 1001) <= tolerance {
      self.init(Int32(lowered) * 1000, 1001)
    } else {
      self.init(Int32((value * 10_000).rounded()), 10_000)
    }
  }

  /// The rate of a V4L2 frame interval in seconds; nil for an invalid one.
  init?(interval: v4l2_fract) {
    guard interval.numerator > 0, interval.denominator > 0 else { return nil }
    self.init(nearest: Double(interval.denominator) / Double(interval.numerator))
  }

  /// The interval between frames as V4L2 has it.
  var interval: v4l2_fract {
    v4l2_fract(numerator: UInt32(denominator), denominator: UInt32(numerator))
  }

  /// True where no measurement of a driver could tell the two apart.
  func isNear(_ other: FrameRate) -> Bool {
    abs(framesPerSecond - other.framesPerSecond) <= other.framesPerSecond * 200e-6
  }
}

/// The rates of one format at one size.
struct V4L2Rates: Hashable {
  var list: [FrameRate] = []
  var ranges: [CaptureDevice.FrameRateRange] = []
}

extension V4L2Handle {
  /// The rates that the device lists for a format at a size; empty where it lists none.
  func frameRates(code: UInt32, width: Int, height: Int) throws(CaptureError) -> V4L2Rates {
    var rates = V4L2Rates()
    for index in 0..<256 as Range<UInt32> {
      var raw = v4l2_frmivalenum()
      raw.index = index
      raw.pixel_format = code
      raw.width = UInt32(clamping: width)
      raw.height = UInt32(clamping: height)
      guard let answer = try ask(.enumerateFrameIntervals, raw) else { break }
      if answer.type == UInt32(V4L2_FRMIVAL_TYPE_DISCRETE.rawValue) {
        if let rate = FrameRate(interval: answer.discrete), !rates.list.contains(rate) {
          rates.list.append(rate)
          rates.ranges.append(.init(minFrameRate: rate, maxFrameRate: rate))
        }
      } else {
        // The shortest interval is the fastest rate. Stepwise and continuous spans come alone.
        if let fastest = FrameRate(interval: answer.stepwise.min),
          let slowest = FrameRate(interval: answer.stepwise.max), slowest <= fastest
        {
          rates.ranges.append(.init(minFrameRate: slowest, maxFrameRate: fastest))
        }
        break
      }
    }
    rates.list.sort(by: >)
    return rates
  }

  /// Requests a rate, and returns the one that the device uses; nil if it does not say.
  ///
  /// A device that refuses keeps its present rate, which may be the requested one.
  func setFrameRate(
    _ rate: FrameRate?, type: v4l2_buf_type
  ) throws(CaptureError) -> FrameRate? {
    var parameters = v4l2_streamparm()
    parameters.type = type.rawValue
    guard let present = try ask(.getParameters, parameters),
      present.parm.capture.capability & UInt32(V4L2_CAP_TIMEPERFRAME) != 0
    else { return nil }
    var agreed = present
    if let rate {
      agreed.parm.capture.timeperframe = rate.interval
      agreed = try ask(.setParameters, agreed) ?? present
    }
    return FrameRate(interval: agreed.parm.capture.timeperframe)
  }
}
