import Monitor
import Testing

@testable import RecorderControl

/// Which preview frames are made: an unwanted frame costs time in the process that records.
@Suite struct FramesDueTests {
  private static let region = FrameRegion(x: 0, y: 0, width: 64, height: 32)

  @Test func a_pending_preview_is_not_made_twice() {
    var due = FramesDue()
    due.want([nil: 10], having: 0)
    #expect(due.earliest == 10 && due.begin(at: 9).isEmpty)
    #expect(due.begin(at: 11).map(\.number) == [1])
    // Repeated before the frame arrives, as happens with each message between making and sending it.
    due.want([nil: 10], having: 0)
    #expect(due.earliest == .max && due.begin(at: 12).isEmpty)
    due.want([nil: 20], having: 1)
    #expect(due.earliest == 20 && due.begin(at: 20).map(\.number) == [2])
  }

  @Test func each_region_waits_for_its_own_preview() {
    var due = FramesDue()
    due.want([nil: 1, Self.region: 1], having: 0)
    let orders = due.begin(at: 1)
    #expect(orders == [.init(number: 1), .init(number: 2, region: Self.region)])
    due.want([nil: 5, Self.region: 1], having: 1)
    #expect(due.earliest == 5)
    #expect(due.begin(at: 5) == [.init(number: 3)])
    due.want([Self.region: 6], having: 2)
    #expect(due.earliest == 6)
  }

  @Test func a_failed_preview_is_due_again() {
    var due = FramesDue()
    due.want([nil: 1], having: 0)
    _ = due.begin(at: 1)
    due.giveUp()
    #expect(due.earliest == 1 && due.begin(at: 2).map(\.number) == [2])
  }
}
