import AssetWriter
import CaptureDevices
import MediaCore
import QuickTime
import TakeReports
import VideoRecorder

/// What a request asks of the output.
extension RecordingOptions {
  /// The options of a recording, but for the source of its timecode.
  ///
  /// - Parameter rate: The frames that it will have; nil where the device does not tell.
  init(_ request: RecordingRequest, at rate: FrameRate?) {
    self.init()
    self.request = TakeRequest(request, at: rate)
    threads = request.preset.threads
    readsClock = { [clock = request.clock] in clock.read($0) }
    setVideo(request)
    setFiles(request)
    setSegments(request.preset.segment)
    setTake(request, at: rate)
    setLimits(request, at: rate)
    setFaults(request.preset.faults)
  }

  /// Sets which video formats are allowed, and how frames are encoded.
  private mutating func setVideo(_ request: RecordingRequest) {
    let video = request.preset.video
    allowedTiers = request.allowsFallback ? Set(FormatTier.allCases) : video.tiers
    encoder = request.encoder
    gapPolicy = video.fillsGaps ? .repeatPreviousFrame : .extendPreviousFrame
    masteringDisplay = video.masteringDisplay
    contentLightLevel = video.contentLight
  }

  /// How each movie comes to the disk, and what lies beside it.
  private mutating func setFiles(_ request: RecordingRequest) {
    let preset = request.preset
    movieFragmentInterval = MediaTime(
      seconds: preset.fragmentInterval, preferredTimescale: 1000)
    synchronizesFragments = preset.syncPolicy == .everyFragment
    overwritesExistingFile = request.overwritesExistingFile
    secondFolder = request.secondFolderPath
    writesSidecar = preset.writesSidecar
  }

  /// Where the take is cut into several movies.
  private mutating func setSegments(_ segment: SegmentLimit?) {
    switch segment {
    case .duration(.frames(let count))?: segments.maximumFrameCount = count
    case .duration(.seconds(let seconds))?:
      segments.maximumDuration = MediaTime(seconds: seconds, preferredTimescale: 1_000_000)
    case .bytes(let count)?: segments.maximumByteCount = count
    case nil: break
    }
    segments.numbersFirstFile = segment != nil
  }

  /// Sets the pre-roll, the timecode and the slate.
  private mutating func setTake(_ request: RecordingRequest, at rate: FrameRate?) {
    let preset = request.preset
    preRollDuration = MediaTime(
      seconds: preset.preRoll?.seconds(at: rate) ?? 0, preferredTimescale: 1_000_000)
    preRollByteLimit = preset.preRollByteCount
    label = request.label
    takeIdentifier = request.takeIdentifier
    for (key, value) in preset.metadata.sorted(by: { $0.key < $1.key }) {
      metadata[key] = .text(value)
    }
  }

  /// Where the take ends by itself. A duration is counted in frames where the rate is known.
  private mutating func setLimits(_ request: RecordingRequest, at rate: FrameRate?) {
    let limits = request.preset.limits
    maxRecordedFileSize = limits.maximumByteCount ?? 0
    // The reserve is in seconds, because the same bytes are plenty for one rate and nothing for another.
    minFreeDiskSpaceLimit = 0
    minFreeDiskSeconds = limits.minimumFreeSeconds
    var longest = limits.maximumSeconds
    if let rate {
      maxRecordedFrameCount = request.duration?.frameCount(at: rate)
    } else if case .frames(let count)? = request.duration {
      maxRecordedFrameCount = count
    } else if case .seconds(let seconds)? = request.duration {
      longest = min(longest ?? seconds, seconds)
    }
    if let longest {
      maxRecordedDuration = MediaTime(seconds: longest, preferredTimescale: 1_000_000)
    }
  }

  /// What happens where the source or the disk fails.
  private mutating func setFaults(_ faults: Preset.Faults) {
    signalLossPolicy = faults.interruption.signalLoss
    stallTimeout = faults.stallTimeout
    sourceWaitLimit = faults.sourceWaitLimit
    slowDiskPolicy = faults.slowDisk
  }
}
