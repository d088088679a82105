/// How long a recording can run before its disk is full.
package enum DiskRoom {
  /// The seconds of recording that fit, without the reserve.
  ///
  /// - Parameters:
  ///   - freeBytes: Bytes free for this user.
  ///   - bytesPerSecond: Bytes a second of the recording.
  ///   - reserveBytes: Bytes that stay free whatever the rate.
  ///   - reserveSeconds: Seconds of the recording that stay free.
  /// - Returns: nil where the rate is not known.
  package static func seconds(
    freeBytes: Int64, bytesPerSecond: Double, reserveBytes: Int64 = 0, reserveSeconds: Double
  ) -> Double? {
    guard bytesPerSecond > 0 else { return nil }
    let reserve = max(Double(reserveBytes), bytesPerSecond * reserveSeconds)
    return max(Double(freeBytes) - reserve, 0) / bytesPerSecond
  }
}
