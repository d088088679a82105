import Monitor

/// Which pictures are to be made, and when: of all of the source (nil), and of regions of it.
///
/// Who sends them tells what is wanted next, and hears of a picture only once it is made. What is wanted of a kind
/// whose picture is on its way counts as told by somebody who does not know that yet: else a second one would be
/// made, for nobody.
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

  /// Takes over what is wanted.
  ///
  /// - Parameters:
  ///   - instants: From when on a picture is wanted, in nanoseconds.
  ///   - seen: The number of the last picture that was known when that was told.
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

  /// Those that are on their way do not come, or nobody waits for them any more.
  mutating func giveUp() { underWay = [:] }
}
