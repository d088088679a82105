import MediaCore
import SystemPackage

/// An open device node: the one owner of its descriptor.
final class V4L2Handle: Sendable {
  let node: String
  let calls: any V4L2SystemCalls
  let descriptor: Int32

  init(node: String, calls: any V4L2SystemCalls) throws(CaptureError) {
    self.node = node
    self.calls = calls
    self.descriptor = try Self.open(node, calls)
  }

  /// Opens a node, retrying after EINTR.
  private static func open(
    _ node: String, _ calls: any V4L2SystemCalls
  ) throws(CaptureError) -> Int32 {
    while true {
      do {
        return try calls.open(node)
      } catch .interrupted {
        continue
      } catch {
        throw CaptureError.opening(node, error)
      }
    }
  }

  deinit { calls.close(descriptor) }

  /// One ioctl, retried after EINTR.
  func call<Argument>(_ request: V4L2Request, _ argument: inout Argument) throws(Errno) {
    while true {
      do {
        return try withUnsafeMutablePointer(to: &argument) { pointer throws(Errno) in
          try calls.ioctl(descriptor, request.code, UnsafeMutableRawPointer(pointer))
        }
      } catch .interrupted {
        continue
      }
    }
  }

  /// One ioctl whose failure is an error of capture.
  func require<Argument>(
    _ request: V4L2Request, _ argument: inout Argument
  ) throws(CaptureError) {
    do {
      try call(request, &argument)
    } catch {
      throw CaptureError.calling(request, on: node, error)
    }
  }

  /// The answer of an ioctl, or nil where the device has none. Only a vanished device is an error.
  func ask<Argument>(
    _ request: V4L2Request, _ argument: Argument
  ) throws(CaptureError) -> Argument? {
    var answer = argument
    do {
      try call(request, &answer)
    } catch .deviceGone {
      throw CaptureError.calling(request, on: node, .deviceGone)
    } catch {
      return nil
    }
    return answer
  }
}

extension Errno {
  /// ENODEV: unplugged.
  static var deviceGone: Errno { Errno(rawValue: 19) }
}

extension CaptureError {
  static func opening(_ node: String, _ error: Errno) -> CaptureError {
    switch error {
    case .noSuchFileOrDirectory, .noSuchAddressOrDevice, .deviceGone, .notDirectory:
      CaptureError(
        .deviceNotFound,
        "no video device at \(node); plug it in, or choose another device", errno: error)
    case .permissionDenied, .notPermitted:
      CaptureError(
        .permissionDenied,
        "no access to \(node): join its group with `sudo usermod -aG video $USER` and log in again",
        errno: error)
    case .resourceBusy:
      .busy(node, error)
    default:
      CaptureError(.deviceFailed, "cannot open \(node): \(error)", errno: error)
    }
  }

  static func calling(_ request: V4L2Request, on node: String, _ error: Errno) -> CaptureError {
    switch error {
    case .deviceGone, .noSuchAddressOrDevice:
      .gone(node, error)
    case .resourceBusy:
      .busy(node, error)
    case .permissionDenied, .notPermitted:
      CaptureError(
        .permissionDenied,
        "\(node) refuses \(request.name): join the group video, or end the program that has taken "
          + "priority over the device", errno: error)
    case .noMemory:
      CaptureError(
        .deviceFailed,
        "\(node) is out of memory for buffers; choose a smaller size or fewer buffers",
        errno: error)
    default:
      CaptureError(
        .deviceFailed, "\(node): \(request.name) failed: \(error)", errno: error)
    }
  }

  static func busy(_ node: String, _ error: Errno) -> CaptureError {
    CaptureError(
      .deviceBusy, "\(node) is in use by another program: end that program, then try again",
      errno: error)
  }

  static func gone(_ node: String, _ error: Errno? = .deviceGone) -> CaptureError {
    CaptureError(
      .deviceDisconnected, "\(node) was disconnected: plug the device in again",
      errno: error)
  }
}
