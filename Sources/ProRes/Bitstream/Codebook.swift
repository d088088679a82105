/// A Golomb combination code: Rice codes for small values, exponential Golomb codes above them
/// (RDD 36, 7.1.1.1).
struct Codebook: Sendable, Hashable {
  /// Values whose Rice quotient is below this are Rice codes.
  let riceQuotients: Int
  /// Remainder bits of a Rice code.
  let riceOrder: Int
  /// Order of the exponential Golomb code.
  let expOrder: Int

  init(quotients: Int, rice: Int, exp: Int) {
    self.riceQuotients = quotients
    self.riceOrder = rice
    self.expOrder = exp
  }

  /// The first DC coefficient of a component.
  static let firstDC = Codebook(quotients: 1, rice: 5, exp: 6)

  /// For a DC difference, by the magnitude of the difference before it.
  static func dc(previousMagnitude: Int) -> Codebook { dcBooks[min(previousMagnitude, 3)] }

  /// For a run of zeros, by the run before it.
  static func run(previous: Int) -> Codebook { runBooks[min(previous, 15)] }

  /// For a magnitude less one, by the magnitude before it.
  static func level(previousMagnitude: Int) -> Codebook { levelBooks[min(previousMagnitude, 9)] }

  /// What `previous` is at a component's first run and first level.
  static let initialRun = 4
  static let initialLevel = 2
  /// What `previousMagnitude` is at a component's second DC coefficient.
  static let initialDCDifference = 3

  private static let dcBooks = [
    Codebook(quotients: 1, rice: 0, exp: 1), Codebook(quotients: 1, rice: 1, exp: 2),
    Codebook(quotients: 2, rice: 2, exp: 3), Codebook(quotients: 1, rice: 3, exp: 4),
  ]

  private static let runBooks: [Codebook] = {
    let zero = Codebook(quotients: 3, rice: 0, exp: 1)
    let two = Codebook(quotients: 2, rice: 0, exp: 1)
    let four = Codebook(quotients: 1, rice: 0, exp: 1)
    let five = Codebook(quotients: 2, rice: 1, exp: 2)
    let nine = Codebook(quotients: 1, rice: 1, exp: 2)
    let many = Codebook(quotients: 1, rice: 2, exp: 3)
    return [zero, zero, two, two, four, five, five, five, five]
      + [nine, nine, nine, nine, nine, nine, many]
  }()

  private static let levelBooks: [Codebook] = {
    let five = Codebook(quotients: 1, rice: 1, exp: 2)
    return [
      Codebook(quotients: 1, rice: 0, exp: 1), Codebook(quotients: 3, rice: 0, exp: 2),
      Codebook(quotients: 2, rice: 0, exp: 1), Codebook(quotients: 3, rice: 0, exp: 1),
      Codebook(quotients: 1, rice: 0, exp: 1), five, five, five, five,
      Codebook(quotients: 1, rice: 2, exp: 3),
    ]
  }()

  /// The code word of a value and its length in bits; leading zeros count.
  func code(_ value: Int) -> (bits: UInt32, length: Int) {
    let limit = riceQuotients << riceOrder
    if value < limit {
      let remainder = value & ((1 << riceOrder) - 1)
      return (UInt32(1 << riceOrder | remainder), (value >> riceOrder) + 1 + riceOrder)
    }
    let shifted = value - limit + (1 << expOrder)
    let exponent = Int.bitWidth - 1 - shifted.leadingZeroBitCount
    return (UInt32(shifted), exponent * 2 + 1 - expOrder + riceQuotients)
  }
}
