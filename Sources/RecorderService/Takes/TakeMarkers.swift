import MediaCore
import RecorderControl
import TakeReports

/// A take's markers as files that other programs read.
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

  /// The markers of a take. Without a timecode of its own it begins at `00:00:00:00`.
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
      // Spreadsheets look at code points, and not at what they combine to.
      let note = String(
        String.UnicodeScalarView(
          marker.note.unicodeScalars.flatMap { $0 == "\"" ? [$0, $0] : [$0] }))
      // A spreadsheet takes what begins so for a formula.
      let isFormula = "=+-@\t\r".unicodeScalars.contains(note.unicodeScalars.first ?? "x")
      return
        "\(marker.frame),\(timecode(marker)),\(marker.seconds),\"\(isFormula ? "'" : "")\(note)\""
    }
    return (["frame,timecode,seconds,note"] + lines).map { $0 + "\r\n" }.joined()
  }

  private func timecode(_ marker: RecordingReport.Marker) -> String {
    marker.timecode ?? start.advanced(by: marker.frame).description
  }

  // MARK: EDL

  private var edl: String {
    var text = "TITLE: \(line(take.path))\n"
    text += "FCM: \(start.format.isDropFrame ? "DROP FRAME" : "NON-DROP FRAME")\n\n"
    for (index, marker) in markers.enumerated() {
      // What lies between two movies counts: the marker's own address knows it.
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

  /// A text without what would begin another line.
  private func line(_ text: String) -> String {
    String(text.map { $0.isNewline || ($0.asciiValue ?? 32) < 32 ? " " : $0 })
  }

  // MARK: FCPXML

  private var fcpxml: String {
    let counts = take.movieFrames ?? [take.frameCount]
    var (resources, clips, first) = ("", "", Int64(0))
    for (index, (name, count)) in zip(take.movies, counts).enumerated() {
      let address = address(ofMovie: index, from: first)
      let (begin, length) = (time(address), time(count))
      let source = XMLText.escaped(PercentEncoding.encode(name))
      resources += """
            <asset id="r\(index + 2)" name="\(XMLText.escaped(name))" start="\(begin)" \
        duration="\(length)" hasVideo="1" format="r1">
              <media-rep kind="original-media" src="./\(source)"/>
            </asset>

        """
      clips += """
                <asset-clip ref="r\(index + 2)" name="\(XMLText.escaped(name))" \
        offset="\(time(first))" start="\(begin)" duration="\(length)">
        \(markerElements(from: first, to: first + count, at: address))\
                </asset-clip>

        """
      first += count
    }
    return """
      <?xml version="1.0" encoding="UTF-8"?>
      <!DOCTYPE fcpxml>
      <fcpxml version="1.9">
        <resources>
          <format id="r1" frameDuration="\(time(1))"/>
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

  /// The number of a movie's first frame by its timecode: behind an interruption it is later than the frames
  /// before it tell.
  private func address(ofMovie index: Int, from first: Int64) -> Int64 {
    let own = take.movieTimecodes.flatMap { $0.indices.contains(index) ? $0[index] : nil }
    return own.flatMap { Timecode($0, frameRate: rate)?.frameNumber } ?? start.frameNumber + first
  }

  private func markerElements(from first: Int64, to end: Int64, at address: Int64) -> String {
    markers.filter { (first..<end).contains($0.frame) }.map { marker in
      let place = time(address + marker.frame - first)
      return "            <marker start=\"\(place)\" duration=\"\(time(1))\" "
        + "value=\"\(XMLText.escaped(marker.note.isEmpty ? "Marker" : marker.note))\"/>\n"
    }.joined()
  }

  /// A number of frames in seconds, as a fraction.
  private func time(_ frames: Int64) -> String {
    let frame = rate.frameDuration
    let value = frames.multipliedReportingOverflow(by: frame.value).partialValue
    return value == 0 ? "0s" : "\(value)/\(frame.timescale)s"
  }
}
