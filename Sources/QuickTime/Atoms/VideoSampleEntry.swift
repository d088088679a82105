import MediaCore

extension AtomWriter {
  /// The sample entry of a video track: QTFF's video sample description with its extensions.
  mutating func videoSampleEntry(_ track: VideoTrackDescription) {
    atom(FourCharCode(track.codec.rawValue) ?? "????") { entry in
      entry.zeros(6)
      entry.uint16(1)  // data reference
      entry.uint16(0)  // version
      entry.uint16(0)  // revision
      entry.code(track.vendor)
      entry.uint32(0)  // temporal quality
      entry.uint32(1023)  // spatial quality: lossless but one, as Apple's ProRes files have it
      entry.uint16(UInt16(clamping: track.dimensions.width))
      entry.uint16(UInt16(clamping: track.dimensions.height))
      entry.uint32(72 << 16)  // pixels an inch, 16.16
      entry.uint32(72 << 16)
      entry.uint32(0)  // data size
      entry.uint16(1)  // frames a sample
      entry.pascalString(track.codec.displayName, paddedTo: 32)
      entry.uint16(track.hasAlpha ? 32 : 24)
      entry.int16(-1)  // no color table
      entry.videoExtensions(track)
    }
  }

  private mutating func videoExtensions(_ track: VideoTrackDescription) {
    atom("colr") { atom in
      atom.code("nclc")
      let codes = track.color.nclcValues
      atom.uint16(codes.primaries)
      atom.uint16(codes.transferFunction)
      atom.uint16(codes.matrix)
    }
    atom("fiel") { atom in
      // ProRes stores interleaved fields: 9 has the top line early, 14 late (Apple TN2162).
      switch track.fieldOrder {
      case .progressive: atom.uint16(0x0100)
      case .topFieldFirst: atom.uint16(0x0209)
      case .bottomFieldFirst: atom.uint16(0x020E)
      }
    }
    atom("pasp") { atom in
      atom.int32(track.pixelAspectRatio.horizontal)
      atom.int32(track.pixelAspectRatio.vertical)
    }
    let aperture = track.cleanAperture ?? CleanAperture(track.dimensions)
    atom("clap") { atom in
      for part in [
        aperture.width, aperture.height, aperture.horizontalOffset, aperture.verticalOffset,
      ] {
        atom.int32(part.numerator)
        atom.int32(part.denominator)
      }
    }
    if let display = track.masteringDisplay { masteringDisplay(display) }
    if let light = track.contentLightLevel {
      atom("clli") { atom in
        atom.uint16(light.maximum)
        atom.uint16(light.maximumFrameAverage)
      }
    }
  }

  private mutating func masteringDisplay(_ display: MasteringDisplayColorVolume) {
    atom("mdcv") { atom in
      // In the order of HEVC's SEI message: green, blue, red, white.
      for point in [display.green, display.blue, display.red, display.white] {
        atom.uint16(point.x)
        atom.uint16(point.y)
      }
      atom.uint32(display.maximumLuminance)
      atom.uint32(display.minimumLuminance)
    }
  }

  /// The sizes of the frame on the screen if pixels are not square (`tapt`), 16.16: what is
  /// meant to be seen, the whole frame, and the coded pixels as they are.
  mutating func apertures(_ track: VideoTrackDescription) {
    let ratio =
      Double(track.pixelAspectRatio.horizontal) / Double(track.pixelAspectRatio.vertical)
    let aperture = track.cleanAperture ?? CleanAperture(track.dimensions)
    let width = Double(track.dimensions.width)
    let height = Double(track.dimensions.height)
    atom("tapt") { tapt in
      let sizes: [(FourCharCode, Double, Double)] = [
        ("clef", aperture.width.value * ratio, aperture.height.value),
        ("prof", width * ratio, height), ("enof", width, height),
      ]
      for (type, width, height) in sizes {
        tapt.fullAtom(type) { atom in
          atom.uint32(Self.fixed16(width))
          atom.uint32(Self.fixed16(height))
        }
      }
    }
  }

  /// A number as 16.16, as near as can be; 0 where it does not fit.
  static func fixed16(_ value: Double) -> UInt32 {
    UInt32(exactly: (value * 65536).rounded()) ?? 0
  }
}
