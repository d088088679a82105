package import AssetWriter
package import CaptureDevices
package import MediaCore

// The memberwise initializers that Swift makes stay within a module; these are for the modules that make reports.

extension RecordingReport.Source {
  package init(
    deviceID: String, deviceName: String, format: String, tier: FormatTier? = nil,
    tierName: String? = nil
  ) {
    self.deviceID = deviceID
    self.deviceName = deviceName
    self.format = format
    self.tier = tier
    self.tierName = tierName
  }
}

extension RecordingReport.Movie {
  package init(
    path: String, startDate: String? = nil, startTime: Double? = nil, codec: String,
    codecName: String, encoder: String, width: Int, height: Int, frameRate: String, color: String,
    fieldOrder: String, startTimecode: String? = nil, endTimecode: String? = nil, frameCount: Int64,
    duration: Double, fileSize: Int64
  ) {
    self.path = path
    self.startDate = startDate
    self.startTime = startTime
    self.codec = codec
    self.codecName = codecName
    self.encoder = encoder
    self.width = width
    self.height = height
    self.frameRate = frameRate
    self.color = color
    self.fieldOrder = fieldOrder
    self.startTimecode = startTimecode
    self.endTimecode = endTimecode
    self.frameCount = frameCount
    self.duration = duration
    self.fileSize = fileSize
  }
}

extension RecordingReport.Latency {
  package init(encoded: Distribution, written: Distribution) {
    self.encoded = encoded
    self.written = written
  }
}

extension RecordingReport.Sound {
  package init(
    source: Source, sampleRate: Int, channelCount: Int, received: Int64 = 0, written: Int64 = 0,
    lost: Int64 = 0, lostByReason: [String: Int64] = [:], silence: Int64 = 0, trimmed: Int64 = 0,
    peaks: [Double?] = [], clockDeviation: Double = 0.0, clockError: Double? = nil,
    longestQueue: Int = 0
  ) {
    self.source = source
    self.sampleRate = sampleRate
    self.channelCount = channelCount
    self.received = received
    self.written = written
    self.lost = lost
    self.lostByReason = lostByReason
    self.silence = silence
    self.trimmed = trimmed
    self.peaks = peaks
    self.clockDeviation = clockDeviation
    self.clockError = clockError
    self.longestQueue = longestQueue
  }
}

extension RecordingReport.Incident {
  package init(
    kind: Kind, reason: DropReason? = nil, count: Int, frame: Int64, timecode: String? = nil,
    seconds: Double
  ) {
    self.kind = kind
    self.reason = reason
    self.count = count
    self.frame = frame
    self.timecode = timecode
    self.seconds = seconds
  }
}

extension RecordingReport {
  package init(
    source: Source, movie: Movie, label: TakeLabel? = nil, segments: [Segment] = [],
    frames: Frames = Frames(), sound: [Sound] = [], incidents: [Incident] = [],
    incidentsOmitted: Int = 0, end: End, error: String? = nil, isValid: Bool,
    latency: Latency? = nil, threads: [ThreadScheduling] = [], sidecarError: String? = nil,
    writer: AssetWriter.Report, continuations: [RecordingReport] = []
  ) {
    self.source = source
    self.movie = movie
    self.label = label
    self.segments = segments
    self.frames = frames
    self.sound = sound
    self.incidents = incidents
    self.incidentsOmitted = incidentsOmitted
    self.end = end
    self.error = error
    self.isValid = isValid
    self.latency = latency
    self.threads = threads
    self.sidecarError = sidecarError
    self.writer = writer
    self.continuations = continuations
  }
}
