import MediaCore
import Monitor
import RecorderControl

/// The JSON header of a frame's message; the bytes follow it.
struct ServedFrameHeader: Sendable, Hashable, Codable {
  /// A map of a scope: bytes of brightness, row by row from the lowest level, deflated.
  struct Map: Sendable, Hashable, Codable {
    var name: String
    var width: Int
    var height: Int
    /// The compressed size in bytes.
    var byteCount: Int
  }

  /// The number of samples of each of 256 levels, each of which stands for four codes.
  struct Histogram: Sendable, Hashable, Codable {
    var luma: [UInt32]
    var red: [UInt32]
    var green: [UInt32]
    var blue: [UInt32]
  }

  /// Its number, to be acknowledged.
  var number: Int
  var width: Int
  var height: Int
  var sourceWidth: Int
  var sourceHeight: Int
  /// The region of the source, pixel for pixel; nil for the whole source, scaled down.
  var region: FrameRegion?
  /// The shape of a pixel of the preview, width to height: `1:1`.
  var pixelAspectRatio: String
  /// Code points of primaries, transfer function and matrix: `1-1-1`.
  var color: String
  var timecode: String?
  /// When it was captured, in seconds of CLOCK_MONOTONIC of the recorder's machine.
  var captureTime: Double
  /// Bytes of the JPEG that follows.
  var byteCount: Int
  /// The maps that follow the JPEG, in order.
  var maps: [Map] = []
  var histogram: Histogram?
  /// The samples outside the legal range, if scopes were asked for.
  var excess: LegalRange.Excess?
}

/// A frame as viewers receive it, made once for all of them.
///
/// A message is the length of the header in four bytes, the lowest first; the header; the JPEG; the maps.
struct ServedFrame: Sendable {
  let number: Int
  let jpeg: [UInt8]
  private let header: ServedFrameHeader
  private let maps: [(selection: VideoScopes.Selection, map: ServedFrameHeader.Map, bytes: [UInt8])]
  private let histogram: ServedFrameHeader.Histogram?
  private let excess: LegalRange.Excess?

  /// The quality of the JPEG.
  static let quality: Int32 = 75

  /// - Throws: ``ServiceError/Code/encodingFailed``.
  init(
    _ frame: MonitorFrame, _ wanted: VideoScopes.Selection
  ) throws(ServiceError) {
    let preview: PreviewFrame
    do throws(MediaCoreError) { preview = try frame.preview() } catch {
      throw ServiceError(.encodingFailed, from: error)
    }
    let source = frame.header
    number = source.number
    jpeg = try JPEGEncoder.encode(preview, quality: Self.quality)
    header = ServedFrameHeader(
      number: source.number, width: source.width, height: source.height,
      sourceWidth: source.sourceWidth, sourceHeight: source.sourceHeight,
      region: source.region, pixelAspectRatio: source.pixelAspectRatio, color: source.color,
      timecode: source.timecode,
      captureTime: source.captureTime, byteCount: jpeg.count)
    guard !wanted.isEmpty else {
      (maps, histogram, excess) = ([], nil, nil)
      return
    }
    let scopes = VideoScopes(preview, wanted)
    maps = Self.maps(scopes)
    histogram = scopes.histogram.count == 4 ? Self.histogram(scopes) : nil
    excess = scopes.excess
  }

  private static func maps(
    _ scopes: VideoScopes
  ) -> [(VideoScopes.Selection, ServedFrameHeader.Map, [UInt8])] {
    let named: [(VideoScopes.Selection, String, DensityMap?)] =
      [
        (.waveform, "waveform", scopes.waveform), (.vectorscope, "vectorscope", scopes.vectorscope),
      ]
      + zip(["parade-red", "parade-green", "parade-blue"], scopes.parade).map { (.parade, $0, $1) }
    return named.compactMap { selection, name, map in
      guard let map, let bytes = Deflate.pack(map.densities()) else { return nil }
      return (
        selection,
        .init(name: name, width: map.width, height: map.height, byteCount: bytes.count), bytes
      )
    }
  }

  private static func histogram(_ scopes: VideoScopes) -> ServedFrameHeader.Histogram {
    let counts = scopes.histogram
    return .init(luma: counts[0], red: counts[1], green: counts[2], blue: counts[3])
  }

  /// The message for a viewer that wants these scopes.
  func message(_ wanted: VideoScopes.Selection) -> [UInt8] {
    var header = header
    let chosen = maps.filter { wanted.contains($0.selection) }
    header.maps = chosen.map(\.map)
    if wanted.contains(.histogram) { header.histogram = histogram }
    if !wanted.isEmpty { header.excess = excess }
    let text = JSONText.bytes(header)
    var message = withUnsafeBytes(of: UInt32(text.count).littleEndian) { Array($0) }
    message.reserveCapacity(4 + text.count + jpeg.count + chosen.reduce(0) { $0 + $1.bytes.count })
    message += text
    message += jpeg
    for part in chosen { message += part.bytes }
    return message
  }
}
