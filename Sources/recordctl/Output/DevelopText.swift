import MediaCore
import PhotoDevelopment
import RawDevelop

/// Developed photos in words.
enum DevelopText {
  /// The progress line.
  static func progress(_ now: DevelopBatch.Progress) -> String {
    var text = "\(now.done) of \(now.total) photos"
    if now.done < now.total, let seconds = now.secondsLeft {
      text += ", \(Quantity.timeLeft(seconds))"
    }
    return text
  }

  /// The messages about a photo for standard error: why it failed, what could not be done.
  static func remarks(_ photo: DevelopedPhoto) -> [String] {
    if let error = photo.error {
      // Leftovers were removed even if the photo failed.
      let gone = photo.notes.filter { $0.kind == .leftoversRemoved }
      return (gone.map(\.message) + [Remedies.spoken(error.message)]).map {
        named($0, of: photo.source)
      }
    }
    if photo.status == .canceled { return ["\(photo.source): not developed: interrupted"] }
    if photo.status == .skipped {
      return ["\(photo.path ?? photo.source): exists already, skipped"]
    }
    return photo.notes.map { "\(photo.path ?? photo.source): \($0.message)" }
  }

  /// A message about a photo's file, after the file's path unless it begins with that already. A path that could be a
  /// word, such as `a`, only counts before a colon.
  static func named(_ message: String, of path: String) -> String {
    let separators = path.contains(where: { "./".contains($0) }) ? [": ", " "] : [": "]
    return separators.contains { message.hasPrefix(path + $0) } ? message : "\(path): \(message)"
  }

  /// The result for a photo: its image's path, and the requested histograms.
  static func lines(_ photo: DevelopedPhoto) -> [String] {
    guard photo.status == .developed else { return [] }
    return [photo.path ?? photo.source]
      + (photo.rawHistogram.map { histogram("sensor", $0) } ?? [])
      + (photo.histogram.map { histogram("image", $0) } ?? [])
  }

  /// A line for each color: a bar for each 32nd of the range, and the shares at its ends.
  private static func histogram(_ name: String, _ histogram: ImageHistogram) -> [String] {
    let bars = Array(" ▁▂▃▄▅▆▇█")
    let columns = 32
    return ["red", "green", "blue"].enumerated().map { color, colorName in
      let counts = histogram.counts[color]
      let total = max(counts.reduce(0, +), 1)
      let sums = (0..<columns).map { column in
        counts[counts.count * column / columns..<counts.count * (column + 1) / columns].reduce(0, +)
      }
      let most = max(sums.max() ?? 1, 1)
      let line = String(
        sums.map { bars[$0 == 0 ? 0 : 1 + ($0 * (bars.count - 2) + most / 2) / most] })
      func share(_ count: Int) -> String {
        let hundredths = (Double(count) / Double(total) * 10_000).rounded() / 100
        return "\(hundredths)%"
      }
      return "  \(name) \(colorName) |\(line)| black \(share(histogram.belowBlack[color])), "
        + "white \(share(histogram.atWhite[color]))"
    }
  }
}
