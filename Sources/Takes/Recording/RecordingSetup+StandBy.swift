import CaptureDevices
import FoundationEssentials
import MediaCore
import TakeReports
import VideoRecorder

extension RecordingSetup {
  /// Stands by until the task is cancelled, and again after each time that the source was away.
  ///
  /// When the source goes away, that is reported at once, and so is the loss of what was kept.
  ///
  /// - Throws: As `CaptureMovieFileOutput.standBy(in:)` for the first time.
  func keepStandingBy(in folder: URL?) throws(CaptureError) -> Task<Void, Never> {
    let first = try output.standByForTake(in: folder)
    return Task { [self] in
      var recording = first
      while await Self.waitForNextLook() {
        guard !recording.isActive else { continue }
        let report = await recording.waitForReport()
        guard !Task.isCancelled else { return }
        tellLoss(report)
        guard let next = await standByAgain(in: folder, behind: report.end) else { return }
        recording = next
        output.noticeHandler?("\(selection.device) is back, and the recording is in standby again")
      }
    }
  }

  private func standByAgain(
    in folder: URL?, behind end: RecordingReport.End
  ) async -> MovieRecording? {
    var isReported = end == .formatChanged
    var refusal = (message: "", looks: 0)
    while await Self.waitForNextLook() {
      do throws(CaptureError) { return try output.standByForTake(in: folder) } catch {
        let interruption = session.interruption(of: selection.device)
        if interruption == .formatChanged, !isReported {
          isReported = true
          tellOtherFormat("\(selection.device) is back with another size or rate")
        }
        guard interruption == nil, error.code != .invalidState else {
          refusal = ("", 0)
          continue
        }
        // A device that was just opened refuses for a moment: only a refusal that stays is reported, once.
        refusal = (error.message, error.message == refusal.message ? refusal.looks + 1 : 1)
        if refusal.looks == Self.looksAtRefusal {
          output.noticeHandler?(
            "\(selection.device) is back, but cannot go into standby: \(error.message)")
        }
      }
    }
    return nil
  }

  /// After how many looks in a row with the same refusal it is reported: two seconds.
  private static let looksAtRefusal = 8

  /// The session does not take a device again that has another format.
  private func tellOtherFormat(_ reason: String) {
    output.noticeHandler?("\(reason), and no recording can start; end this one and start it again")
  }

  private func tellLoss(_ report: RecordingReport) {
    let device = selection.device
    guard report.end != .sourceEnded, device.canComeBack else {
      output.noticeHandler?("\(device) has ended, and no recording can start")
      return
    }
    let reason = report.error?.message ?? "\(device) is gone"
    guard report.end != .formatChanged else { return tellOtherFormat(reason) }
    output.noticeHandler?("\(reason); nothing is buffered for the start until it is back")
  }

  /// - Returns: False where the task was cancelled.
  private static func waitForNextLook() async -> Bool {
    (try? await Task.sleep(for: .seconds(RecordingSeries.patience / 2))) != nil
  }
}
