extension PhotoLibrary {
  /// The changes from now on: those of this process immediately, those of others within a second.
  /// The counterpart of `PHPhotoLibraryChangeObserver`.
  ///
  /// ```swift
  /// for try await change in library.changes() { … }
  /// ```
  ///
  /// The sequence ends with the task that reads it, and with this object, which it does not retain.
  /// It throws ``MediaLibraryError`` if the library becomes unreadable. A buffered change may
  /// combine several.
  public func changes() -> AsyncThrowingStream<LibraryChange, any Error> {
    AsyncThrowingStream(bufferingPolicy: .unbounded) { continuation in
      let wakeUps = observers.wakeUps()
      let start = Result { () throws(MediaLibraryError) in
        try self.withCore(for: .reading) { core throws(MediaLibraryError) in
          try core.catalogue.position()
        }
      }
      let watching = Task { [weak self] in
        do {
          var seen = try start.get()
          // Changes by other processes wake nobody here, so poll every second.
          let clock = Task { [weak self] in
            while !Task.isCancelled {
              try await Task.sleep(for: .seconds(1))
              self?.observers.poke()
            }
          }
          defer { clock.cancel() }
          for await _ in wakeUps {
            guard let self else { break }
            let last = seen
            let news = try await self.onQueue { () throws(MediaLibraryError) in
              try self.news(after: last)
            }
            seen = news.position
            if let change = news.change { continuation.yield(change) }
          }
          continuation.finish()
        } catch {
          continuation.finish(throwing: error)
        }
      }
      continuation.onTermination = { _ in watching.cancel() }
    }
  }

  /// What was added to the catalogue since position `seen`.
  private func news(
    after seen: Catalogue.Position
  ) throws(MediaLibraryError) -> (position: Catalogue.Position, change: LibraryChange?) {
    try withCore(for: .reading) { core throws(MediaLibraryError) in try news(after: seen, core) }
  }

  private func news(
    after seen: Catalogue.Position, _ core: LibraryCore
  ) throws(MediaLibraryError) -> (position: Catalogue.Position, change: LibraryChange?) {
    let position = try core.catalogue.position()
    guard position.sequence > seen.sequence else { return (position, nil) }
    // A rewritten journal has other offsets.
    let isContinued = try core.journal.firstSequence(from: seen.offset) == seen.sequence + 1
    var change = LibraryChange()
    _ = try core.journal.read(from: isContinued ? seen.offset : 0) {
      entry, _ throws(MediaLibraryError) in
      guard entry.sequence > seen.sequence, entry.sequence <= position.sequence else { return true }
      if entry.begins == true { change.isWhole = true }
      guard !change.isWhole else { return true }
      change.inserted += entry.created.map(\.id)
      change.changed += entry.updates.map(\.id)
      change.removed += entry.removed
      for album in entry.albums ?? [] where !change.albums.contains(album.id) {
        change.albums.append(album.id)
      }
      return true
    }
    return (position, change)
  }
}
