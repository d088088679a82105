import CVideo4Linux
import MediaCore
import SystemPackage

/// A setting of a device: brightness, exposure, the colors of a test pattern.
public struct V4L2Control: Sendable, Hashable {
  /// What values a control takes.
  public enum Kind: Sendable, Hashable {
    /// A whole number.
    case integer
    /// 0 or 1.
    case boolean
    /// One of named entries.
    case menu([MenuItem])
    /// A set of bits.
    case bitmask
    /// No value: setting it does something.
    case button
    /// Text, matrices and the like, which this library does not read.
    case other
  }

  /// An entry of a menu.
  public struct MenuItem: Sendable, Hashable {
    /// The value that chooses it.
    public var value: Int64
    /// Its name, or its number where the menu is one of numbers.
    public var name: String
  }

  /// The kernel's number of the control.
  public var id: UInt32
  /// The driver's name for it, in English.
  public var name: String
  /// What values it takes.
  public var kind: Kind
  /// The least and the greatest value.
  public var range: ClosedRange<Int64>
  /// The distance between values.
  public var step: Int64
  /// The value after a reset.
  public var defaultValue: Int64
  /// True where it cannot be set.
  public var isReadOnly: Bool
  /// True where another control has taken it out of use, such as an automatic exposure.
  public var isInactive: Bool
  /// True where the device keeps it from being set for now, as many do while they stream.
  public var isGrabbed: Bool

  init(_ raw: v4l2_query_ext_ctrl, menu: [MenuItem]) {
    self.id = raw.id
    self.name = String(v4l2Bytes: raw.name)
    self.kind =
      switch v4l2_ctrl_type(rawValue: raw.type) {
      case V4L2_CTRL_TYPE_INTEGER, V4L2_CTRL_TYPE_INTEGER64: .integer
      case V4L2_CTRL_TYPE_BOOLEAN: .boolean
      case V4L2_CTRL_TYPE_MENU, V4L2_CTRL_TYPE_INTEGER_MENU: .menu(menu)
      case V4L2_CTRL_TYPE_BITMASK: .bitmask
      case V4L2_CTRL_TYPE_BUTTON: .button
      default: .other
      }
    // A bit mask has no order, and its maximum may read as negative.
    self.range = min(raw.minimum, raw.maximum)...max(raw.minimum, raw.maximum)
    self.step = Int64(clamping: raw.step)
    self.defaultValue = raw.default_value
    self.isReadOnly = raw.flags & UInt32(V4L2_CTRL_FLAG_READ_ONLY) != 0
    self.isInactive = raw.flags & UInt32(V4L2_CTRL_FLAG_INACTIVE) != 0
    self.isGrabbed = raw.flags & UInt32(V4L2_CTRL_FLAG_GRABBED) != 0
  }
}

extension V4L2Handle {
  /// The controls, in the order of their numbers; disabled ones and headings left out.
  func controls() throws(CaptureError) -> [V4L2Control] {
    var list: [V4L2Control] = []
    var last: UInt32 = 0
    for _ in 0..<1024 {
      var raw = v4l2_query_ext_ctrl()
      raw.id = last | UInt32(V4L2_CTRL_FLAG_NEXT_CTRL)
      // A driver that does not go forward would hang us.
      guard let answer = try ask(.queryControl, raw), answer.id > last else { break }
      last = answer.id
      let isHeading = answer.type == V4L2_CTRL_TYPE_CTRL_CLASS.rawValue
      guard !isHeading, answer.flags & UInt32(V4L2_CTRL_FLAG_DISABLED) == 0 else { continue }
      list.append(V4L2Control(answer, menu: try menu(of: answer)))
    }
    return list
  }

  /// A control by its number; nil where the device has it not, or it is disabled.
  func control(_ id: UInt32) throws(CaptureError) -> V4L2Control? {
    var raw = v4l2_query_ext_ctrl()
    raw.id = id
    guard let answer = try ask(.queryControl, raw), answer.id == id,
      answer.flags & UInt32(V4L2_CTRL_FLAG_DISABLED) == 0
    else { return nil }
    return V4L2Control(answer, menu: try menu(of: answer))
  }

  private func menu(
    of control: v4l2_query_ext_ctrl
  ) throws(CaptureError) -> [V4L2Control.MenuItem] {
    let isOfNumbers = control.type == V4L2_CTRL_TYPE_INTEGER_MENU.rawValue
    guard isOfNumbers || control.type == V4L2_CTRL_TYPE_MENU.rawValue,
      control.minimum >= 0, control.maximum >= control.minimum, control.maximum < 1024
    else { return [] }
    var items: [V4L2Control.MenuItem] = []
    for index in control.minimum...control.maximum {
      var raw = v4l2_querymenu()
      raw.id = control.id
      raw.index = UInt32(clamping: index)
      // Menus have gaps.
      guard let answer = try ask(.queryMenu, raw) else { continue }
      let name =
        isOfNumbers
        ? String(answer.value) : withUnsafeBytes(of: answer.name) { String(v4l2Bytes: $0) }
      items.append(.init(value: index, name: name))
    }
    return items
  }

  func value(ofControl id: UInt32) throws(CaptureError) -> Int64 {
    try exchange(.getControls, id: id, isWide: try isWide(id), value: 0)
  }

  func setValue(_ value: Int64, ofControl id: UInt32) throws(CaptureError) {
    _ = try exchange(.setControls, id: id, isWide: try isWide(id), value: value)
  }

  /// True where the value has 64 bits.
  private func isWide(_ id: UInt32) throws(CaptureError) -> Bool {
    var raw = v4l2_query_ext_ctrl()
    raw.id = id
    guard let answer = try ask(.queryControl, raw) else {
      throw CaptureError(
        .invalidArgument,
        "\(node) does not offer control 0x\(String(id, radix: 16)); use one that it lists")
    }
    return answer.type == V4L2_CTRL_TYPE_INTEGER64.rawValue
  }

  private func exchange(
    _ request: V4L2Request, id: UInt32, isWide: Bool, value: Int64
  ) throws(CaptureError) -> Int64 {
    var control = v4l2_ext_control()
    control.id = id
    if isWide { control.value64 = value } else { control.value = Int32(clamping: value) }
    let result = withUnsafeMutablePointer(to: &control) { pointer -> Result<Void, Errno> in
      var list = v4l2_ext_controls()
      list.count = 1
      list.controls = pointer
      do throws(Errno) {
        return .success(try call(request, &list))
      } catch {
        return .failure(error)
      }
    }
    do {
      try result.get()
    } catch .outOfRange, .invalidArgument {
      throw CaptureError(
        .invalidArgument,
        "\(node) does not take \(value) for control 0x\(String(id, radix: 16)): its range is in "
          + "the list of controls")
    } catch {
      throw [.permissionDenied, .notPermitted, .resourceBusy].contains(error)
        ? refusal(of: id, to: request, with: error) : .calling(request, on: node, error)
    }
    return isWide ? control.value64 : Int64(control.value)
  }

  /// Why a control of a device that is open cannot be set or read: by its flags, for by then the errors stand
  /// for neither rights nor another program.
  private func refusal(
    of id: UInt32, to request: V4L2Request, with error: Errno
  ) -> CaptureError {
    let number = "control 0x\(String(id, radix: 16))"
    guard let control = try? control(id) else { return .calling(request, on: node, error) }
    let name = control.name.isEmpty ? number : "\(number) (\(control.name))"
    if request == .getControls, error != .resourceBusy {
      return CaptureError(
        .invalidArgument, "\(node): \(name) cannot be read, only set", errno: error)
    }
    if control.isReadOnly {
      return CaptureError(
        .invalidArgument, "\(node): \(name) is read-only: it cannot be set", errno: error)
    }
    let reason =
      control.isGrabbed
      ? "is locked by the device: set it while nothing is captured"
      : control.isInactive
        ? "is inactive: switch off the automatic mode that sets it"
        : "cannot be set now: the device refuses it in its current state; try again"
    return CaptureError(.invalidState, "\(node): \(name) \(reason)", errno: error)
  }
}

extension V4L2DeviceDriver {
  /// The device's settings.
  ///
  /// - Throws: ``CaptureError`` where the device is gone or cannot be opened.
  public func controls() throws(CaptureError) -> [V4L2Control] { try open().handle.controls() }

  /// The value of a setting.
  ///
  /// - Throws: ``CaptureError/Code/invalidArgument`` for a control that the device lacks.
  public func value(of control: V4L2Control) throws(CaptureError) -> Int64 {
    try open().handle.value(ofControl: control.id)
  }

  /// Sets a setting.
  ///
  /// - Throws: ``CaptureError/Code/invalidArgument`` for a value or control that the device has
  ///   not, and for one that is read-only; ``CaptureError/Code/invalidState`` for one that cannot be set now.
  public func setValue(_ value: Int64, of control: V4L2Control) throws(CaptureError) {
    try open().handle.setValue(value, ofControl: control.id)
  }
}
