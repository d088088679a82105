import MediaCore
import RecorderControl
import TakeReports

/// A take's markers in formats of other programs.
struct TakeMarkers: Sendable {
  /// The kinds of file.
  enum Format: String, Sendable, CaseIterable {
    /// Frame, timecode, seconds and note: RFC 4180, with a line of names.
    case csv
    /// An edit decision list (CMX 3600) with an event and a locator for each marker.
    case edl
    /// Final Cut Pro's XML 1.9, with a clip for each movie.
    case fcpxml

    var mediaType: String {
      switch self {
      case .csv: "text/csv; charset=utf-8"
      case .edl: "text/plain; charset=utf-8"
      case .fcpxml: "application/xml; charset=utf-8"
      }
    }
  }

  private let take: RecorderEvent.FinishedTake
  private let markers: [RecordingReport.Marker]
  private let rate: FrameRate
  private let start: Timecode

  /// The markers of a take. A take without timecode begins at `00:00:00:00`.
  init(_ take: RecorderEvent.FinishedTake) {
    self.take = take.withoutFolders
    markers = take.markers ?? []
    rate = take.frameRate.flatMap { FrameRate($0) } ?? .fps25
    start =
      take.startTimecode.flatMap { [rate] in Timecode($0, frameRate: rate) }
      ?? Timecode(frameNumber: 0, format: TimecodeFormat(standardFor: rate))
  }

  /// The text of a file.
  func text(as format: Format) -> String {
    switch format {
    case .csv: csv
    case .edl: edl
    case .fcpxml: fcpxml
    }
  }

  /// The name of a file.
  func fileName(as format: Format) -> String {
    let stem = take.path.hasSuffix(".mov") ? String(take.path.dropLast(4)) : take.path
    return "\(stem).\(format.rawValue)"
  }

  // MARK: CSV

  private var csv: String {
    let lines = markers.map { marker in
      // By code points, as spreadsheets read it, since a combining character may hide a leading one.
      let note = String(String.UnicodeScalarView(marker.note.unicodeScalars.flatMap(Self.field)))
      // Spreadsheets take a text with such a beginning for a formula, also with full-width characters.
      let isFormula = "=+-@\t\r\n＝＋－＠".unicodeScalars
        .contains(note.unicodeScalars.first ?? "x")
      return
        "\(marker.frame),\(timecode(marker)),\(marker.seconds),\"\(isFormula ? "'" : "")\(note)\""
    }
    return (["frame,timecode,seconds,note"] + lines).map { $0 + "\r\n" }.joined()
  }

  /// A character of a quoted field. Readers of CSV stop at U+0000, and reject other control characters, too;
  /// they become `?`, as in XML.
  private static func field(_ scalar: Unicode.Scalar) -> [Unicode.Scalar] {
    switch scalar {
    case "\"": [scalar, scalar]
    case "\t", "\n", "\r": [scalar]
    case "\u{0}"..."\u{1F}", "\u{7F}": ["?"]
    default: [scalar]
    }
  }

  private func timecode(_ marker: RecordingReport.Marker) -> String {
    marker.timecode ?? start.advanced(by: marker.frame).description
  }

  // MARK: EDL

  private var edl: String {
    var text = "TITLE: \(line(take.path))\n"
    text += "FCM: \(start.format.isDropFrame ? "DROP FRAME" : "NON-DROP FRAME")\n\n"
    for (index, marker) in markers.enumerated() {
      // The marker's own timecode includes gaps between movies.
      let first =
        marker.timecode.flatMap { Timecode($0, frameRate: rate) }
        ?? start.advanced(by: marker.frame)
      let last = first.advanced(by: 1)
      let digits = String(index + 1)
      let number = String(repeating: "0", count: max(0, 3 - digits.count)) + digits
      text += "\(number)  AX       V     C        \(first) \(last) \(first) \(last)\n"
      text += "* FROM CLIP NAME: \(line(take.path))\n"
      text += "* LOC: \(first) RED     \(line(marker.note))\n"
      text += " |C:ResolveColorRed |M:\(line(marker.note).replacing("|", with: "/")) |D:1\n\n"
    }
    return text
  }

  /// The text on a single line.
  private func line(_ text: String) -> String {
    String(text.map { $0.isNewline || ($0.asciiValue ?? 32) < 32 ? " " : $0 })
  }

  // MARK: FCPXML

  private var fcpxml: String {
    let timeline = TakeTimeline(take)
    let (marked, lost) = markersByMovie(timeline)
    var (resources, clips, first) = ("", "", Int64(0))
    for (index, (name, slots)) in zip(take.movies, timeline.movies).enumerated() {
      let address = address(ofMovie: index, from: slots.lowerBound)
      let count = slots.upperBound - slots.lowerBound
      let (begin, length) = (time(address), time(count))
      let source = XMLText.escaped(PercentEncoding.encode(name))
      resources += """
            <asset id="r\(index + 2)" name="\(XMLText.escaped(name))" start="\(begin)" \
        duration="\(length)" hasVideo="1"\(audioAttributes) format="r1">
              <media-rep kind="original-media" src="./\(source)"/>
            </asset>

        """
      clips += """
                <asset-clip ref="r\(index + 2)" name="\(XMLText.escaped(name))" \
        offset="\(time(first))" start="\(begin)" duration="\(length)">
        \((marked[index] ?? []).map { element(of: $0, at: address) }.joined())\
                </asset-clip>

        """
      first += count
    }
    return """
      <?xml version="1.0" encoding="UTF-8"?>
      <!DOCTYPE fcpxml>
      \(remark(onLost: lost))<fcpxml version="1.9">
        <resources>
          <format id="r1" frameDuration="\(time(1))"\(sizeAttributes)/>
      \(resources)  </resources>
        <library>
          <event name="\(XMLText.escaped(take.path))">
            <project name="\(XMLText.escaped(take.path))">
              <sequence format="r1" duration="\(time(first))" tcStart="0s" tcFormat="\
      \(start.format.isDropFrame ? "DF" : "NDF")">
                <spine>
      \(clips)          </spine>
              </sequence>
            </project>
          </event>
        </library>
      </fcpxml>

      """
  }

  /// A marker with its slot in a movie.
  private typealias Placed = (slot: Int64, note: String)

  /// The markers of each movie, by the movies' indices, and the number of markers in movies that the take
  /// does not list. A marker whose frame was not recorded is placed at the last frame before it, or else at
  /// the first one.
  private func markersByMovie(
    _ timeline: TakeTimeline
  ) -> (marked: [Int: [Placed]], lost: Int) {
    var (marked, lost) = ([Int: [Placed]](), 0)
    for marker in markers {
      let isListed = take.omitted == nil || marker.frame < timeline.slotCount
      guard isListed, let place = timeline.nearestPlace(to: marker.frame) else {
        lost += 1
        continue
      }
      marked[place.movie, default: []].append((place.slot, marker.note))
    }
    return (marked, lost)
  }

  private func remark(onLost count: Int) -> String {
    guard count > 0 else { return "" }
    let text = count == 1 ? "1 marker is" : "\(count) markers are"
    return "<!-- \(text) in movies that are not listed here; the take's sidecars have them. -->\n"
  }

  /// All the audio of a movie is one source.
  private var audioAttributes: String {
    guard let channels = take.audioChannels, channels > 0 else { return "" }
    return " hasAudio=\"1\" audioSources=\"1\" audioChannels=\"\(channels)\""
      + (take.audioRate.map { " audioRate=\"\($0)\"" } ?? "")
  }

  private var sizeAttributes: String {
    guard let width = take.width, let height = take.height else { return "" }
    return " width=\"\(width)\" height=\"\(height)\""
  }

  /// The frame number of a movie's start by its timecode, which after an interruption is later than the
  /// frames before it add up to.
  private func address(ofMovie index: Int, from first: Int64) -> Int64 {
    let own = take.movieTimecodes.flatMap { $0.indices.contains(index) ? $0[index] : nil }
    return own.flatMap { Timecode($0, frameRate: rate)?.frameNumber } ?? start.frameNumber + first
  }

  private func element(of marker: Placed, at address: Int64) -> String {
    "            <marker start=\"\(time(address + marker.slot))\" duration=\"\(time(1))\" "
      + "value=\"\(XMLText.escaped(marker.note.isEmpty ? "Marker" : marker.note))\"/>\n"
  }

  /// A number of frames in seconds, as a fraction.
  private func time(_ frames: Int64) -> String {
    let frame = rate.frameDuration
    let value = frames.multipliedReportingOverflow(by: frame.value).partialValue
    return value == 0 ? "0s" : "\(value)/\(frame.timescale)s"
  }
}
