/// Frames on their way through the encoder to the movie, in order; those at the front are encoded.
struct FramesInFlight {
  /// A frame and the slots that it is to fill.
  struct Pending {
    /// The first slot that it still has to fill.
    var slot: Int64
    /// Slots from there on that the source says it lasts; 1 where it does not say.
    var slots: Int64
    /// When its latency began, on CLOCK_MONOTONIC in nanoseconds.
    var origin: Int64
    /// True once some of its slots are written: it may have to fill more behind a cut.
    var isCarried = false
  }

  /// Frames that may be in flight.
  let depth: Int
  /// Frames that may wait for the encoder, including the one being encoded.
  let encoderDepth: Int
  private var pending = FIFO<Pending>()
  private var encoded = FIFO<EncodedFrame>()
  /// Bytes of the frames that wait to be written.
  private(set) var encodedBytes = 0
  /// Memory that they occupy.
  private(set) var encodedMemory: Int64 = 0
  private var limit = Limit.all
  /// Frames in the encoder that belong to no take: thrown away when they are encoded.
  private var discards = 0

  /// Which of the encoded frames take room of those to come.
  private enum Limit {
    case all
    /// The past is kept before a take: none of them.
    case holding
    /// All but so many, which came before the take.
    case behind(backlog: Int)
  }

  init(depth: Int, encoderDepth: Int) {
    self.depth = depth
    self.encoderDepth = encoderDepth
  }

  var count: Int { pending.count }
  var encodedCount: Int { encoded.count }
  var isEmpty: Bool { pending.isEmpty }
  /// The first frame, encoded or not.
  var first: Pending? { pending.first }
  /// The slot of the second one, up to which the first lasts.
  var secondSlot: Int64? { pending[1]?.slot }
  /// The first frame's encoding; nil until it is encoded.
  var firstFrame: EncodedFrame? { encoded.first }

  /// Frames that take room of the queue: not those that are kept, or were, for a pre-roll.
  var occupied: Int {
    let roomless =
      switch limit {
      case .all: 0
      case .holding: encoded.count
      case .behind(let backlog): backlog
      }
    return pending.count - roomless
  }

  var isFull: Bool {
    var inEncoder = pending.count - encoded.count
    // Frames that the pre-roll has discarded still occupy the encoder.
    if case .holding = limit { inEncoder += discards }
    return occupied >= depth || inEncoder >= encoderDepth
  }

  mutating func append(_ frame: Pending) { pending.append(frame) }

  /// Takes a frame that the encoder made.
  ///
  /// - Returns: When its latency began; nil for a frame that belongs to no take.
  mutating func receive(_ frame: EncodedFrame) -> Int64? {
    guard discards == 0 else {
      discards -= 1
      return nil
    }
    let place = encoded.count
    guard let image = pending[place] else { return nil }
    encoded.append(frame)
    encodedBytes += frame.byteCount
    encodedMemory += Int64(frame.memorySize)
    return image.origin
  }

  /// Removes the first frame, with its encoding.
  mutating func popFirst() -> Pending? {
    guard let first = pending.popFirst() else { return nil }
    if let frame = encoded.popFirst() {
      encodedBytes -= frame.byteCount
      encodedMemory -= Int64(frame.memorySize)
    }
    if case .behind(let backlog) = limit {
      limit = backlog > 1 ? .behind(backlog: backlog - 1) : .all
    }
    return first
  }

  /// Lets the first frame begin at a later slot: those before it are written.
  mutating func carryFirst(to slot: Int64) -> Pending? {
    guard let first = pending.popFirst() else { return nil }
    pending.prepend(
      Pending(
        slot: slot, slots: max(first.slots - (slot - first.slot), 0), origin: first.origin,
        isCarried: true))
    return first
  }

  // MARK: The past

  /// Keeps what is encoded until a take begins.
  mutating func hold() { limit = .holding }

  /// Discards encoded frames that end before a slot.
  mutating func drop(before slot: Int64) {
    while !encoded.isEmpty, let second = secondSlot, second <= slot { _ = popFirst() }
  }

  /// Discards all frames, now or once they are encoded.
  mutating func forget() {
    discards += pending.count - encoded.count
    while popFirst() != nil {}
  }

  /// Begins a take at a slot: what lies before it is let go, now or when it is encoded.
  ///
  /// - Returns: The first slot that a frame is there for.
  mutating func beginTake(at slot: Int64) -> Int64 {
    drop(before: slot)
    while encoded.isEmpty, let second = secondSlot, second <= slot {
      _ = pending.popFirst()
      discards += 1
    }
    if let first = pending.first, first.slot < slot {
      _ = pending.popFirst()
      pending.prepend(
        Pending(
          slot: slot, slots: max(first.slots - (slot - first.slot), 1), origin: first.origin))
    }
    limit = encoded.isEmpty ? .all : .behind(backlog: encoded.count)
    return pending.first?.slot ?? slot
  }
}
