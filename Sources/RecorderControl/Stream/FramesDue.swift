import Monitor

/// Decides which frames to make, and when: of the whole source (nil), and of regions.
///
/// The sender states what it wants next, but learns of a frame only once it is made. It may therefore ask for
/// a frame that is already being made; no second one is begun.
struct FramesDue: Sendable {
  /// A frame that is being made.
  struct Order: Sendable, Hashable {
    var number: Int
    var region: FrameRegion?
  }

  private var wanted: [FrameRegion?: Int64] = [:]
  /// The numbers of those that are on their way.
  private var underWay: [FrameRegion?: Int] = [:]
  private var lastNumber = 0

  /// Sets what is wanted.
  ///
  /// - Parameters:
  ///   - instants: When frames are wanted, in nanoseconds.
  ///   - seen: The number of the last frame that the sender had when it said so.
  mutating func want(_ instants: [FrameRegion?: Int64], having seen: Int) {
    wanted = instants
    underWay = underWay.filter { $0.value > seen }
  }

  /// The instant at which the next frame has to be made; `Int64.max` for none.
  var earliest: Int64 {
    wanted.lazy.filter { underWay[$0.key] == nil }.map(\.value).min() ?? .max
  }

  /// Begins the frames that are due, that of the whole source first.
  mutating func begin(at now: Int64) -> [Order] {
    let due = wanted.filter { $0.value <= now && underWay[$0.key] == nil }.keys
    let regions = due.compactMap(\.self)
    let kinds: [FrameRegion?] = (regions.count < due.count ? [nil] : []) + regions
    return kinds.map { region in
      lastNumber += 1
      underWay[region] = lastNumber
      return Order(number: lastNumber, region: region)
    }
  }

  /// The frames being made will not arrive, or nobody waits for them any more.
  mutating func giveUp() { underWay = [:] }
}
