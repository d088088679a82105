import MediaCore
import Monitor
import RecorderControl
import TakeReports

/// Figures for Prometheus, in its text format.
enum Metrics {
  private struct Figure {
    var name: String
    var help: String
    var type = "gauge"
    var value: (ChannelStatus) -> Double?
  }

  private static var figures: [Figure] {
    channelFigures + takeFigures + loudnessFigures + storageFigures + clockFigures
  }

  /// The channel's recorder, and its input.
  private static var channelFigures: [Figure] {
    [
      Figure(name: "recorder_up", help: "1 while the channel's recorder can be reached.") {
        $0.connection == .connected ? 1 : 0
      },
      Figure(name: "recorder_recording", help: "1 while a take is recorded.") {
        $0.recorder.map { $0.state == .recording ? 1 : 0 }
      },
      Figure(name: "recorder_has_signal", help: "0 while the input has no signal.") {
        $0.recorder?.source.map { $0.hasSignal ? 1 : 0 }
      },
      Figure(
        name: "recorder_takes_finished_total", help: "Takes that are complete.", type: "counter"
      ) { $0.recorder.map { Double($0.takesFinished) } },
    ]
  }

  /// The present take.
  private static var takeFigures: [Figure] {
    [
      Figure(name: "recorder_take_seconds", help: "Length of the current take in seconds.") {
        $0.recorder?.progress?.duration
      },
      Figure(
        name: "recorder_take_frames",
        help: "Length of the current take in frames, including repeats and open gaps."
      ) {
        $0.recorder?.progress.map { Double($0.frames) }
      },
      Figure(name: "recorder_take_frames_dropped", help: "Frames missing in the current take.") {
        $0.recorder?.progress.map { Double($0.dropped) }
      },
      Figure(name: "recorder_take_frames_repeated", help: "Frames repeated in the current take.") {
        $0.recorder?.progress.map { Double($0.repeated) }
      },
      Figure(name: "recorder_take_frames_damaged", help: "Frames damaged in the current take.") {
        $0.recorder?.progress.map { Double($0.damaged) }
      },
      Figure(
        name: "recorder_take_place_lost",
        help: "1 while a take that is written in two places continues in only one."
      ) { $0.recorder?.progress.map { $0.lostPlace == nil ? 0 : 1 } },
    ]
  }

  /// The audio of the take, or of the input between takes.
  private static var loudnessFigures: [Figure] {
    [
      Figure(
        name: "recorder_loudness_integrated_lufs",
        help: "Integrated loudness of the take, or of the input between takes (EBU R128)."
      ) { $0.recorder?.loudness?.integrated },
      Figure(
        name: "recorder_loudness_short_term_lufs", help: "Loudness of the last three seconds."
      ) { $0.recorder?.loudness?.shortTerm },
      Figure(name: "recorder_loudness_range_lu", help: "Loudness range of the same period.") {
        $0.recorder?.loudness?.range
      },
      Figure(name: "recorder_true_peak_dbtp", help: "Largest true peak of the same period.") {
        $0.recorder?.loudness?.truePeak
      },
    ]
  }

  /// Room for frames, in memory and on the disk.
  private static var storageFigures: [Figure] {
    [
      Figure(name: "recorder_queue_frames", help: "Frames waiting for the encoder or the disk.") {
        $0.recorder?.progress.map { Double($0.queue) }
      },
      Figure(name: "recorder_queue_limit_frames", help: "Maximum number of waiting frames.") {
        $0.recorder?.progress.map { Double($0.queueDepth) }
      },
      Figure(name: "recorder_disk_free_bytes", help: "Bytes free on the take's disk.") {
        ($0.recorder?.progress?.freeDiskSpace ?? $0.recorder?.disk?.freeSpace).map(Double.init)
      },
      Figure(
        name: "recorder_disk_seconds_left",
        help:
          "Seconds that fit on the disk at the current rate; between takes, at the codec's target rate."
      ) { $0.recorder?.progress?.secondsLeft ?? $0.recorder?.disk?.worstCaseSecondsLeft },
    ]
  }

  /// The clock of the recorder's system.
  private static var clockFigures: [Figure] {
    [
      Figure(
        name: "recorder_clock_synchronized",
        help: "1 while the recorder's clock is synchronized to another."
      ) { $0.recorder?.clock?.isSynchronized.map { $0 ? 1 : 0 } },
      Figure(
        name: "recorder_clock_offset_seconds",
        help: "Seconds by which the clock is ahead of its reference."
      ) { $0.recorder?.clock?.offset },
      Figure(
        name: "recorder_clock_maximum_error_seconds",
        help: "Maximum error of the clock in seconds."
      ) { $0.recorder?.clock?.maximumError },
    ]
  }

  /// The names of all figures.
  static var names: [String] {
    figures.map(\.name) + ["recorder_alarm", "recorder_lost_takes_total", "recorder_viewers"]
  }

  /// All figures of all channels.
  static func text(of gateway: Gateway) async -> String {
    let all = gateway.channels.map(\.status)
    var lines: [String] = []
    for figure in figures {
      lines += ["# HELP \(figure.name) \(figure.help)", "# TYPE \(figure.name) \(figure.type)"]
      for status in all {
        guard let value = figure.value(status) else { continue }
        lines.append("\(figure.name){channel=\"\(status.name)\"} \(number(value))")
      }
    }
    lines += ["# HELP recorder_alarm 1 while an alarm is on.", "# TYPE recorder_alarm gauge"]
    for status in all {
      for alarm in RecorderEvent.AlarmName.allCases {
        let isOn = status.alarms.contains(alarm) ? 1 : 0
        lines.append(
          "recorder_alarm{channel=\"\(status.name)\",alarm=\"\(alarm.rawValue)\"} \(isOn)")
      }
    }
    lines += [
      "# HELP recorder_lost_takes_total Takes whose recorder ended in them, since the gateway has run.",
      "# TYPE recorder_lost_takes_total counter",
    ]
    for channel in gateway.channels {
      lines.append(
        "recorder_lost_takes_total{channel=\"\(channel.name)\"} \(channel.lostTakeCount)")
    }
    lines += ["# HELP recorder_viewers Clients that watch.", "# TYPE recorder_viewers gauge"]
    for channel in gateway.channels {
      let count = await channel.frames.viewerCount
      lines.append("recorder_viewers{channel=\"\(channel.name)\"} \(count)")
    }
    return lines.joined(separator: "\n") + "\n"
  }

  private static func number(_ value: Double) -> String {
    value == value.rounded() && value.magnitude < 1e15 ? "\(Int64(value))" : "\(value)"
  }
}
