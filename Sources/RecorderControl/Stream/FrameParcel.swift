import MediaCore
import Monitor

/// A frame for clients, made once for all of them.
struct FrameParcel: Sendable {
  let number: Int
  /// The requested region; nil for the whole frame.
  let region: FrameRegion?
  private let header: MonitorFrameHeader
  /// The frame's planes. They are not copied, because a frame has megabytes.
  private let picture: [OutputRun]
  private let maps:
    [(selection: VideoScopes.Selection, map: MonitorFrameHeader.Map, bytes: [UInt8])]

  init(
    _ preview: PreviewFrame, _ scopes: VideoScopes?, region: FrameRegion? = nil, number: Int,
    timecode: String?, captureTime: Double
  ) {
    (self.number, self.region) = (number, region)
    picture = preview.sentPlanes.map { .codes($0) }
    let color = preview.color.withCommonCodes
    header = MonitorFrameHeader(
      number: number, width: preview.width, height: preview.height,
      sourceWidth: preview.sourceDimensions.width, sourceHeight: preview.sourceDimensions.height,
      region: region?.moved(into: preview.sourceDimensions),
      pixelAspectRatio: "\(preview.pixelAspectRatio)", color: "\(color)",
      layout: "yuv422p10le", timecode: timecode, captureTime: captureTime, maps: [],
      histogram: scopes.flatMap(MonitorFrameHeader.Histogram.init), excess: scopes?.excess,
      byteCount: picture.reduce(0) { $0 + $1.count })
    maps = scopes.map(Self.maps) ?? []
  }

  private static func maps(
    _ scopes: VideoScopes
  ) -> [(VideoScopes.Selection, MonitorFrameHeader.Map, [UInt8])] {
    var maps: [(VideoScopes.Selection, MonitorFrameHeader.Map, [UInt8])] = []
    func add(_ selection: VideoScopes.Selection, _ name: String, _ map: DensityMap?) {
      guard let map else { return }
      maps.append(
        (selection, .init(name: name, width: map.width, height: map.height), map.densities()))
    }
    add(.waveform, "waveform", scopes.waveform)
    for (name, map) in zip(["parade-red", "parade-green", "parade-blue"], scopes.parade) {
      add(.parade, name, map)
    }
    add(.vectorscope, "vectorscope", scopes.vectorscope)
    return maps
  }

  /// The line for a client that wants these scopes, and the bytes that follow it.
  func parts(for wanted: VideoScopes.Selection) -> (line: [UInt8], runs: [OutputRun])? {
    var header = header
    let chosen = maps.filter { wanted.contains($0.selection) }
    header.maps = chosen.map(\.map)
    header.byteCount += chosen.reduce(0) { $0 + $1.bytes.count }
    if !wanted.contains(.histogram) { header.histogram = nil }
    if wanted.isEmpty { header.excess = nil }
    var event = RecorderEvent(.picture)
    event.picture = header
    let prepared = FrameLine.bytes(event)
    guard let line = prepared ?? (try? MessageLine.bytes(.recorderEvent, event)) else { return nil }
    return (line, picture + chosen.map { .bytes($0.bytes) })
  }
}

extension MonitorFrameHeader.Histogram {
  init?(_ scopes: VideoScopes) {
    guard scopes.histogram.count == 4 else { return nil }
    self.init(
      luma: scopes.histogram[0], red: scopes.histogram[1], green: scopes.histogram[2],
      blue: scopes.histogram[3])
  }
}
