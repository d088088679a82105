import MediaCore

/// The ring of what came before a take.
extension WriterState {
  /// Slots of the first video track in a length of the past; nil before its first frame.
  private func slots(in duration: MediaTime) -> Int64? {
    let most: Int64 = 1 << 50  // centuries
    return leadRate.map { min(max($0.frameIndex(nearest: duration) ?? most, 0), most) }
  }

  /// Memory of what is kept.
  var heldBytes: Int64 {
    inputs.reduce(0) { sum, input in
      switch input.track {
      case .unprepared: sum
      case .video(let video): sum + video.encodedMemory
      case .audio(let audio):
        sum + (audio.position - audio.written) * Int64(audio.settings.format.bytesPerFrame)
      }
    }
  }

  /// Time that is kept.
  var heldDuration: MediaTime {
    guard let leadIndex, case .video(let video) = inputs[leadIndex].track,
      let first = video.pending.first, let last = video.lastSlot
    else { return .zero }
    return video.rate.time(ofFrame: last + 1 - first.slot)
  }

  /// Makes the video tracks hold what is encoded, and gives sound as much room.
  mutating func beginHolding(_ preRoll: PreRoll) {
    self.preRoll = preRoll
    for index in inputs.indices {
      inputs[index].withAudio { audio in
        let samples = preRoll.keptDuration.converted(toTimescale: Int32(clamping: audio.rate))
        audio.backlog = samples.isNumeric ? max(samples.value, 0) : 0
      }
    }
  }

  /// Lets go of frames, and of the sound that belongs to them, until the past is no longer than it
  /// may be and takes no more memory.
  mutating func forgetOldest() {
    guard let preRoll, let leadIndex, let slots = slots(in: preRoll.keptDuration)
    else { return }
    while case .video(let video) = inputs[leadIndex].track, let last = video.lastSlot,
      video.pending.count > 1, !video.encoded.isEmpty
    {
      let second = video.pending[1].slot
      guard last + 1 - second >= slots || heldBytes > preRoll.byteLimit else { break }
      for index in inputs.indices { dropPictures(before: boundary(second, for: index), of: index) }
      dropSound(before: second)
    }
  }

  /// Drops encoded frames that end before a slot of their own track.
  private mutating func dropPictures(before slot: Int64, of index: Int) {
    inputs[index].withVideo { video in
      while video.pending.count > 1, !video.encoded.isEmpty, video.pending[1].slot <= slot {
        _ = video.pending.popFirst()
        if let frame = video.encoded.popFirst() {
          video.encodedMemory -= Int64(frame.memorySize)
          video.encodedBytes -= frame.byteCount
        }
      }
    }
  }

  /// Drops sound before a slot of the first video track.
  mutating func dropSound(before slot: Int64) {
    for index in inputs.indices {
      let first = boundary(slot, for: index)
      inputs[index].withAudio { audio in
        while audio.written < first, let piece = audio.pieces.first {
          _ = audio.pieces.popFirst()
          let surplus = first - audio.written
          if surplus < Int64(piece.frameCount) {
            audio.pieces.prepend(piece.dropping(Int(surplus)))
            audio.written = first
          } else {
            audio.written += Int64(piece.frameCount)
          }
        }
      }
    }
  }

  /// Begins the take with what is kept.
  ///
  /// - Parameters:
  ///   - start: The slot from which the pre-roll is counted back; nil for the next one to come.
  ///   - timecode: Gives the address of the take's first frame, which lies as many slots before the
  ///     next one to come as the first number says, in the slot that the second says; nil for the one
  ///     that follows from the frames' own.
  /// - Returns: The slot of the first frame.
  mutating func endHolding(
    at start: Int64?, timecode: (_ held: Int64, _ slot: Int64) -> Timecode?
  ) -> Int64 {
    defer { preRoll = nil }
    guard let preRoll, let leadIndex, let slots = slots(in: preRoll.duration),
      case .video(let lead) = inputs[leadIndex].track, let last = lead.lastSlot,
      let oldest = lead.pending.first?.slot
    else { return 0 }
    let first = max(min(start ?? .max, last + 1) - slots, oldest)
    firstSlot = first
    if let address = timecode(last + 1 - first, first) { configuration.startTimecode = address }
    firstTimecode = firstTimecode?.advanced(by: first - (lead.firstSlot ?? first))
    for index in inputs.indices {
      let own = boundary(first, for: index)
      dropPictures(before: own, of: index)
      inputs[index].withVideo { video in
        // What the encoder still has of the time before is thrown away when it comes.
        while video.encoded.isEmpty, video.pending.count > 1, video.pending[1].slot <= own {
          _ = video.pending.popFirst()
          video.discards += 1
        }
        if let head = video.pending.first, head.slot < own {
          _ = video.pending.popFirst()
          video.pending.prepend(
            .init(slot: own, slots: max(head.slots - (own - head.slot), 1), origin: head.origin))
        }
        video.firstSlot = video.pending.first?.slot ?? own
        video.isHolding = false
        video.backlog = video.encoded.count
      }
      inputs[index].restartAccount(from: own)
    }
    dropSound(before: first)
    return first
  }
}

extension InputState {
  /// Counts what is kept, and nothing of what was let go.
  fileprivate mutating func restartAccount(from place: Int64) {
    switch track {
    case .unprepared: break
    case .video(let video):
      account.video.framesAppended = video.pending.count
      account.video.framesEncoded = video.encoded.count
      account.video.framesTrimmed = 0
      account.video.refusals = [:]
    case .audio(let audio):
      account.audio.samplesAppended = max(audio.position - place, 0)
      account.audio.samplesTrimmed = 0
      account.audio.refusals = [:]
    }
  }
}
