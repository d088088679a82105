import Monitor

/// Which pictures are to be made, and when: of the whole frame (nil), and of regions of it.
///
/// The sender says what it wants next, but learns of a picture only once it is made. A request for a kind of picture
/// that is already being made therefore counts as answered by it; otherwise a second one would be made
/// for nobody.
struct PicturesDue: Sendable {
  /// A picture that is being made.
  struct Order: Sendable, Hashable {
    var number: Int
    var region: PictureRegion?
  }

  private var wanted: [PictureRegion?: Int64] = [:]
  /// The numbers of those that are on their way.
  private var underWay: [PictureRegion?: Int] = [:]
  private var lastNumber = 0

  /// Updates what is wanted.
  ///
  /// - Parameters:
  ///   - instants: The time from which each picture is wanted, in nanoseconds.
  ///   - seen: The number of the last picture that the sender knew when it asked.
  mutating func want(_ instants: [PictureRegion?: Int64], having seen: Int) {
    wanted = instants
    underWay = underWay.filter { $0.value > seen }
  }

  /// The instant from which on some picture is to be made; `Int64.max` for none.
  var earliest: Int64 {
    wanted.lazy.filter { underWay[$0.key] == nil }.map(\.value).min() ?? .max
  }

  /// Begins the pictures that are due, the one of all of the source first.
  mutating func begin(at now: Int64) -> [Order] {
    let due = wanted.filter { $0.value <= now && underWay[$0.key] == nil }.keys
    let regions = due.compactMap(\.self)
    let kinds: [PictureRegion?] = (regions.count < due.count ? [nil] : []) + regions
    return kinds.map { region in
      lastNumber += 1
      underWay[region] = lastNumber
      return Order(number: lastNumber, region: region)
    }
  }

  /// Forgets the pictures that are being made: they will not arrive, or are no longer wanted.
  mutating func giveUp() { underWay = [:] }
}
