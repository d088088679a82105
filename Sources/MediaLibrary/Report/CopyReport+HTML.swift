import FoundationEssentials
import MediaCore

extension CopyReport {
  /// The report as a self-contained page: thumbnails are embedded, and nothing is loaded from the
  /// network. It is also well-formed XML.
  public var html: String {
    let title = "Copies of \(source)"
    var page = [
      "<!DOCTYPE html>", #"<html xmlns="http://www.w3.org/1999/xhtml" lang="en">"#, "<head>",
      #"<meta charset="utf-8"/>"#, "<title>\(Self.escaped(title))</title>",
      "<style>\(Self.style)</style>", "</head>", "<body>", "<h1>\(Self.escaped(title))</h1>",
      #"<p class="\#(offload.isSound ? "good" : "bad")">\#(Self.escaped(result))</p>"#,
    ]
    page += totals + destinations
    page += notes.map { "<p>\(Self.escaped($0))</p>" }
    page.append(
      "<table><thead><tr><th>Images</th><th>File</th><th>Size</th><th>xxHash64</th>"
        + "<th>Result</th></tr></thead><tbody>")
    page += items.map(row)
    page += ["</tbody></table>", "</body>", "</html>", ""]
    return page.joined(separator: "\n")
  }

  private static let style = """
    body{font:14px sans-serif;margin:2em;color:#111}table{border-collapse:collapse;margin:1em 0}\
    td,th{border:1px solid #bbb;padding:4px 8px;text-align:left;vertical-align:top}\
    td.hash{font-family:monospace}img{max-width:160px;max-height:120px;margin-right:2px}\
    .good{background:#dfd;padding:.5em}.bad{background:#fdd;padding:.5em}\
    @media print{tr{break-inside:avoid}}
    """

  private var totals: [String] {
    let rows = [
      ("Made", ReportText.date(date)), ("Files", "\(offload.fileCount)"),
      ("Size", "\(ReportText.bytes(byteCount)) (\(byteCount) bytes)"),
      ("Movies and audio", ReportText.duration(mediaDuration)),
      ("Copied in", ReportText.duration(offload.duration)),
    ]
    let lines = rows.map { "<tr><th>\($0)</th><td>\(Self.escaped($1))</td></tr>" }
    return [#"<table class="totals">"#] + lines + ["</table>"]
  }

  private var destinations: [String] {
    let head =
      "<table><tr><th>Destination</th><th>Disk</th><th>Files</th><th>Manifest</th>"
      + "<th>Result</th></tr>"
    let rows = offload.destinations.map { destination in
      let isWhole = destination.isWhole(of: offload.fileCount)
      let cells = [
        destination.folder, destination.disk?.description ?? "unknown",
        "\(destination.files.count) of \(offload.fileCount)", destination.manifest ?? "none",
        isWhole ? "complete, verified" : "NOT COMPLETE",
      ]
      return "<tr class=\"\(isWhole ? "good" : "bad")\">"
        + cells.map { "<td>\(Self.escaped($0))</td>" }.joined() + "</tr>"
    }
    return [head] + rows + ["</table>"]
  }

  private func row(_ item: Item) -> String {
    let images = item.thumbnails.enumerated().map { index, jpeg in
      let data = Data(jpeg).base64EncodedString()
      return #"<img alt="image \#(index + 1)" src="data:image/jpeg;base64,\#(data)"/>"#
    }.joined()
    let facts = item.facts.map { "<br/>" + Self.escaped(ReportText.facts($0)) } ?? ""
    let outcome =
      (["\(item.copyCount) of \(offload.destinations.count) copies verified"] + item.problems)
      .map(Self.escaped).joined(separator: "<br/>")
    return "<tr\(item.problems.isEmpty ? "" : #" class="bad""#)><td>\(images)</td>"
      + "<td>\(Self.escaped(item.path))\(facts)</td><td>\(ReportText.size(of: item))</td>"
      + "<td class=\"hash\">\(item.xxh64 ?? "none")</td><td>\(outcome)</td></tr>"
  }

  /// Text for a page. Characters that neither HTML nor XML can hold appear as their code points.
  private static func escaped(_ text: String) -> String {
    text.unicodeScalars.map { scalar in
      XMLText.entity(scalar) ?? (isPlain(scalar) ? String(scalar) : visible(scalar))
    }.joined()
  }

  /// False for control characters, characters that XML cannot hold, and those that change the direction of text.
  static func isPlain(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0..<0x20, 0x7F..<0xA0, 0x200E...0x200F, 0x202A...0x202E, 0x2066...0x2069, 0xFFFE...0xFFFF:
      false
    default: true
    }
  }

  /// `[U+0007]`
  static func visible(_ scalar: Unicode.Scalar) -> String {
    "[\(scalar.codePoint)]"
  }
}
