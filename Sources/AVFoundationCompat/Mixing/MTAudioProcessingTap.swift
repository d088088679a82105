// swift-format-ignore-file: AlwaysUseLowerCamelCase

/// Something that changes a track's audio while it is mixed. There is none: mixes here have volumes alone.
public final class MTAudioProcessingTap: Sendable {
  private init() {}
}

/// How a tap is made.
public typealias MTAudioProcessingTapCreationFlags = UInt32
/// How a tap is called.
public typealias MTAudioProcessingTapFlags = UInt32

/// Audio reaches the tap as it is stored.
public let kMTAudioProcessingTapCreationFlag_PreEffects: MTAudioProcessingTapCreationFlags = 1
/// Audio reaches the tap after volumes.
public let kMTAudioProcessingTapCreationFlag_PostEffects: MTAudioProcessingTapCreationFlags = 2
/// The audio is the track's first.
public let kMTAudioProcessingTapFlag_StartOfStream: MTAudioProcessingTapFlags = 256
/// The audio is the track's last.
public let kMTAudioProcessingTapFlag_EndOfStream: MTAudioProcessingTapFlags = 512
/// The only form that callbacks have.
public let kMTAudioProcessingTapCallbacksVersion_0 = 0

/// Something that is not done here.
public let kAudio_UnimplementedError: OSStatus = -4

/// Given what the program handed over, and where the tap keeps its own. A function of Swift, and not of C.
public typealias MTAudioProcessingTapInitCallback = (
  MTAudioProcessingTap, UnsafeMutableRawPointer?, UnsafeMutablePointer<UnsafeMutableRawPointer?>
) -> Void
/// The tap is gone.
public typealias MTAudioProcessingTapFinalizeCallback = (MTAudioProcessingTap) -> Void
/// Given how many frames come at most, and what they are.
public typealias MTAudioProcessingTapPrepareCallback = (
  MTAudioProcessingTap, CMItemCount, UnsafePointer<AudioStreamBasicDescription>
) -> Void
/// No audio follows.
public typealias MTAudioProcessingTapUnprepareCallback = (MTAudioProcessingTap) -> Void
/// Fills buffers with changed audio.
public typealias MTAudioProcessingTapProcessCallback = (
  MTAudioProcessingTap, CMItemCount, MTAudioProcessingTapFlags,
  UnsafeMutablePointer<AudioBufferList>, UnsafeMutablePointer<CMItemCount>,
  UnsafeMutablePointer<MTAudioProcessingTapFlags>
) -> Void

/// What a tap calls.
public struct MTAudioProcessingTapCallbacks {
  /// ``kMTAudioProcessingTapCallbacksVersion_0``.
  public var version: Int
  /// Handed to ``init``.
  public var clientInfo: UnsafeMutableRawPointer?
  /// Called first.
  public var `init`: MTAudioProcessingTapInitCallback?
  /// Called last.
  public var finalize: MTAudioProcessingTapFinalizeCallback?
  /// Called before audio.
  public var prepare: MTAudioProcessingTapPrepareCallback?
  /// Called after audio.
  public var unprepare: MTAudioProcessingTapUnprepareCallback?
  /// Called for audio.
  public var process: MTAudioProcessingTapProcessCallback

  /// Callbacks of a tap.
  public init(
    version: Int, clientInfo: UnsafeMutableRawPointer?, `init`: MTAudioProcessingTapInitCallback?,
    finalize: MTAudioProcessingTapFinalizeCallback?,
    prepare: MTAudioProcessingTapPrepareCallback?,
    unprepare: MTAudioProcessingTapUnprepareCallback?,
    process: @escaping MTAudioProcessingTapProcessCallback
  ) {
    self.version = version
    self.clientInfo = clientInfo
    self.`init` = `init`
    self.finalize = finalize
    self.prepare = prepare
    self.unprepare = unprepare
    self.process = process
  }
}

/// Makes no tap: a mix here has volumes alone.
///
/// - Returns: ``kAudio_UnimplementedError``; the tap is nil.
@discardableResult
public func MTAudioProcessingTapCreate(
  _ allocator: CFAllocator?, _ callbacks: UnsafePointer<MTAudioProcessingTapCallbacks>,
  _ flags: MTAudioProcessingTapCreationFlags,
  _ tapOut: UnsafeMutablePointer<MTAudioProcessingTap?>
) -> OSStatus {
  tapOut.pointee = nil
  return kAudio_UnimplementedError
}

/// As above, for code that was written for older systems.
@discardableResult
public func MTAudioProcessingTapCreate(
  _ allocator: CFAllocator?, _ callbacks: UnsafePointer<MTAudioProcessingTapCallbacks>,
  _ flags: MTAudioProcessingTapCreationFlags,
  _ tapOut: UnsafeMutablePointer<Unmanaged<MTAudioProcessingTap>?>
) -> OSStatus {
  tapOut.pointee = nil
  return kAudio_UnimplementedError
}

/// What a tap keeps. Never called, for there is no tap.
public func MTAudioProcessingTapGetStorage(
  _ tap: MTAudioProcessingTap
) -> UnsafeMutableRawPointer { UnsafeMutableRawPointer(Unmanaged.passUnretained(tap).toOpaque()) }

/// The audio before the tap. Never called, for there is no tap.
///
/// - Returns: ``kAudio_UnimplementedError``.
@discardableResult
public func MTAudioProcessingTapGetSourceAudio(
  _ tap: MTAudioProcessingTap, _ numberFrames: CMItemCount,
  _ bufferListInOut: UnsafeMutablePointer<AudioBufferList>,
  _ flagsOut: UnsafeMutablePointer<MTAudioProcessingTapFlags>?,
  _ timeRangeOut: UnsafeMutablePointer<CMTimeRange>?,
  _ numberFramesOut: UnsafeMutablePointer<CMItemCount>?
) -> OSStatus { kAudio_UnimplementedError }
