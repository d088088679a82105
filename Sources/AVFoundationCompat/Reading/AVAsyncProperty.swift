import Dispatch

/// A property that can be loaded, without its value's type.
///
/// Unchecked: the compiler verifies only final classes. This one has no stored property.
public class AVPartialAsyncProperty<Root>: @unchecked Sendable {
  fileprivate init() {}
}

/// A property that can be loaded: `try await asset.load(.duration)`.
public final class AVAsyncProperty<Root, Value>: AVPartialAsyncProperty<Root>, @unchecked Sendable {
  // Unchecked only because of the superclass: the only stored property is a `let` of a `Sendable` type.
  let read: @Sendable (Root) throws(AVError) -> Value

  init(_ read: @escaping @Sendable (Root) throws(AVError) -> Value) { self.read = read }
}

/// A type with loadable properties: assets, tracks and metadata items.
public protocol AVAsynchronousKeyValueLoading: Sendable {}

extension AVAsynchronousKeyValueLoading {
  /// Loads a property. The file is opened once, on a thread that may block.
  ///
  /// - Throws: ``AVError`` if the file cannot be read.
  public func load<A: Sendable>(_ property: AVAsyncProperty<Self, A>) async throws -> A {
    try await loaded { value throws(AVError) in try property.read(value) }
  }

  /// Loads two properties.
  ///
  /// - Throws: Same as ``load(_:)``.
  public func load<A: Sendable, B: Sendable>(
    _ a: AVAsyncProperty<Self, A>, _ b: AVAsyncProperty<Self, B>
  ) async throws -> (A, B) {
    try await loaded { value throws(AVError) in (try a.read(value), try b.read(value)) }
  }

  /// Loads three properties.
  ///
  /// - Throws: Same as ``load(_:)``.
  public func load<A: Sendable, B: Sendable, C: Sendable>(
    _ a: AVAsyncProperty<Self, A>, _ b: AVAsyncProperty<Self, B>, _ c: AVAsyncProperty<Self, C>
  ) async throws -> (A, B, C) {
    try await loaded { value throws(AVError) in
      (try a.read(value), try b.read(value), try c.read(value))
    }
  }

  /// Loads four properties.
  ///
  /// - Throws: Same as ``load(_:)``.
  public func load<A: Sendable, B: Sendable, C: Sendable, D: Sendable>(
    _ a: AVAsyncProperty<Self, A>, _ b: AVAsyncProperty<Self, B>, _ c: AVAsyncProperty<Self, C>,
    _ d: AVAsyncProperty<Self, D>
  ) async throws -> (A, B, C, D) {
    try await loaded { value throws(AVError) in
      (try a.read(value), try b.read(value), try c.read(value), try d.read(value))
    }
  }

  func loaded<Value: Sendable>(
    _ read: @escaping @Sendable (Self) throws(AVError) -> Value
  ) async throws -> Value {
    // Swift's task threads must not block on a disk.
    try await withCheckedThrowingContinuation { continuation in
      DispatchQueue.global().async {
        continuation.resume(with: Result { () throws(AVError) in try read(self) }.mapError { $0 })
      }
    }
  }
}
