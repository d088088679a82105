extension PhotoLibrary {
  /// The changes from now on, of this process at once and of others within a second: what
  /// `PHPhotoLibraryChangeObserver` is told.
  ///
  /// ```swift
  /// for try await change in library.changes() { … }
  /// ```
  ///
  /// The sequence ends with the task that reads it, or throws ``MediaLibraryError`` where the library
  /// cannot be read any more. What nobody has read yet is put together.
  public func changes() -> AsyncThrowingStream<LibraryChange, any Error> {
    AsyncThrowingStream(bufferingPolicy: .unbounded) { continuation in
      let wakeUps = observers.wakeUps()
      let start = Result { () throws(MediaLibraryError) in try self.core().catalogue.lastSequence()
      }
      let watching = Task { [weak self] in
        do {
          var seen = try start.get()
          // Others' changes wake nobody here; a look each second finds them.
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
            seen = news.sequence
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

  /// What is in the catalogue and was not when the sequence number was `seen`.
  private func news(
    after seen: Int64
  ) throws(MediaLibraryError) -> (sequence: Int64, change: LibraryChange?) {
    let core = try core()
    let position = try core.catalogue.read { try Catalogue.position($0) }
    guard position.sequence > seen else { return (position.sequence, nil) }
    var change = LibraryChange()
    for (entry, _) in try core.journal.read().entries
    where entry.sequence > seen && entry.sequence <= position.sequence {
      if entry.begins == true {
        change.isWhole = true
        continue
      }
      guard !change.isWhole else { continue }
      change.inserted += entry.created.map(\.id)
      change.changed += entry.updates.map(\.id)
      change.removed += entry.removed
    }
    return (position.sequence, change)
  }
}
