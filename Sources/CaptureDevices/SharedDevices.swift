import Synchronization

/// The devices that Apple's ways of looking up have found: whoever finds one finds the same object, with
/// its choice of format, for as long as it is there.
enum SharedDevices {
  private static let known = Mutex<[String: CaptureDevice]>([:])

  /// The shared object for a device; the given one if there is none yet.
  static func shared(_ found: CaptureDevice) -> CaptureDevice {
    let identity = found.identity
    return known.withLock { known in
      if let device = known[identity.uniqueID], device.isConnected, device.identity == identity {
        return device
      }
      known[identity.uniqueID] = found
      return found
    }
  }
}

/// Lets an initializer return an existing object, as Apple's `init(uniqueID:)` does: only an
/// extension of a protocol may assign `self`.
protocol SharedObject {}

extension SharedObject {
  init?(existing object: Self?) {
    guard let object else { return nil }
    self = object
  }
}

extension CaptureDevice: SharedObject {}
