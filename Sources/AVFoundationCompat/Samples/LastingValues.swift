import MediaCore
import Synchronization

/// Values for audio formats at addresses that stay valid, as Core Media's functions promise.
///
/// They are never freed, because a program has only a few formats.
struct LastingValues<Value>: ~Copyable, Sendable {
  private let addresses = Mutex<[AudioFormat: UInt]>([:])
  private let make: @Sendable (AudioFormat) -> Value

  init(_ make: @escaping @Sendable (AudioFormat) -> Value) { self.make = make }

  /// The address of a format's value, which is made on first use; nil for video.
  func address(of description: FormatDescription) -> UnsafePointer<Value>? {
    guard case .audio(let format) = description else { return nil }
    let bits = addresses.withLock { addresses in
      if let known = addresses[format] { return known }
      let memory = UnsafeMutablePointer<Value>.allocate(capacity: 1)
      memory.initialize(to: make(format))
      addresses[format] = UInt(bitPattern: memory)
      return UInt(bitPattern: memory)
    }
    return UnsafePointer(bitPattern: bits)
  }
}
