/// A first-in, first-out queue that allocates only when it grows.
struct FIFO<Element> {
  fileprivate var slots: [Element?] = []
  fileprivate var head = 0
  private(set) var count = 0

  var isEmpty: Bool { count == 0 }
  var first: Element? { count == 0 ? nil : slots[head] }

  mutating func append(_ element: Element) {
    if count == slots.count { grow() }
    slots[(head + count) % slots.count] = element
    count += 1
  }

  /// Puts an element before the first.
  mutating func prepend(_ element: Element) {
    if count == slots.count { grow() }
    head = (head + slots.count - 1) % slots.count
    slots[head] = element
    count += 1
  }

  mutating func popFirst() -> Element? {
    guard count > 0 else { return nil }
    let element = slots[head]
    slots[head] = nil
    head = (head + 1) % slots.count
    count -= 1
    return element
  }

  mutating func removeAll() { self = FIFO() }

  private mutating func grow() {
    var larger: [Element?] = []
    larger.reserveCapacity(max(8, slots.count * 2))
    for offset in 0..<count { larger.append(slots[(head + offset) % slots.count]) }
    while larger.count < max(8, slots.count * 2) { larger.append(nil) }
    slots = larger
    head = 0
  }
}

extension FIFO {
  /// The element `offset` places behind the first; nil where there is none.
  subscript(offset: Int) -> Element? {
    offset >= 0 && offset < count ? slots[(head + offset) % slots.count] : nil
  }
}
