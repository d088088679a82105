/// Finds the packets that are read in libavformat's index, which they follow but for seeks.
struct PacketCursor {
  private let entries: [EditedPackets.Entry]
  private var next = 0

  /// - Parameter entries: All packets, in libavformat's order.
  init(_ entries: [EditedPackets.Entry]) { self.entries = entries }

  /// The place in the index of a packet that is read; nil for one that is not in it.
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
