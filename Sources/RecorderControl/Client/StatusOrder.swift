/// Sorts out statuses of a connection that arrive late: replies and events reach their readers by different
/// paths, and may overtake each other.
package struct StatusOrder: Sendable {
  private var last = Int.min

  package init() {}

  /// Accepts a status unless a later one was accepted before.
  ///
  /// - Returns: The status without its number, so that statuses with the same content are equal; nil if it is late.
  package mutating func take(_ status: RecorderStatus) -> RecorderStatus? {
    guard let number = status.number else { return status }
    guard number > last else { return nil }
    last = number
    var status = status
    status.number = nil
    return status
  }
}
