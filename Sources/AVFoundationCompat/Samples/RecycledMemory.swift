import Dispatch
import Foundation
import Synchronization

/// Memory that is kept for reuse by blocks of the same size.
final class RecycledMemory: Sendable {
  /// Apple's default, in seconds.
  static let usualPeriod = 0.5

  private struct Block: Sendable {
    let address: UInt
    let size: Int
    /// When it was freed, in seconds of the pool's clock.
    let since: Double

    func free() { Foundation.free(UnsafeMutableRawPointer(bitPattern: address)) }
  }

  private struct State: Sendable {
    /// The sizes of blocks in use, by address.
    var lent: [UInt: Int] = [:]
    /// Unused blocks, the longest kept first.
    var kept: [Block] = []
    var isInvalid = false
  }

  private let state = Mutex(State())
  private let period: Double
  private let clock: @Sendable () -> Double

  /// An empty pool.
  ///
  /// - Parameters:
  ///   - ageOutPeriod: Seconds to keep an unused block.
  ///   - clock: The time in seconds.
  init(
    ageOutPeriod: Double,
    clock: @escaping @Sendable () -> Double = {
      Double(DispatchTime.now().uptimeNanoseconds) / 1_000_000_000
    }
  ) {
    (period, self.clock) = (ageOutPeriod, clock)
  }

  deinit { flush() }

  /// The period from an option's value; nil unless it is a non-negative number.
  static func seconds(_ value: Any) -> Double? {
    guard let seconds = (value as? Double) ?? (value as? NSNumber)?.doubleValue, seconds >= 0
    else { return nil }
    return seconds
  }

  /// The size of the unused blocks in bytes.
  var keptByteCount: Int { state.withLock { $0.kept.reduce(0) { $0 + $1.size } } }

  /// Allocates zeroed memory; nil if memory is exhausted.
  func allocate(_ size: Int) -> UnsafeMutableRawPointer? {
    let now = clock()
    let kept = state.withLock { state -> UInt? in
      freeAged(&state, now)
      guard let place = state.kept.lastIndex(where: { $0.size == size }) else { return nil }
      let block = state.kept.remove(at: place)
      state.lent[block.address] = size
      return block.address
    }
    // Zeroed outside of the lock, so that other threads need not wait.
    if let kept, let memory = UnsafeMutableRawPointer(bitPattern: kept) {
      memory.initializeMemory(as: UInt8.self, repeating: 0, count: size)
      return memory
    }
    guard let memory = calloc(1, size) else { return nil }
    state.withLock { $0.lent[UInt(bitPattern: memory)] = size }
    return memory
  }

  /// Returns a block to the pool. Frees memory that did not come from the pool, and ignores a block that has
  /// already been returned.
  func deallocate(_ memory: UnsafeMutableRawPointer) {
    let (now, address) = (clock(), UInt(bitPattern: memory))
    state.withLock { state in
      freeAged(&state, now)
      guard !state.kept.contains(where: { $0.address == address }) else { return }
      let block = Block(
        address: address, size: state.lent.removeValue(forKey: address) ?? 0, since: now)
      if state.isInvalid || block.size == 0 { block.free() } else { state.kept.append(block) }
    }
  }

  /// Frees unused blocks.
  func flush() {
    state.withLock { state in
      for block in state.kept { block.free() }
      state.kept = []
    }
  }

  /// Frees unused blocks, and keeps none from now on.
  func invalidate() {
    state.withLock { $0.isInvalid = true }
    flush()
  }

  private func freeAged(_ state: inout State, _ now: Double) {
    let count = state.kept.prefix { now - $0.since > period }.count
    for block in state.kept.prefix(count) { block.free() }
    state.kept.removeFirst(count)
  }
}

extension RecycledMemory: Hashable {
  static func == (lhs: RecycledMemory, rhs: RecycledMemory) -> Bool { lhs === rhs }
  func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
