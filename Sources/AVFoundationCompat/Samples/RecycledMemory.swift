import Dispatch
import Foundation
import Synchronization

/// Memory that is kept, when it is given back, for the next block of its size.
final class RecycledMemory: Sendable {
  /// Apple's period, in seconds.
  static let usualPeriod = 0.5

  private struct Block: Sendable {
    let address: UInt
    let size: Int
    /// When it was given back, in seconds of the pool's clock.
    let since: Double

    func free() { Foundation.free(UnsafeMutableRawPointer(bitPattern: address)) }
  }

  private struct State: Sendable {
    /// Sizes of the blocks that are in use, by their addresses.
    var lent: [UInt: Int] = [:]
    /// Blocks that nobody uses, the longest kept first.
    var kept: [Block] = []
    var isInvalid = false
  }

  private let state = Mutex(State())
  private let period: Double
  private let clock: @Sendable () -> Double

  /// A pool that keeps nothing yet.
  ///
  /// - Parameters:
  ///   - ageOutPeriod: Seconds for which a block is kept.
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

  /// A period of an option's value; nil for what is no number of seconds.
  static func seconds(_ value: Any) -> Double? {
    guard let seconds = (value as? Double) ?? (value as? NSNumber)?.doubleValue, seconds >= 0
    else { return nil }
    return seconds
  }

  /// Bytes that are kept and not in use.
  var keptByteCount: Int { state.withLock { $0.kept.reduce(0) { $0 + $1.size } } }

  /// Memory of a size, all zeros; nil if there is none.
  func allocate(_ size: Int) -> UnsafeMutableRawPointer? {
    let now = clock()
    let kept = state.withLock { state -> UInt? in
      freeAged(&state, now)
      guard let place = state.kept.lastIndex(where: { $0.size == size }) else { return nil }
      let block = state.kept.remove(at: place)
      state.lent[block.address] = size
      return block.address
    }
    // Others need not wait for the zeros.
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

  /// Frees what is kept.
  func flush() {
    state.withLock { state in
      for block in state.kept { block.free() }
      state.kept = []
    }
  }

  /// Frees what is kept, and keeps nothing more.
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
