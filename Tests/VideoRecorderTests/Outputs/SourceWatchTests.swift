import CaptureDevices
import MediaCore
import TakeReports
import Testing

@testable import VideoRecorder

/// A source that delivers nothing, and the state of the recording.
@Suite struct SourceWatchTests {
  private let second: Int64 = 1_000_000_000
  private let ending = RecordingPhase.Ending(
    end: .signalLost, error: CaptureError(.signalLost, "gone"))

  @Test func an_absence_counts_from_the_last_event_and_ends_with_a_frame() {
    var watch = SourceWatch(at: 0)
    watch.noteArrival(at: 5 * second)
    #expect(watch.silence(at: 8 * second) == 3)
    watch.beginAbsence(ending)
    #expect(watch.absence(longerThan: 2, at: 6 * second) == nil)
    #expect(watch.absence(longerThan: 2, at: 7 * second)?.ending.end == .signalLost)
    let ended = watch.endAbsence()
    #expect(ended?.isOfDevice == false)
    #expect(watch.absence == nil)
  }

  @Test func a_device_lost_while_its_signal_was_gone_is_absent_since_then() {
    var watch = SourceWatch(at: 0)
    watch.noteArrival(at: 5 * second)
    let isNews = watch.setSignal(false)
    let isNewsAgain = watch.setSignal(false)
    #expect(isNews && !isNewsAgain)
    watch.beginAbsence(ending)
    watch.loseDevice(.init(end: .deviceDisconnected), at: 9 * second)
    #expect(watch.hasSignal, "what the next stream says of its signal is its own")
    #expect(watch.absence?.isOfDevice == true && watch.absence?.since == 5 * second)
    #expect(watch.lastArrival == 9 * second)
  }

  /// As in a stopped process: nobody saw what would have come in that time.
  @Test func time_in_which_nobody_looked_is_no_silence_of_the_device() {
    let interval = second / 4
    var watch = SourceWatch(at: 0)
    watch.noteLook(at: interval)
    #expect(watch.watchedSilence(at: 20 * second) == 0.5, "the look itself is overdue")
    watch.noteLook(at: 20 * second)
    #expect(watch.watchedSilence(at: 20 * second) == 0.5)
    #expect(watch.silence(at: 20 * second) == 20, "what has passed has passed")
    for number in 1...12 { watch.noteLook(at: 20 * second + Int64(number) * interval) }
    #expect(watch.watchedSilence(at: 23 * second) == 3.5, "looked at in time, it counts")
    watch.noteArrival(at: 24 * second)
    #expect(watch.watchedSilence(at: 24 * second) == 0)
  }

  @Test func time_in_which_nobody_looked_does_not_shorten_how_long_a_source_is_awaited() {
    var watch = SourceWatch(at: 0)
    watch.noteLook(at: second / 4)
    watch.beginAbsence(ending)
    watch.noteLook(at: 20 * second)
    #expect(watch.absence(longerThan: 5, at: 20 * second) == nil)
    for number in 1...20 { watch.noteLook(at: 20 * second + Int64(number) * second / 4) }
    #expect(watch.absence(longerThan: 5, at: 25 * second) != nil)
  }

  @Test func a_recording_is_completed_once_with_the_reason_that_came_first() {
    var phase = RecordingPhase.draining(ending)
    #expect(!phase.isActive && phase.takesSound)
    let isFirst = phase.complete()
    let isSecond = phase.complete()
    #expect(isFirst && !isSecond && !phase.takesSound)
    var first = ending
    first.fail(CaptureError(.diskFull, "full"), isOfTake: true)
    #expect(first.end == .signalLost && first.error?.code == .signalLost)
    var intended = RecordingPhase.Ending(end: .stopped)
    intended.fail(CaptureError(.diskFull, "full"), isOfTake: true)
    #expect(intended.end == .diskFull && intended.error?.code == .diskFull)
    var empty = RecordingPhase.Ending(end: .stopped)
    empty.fail(CaptureError(.outputFailed, "nothing"), isOfTake: false)
    #expect(empty.end == .stopped && empty.error?.code == .outputFailed)
  }
}
