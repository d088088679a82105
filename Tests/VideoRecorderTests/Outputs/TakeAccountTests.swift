import CaptureDevices
import MediaCore
import TakeReports
import Testing

@testable import VideoRecorder

/// What a take counts before the writer does.
@Suite struct TakeAccountTests {
  @Test func drops_are_counted_by_reason_up_to_the_takes_end() {
    var account = TakeAccount(rate: .fps25)
    account.startTimecode = Timecode("10:00:00:00", frameRate: .fps25)
    account.drop(.encoderBusy, count: 1, slot: 3, limit: nil)
    account.drop(.timestampGap, count: 5, slot: 8, limit: 10)
    account.drop(.timestampGap, count: 5, slot: 12, limit: 10)
    #expect(account.frames.dropped == 3)
    #expect(account.frames.droppedByReason == ["encoderBusy": 1, "timestampGap": 2])
    #expect(account.incidents.map(\.count) == [1, 2])
    #expect(account.incidents.last?.timecode == "10:00:00:08")
    #expect(account.incidents.last?.seconds == 0.32)
  }

  @Test func a_report_lists_incidents_up_to_its_limit_and_counts_the_rest() {
    var account = TakeAccount(rate: .fps25)
    for slot in 0..<Int64(RecordingReport.incidentLimit + 7) { account.note(.damaged, slot: slot) }
    #expect(account.incidents.count == RecordingReport.incidentLimit)
    #expect(account.incidentsOmitted == 7)
  }

  @Test func a_take_with_pre_roll_counts_only_what_it_contains() {
    var account = TakeAccount(rate: .fps25)
    account.frames.received = 1000
    account.drop(.encoderBusy, count: 1, slot: 10, limit: nil)
    account.note(.repeated, count: 1, slot: 10)
    account.drop(.timestampGap, count: 4, slot: 48, limit: nil)
    account.note(.repeated, count: 4, slot: 48)
    account.note(.damaged, slot: 60)
    account.note(.audioLost, .overrun, count: 480, slot: 70)
    account.drop(.diskBusy, count: 1, slot: 80, limit: nil)
    account.note(.repeated, count: 1, slot: 80)
    account.startTimecode = Timecode("01:00:00:00", frameRate: .fps25)
    let lost = account.beginTake(at: 50, end: 100)
    #expect(lost == ["overrun": 480])
    #expect(account.frames.dropped == 3)
    #expect(account.frames.damaged == 1)
    // Fifty slots, of which two at the start and the one at 80 have no frame of their own.
    #expect(account.frames.encoded == 47)
    #expect(account.frames.received == 48)
    #expect(account.incidents.map(\.frame) == [0, 0, 10, 20, 30, 30])
    #expect(account.incidents.map(\.count) == [2, 2, 1, 480, 1, 1])
    #expect(account.incidents[2].timecode == "01:00:00:10")
    account.note(.damaged, slot: 101)
    #expect(account.incidents.last?.frame == 51)
  }
}
