public import MediaCore
public import Monitor

/// A frame of a recorder's monitor stream, as a client receives it.
public struct MonitorFrame: Sendable, Hashable {
  /// The size, scopes and other facts of the frame.
  public let header: MonitorFrameHeader
  /// The bytes that followed the header.
  let bytes: [UInt8]

  /// The frame.
  ///
  /// - Throws: `MediaCoreError.Code.invalidLayout` or `MediaCoreError.Code.invalidDimensions`, if the bytes
  ///   do not match the header.
  public func preview() throws(MediaCoreError) -> PreviewFrame {
    let count = PreviewFrame.byteCount(width: header.width, height: header.height)
    return try PreviewFrame(
      width: header.width, height: header.height, color: color,
      sourceDimensions: VideoDimensions(width: header.sourceWidth, height: header.sourceHeight),
      bytes: Array(bytes.prefix(count)))
  }

  /// The bytes of a map, by its name: brightness, row by row from the lowest level. Nil if the frame has no
  /// such map.
  public func map(_ name: String) -> (width: Int, height: Int, densities: [UInt8])? {
    var offset = PreviewFrame.byteCount(width: header.width, height: header.height)
    for map in header.maps {
      guard map.width > 0, map.height > 0, offset.addingSaturating(map.byteCount) <= bytes.count
      else { return nil }
      if map.name == name {
        return (map.width, map.height, Array(bytes[offset..<offset + map.byteCount]))
      }
      offset += map.byteCount
    }
    return nil
  }

  private var color: ColorDescription {
    let codes = header.color.split(separator: "-").compactMap { UInt8($0) }
    guard codes.count == 3 else { return .bt709 }
    return ColorDescription(
      primaries: .init(rawValue: codes[0]) ?? .unspecified,
      transferFunction: .init(rawValue: codes[1]) ?? .unspecified,
      matrix: .init(rawValue: codes[2]) ?? .unspecified)
  }
}
