import CaptureDevices
import MediaCore
import TakeReports

/// What happened to the frames of a take before they reached the writer, and its incidents in the order of time.
///
/// The writer itself counts repeats and the frames in the file.
struct TakeAccount {
  let rate: FrameRate
  /// The slot of the take's first frame: incidents are told by their distance from it.
  private(set) var origin: Int64 = 0
  /// The first frame's address; nil without timecode.
  var startTimecode: Timecode?
  var frames = RecordingReport.Frames()
  private(set) var incidents: [RecordingReport.Incident] = []
  private(set) var incidentsOmitted = 0
  private(set) var markers: [RecordingReport.Marker] = []

  init(rate: FrameRate) { self.rate = rate }

  /// The address of a slot.
  func timecode(ofSlot slot: Int64) -> Timecode? { startTimecode?.advanced(by: slot - origin) }

  /// Notes what happened at a slot.
  mutating func note(
    _ kind: RecordingReport.Incident.Kind, _ reason: DropReason? = nil, count: Int = 1,
    slot: Int64, lasting duration: Double? = nil
  ) {
    guard incidents.count < RecordingReport.incidentLimit else {
      incidentsOmitted += 1
      return
    }
    incidents.append(
      RecordingReport.Incident(
        kind: kind, reason: reason, count: count, frame: slot - origin,
        timecode: timecode(ofSlot: slot)?.description,
        seconds: rate.time(ofFrame: slot - origin).seconds, duration: duration))
  }

  /// Notes a marker at a slot.
  mutating func mark(_ note: String, slot: Int64) -> RecordingReport.Marker {
    let marker = RecordingReport.Marker(
      note: note, frame: slot - origin, timecode: timecode(ofSlot: slot)?.description,
      seconds: rate.time(ofFrame: slot - origin).seconds)
    markers.append(marker)
    return marker
  }

  /// Counts missing frames of the take, that is, before `limit`.
  mutating func drop(_ reason: DropReason, count: Int, slot: Int64, limit: Int64?) {
    let room = limit.map {
      Int(clamping: max(0, $0.subtractingReportingOverflow(slot).partialValue))
    }
    let count = min(count, room ?? count)
    guard count > 0 else { return }
    frames.dropped += count
    frames.droppedByReason[reason.rawValue, default: 0] += count
    note(.dropped, reason, count: count, slot: slot)
  }

  // MARK: A past that is kept

  /// Forgets what happened before a slot, where no movie will hold it any more.
  mutating func forget(before oldest: Int64) { incidents.removeAll { $0.frame < oldest } }

  /// Forgets all that happened.
  mutating func forget() { self = TakeAccount(rate: rate) }

  /// Sets the first frame's timecode from that of a slot.
  mutating func setTimecode(_ timecode: Timecode?, ofSlot slot: Int64) {
    startTimecode = timecode?.advanced(by: origin - slot)
  }

  /// Begins the take at a slot: counts what is in the file, not what was discarded before.
  ///
  /// - Parameters:
  ///   - origin: The slot of the take's first frame.
  ///   - end: The first slot behind the frames that the writer has.
  /// - Returns: The number of missing audio samples by reason.
  mutating func beginTake(at origin: Int64, end: Int64) -> [String: Int64] {
    self.origin = origin
    incidents = incidents.compactMap { clipped($0, to: origin) }
    incidentsOmitted = 0
    var counted = RecordingReport.Frames()
    var repeated = 0
    var lostAudio: [String: Int64] = [:]
    for incident in incidents {
      let reason = incident.reason?.rawValue ?? ""
      switch incident.kind {
      case .dropped:
        counted.dropped += incident.count
        counted.droppedByReason[reason, default: 0] += incident.count
      case .repeated: repeated += incident.count
      case .damaged: counted.damaged += incident.count
      case .audioLost: lostAudio[reason, default: 0] += Int64(incident.count)
      default: break
      }
    }
    counted.encoded = max(Int(clamping: max(end - origin, 0)) - repeated, 0)
    // Frames that the writer refused were received as well.
    counted.received = [DropReason.encoderBusy, .diskBusy, .discontinuity]
      .reduce(counted.encoded) { $0 + (counted.droppedByReason[$1.rawValue] ?? 0) }
    frames = counted
    return lostAudio
  }

  /// The part of an incident that lies in the take, with its place there; nil if none does.
  private func clipped(
    _ incident: RecordingReport.Incident, to origin: Int64
  ) -> RecordingReport.Incident? {
    var incident = incident
    let cut = incident.kind == .audioLost ? 0 : max(origin - incident.frame, 0)
    guard incident.frame + Int64(incident.count) > origin, incident.frame + cut >= origin else {
      return nil
    }
    incident.count -= Int(cut)
    incident.frame += cut - origin
    incident.timecode = startTimecode?.advanced(by: incident.frame).description
    incident.seconds = rate.time(ofFrame: incident.frame).seconds
    return incident
  }
}
