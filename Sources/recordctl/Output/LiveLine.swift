import Foundation
import MediaCore
import Takes
import VideoRecorder

/// The line that shows where a recording stands.
struct LiveLine {
  /// What begins a recording that stands by.
  struct Start {
    /// When it begins by itself; nil for never.
    var time: StartTime?
    /// True where Enter begins it.
    var hasKeys = false
  }

  /// A part of the line, which gives way where there is no room.
  private struct Part {
    var text: String
    var style = StatusText.Style.plain
    /// Higher ones go first; 0 stays.
    var rank: Int
    /// What stays of it in its turn.
    var shorter: String?
  }

  /// True where block characters are shown.
  var hasBlocks = false
  /// What a recording that stands by waits for.
  var start = Start()

  /// Channels that are shown one by one at most.
  private static let channelLimit = 16
  /// Minutes of room on the disk below which it is an alarm.
  private static let fewMinutes = 5.0

  /// The line for so many columns.
  func text(_ progress: RecordingProgress, columns: Int) -> StatusText {
    var parts = progress.isStandingBy ? standingBy(progress) : recording(progress)
    func width(_ gap: Int) -> Int {
      parts.reduce(gap * (parts.count - 1)) { $0 + $1.text.columns }
    }
    for rank in stride(from: 9, to: 0, by: -1) where width(2) > columns {
      parts = parts.compactMap { part in
        guard part.rank == rank else { return part }
        return part.shorter.map { Part(text: $0, style: part.style, rank: 0) }
      }
    }
    let separator = width(2) > columns ? " " : "  "
    let pieces = parts.map { StatusText.Part(text: $0.text, style: $0.style) }
    return StatusText(Array(pieces.map { [$0] }.joined(separator: [.init(text: separator)])))
      .prefix(columns: columns)
  }

  private func recording(_ progress: RecordingProgress) -> [Part] {
    var parts = [
      Part(
        text: (progress.isPaused ? "paused " : "rec ") + ControlText.clock(progress.duration),
        rank: 0)
    ]
    if let timecode = progress.timecode { parts.append(Part(text: timecode, rank: 4)) }
    if let path = progress.path { parts.append(Part(text: path.pathName, rank: 5)) }
    parts.append(Part(text: "\(progress.frames) frames", rank: 7))
    parts.append(
      Part(
        text: "\(progress.dropped) dropped", style: progress.dropped > 0 ? .alarm : .plain, rank: 1,
        shorter: "\(progress.dropped) dr"))
    if progress.damaged > 0 {
      parts.append(Part(text: "\(progress.damaged) damaged", style: .alarm, rank: 2))
    }
    if progress.repeated > 0 {
      parts.append(Part(text: "\(progress.repeated) repeated", style: .alarm, rank: 6))
    }
    let isFilling = progress.queue * 2 > progress.queueDepth
    parts.append(
      Part(
        text: "queue \(progress.queue)/\(progress.queueDepth)", style: isFilling ? .alarm : .plain,
        rank: isFilling ? 3 : 8))
    parts.append(Part(text: Quantity.bytes(progress.fileSize), rank: 9))
    parts += disk(progress)
    return parts + meters(progress)
  }

  private func disk(_ progress: RecordingProgress) -> [Part] {
    var parts: [Part] = []
    if let left = progress.secondsLeft {
      let minutes = min(max(left / 60, 0), 99_999)
      parts.append(
        Part(
          text: "disk \(Int(minutes)) min", style: minutes < Self.fewMinutes ? .alarm : .plain,
          rank: minutes < Self.fewMinutes ? 2 : 4))
    }
    // As `check` tells it: at the codec's target rate.
    if let worst = progress.worstCaseSecondsLeft {
      parts.append(Part(text: "(\(Int(min(max(worst / 60, 0), 99_999))) at worst)", rank: 8))
    }
    if let place = progress.lostPlace {
      parts.append(
        Part(text: ControlText.lostPlace(place), style: .alarm, rank: 2, shorter: "LOST"))
    }
    if progress.isDiskBehind {
      let rate = progress.diskRate.map { " \(Quantity.bytes(Int64($0)))/s" } ?? ""
      parts.append(Part(text: "DISK SLOW" + rate, style: .alarm, rank: 2, shorter: "SLOW"))
    }
    return parts
  }

  private func meters(_ progress: RecordingProgress) -> [Part] {
    guard !progress.channelPeaks.isEmpty else { return [] }
    let meter = ChannelMeter(peaks: progress.channelPeaks)
    let style = meter.isClipping ? StatusText.Style.alarm : .plain
    guard progress.channelPeaks.count <= Self.channelLimit else {
      return [Part(text: "peak " + meter.loudest, style: style, rank: 2)]
    }
    guard hasBlocks else {
      return [Part(text: meter.numbers, style: style, rank: 2, shorter: meter.loudest)]
    }
    return [
      Part(text: meter.bars, style: style, rank: 2),
      Part(text: meter.loudest, style: style, rank: 3),
    ]
  }

  private func standingBy(_ progress: RecordingProgress) -> [Part] {
    var parts = [Part(text: "standing by", rank: 0)]
    if let time = start.time {
      parts.append(Part(text: "starts at " + ControlText.clock(Double(time.second)), rank: 1))
    }
    if start.hasKeys {
      parts.append(Part(text: start.time == nil ? "Enter starts" : "Enter starts now", rank: 2))
    } else if start.time == nil {
      parts.append(Part(text: "SIGUSR2 starts", rank: 2))
    }
    if progress.preRoll > 0 {
      parts.append(Part(text: "pre-roll \(Quantity.seconds(progress.preRoll))", rank: 4))
    }
    return parts + meters(progress)
  }
}
