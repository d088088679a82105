import MediaCore
import Monitor

/// The line before a frame's bytes, as ``MessageLine`` would write it.
///
/// Like ``LevelsLine``, it avoids a JSON encoder, because there is one for each frame.
enum FrameLine {
  /// The line of an event with a frame and no scopes; nil for any other event, and for a number that JSON
  /// cannot represent.
  static func bytes(_ event: RecorderEvent) -> [UInt8]? {
    guard event.event == .picture, let header = event.picture, header.histogram == nil,
      header.excess == nil
    else { return nil }
    var known = known
    (known.date, known.picture) = (event.date, header)
    guard event == known else { return nil }
    var text = JSONLine(size: 1024)
    text.open()
    text.add("date", text: event.date)
    text.add("event", text: event.event.rawValue)
    text.add("picture")
    write(header, to: &text)
    text.add("schema", text: DocumentKind.recorderEvent.schema)
    text.add("version", DocumentKind.version)
    text.close()
    return text.isWhole ? text.bytes + [0x0A] : nil
  }

  /// Of an event, all that is written.
  private static let known = RecorderEvent(.picture)

  private static func write(_ header: MonitorFrameHeader, to text: inout JSONLine) {
    text.open()
    text.add("byteCount", header.byteCount)
    text.add("captureTime", header.captureTime)
    text.add("color", text: header.color)
    text.add("height", header.height)
    text.add("layout", text: header.layout)
    text.add("maps", header.maps) { write($0, to: &$1) }
    text.add("number", header.number)
    text.add("pixelAspectRatio", text: header.pixelAspectRatio)
    if let region = header.region {
      text.add("region")
      write(region, to: &text)
    }
    text.add("sourceHeight", header.sourceHeight)
    text.add("sourceWidth", header.sourceWidth)
    if let timecode = header.timecode { text.add("timecode", text: timecode) }
    text.add("width", header.width)
    text.close()
  }

  private static func write(_ map: MonitorFrameHeader.Map, to text: inout JSONLine) {
    text.open()
    text.add("height", map.height)
    text.add("name", text: map.name)
    text.add("width", map.width)
    text.close()
  }

  private static func write(_ region: FrameRegion, to text: inout JSONLine) {
    text.open()
    text.add("height", region.height)
    text.add("width", region.width)
    text.add("x", region.x)
    text.add("y", region.y)
    text.close()
  }
}
