/// How the code words of some codebooks are read.
///
/// The zeros that a code word begins with say how long it is; its value is its bits and a constant.
struct CodeTable: @unchecked Sendable {
  /// For each codebook and each of 0 to 31 leading zeros: the constant times 256, and the length in
  /// bits, which is 0 where a code word would be longer than any the standard's values can need.
  // Unchecked: written before anybody reads it and never again; tables are made once, never freed.
  let entries: UnsafePointer<Int>

  init(_ books: [Codebook]) {
    let entries = UnsafeMutablePointer<Int>.allocate(capacity: books.count * 32)
    for (index, book) in books.enumerated() {
      for zeros in 0..<32 { entries[index * 32 + zeros] = Self.entry(book, zeros: zeros) }
    }
    self.entries = UnsafePointer(entries)
  }

  private static func entry(_ book: Codebook, zeros: Int) -> Int {
    if zeros < book.riceQuotients {
      return (zeros - 1) << (book.riceOrder + 8) | (zeros + 1 + book.riceOrder)
    }
    let length = zeros * 2 - book.riceQuotients + book.expOrder + 1
    guard zeros < 20, length <= 32 else { return 0 }
    let constant = (book.riceQuotients << book.riceOrder) - (1 << book.expOrder)
    return constant << 8 | length
  }

  /// The zeros that a code word begins with, as far as the entries tell them apart.
  static func zeros(_ window: UInt) -> Int { (window | 1 &<< 32).leadingZeroBitCount }

  /// The one codebook of a component's first DC coefficient.
  static let firstDC = CodeTable([.firstDC])
  /// By the magnitude of the DC difference before; 3 stands for all from there on.
  static let dc = CodeTable((0...3).map(Codebook.dc))
  /// By the run before; 15 stands for all from there on.
  static let runs = CodeTable((0...15).map(Codebook.run))
  /// By the magnitude before; 9 stands for all from there on.
  static let levels = CodeTable((0...9).map(Codebook.level))
}
