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

  @Test func an_absence_counts_from_the_last_arrival() {
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

  @Test func a_device_lost_without_signal_is_absent_since_the_signal_loss() {
    var watch = SourceWatch(at: 0)
    watch.noteArrival(at: 5 * second)
    let isNews = watch.setSignal(false)
    let isNewsAgain = watch.setSignal(false)
    #expect(isNews && !isNewsAgain)
    watch.beginAbsence(ending)
    watch.loseDevice(.init(end: .deviceDisconnected), at: 9 * second)
    #expect(watch.hasSignal, "the next stream reports its own signal state")
    #expect(watch.absence?.isOfDevice == true && watch.absence?.since == 5 * second)
    #expect(watch.lastArrival == 9 * second)
  }

  /// As in a stopped process: nobody saw what would have come in that time.
  @Test func unwatched_time_does_not_count_as_silence() {
    let interval = second / 4
    var watch = SourceWatch(at: 0)
    watch.noteLook(at: interval)
    #expect(watch.watchedSilence(at: 20 * second) == 0.5, "the check is overdue")
    watch.noteLook(at: 20 * second)
    #expect(watch.watchedSilence(at: 20 * second) == 0.5)
    #expect(watch.silence(at: 20 * second) == 20, "elapsed time counts")
    for number in 1...12 { watch.noteLook(at: 20 * second + Int64(number) * interval) }
    #expect(watch.watchedSilence(at: 23 * second) == 3.5, "it counts if checked in time")
    watch.noteArrival(at: 24 * second)
    #expect(watch.watchedSilence(at: 24 * second) == 0)
  }

  @Test func unwatched_time_does_not_count_toward_the_wait_limit() {
    var watch = SourceWatch(at: 0)
    watch.noteLook(at: second / 4)
    watch.beginAbsence(ending)
    watch.noteLook(at: 20 * second)
    #expect(watch.absence(longerThan: 5, at: 20 * second) == nil)
    for number in 1...20 { watch.noteLook(at: 20 * second + Int64(number) * second / 4) }
    #expect(watch.absence(longerThan: 5, at: 25 * second) != nil)
  }

  @Test func a_recording_completes_once_with_its_first_reason() {
    var phase = RecordingPhase.draining(ending)
    #expect(!phase.isActive && phase.takesAudio)
    let isFirst = phase.complete()
    let isSecond = phase.complete()
    #expect(isFirst && !isSecond && !phase.takesAudio)
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
