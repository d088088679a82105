/// Statuses of one connection in the order in which the recorder has read them: replies and events come to their
/// readers on different ways.
package struct StatusOrder: Sendable {
  private var last = Int.min

  package init() {}

  /// Takes the next status that has come.
  ///
  /// - Returns: The status without its number, so that it equals one that says the same; nil where a later
  ///   one was taken before.
  package mutating func take(_ status: RecorderStatus) -> RecorderStatus? {
    guard let number = status.number else { return status }
    guard number > last else { return nil }
    last = number
    var status = status
    status.number = nil
    return status
  }
}
