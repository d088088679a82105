/// Finds read packets in libavformat's index. Except after seeks, they come in index order.
struct PacketCursor {
  private let entries: [EditedPackets.Entry]
  private var next = 0

  /// - Parameter entries: All packets, in libavformat's order.
  init(_ entries: [EditedPackets.Entry]) { self.entries = entries }

  /// The index entry of a packet; nil if there is none.
  mutating func find(packetAt position: Int64, decodedAt time: Int64) -> Int? {
    func isIt(_ index: Int) -> Bool {
      entries[index].position == position && entries[index].decodeTime == time
    }
    guard
      let found = next < entries.count && isIt(next) ? next : entries.indices.first(where: isIt)
    else { return nil }
    next = found + 1
    return found
  }
}
