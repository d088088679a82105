import CVideo4Linux

/// A connector or sensor of a device, of which one is in use at a time.
public struct V4L2Input: Sendable, Hashable {
  /// What is known of its signal.
  public struct Status: OptionSet, Sendable, Hashable {
    /// The kernel's `V4L2_IN_ST_` bits.
    public let rawValue: UInt32
    /// A status from the kernel's bits.
    public init(rawValue: UInt32) { self.rawValue = rawValue }
    /// The input has no power.
    public static let noPower = Status(rawValue: UInt32(V4L2_IN_ST_NO_POWER))
    /// Nothing arrives.
    public static let noSignal = Status(rawValue: UInt32(V4L2_IN_ST_NO_SIGNAL))
    /// Something arrives that the device cannot follow line by line.
    public static let noHorizontalLock = Status(rawValue: UInt32(V4L2_IN_ST_NO_H_LOCK))
    /// Something arrives that the device cannot synchronize with.
    public static let noSync = Status(rawValue: UInt32(V4L2_IN_ST_NO_SYNC))

    /// False if the input has no usable signal.
    public var hasSignal: Bool {
      isDisjoint(with: [.noPower, .noSignal, .noHorizontalLock, .noSync])
    }
  }

  /// Its number at the device.
  public var index: Int
  /// Its name: `HDMI 0`, `Camera 1`.
  public var name: String
  /// Its signal at present; known for the input in use alone.
  public var status: Status
  /// True where the signal itself sets size and rate (HDMI, SDI, DVI).
  public var hasDigitalTimings: Bool
  /// True where an analogue television standard sets size and rate.
  public var hasStandards: Bool

  init(_ raw: v4l2_input) {
    self.index = Int(raw.index)
    self.name = String(v4l2Bytes: raw.name)
    self.status = Status(rawValue: raw.status)
    self.hasDigitalTimings = raw.capabilities & UInt32(V4L2_IN_CAP_DV_TIMINGS) != 0
    self.hasStandards = raw.capabilities & UInt32(V4L2_IN_CAP_STD) != 0
  }
}

extension V4L2Handle {
  /// The inputs; at least one, for a device that has no notion of them.
  func inputs() throws(CaptureError) -> [V4L2Input] {
    var inputs: [V4L2Input] = []
    // A driver that never ends its list would hang us.
    for index in 0..<64 as Range<UInt32> {
      var raw = v4l2_input()
      raw.index = index
      guard let answer = try ask(.enumerateInputs, raw) else { break }
      inputs.append(V4L2Input(answer))
    }
    return inputs
  }

  /// The number of the input in use; nil where the device has no notion of inputs.
  func currentInput() throws(CaptureError) -> Int? { try ask(.getInput, Int32(0)).map(Int.init) }

  func selectInput(_ index: Int) throws(CaptureError) {
    guard try currentInput() != index else { return }
    var number = Int32(clamping: index)
    try require(.setInput, &number)
  }

  /// What is known of one input now.
  func input(_ index: Int) throws(CaptureError) -> V4L2Input? {
    var raw = v4l2_input()
    raw.index = UInt32(clamping: index)
    return try ask(.enumerateInputs, raw).map(V4L2Input.init)
  }
}
