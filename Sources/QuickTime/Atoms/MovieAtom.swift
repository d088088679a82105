import MediaCore

extension AtomWriter {
  /// The movie atom.
  ///
  /// - Parameter isFragmented: True for the atom that a recording begins with: no samples, and
  ///   `mvex` says that fragments follow.
  mutating func movie(_ movie: MovieRecord, isFragmented: Bool) {
    atom("moov") { moov in
      moov.movieHeader(movie, duration: isFragmented ? 0 : movie.duration)
      for track in movie.tracks {
        moov.track(track, of: movie, isFragmented: isFragmented)
      }
      moov.raw(movie.metadata)
      moov.raw(movie.userData)
      guard isFragmented else { return }
      moov.atom("mvex") { mvex in
        for track in movie.tracks { mvex.trackExtends(track) }
      }
    }
  }

  private mutating func movieHeader(_ movie: MovieRecord, duration: Int64) {
    let wide = duration > Int64(UInt32.max) || movie.creationTime > UInt64(UInt32.max)
    fullAtom("mvhd", version: wide ? 1 : 0) { atom in
      atom.times(movie.creationTime, wide: wide)
      atom.uint32(movie.timescale)
      atom.number(duration, wide: wide)
      atom.uint32(movie.preferredRate)
      atom.uint16(movie.preferredVolume)
      atom.zeros(10)
      TrackRecord.identityMatrix.forEach { atom.uint32($0) }
      atom.zeros(24)
      atom.uint32((movie.tracks.map(\.id).max() ?? 0) &+ 1)
    }
  }

  private mutating func times(_ creation: UInt64, wide: Bool) {
    for _ in 0..<2 { number(Int64(clamping: creation), wide: wide) }
  }

  private mutating func number(_ value: Int64, wide: Bool) {
    if wide { int64(value) } else { uint32(UInt32(clamping: value)) }
  }

  private mutating func trackExtends(_ track: TrackRecord) {
    fullAtom("trex") { atom in
      atom.uint32(track.id)
      atom.uint32(1)  // sample description
      atom.uint32(0)  // duration, size: each fragment says
      atom.uint32(0)
      atom.uint32(0x0200_0000)  // depends on no other sample
    }
  }

  private mutating func track(_ track: TrackRecord, of movie: MovieRecord, isFragmented: Bool) {
    atom("trak") { trak in
      trak.trackHeader(track, of: movie, isFragmented: isFragmented)
      trak.raw(track.apertures)
      trak.editList(track, of: movie, isFragmented: isFragmented)
      if !track.references.isEmpty {
        trak.atom("tref") { tref in
          for reference in track.references {
            tref.atom(reference.type) { atom in reference.tracks.forEach { atom.uint32($0) } }
          }
        }
      }
      trak.atom("mdia") { mdia in
        mdia.mediaHeader(track, creationTime: movie.creationTime, isFragmented: isFragmented)
        mdia.handler(component: "mhlr", type: track.handler, name: track.handlerName)
        mdia.atom("minf") { minf in
          minf.raw(track.mediaHeader)
          minf.handler(component: "dhlr", type: "url ", name: "")
          minf.atom("dinf") { dinf in
            dinf.fullAtom("dref") { dref in
              dref.uint32(1)
              dref.fullAtom("url ", flags: 1) { _ in }  // in this file
            }
          }
          minf.sampleTable(track)
        }
      }
      trak.raw(track.userData)
    }
  }

  private mutating func trackHeader(
    _ track: TrackRecord, of movie: MovieRecord, isFragmented: Bool
  ) {
    let duration =
      isFragmented ? 0 : track.presentationDuration(movieTimescale: movie.timescale)
    let wide = duration > Int64(UInt32.max) || movie.creationTime > UInt64(UInt32.max)
    // Enabled, in the movie, in the preview, in the poster.
    fullAtom("tkhd", version: wide ? 1 : 0, flags: track.isEnabled ? 0xF : 0xE) { atom in
      atom.times(movie.creationTime, wide: wide)
      atom.uint32(track.id)
      atom.uint32(0)
      atom.number(duration, wide: wide)
      atom.zeros(8)
      atom.uint16(0)  // layer
      atom.uint16(track.alternateGroup)
      atom.uint16(track.volume)
      atom.uint16(0)
      track.matrix.forEach { atom.uint32($0) }
      atom.uint32(track.displayWidth)
      atom.uint32(track.displayHeight)
    }
  }

  private mutating func editList(
    _ track: TrackRecord, of movie: MovieRecord, isFragmented: Bool
  ) {
    if isFragmented && track.edits.isEmpty { return }
    let entries = track.editEntries(movieTimescale: movie.timescale)
    let wide = entries.contains {
      $0.duration > Int64(UInt32.max) || Int32(exactly: $0.mediaTime) == nil
    }
    atom("edts") { edts in
      edts.fullAtom("elst", version: wide ? 1 : 0) { atom in
        atom.uint32(UInt32(clamping: entries.count))
        for entry in entries {
          atom.number(entry.duration, wide: wide)
          if wide {
            atom.int64(entry.mediaTime)
          } else {
            atom.int32(Int32(clamping: entry.mediaTime))
          }
          atom.int32(entry.rate)
        }
      }
    }
  }

  private mutating func mediaHeader(
    _ track: TrackRecord, creationTime: UInt64, isFragmented: Bool
  ) {
    let duration = isFragmented ? 0 : track.samples.duration
    let wide = duration > Int64(UInt32.max) || creationTime > UInt64(UInt32.max)
    fullAtom("mdhd", version: wide ? 1 : 0) { atom in
      atom.times(creationTime, wide: wide)
      atom.uint32(track.timescale)
      atom.number(duration, wide: wide)
      atom.uint16(track.language)
      atom.uint16(0)  // quality
    }
  }

  private mutating func handler(component: FourCharCode, type: FourCharCode, name: String) {
    fullAtom("hdlr") { atom in
      atom.code(component)
      atom.code(type)
      atom.zeros(12)
      atom.pascalString(name)
    }
  }
}
