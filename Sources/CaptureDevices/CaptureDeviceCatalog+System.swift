import TestPattern

extension CaptureDeviceCatalog {
  /// Every kind of device that this library drives; hardware first, so that it is preferred.
  static let system: CaptureDeviceCatalog = {
    let stage = PatternStage()
    return CaptureDeviceCatalog(sources: [.v4l2, .alsa, .file, .pattern(stage), .tone(stage)])
  }()
}

extension CaptureDeviceCatalog.Source {
  /// Cards and cameras: `v4l2:<bus path, serial or node>`.
  fileprivate static let v4l2 = Self(
    schemes: ["v4l2"], discover: { V4L2DeviceDriver.discover() },
    // Not by a search: a node that may not be opened is to say why.
    open: { _, rest throws(CaptureError) in
      CaptureDevice(driver: try V4L2DeviceDriver(identifier: rest))
    })

  /// Sound cards: `alsa:<bus path, card id or PCM name>`.
  fileprivate static let alsa = Self(
    schemes: ["alsa"], discover: { ALSADeviceDriver.discover() },
    open: { _, rest throws(CaptureError) in
      CaptureDevice(driver: try ALSADeviceDriver(identifier: rest))
    })

  /// The test pattern generator, and the synthetic sensor: `pattern[:kind][?options]`,
  /// `pattern:raw[?options]`.
  fileprivate static func pattern(_ stage: PatternStage) -> Self {
    Self(
      schemes: ["pattern"],
      discover: {
        PatternKind.allCases.map {
          CaptureDevice(driver: PatternDeviceDriver(kind: $0, stage: stage))
        } + [CaptureDevice(driver: SyntheticSensorDriver())]
      },
      open: { scheme, rest throws(CaptureError) in
        if let sensor = try SyntheticSensorDriver(rest: rest) {
          return CaptureDevice(driver: sensor)
        }
        return CaptureDevice(
          driver: try PatternDeviceDriver(identifier: "\(scheme):\(rest)", stage: stage))
      })
  }

  /// The tone generator: `tone[?options]`.
  fileprivate static func tone(_ stage: PatternStage) -> Self {
    Self(
      schemes: ["tone"], discover: { [CaptureDevice(driver: ToneDeviceDriver(stage: stage))] },
      open: { scheme, rest throws(CaptureError) in
        CaptureDevice(
          driver: try ToneDeviceDriver(identifier: "\(scheme):\(rest)", stage: stage))
      })
  }

  /// Files as cameras: `file:<path>`. None is found by looking.
  fileprivate static let file = Self(
    schemes: ["file"], discover: { [] },
    open: { _, rest throws(CaptureError) in
      CaptureDevice(driver: try FileDeviceDriver(path: rest))
    })
}
