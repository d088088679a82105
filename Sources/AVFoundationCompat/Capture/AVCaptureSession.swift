// swift-format-ignore-file: AlwaysUseLowerCamelCase

public import MediaCore
public import VideoRecorder

/// Passes samples from devices to outputs.
public typealias AVCaptureSession = CaptureSession
/// A source of a session's samples: always a device.
public typealias AVCaptureInput = CaptureInput
/// A device as an input of a session.
public typealias AVCaptureDeviceInput = CaptureDeviceInput
/// A consumer of a session's samples.
public typealias AVCaptureOutput = CaptureOutput
/// An output that records into a file.
public typealias AVCaptureFileOutput = CaptureFileOutput
/// A connection from an input port to an output.
public typealias AVCaptureConnection = CaptureConnection
/// The media type of a track, a port or a connection.
public typealias AVMediaType = MediaType
/// A codec.
public typealias AVVideoCodecType = VideoCodecType

extension MediaType {
  /// A type from its raw value.
  public init(_ rawValue: String) { self.init(rawValue: rawValue) }
}

extension CaptureInput {
  /// One stream of media that an input delivers.
  public typealias Port = CaptureInputPort
}

extension CaptureInputPort {
  /// The clock of the samples' times.
  public var clock: CMClock? { .hostTimeClock }
}

extension CaptureSession {
  /// The clock of the samples' times; nil before there is an input.
  public var synchronizationClock: CMClock? { inputs.isEmpty ? nil : .hostTimeClock }
  /// As ``synchronizationClock``, by its older name.
  public var masterClock: CMClock? { synchronizationClock }
}

extension CaptureDeviceInput {
  /// An input from a device.
  ///
  /// - Throws: ``AVError``: the device is gone, or offers nothing.
  public convenience init(device: AVCaptureDevice) throws {
    do throws(CaptureError) { try self.init(device) } catch { throw AVError(error) }
  }
}

extension CaptureConnection {
  /// A connection from a port to an output, for `addConnection`. A session refuses a connection with no port or several
  /// ports: here each connection has exactly one.
  public convenience init(inputPorts: [AVCaptureInput.Port], output: AVCaptureOutput) {
    self.init(ports: inputPorts, to: output)
  }
}

extension VideoCodecType {
  /// JPEG: only for photos.
  public static let jpeg = VideoCodecType(rawValue: "jpeg")
  /// HEVC with alpha: not supported. Settings with it are refused.
  public static let hevcWithAlpha = VideoCodecType(rawValue: "muxa")
}

/// H.264, by its older name: see `AVVideoCodecType.h264`.
public let AVVideoCodecH264 = VideoCodecType.h264.rawValue
/// HEVC, by its older name: see `AVVideoCodecType.hevc`.
public let AVVideoCodecHEVC = VideoCodecType.hevc.rawValue
/// JPEG, by its older name: only for photos.
public let AVVideoCodecJPEG = VideoCodecType.jpeg.rawValue
