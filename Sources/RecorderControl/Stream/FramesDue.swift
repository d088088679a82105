import Monitor

/// Decides which pictures to make, and when: of the whole source (nil), and of regions.
///
/// The sender says what it wants next, but learns of a picture only once it is made. If it wants a picture of
/// a kind that is being made, it may not know that yet; so no second one is begun, which nobody would need.
struct FramesDue: Sendable {
  /// A picture that is being made.
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
  ///   - instants: When pictures are wanted, in nanoseconds.
  ///   - seen: The number of the last picture that the sender had when it said so.
  mutating func want(_ instants: [FrameRegion?: Int64], having seen: Int) {
    wanted = instants
    underWay = underWay.filter { $0.value > seen }
  }

  /// The instant at which the next picture has to be made; `Int64.max` for none.
  var earliest: Int64 {
    wanted.lazy.filter { underWay[$0.key] == nil }.map(\.value).min() ?? .max
  }

  /// Begins the pictures that are due, the one of all of the source first.
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

  /// The pictures that are being made will not arrive, or nobody waits for them any more.
  mutating func giveUp() { underWay = [:] }
}
