import MediaCore

/// The ring of what came before a take.
extension WriterState {
  /// Slots of the first video track in a length of the past; nil before its first frame.
  private func slots(in duration: MediaTime) -> Int64? {
    let most: Int64 = 1 << 50  // centuries
    return lead.map { min(max($0.rate.frameIndex(nearest: duration) ?? most, 0), most) }
  }

  /// Memory of what is kept.
  var heldBytes: Int64 { inputs.reduce(0) { $0 + $1.heldBytes } }

  /// Time that is kept.
  var heldDuration: MediaTime {
    guard let lead, let first = lead.queue.first else { return .zero }
    return lead.rate.time(ofFrame: lead.slots.end - first.slot)
  }

  /// Begins to keep encoded frames, and makes room for as much audio.
  mutating func beginHolding(_ preRoll: PreRoll) {
    phase = .holding(preRoll)
    for index in inputs.indices { inputs[index].withVideo { $0.queue.hold() } }
    makeRoomForAudio(preRoll)
  }

  /// Makes room for as much audio as frames are kept.
  private mutating func makeRoomForAudio(_ preRoll: PreRoll) {
    for index in inputs.indices {
      inputs[index].withAudio { audio in
        let samples = preRoll.keptDuration.converted(toTimescale: Int32(clamping: audio.rate))
        let kept = samples.isNumeric ? max(samples.value, 0) : 0
        audio.backlog = awaitsFile ? .max >> 1 : max(kept, audio.position - audio.written)
      }
    }
  }

  /// Keeps all that comes while the file is made in which a take begins, or no more.
  mutating func awaitFile(_ isAwaited: Bool) {
    awaitsFile = isAwaited
    guard let preRoll = phase.preRoll else { return }
    makeRoomForAudio(preRoll)
    forgetOldest()
  }

  /// Discards the oldest frames and their audio until the pre-roll is within its limits of duration and
  /// memory.
  mutating func forgetOldest() {
    guard let preRoll = phase.preRoll, let slots = slots(in: preRoll.keptDuration) else { return }
    while let lead, lead.queue.firstFrame != nil, let second = lead.queue.secondSlot {
      let isTooOld = !awaitsFile && lead.slots.end - second >= slots
      guard isTooOld || heldBytes > preRoll.byteLimit else { break }
      for index in inputs.indices {
        let own = boundary(second, for: index)
        inputs[index].withVideo { $0.queue.drop(before: own) }
      }
      dropAudio(before: second)
    }
  }

  /// Discards all that is kept. A take has nothing from before `slot`, and the next frame takes that slot or a
  /// later one.
  mutating func forgetPast(before slot: Int64) {
    guard phase.preRoll != nil else { return }
    segments.firstSlot = slot
    facts.firstTimecode = nil
    for index in inputs.indices {
      let own = boundary(slot, for: index)
      inputs[index].withVideo { $0.forget(before: own) }
      inputs[index].withAudio { $0.forget(before: own) }
    }
  }

  /// Drops audio before a slot of the first video track.
  mutating func dropAudio(before slot: Int64) {
    for index in inputs.indices {
      let first = boundary(slot, for: index)
      inputs[index].withAudio { $0.drop(before: first) }
    }
  }

  /// Begins the take with what is kept.
  ///
  /// - Parameters:
  ///   - start: The slot from which the pre-roll is counted back; nil for the next one to come.
  ///   - timecode: Gives the address of the take's first frame, which lies as many slots before the
  ///     next one to come as the first number says, in the slot that the second says; nil for the one
  ///     that follows from the frames' own.
  /// - Returns: The slot of the first frame, or, where none is kept, from which the take begins.
  mutating func endHolding(
    at start: Int64?, timecode: (_ held: Int64, _ slot: Int64) -> Timecode?
  ) -> Int64 {
    defer { phase.beginWriting() }
    awaitsFile = false
    if let preRoll = phase.preRoll { makeRoomForAudio(preRoll) }
    if let preRoll = phase.preRoll, let lead, let slots = slots(in: preRoll.duration),
      let oldest = lead.queue.first?.slot
    {
      let end = lead.slots.end
      let first = max(min(start ?? .max, end) - slots, oldest)
      segments.firstSlot = first
      if let address = timecode(end - first, first) { configuration.startTimecode = address }
      facts.firstTimecode = facts.firstTimecode?.advanced(by: first - (lead.slots.first ?? first))
    }
    let first = segments.firstSlot
    for index in inputs.indices {
      let own = boundary(first, for: index)
      inputs[index].withVideo { $0.beginTake(at: own) }
      inputs[index].restartAccount(from: own)
    }
    dropAudio(before: first)
    return first
  }
}
